"""The enumerator itself: against a grid that stands for every uniform, and by hand."""

import math
import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.exact import CannotEnumerate, outcomes, sequence_law, total_variation
from specdec.models import TableModel
from specdec.speculative import autoregressive_decode
from tests.specdec.small_models import THREE, TWO_BACK

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

# --- random programs, against brute force ------------------------------------------------
# A program is a tree: a leaf (an outcome), a choice, or a comparison of a function of the
# `which`-th uniform (a new one if there are not so many yet) with that function of k/8.

CELLS = 8
FUNCTIONS = [
    lambda x: x, lambda x: 1 - x, lambda x: x * THIRD, lambda x: 2 * x - 1,
    lambda x: -x / 3 + 1, lambda x: np.float64(0.5) * x, lambda x: x + x,
]
OPERATORS = [
    operator.lt, operator.le, operator.gt, operator.ge,
    lambda a, b: not operator.lt(b, a), lambda a, b: operator.ge(b, a),
]


def choices(programs):
    branches = st.lists(st.tuples(st.integers(0, 3), programs), min_size=1, max_size=3)
    return branches.filter(lambda branches: any(weight for weight, _ in branches))


def comparisons(programs):
    return st.tuples(
        st.integers(0, 2), st.sampled_from(FUNCTIONS), st.sampled_from(OPERATORS),
        st.integers(0, CELLS), programs, programs)


programs = st.recursive(
    st.integers(0, 4), lambda inner: choices(inner) | comparisons(inner), max_leaves=12)


def run(program, rng, uniforms=()):
    """Runs a program with a generator."""
    if isinstance(program, int):
        return program
    if isinstance(program, list):
        weights = np.array([Fraction(weight) for weight, _ in program])
        chosen = rng.choice(len(program), p=weights / weights.sum())
        return run(program[chosen][1], rng, uniforms)
    which, function, compare, eighths, yes, no = program
    if which >= len(uniforms):
        uniforms = (*uniforms, rng.random())
    u = uniforms[min(which, len(uniforms) - 1)]
    holds = compare(function(u), function(Fraction(eighths, CELLS)))
    return run(yes if holds else no, rng, uniforms)


def mixture(weighted_laws):
    law, total = {}, sum(weight for weight, _ in weighted_laws)
    for weight, part in weighted_laws:
        for outcome, probability in part.items():
            law[outcome] = law.get(outcome, 0) + Fraction(weight, total) * probability
    return {outcome: probability for outcome, probability in law.items() if probability}


def brute_force(program, midpoints=()):
    """The law, each uniform being one of 8 midpoints: no threshold lies between two."""
    if isinstance(program, int):
        return {program: 1}
    if isinstance(program, list):
        return mixture([(weight, brute_force(branch, midpoints))
                        for weight, branch in program])
    which, function, compare, eighths, yes, no = program
    if which >= len(midpoints):
        every = [(*midpoints, Fraction(2 * cell + 1, 2 * CELLS)) for cell in range(CELLS)]
        which = len(midpoints)
        again = (which, function, compare, eighths, yes, no)
        return mixture([(1, brute_force(again, extended)) for extended in every])
    holds = compare(function(midpoints[which]), function(Fraction(eighths, CELLS)))
    return brute_force(yes if holds else no, midpoints)


@given(programs)
def test_random_programs_have_the_law_that_brute_force_gives(program):
    law = outcomes(lambda rng: run(program, rng))
    assert law == brute_force(program)
    assert sum(law.values()) == 1


# --- draws -------------------------------------------------------------------------------

@pytest.mark.parametrize("pick", [
    lambda cdf, u: int(np.searchsorted(cdf, u)),
    lambda cdf, u: int(np.searchsorted(cdf, u, side="right")),
    lambda cdf, u: int((cdf <= u).sum()),
    lambda cdf, u: int((u >= cdf).sum()),
    lambda cdf, u: int(np.argmax(u < cdf)),
    lambda cdf, u: int(np.argmax(cdf - u > 0)),
    lambda cdf, u: next(i for i, bound in enumerate(cdf) if bound > u),
])
@pytest.mark.parametrize("dtype", [float, object])
def test_inverse_transform_sampling_has_the_law_of_its_cdf(pick, dtype):
    law = [Fraction(1, 4), Fraction(0), HALF, Fraction(1, 4)]
    cdf = np.array(law).cumsum().astype(dtype)
    assert outcomes(lambda rng: pick(cdf, rng.random())) == {
        i: weight for i, weight in enumerate(law) if weight}


