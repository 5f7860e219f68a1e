"""The enumerator itself: against a grid that stands for every uniform, and by hand."""

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
    lambda x: 2 * (1 - x) - x, lambda x: (x - 2) / 3,
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


# --- what cannot be enumerated is said ---------------------------------------------------

def test_the_budget_is_a_number_of_paths():
    def experiment(rng):
        return rng.choice(3), rng.choice(3)

    assert outcomes(experiment, max_paths=9).num_paths == 9
    with pytest.raises(CannotEnumerate, match="max_paths = 8"):
        outcomes(experiment, max_paths=8)


@pytest.mark.parametrize("second_run", [
    lambda rng: rng.choice(2), lambda rng: rng.choice(3, p=[HALF, 0, HALF]),
    lambda rng: rng.random() < HALF, lambda rng: 0,
])
def test_an_experiment_that_changes_between_runs_is_found_out(second_run):
    runs = iter([lambda rng: rng.choice(3)])
    with pytest.raises(CannotEnumerate, match="differs when its draws are repeated"):
        outcomes(lambda rng: next(runs, second_run)(rng))


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
