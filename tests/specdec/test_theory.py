"""The closed forms against the paper's tables, brute force and exact enumeration."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec.exact import outcomes
from specdec.models import TableModel, draft_of_quality, playground_target
from specdec.speculative import speculative_decode
from specdec.theory import (
    acceptance_rate,
    best_gamma,
    expected_tokens,
    mean_acceptance_rate,
    operations_factor,
    stationary_distribution,
    walltime_speedup,
)

# Leviathan et al. 2023, table 1: alpha, gamma, operations factor, speed-up (c = ĉ = 0).
TABLE_1 = [
    (0.6, 2, "1.53", "1.96"), (0.7, 3, "1.58", "2.53"), (0.8, 2, "1.23", "2.44"),
    (0.8, 5, "1.63", "3.69"), (0.9, 2, "1.11", "2.71"), (0.9, 10, "1.60", "6.86"),
]

# Tables 2 and 4: gamma, alpha, c, the speed-up expected from them ("Exp").
TABLE_4 = [
    (7, 0.75, 0.02, 3.2), (7, 0.80, 0.04, 3.3), (7, 0.82, 0.11, 2.5),
    (7, 0.62, 0.02, 2.3), (5, 0.68, 0.04, 2.4), (3, 0.71, 0.11, 2.0),
    (5, 0.65, 0.02, 2.4), (5, 0.73, 0.04, 2.6), (3, 0.74, 0.11, 2.0),
    (5, 0.53, 0.02, 1.9), (3, 0.55, 0.04, 1.8), (3, 0.56, 0.11, 1.6),
]

alphas = st.fractions(0, 1, max_denominator=50)
ratios = st.fractions(0, 2, max_denominator=50)
gammas = st.integers(0, 12)


@st.composite
def laws(draw, vocab=4):
    """A distribution over `vocab` tokens, in Fractions, zeros likely."""
    weights = draw(st.lists(st.integers(0, 5), min_size=vocab, max_size=vocab).filter(any))
    return np.array([Fraction(weight, sum(weights)) for weight in weights])


@pytest.mark.parametrize(("alpha", "gamma", "operations", "speedup"), TABLE_1)
def test_table_1_of_the_paper_comes_out_as_printed(alpha, gamma, operations, speedup):
    assert f"{operations_factor(alpha, gamma, 0):.2f}" == operations
    assert f"{walltime_speedup(alpha, gamma, 0):.2f}" == speedup


@pytest.mark.parametrize(("gamma", "alpha", "cost_ratio", "expected"), TABLE_4)
def test_table_4_of_the_paper_comes_out_within_its_rounding(
        gamma, alpha, cost_ratio, expected):
    assert walltime_speedup(alpha, gamma, cost_ratio) == pytest.approx(expected, abs=0.07)


@given(alphas, gammas)
def test_expected_tokens_is_the_closed_form_in_fractions(alpha, gamma):
    closed = gamma + 1 if alpha == 1 else (1 - alpha ** (gamma + 1)) / (1 - alpha)
    assert expected_tokens(alpha, gamma) == closed


@pytest.mark.parametrize("distance", [0, 1e-16, 1e-12, 1e-9, 1e-6])
def test_expected_tokens_is_accurate_beside_alpha_one(distance):
    alpha = 1 - distance
    exact = expected_tokens(Fraction(alpha), 20)
    assert expected_tokens(alpha, 20) == pytest.approx(float(exact), rel=1e-15)


@settings(max_examples=40, deadline=None)
@given(laws(3), laws(3), st.integers(0, 3))
def test_expected_tokens_is_what_a_step_emits_on_average(p, q, gamma):
    target, draft = TableModel([p] * 3), TableModel([q] * 3)  # whatever the context

    def tokens_of_a_step(rng):
        steps = speculative_decode(target, draft, [0], gamma + 1, gamma, rng)
        return len(next(steps).tokens)

    mean = sum(count * weight for count, weight in outcomes(tokens_of_a_step).items())
    assert mean == expected_tokens(acceptance_rate(p, q), gamma)


@settings(max_examples=20, deadline=None)
@given(st.lists(laws(3), min_size=3, max_size=3), laws(3))
def test_the_mean_acceptance_rate_is_that_of_a_guess_in_the_long_run(rows, q):
    table = np.array(rows) / 2 + Fraction(1, 6)
    target, draft = TableModel(table), TableModel([q] * 3)
    rate = 0
    for context, share in enumerate(stationary_distribution(table)):
        def kept(rng, context=context):
            step = next(speculative_decode(target, draft, [context], 2, 1, rng))
            return step.num_accepted
        rate += share * float(outcomes(kept).get(1, 0))
    assert mean_acceptance_rate(table, draft.table) == pytest.approx(rate, abs=1e-12)


@given(laws(), laws())
def test_acceptance_rate_is_one_minus_total_variation(p, q):
    assert acceptance_rate(p, q) == 1 - abs(p - q).sum() / 2


@given(laws(), laws())
def test_acceptance_rate_is_symmetric_and_whole_for_equal_laws_only(p, q):
    assert acceptance_rate(p, q) == acceptance_rate(q, p)
    assert (acceptance_rate(p, q) == 1) == all(p == q)


def test_acceptance_rate_of_a_table_is_that_of_each_row():
    p = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    q = np.array([[0.0, 0.5, 0.5], [0.2, 0.3, 0.5]])
    np.testing.assert_allclose(acceptance_rate(p, q), [0.5, 1])


@given(alphas, ratios, st.integers(0, 10))
def test_best_gamma_is_the_first_to_reach_the_greatest_speedup(alpha, cost, max_gamma):
    speedups = [walltime_speedup(alpha, gamma, cost) for gamma in range(max_gamma + 1)]
    assert best_gamma(alpha, cost, max_gamma) == speedups.index(max(speedups))


def test_best_gamma_matches_brute_force_in_floats_over_a_grid():
    for alpha, cost in product(np.arange(0.02, 0.98, 0.03), [0.005, 0.02, 0.05, 0.11, 0.3]):
        speedups = [walltime_speedup(alpha, gamma, cost) for gamma in range(65)]
        chosen = speedups[best_gamma(alpha, cost)]
        assert chosen == pytest.approx(max(speedups), rel=1e-14)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_draft_as_slow_as_it_is_right_is_not_worth_its_time(one, other):
    alpha, cost = sorted([one, other])
    assert best_gamma(alpha, cost) == 0


@given(alphas, ratios)
def test_a_draft_more_right_than_slow_gains_what_corollary_3_9_says(alpha, cost):
    bound = (1 + alpha) / (1 + cost)
    best = walltime_speedup(alpha, best_gamma(alpha, cost), cost)
    assert best >= max(bound, 1)
    assert (best > 1) == (alpha > cost)


def test_a_free_draft_is_used_to_the_limit_and_a_useless_one_never():
    assert best_gamma(0.5, 0) == 64
    assert best_gamma(1.0, 0.5, max_gamma=9) == 9
    assert best_gamma(0.0, 0.0) == 0


@given(alphas, alphas, gammas, ratios)
def test_more_acceptance_means_more_tokens_speed_and_less_work(one, other, gamma, ratio):
    low, high = sorted([one, other])
    assert expected_tokens(low, gamma) <= expected_tokens(high, gamma)
    assert walltime_speedup(low, gamma, ratio) <= walltime_speedup(high, gamma, ratio)
    assert operations_factor(low, gamma, ratio) >= operations_factor(high, gamma, ratio)


@given(alphas, gammas, ratios)
def test_a_longer_draft_means_more_tokens_and_more_work(alpha, gamma, ratio):
    assert expected_tokens(alpha, gamma) <= expected_tokens(alpha, gamma + 1)
    shorter = operations_factor(alpha, gamma, ratio)
    assert 1 <= shorter <= operations_factor(alpha, gamma + 1, ratio)


@given(alphas, ratios)
def test_without_guesses_nothing_changes(alpha, ratio):
    assert expected_tokens(alpha, 0) == 1
    assert walltime_speedup(alpha, 0, ratio) == operations_factor(alpha, 0, ratio) == 1


@given(st.lists(laws(), min_size=4, max_size=4))
def test_a_stationary_distribution_stays_as_it_is(rows):
    table = np.array(rows, dtype=float) / 2
    table[:, 0] += 0.5  # one group: all lead to token 0; some may never come up again
    frequencies = stationary_distribution(table)
    np.testing.assert_allclose(frequencies @ table, frequencies, atol=1e-14)
    assert frequencies.sum() == pytest.approx(1, abs=1e-14)
    assert np.all(frequencies >= 0)


def test_a_stationary_distribution_is_where_many_steps_lead():
    table = playground_target().table
    after_many = np.linalg.matrix_power(table, 4096)
    np.testing.assert_allclose(
        after_many, np.tile(stationary_distribution(table), (len(table), 1)), atol=1e-12)


def test_tokens_that_are_left_for_good_have_no_share_and_cycles_are_fine():
    table = [[0, 1, 0], [0, 0, 1], [0, 1, 0]]  # 0 is left; 1 and 2 alternate
    np.testing.assert_allclose(stationary_distribution(table), [0, 0.5, 0.5], atol=1e-15)


def test_groups_of_tokens_that_never_meet_are_refused():
    with pytest.raises(ValueError, match="more than one stationary"):
        stationary_distribution([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0]])


def test_the_mean_acceptance_rate_weights_contexts_by_how_often_they_come():
    target = np.array([[0.0, 1.0], [0.5, 0.5]])  # in token 1 two thirds of the time
    draft = np.array([[0.5, 0.5], [0.5, 0.5]])
    assert mean_acceptance_rate(target, draft) == pytest.approx(1 / 3 * 0.5 + 2 / 3)


def test_a_better_draft_is_accepted_more_and_a_perfect_one_always():
    target = playground_target()
    rates = [mean_acceptance_rate(target.table, draft_of_quality(target, step / 20).table)
             for step in range(21)]
    assert rates == sorted(rates)
    assert rates[-1] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("call", "named"), [
    (lambda: expected_tokens(1.1, 2), "alpha"),
    (lambda: expected_tokens(-0.1, 2), "alpha"),
    (lambda: expected_tokens(float("nan"), 2), "alpha"),
    (lambda: expected_tokens(0.5, -1), "gamma"),
    (lambda: expected_tokens(0.5, 2.0), "gamma"),
    (lambda: walltime_speedup(0.5, 2, -0.1), "cost_ratio"),
    (lambda: walltime_speedup(0.5, 2, float("inf")), "cost_ratio"),
    (lambda: walltime_speedup(0.5, 2, float("nan")), "cost_ratio"),
    (lambda: operations_factor(0.5, 2, -1), "ops_ratio"),
    (lambda: best_gamma(2, 0.1, max_gamma=0), "alpha"),
    (lambda: best_gamma(0.5, -1, max_gamma=0), "cost_ratio"),
    (lambda: best_gamma(0.5, 0.1, max_gamma=-1), "max_gamma"),
    (lambda: acceptance_rate([0.5, 0.5], [0.5, 0.6]), "q"),
    (lambda: acceptance_rate([1.5, -0.5], [0.5, 0.5]), "p"),
    (lambda: acceptance_rate([0.5, 0.5], [0.5, 0.25, 0.25]), "one shape"),
    (lambda: acceptance_rate(1.0, 1.0), "p"),
    (lambda: stationary_distribution([[0.5, 0.5]]), "table"),
    (lambda: stationary_distribution([0.5, 0.5]), "table"),
    (lambda: stationary_distribution([[float("nan"), 1], [0, 1]]), "table"),
])
def test_bad_input_is_refused_by_name(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def test_an_acceptance_rate_never_passes_one_by_rounding():
    nearly = np.array([[0.5 + 4e-7, 0.5], [0.25, 0.75 + 4e-7]])
    assert acceptance_rate(nearly, nearly).tolist() == [1, 1]
    assert mean_acceptance_rate(nearly, nearly) == 1