def test_a_float_probability_counts_as_the_rational_it_is():
    law = outcomes(lambda rng: bool(rng.random() < 0.1))
    assert law == {True: Fraction(0.1), False: 1 - Fraction(0.1)}
    assert law[True] != Fraction(1, 10)


@pytest.mark.parametrize("p", [
    [0.1, 0.2, 0.7], np.array([0.1, 0.2, 0.7]), np.float32([0.1, 0.2, 0.7]),
    [Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)],
])
def test_weights_of_a_choice_sum_to_exactly_one(p):
    law = outcomes(lambda rng: (rng.choice(3, p=p), rng.choice(3, p=p)))
    exact = [Fraction(float(x)) if not isinstance(x, Fraction) else x for x in p]
    assert sum(law.values()) == 1
    assert law[0, 2] == exact[0] * exact[2] / sum(exact) ** 2


def test_one_uniform_answers_consistently_and_two_are_independent():
    def experiment(rng):
        u, v = rng.random(2)
        return bool(u < HALF), bool(u < THIRD), bool(v < HALF), bool(u >= HALF)

    law = outcomes(experiment)
    for v_is_small in (True, False):
        assert law[True, True, v_is_small, False] == Fraction(1, 6)
        assert law[True, False, v_is_small, False] == Fraction(1, 12)
        assert law[False, False, v_is_small, True] == Fraction(1, 4)
    assert law.num_paths == 6


def test_a_uniform_compared_with_infinity_and_nan_behaves_as_a_number():
    def experiment(rng):
        u = rng.random()
        return bool(u < math.inf), bool(-math.inf > u), bool(u >= math.nan), bool(0 * u < 0)

    assert outcomes(experiment) == {(True, False, False, False): 1}


@pytest.mark.parametrize(("draw", "law"), [
    (lambda rng: rng.choice("ab"), {"a": HALF, "b": HALF}),
    (lambda rng: rng.choice(["x", "y"], p=[HALF, HALF]), {"x": HALF, "y": HALF}),
    (lambda rng: tuple(rng.choice(2, size=2, p=[0, 1])), {(1, 1): 1}),
    (lambda rng: rng.integers(2), {0: HALF, 1: HALF}),
    (lambda rng: rng.integers(3, 5), {3: HALF, 4: HALF}),
    (lambda rng: rng.random((2, 3)).shape, {(2, 3): 1}),
    (lambda rng: rng.choice(1), {0: 1}),
])
def test_draws_look_like_a_generators(draw, law):
    assert outcomes(draw) == law


def test_branches_without_probability_are_never_run():
    def experiment(rng):
        if rng.random() < 0 or rng.random() >= 1.0 or rng.choice(2, p=[1.0, 0.0]) == 1:
            raise AssertionError("an impossible branch was run")
        u = rng.random()
        if u < HALF and u >= HALF:
            raise AssertionError("a contradiction was run")
        return "possible"

    assert outcomes(experiment) == {"possible": 1}


# --- what cannot be enumerated is said ---------------------------------------------------

@pytest.mark.parametrize(("experiment", "named"), [
    (lambda rng: rng.normal(), "rng.normal"),
    (lambda rng: rng.gumbel(size=3), "rng.gumbel"),
    (lambda rng: rng.permutation(3), "rng.permutation"),
    (lambda rng: rng.choice(3, size=2, replace=False), "replace=False"),
    (lambda rng: float(rng.random()), "rng.random"),
    (lambda rng: int(rng.random() * 3), "rng.random"),
    (lambda rng: rng.random(), "rng.random"),
    (lambda rng: rng.random() == 0, "rng.random"),
    (lambda rng: bool(rng.random()), "rng.random"),
    (lambda rng: np.log(rng.random()), "rng.random"),
    (lambda rng: np.log(rng.random(2)), "rng.random"),
    (lambda rng: np.asarray(rng.random(), dtype=float), "rng.random"),
    (lambda rng: 1 / rng.random(), "rng.random"),
    (lambda rng: rng.random() ** 2, "rng.random"),
    (lambda rng: rng.random() * rng.random(), "product"),
    (lambda rng: rng.random() < rng.random(), "two uniform numbers"),
    (lambda rng: max(rng.random(2)), "two uniform numbers"),
])
def test_a_draw_without_finitely_many_branches_is_refused_by_name(experiment, named):
    with pytest.raises(CannotEnumerate, match=named):
        outcomes(experiment)


