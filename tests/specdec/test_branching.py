"""The generator whose every draw is a branching point, draw by draw."""

import math
from fractions import Fraction

import numpy as np
import pytest

from specdec.branching import CannotEnumerate
from specdec.exact import outcomes

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


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
    (lambda rng: np.searchsorted(rng.random(2), rng.random()), "two uniform numbers"),
    (lambda rng: np.sort(rng.random(3)), "two uniform numbers"),
])
def test_a_draw_without_finitely_many_branches_is_refused_by_name(experiment, named):
    with pytest.raises(CannotEnumerate, match=named):
        outcomes(experiment)


def test_a_loop_without_a_longest_path_is_refused():
    def experiment(rng):
        while rng.random() < HALF:
            pass

    with pytest.raises(CannotEnumerate, match="more than 10000 draws"):
        outcomes(experiment)


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
