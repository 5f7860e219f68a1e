"""specdec/sample_size.py: against closed forms, and against the test itself, simulated."""

from fractions import Fraction
from math import erfc, exp, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.sample_size import (
    MIN_EXPECTED_COUNT,
    chi_square_tail,
    noncentral_chi_square_tail,
    noncentrality_needed,
    tokens_needed,
)

TARGET, OFF = np.array([0.5, 0.1, 0.4]), np.array([0.49, 0.11, 0.4])

positive = st.floats(0.01, 60)


@given(positive)
def test_chi_square_where_the_tail_has_a_closed_form(x):
    assert chi_square_tail(x, 1) == pytest.approx(erfc(sqrt(x / 2)), abs=1e-13)
    assert chi_square_tail(x, 2) == pytest.approx(exp(-x / 2), abs=1e-13)
    assert chi_square_tail(x, 4) == pytest.approx(exp(-x / 2) * (1 + x / 2), abs=1e-13)


@given(positive, positive)
def test_one_degree_of_freedom_is_a_shifted_normal_squared(x, noncentrality):
    normal, shift, root = NormalDist(), sqrt(noncentrality), sqrt(x)
    tail = normal.cdf(shift - root) + normal.cdf(-shift - root)
    assert noncentral_chi_square_tail(x, 1, noncentrality) == pytest.approx(tail, abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 5])
def test_without_noncentrality_it_is_the_central_one(freedom):
    assert noncentral_chi_square_tail(3.0, freedom, 0) == pytest.approx(
        chi_square_tail(3.0, freedom), abs=1e-15)


def test_the_noncentrality_of_a_test_with_one_degree_of_freedom():
    normal = NormalDist()
    by_normal = (normal.inv_cdf(0.975) + normal.inv_cdf(0.9)) ** 2  # the other side: 1e-7
    assert noncentrality_needed(1, 0.05, 0.9) == pytest.approx(by_normal, rel=1e-6)


@pytest.mark.parametrize("freedom", [2, 3, 6])
def test_the_noncentrality_is_that_of_this_level_and_power(freedom):
    needed = noncentrality_needed(freedom, 0.05, 0.9)
    rng, draws = np.random.default_rng(3), 200_000
    critical = np.quantile(rng.chisquare(freedom, draws), 0.95)
    power = np.mean(rng.noncentral_chisquare(freedom, needed, draws) > critical)
    assert power == pytest.approx(0.9, abs=0.006)


def test_the_test_itself_with_so_many_tokens_notices_as_often_as_said():
    tokens, tries = tokens_needed(TARGET, OFF), 20_000
    rng = np.random.default_rng(5)

    def alarms(law):
        counts = rng.multinomial(tokens, law, tries)
        expected = tokens * TARGET
        statistics = ((counts - expected) ** 2 / expected).sum(axis=1)
        return np.mean([chi_square_tail(x, 2) < 0.05 for x in statistics])

    assert alarms(TARGET) == pytest.approx(0.05, abs=0.01)
    assert alarms(OFF) == pytest.approx(0.9, abs=0.01)


def test_a_right_law_is_never_noticed():
    assert tokens_needed(TARGET, TARGET) is None
    assert tokens_needed([1, 0], [1, 0]) is None


def test_fractions_and_floats_agree():
    exact = [Fraction(1, 2), Fraction(1, 10), Fraction(2, 5)]
    wrong = [Fraction(49, 100), Fraction(11, 100), Fraction(2, 5)]
    assert tokens_needed(exact, wrong) == tokens_needed(TARGET, OFF)


def test_a_tenth_of_the_error_needs_a_hundred_times_the_tokens():
    wrong, less = TARGET + [0.02, -0.02, 0], TARGET + [0.002, -0.002, 0]
    assert tokens_needed(TARGET, less) == pytest.approx(
        100 * tokens_needed(TARGET, wrong), rel=0.01)


def test_an_impossible_token_settles_it():
    tokens = tokens_needed([0.5, 0.5, 0], [0.45, 0.45, 0.1])
    assert 1 - 0.9**tokens >= 0.9 > 1 - 0.9 ** (tokens - 1)
    assert tokens_needed([1, 0], [0, 1]) == 1


def test_no_cell_is_expected_less_often_than_the_rule_wants():
    target = [0.05, 0.95]
    assert tokens_needed(target, [0.95, 0.05]) == MIN_EXPECTED_COUNT / 0.05


@pytest.mark.parametrize("options", [
    {"level": 0.9, "power": 0.5}, {"level": 0, "power": 0.9}, {"level": 0.05, "power": 1}])
def test_a_level_and_power_that_make_no_test_are_refused(options):
    with pytest.raises(ValueError, match="level < power"):
        tokens_needed(TARGET, OFF, **options)


def test_laws_of_different_sizes_are_refused():
    with pytest.raises(ValueError, match=r"\[vocab\]"):
        tokens_needed([0.5, 0.5], TARGET)