def test_the_budget_is_a_number_of_paths():
    def experiment(rng):
        return rng.choice(3), rng.choice(3)

    assert outcomes(experiment, max_paths=9).num_paths == 9
    with pytest.raises(CannotEnumerate, match="max_paths = 8"):
        outcomes(experiment, max_paths=8)


def test_an_endless_experiment_in_breadth_hits_the_budget():
    def experiment(rng):
        flips = 0
        while rng.random() < HALF:
            flips += 1
            if flips == 500:
                break
        return flips

    with pytest.raises(CannotEnumerate, match="max_paths = 100 "):
        outcomes(experiment, max_paths=100)


@pytest.mark.parametrize("second_run", [
    lambda rng: rng.choice(2), lambda rng: rng.choice(3, p=[HALF, 0, HALF]),
    lambda rng: rng.random() < HALF, lambda rng: 0,
])
def test_an_experiment_that_changes_between_runs_is_found_out(second_run):
    runs = iter([lambda rng: rng.choice(3)])
    with pytest.raises(CannotEnumerate, match="differs when its draws are repeated"):
        outcomes(lambda rng: next(runs, second_run)(rng))


@pytest.mark.parametrize(("experiment", "named"), [
    (lambda rng: rng.choice(2, p=[0.5, 0.6]), "sum to 1"),
    (lambda rng: rng.choice(2, p=[-0.5, 1.5]), ">= 0"),
    (lambda rng: rng.choice(2, p=[math.nan, 1]), "nan"),
    (lambda rng: rng.choice(2, p=[math.inf, 1]), "inf"),
    (lambda rng: rng.choice(3, p=[0.5, 0.5]), "2 probabilities p for 3"),
    (lambda rng: rng.choice(0), "0 values"),
    (lambda rng: rng.integers(5, 5), "0 values"),
])
def test_a_choice_refuses_what_a_generator_refuses(experiment, named):
    with pytest.raises(ValueError, match=named):
        outcomes(experiment)


def test_a_budget_below_one_is_refused():
    with pytest.raises(ValueError, match="max_paths must be at least 1, got 0"):
        outcomes(lambda rng: 0, max_paths=0)


def test_an_error_in_one_branch_reaches_the_caller():
    def experiment(rng):
        return 1 // rng.choice(2)

    with pytest.raises(ZeroDivisionError):
        outcomes(experiment)


# --- laws compared -----------------------------------------------------------------------

def test_total_variation_is_zero_for_equals_one_for_disjoint_and_exact_between():
    a, b = {"x": THIRD, "y": 1 - THIRD}, {"x": HALF, "z": HALF}
    assert total_variation(a, a) == 0
    assert total_variation(a, {"z": 1}) == 1
    assert total_variation(a, b) == total_variation(b, a) == Fraction(2, 3)


def test_sequence_law_multiplies_the_rows():
    model = TableModel(np.array([[HALF, HALF], [THIRD, 1 - THIRD]]))
    assert sequence_law(model, [0], 2) == {
        (0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4),
        (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)}
    assert sequence_law(model, [0], 2, stop_tokens=[1]) == {
        (0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4), (1,): HALF}
    assert sequence_law(model, [0], 0) == {(): 1}


@pytest.mark.parametrize("target", [THREE[0], TWO_BACK[0]])
@pytest.mark.parametrize("stop_tokens", [(), (2,)])
def test_sequence_law_is_that_of_plain_decoding(target, stop_tokens):
    plain = outcomes(lambda rng: tuple(
        autoregressive_decode(target, [0], 4, rng, stop_tokens=stop_tokens)))
    assert plain == sequence_law(target, [0], 4, stop_tokens=stop_tokens)


def test_sequence_law_refuses_a_negative_length_and_a_row_that_is_no_law():
    with pytest.raises(ValueError, match="num_tokens must be at least 0, got -1"):
        sequence_law(THREE[0], [0], -1)
    with pytest.raises(ValueError, match="sum to 1"):
        sequence_law(lambda tokens: np.array([[0.5, 0.6]]), [0], 1)
