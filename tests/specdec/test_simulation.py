"""Many chains at once against the readable code: token by token, then law by law."""

import math
from collections import Counter
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specdec.exact import outcomes, total_variation
from specdec.models import TableModel, draft_of_quality, playground_target
from specdec.simulation import Simulation, simulate
from specdec.speculative import residual, speculative_decode

BELOW_ONE = np.nextafter(1, 0)


def eighths(*rows):
    """A table model in Fractions, its rows given in eighths."""
    return TableModel(np.array([[Fraction(x, 8) for x in row] for row in rows]))


# Zeros on both sides, a one-hot row, a context where the draft is always wrong.
SPARSE_TARGET = eighths((1, 5, 2), (4, 0, 4), (0, 0, 8))
SPARSE_DRAFT = eighths((4, 2, 2), (1, 3, 4), (2, 6, 0))
DENSE_TARGET = eighths((3, 4, 1), (1, 1, 6), (5, 2, 1))
DENSE_DRAFT = eighths((2, 2, 4), (3, 3, 2), (1, 5, 2))
PAIRS = [(SPARSE_TARGET, SPARSE_DRAFT), (DENSE_TARGET, DENSE_DRAFT),
         (SPARSE_TARGET, SPARSE_TARGET), (DENSE_TARGET, SPARSE_DRAFT)]


def in_floats(model):
    return TableModel(model.table.astype(float))


def large_pair():
    """Forty tokens, most of them impossible, the others of very unequal chances."""
    rng = np.random.default_rng(5)
    weights = rng.random((2, 40, 40)) ** 20 * (rng.random((2, 40, 40)) < 0.3)
    weights[:, range(40), range(40)] += 1e-9
    target, draft = weights / weights.sum(axis=-1, keepdims=True)
    return TableModel(target), TableModel(draft)


FLOAT_PAIRS = {
    **{f"quality {quality}": (playground_target(),
                              draft_of_quality(playground_target(), quality))
       for quality in (0, 0.5, 1)},
    "sparse": (in_floats(SPARSE_TARGET), in_floats(SPARSE_DRAFT)),
    "one-hot draft": (in_floats(DENSE_TARGET), TableModel(np.eye(3)[[1, 2, 0]])),
    "one-hot target": (TableModel(np.eye(3)[[1, 2, 0]]), in_floats(DENSE_DRAFT)),
    "large": large_pair(),
}


def laid_out(steps, stream, gamma, unused):
    """The uniforms [num_steps, 2 · gamma + 1] that a run took, one after the other."""
    rows = []
    for step in steps:
        tests = min(step.num_accepted + 1, gamma)
        row = list(islice(stream, gamma + tests)) + [unused] * (gamma - tests)
        rows.append(row + [next(stream)])
    return rows


@pytest.mark.parametrize("unused", [0.0, BELOW_ONE])
@pytest.mark.parametrize("gamma", range(6))
@pytest.mark.parametrize("name", FLOAT_PAIRS)
def test_the_uniforms_of_the_readable_code_give_its_tokens(name, gamma, unused):
    (target, draft), num_steps, seeds = FLOAT_PAIRS[name], 12, range(4)
    runs, uniforms = [], []
    for seed in seeds:
        # Asking for the most that these steps can emit keeps gamma from being clamped.
        steps = list(islice(speculative_decode(
            target, draft, [0], num_steps * (gamma + 1), gamma,
            np.random.default_rng(seed)), num_steps))
        stream = iter(np.random.default_rng(seed).random(num_steps * (2 * gamma + 1)))
        runs.append(steps)
        uniforms.append(laid_out(steps, stream, gamma, unused))

    simulation = simulate(target, draft, 0, gamma, num_steps, len(seeds),
                          np.array(uniforms).swapaxes(0, 1))

    for chain, steps in enumerate(runs):
        assert simulation.draft_tokens[:, chain].tolist() == [s.draft_tokens for s in steps]
        assert simulation.num_accepted[:, chain].tolist() == [s.num_accepted for s in steps]
        assert simulation.next_token[:, chain].tolist() == [s.next_token for s in steps]
        assert simulation.tokens(chain) == [token for s in steps for token in s.tokens]
    assert simulation.num_tokens == sum(len(s.tokens) for steps in runs for s in steps)


# Zeros, equal shares (cuts at round fractions), shares too small to move the CDF.
@given(st.lists(st.one_of(st.just(0.0), st.just(1.0), st.floats(1e-18, 1e-6),
                          st.floats(0.01, 1)), min_size=1, max_size=12).filter(any))
@example([1.0] * 250)
def test_a_draw_is_the_inverse_cdf_to_the_last_bit(weights):
    row = np.array(weights) / sum(weights)
    cdf = (row / row.sum()).cumsum()
    cdf /= cdf[-1]
    edges = np.concatenate([cdf, np.arange(256) / 256])
    uniforms = np.unique([edges, np.nextafter(edges, 0), np.nextafter(edges, 1)])
    uniforms = uniforms[uniforms < 1]
    model = TableModel([row] * len(row))
    drawn = simulate(model, model, 0, 0, 1, len(uniforms), uniforms[None, :, None])
    assert drawn.next_token[0].tolist() == cdf.searchsorted(uniforms, "right").tolist()


def test_a_uniform_equal_to_the_ratio_rejects_and_the_one_below_accepts():
    target, draft = TableModel([[0.3, 0.7]] * 2), TableModel([[0.7, 0.3]] * 2)
    ratio = 0.3 / 0.7
    uniforms = [[[0.1, ratio, 0.1], [0.1, np.nextafter(ratio, 0), 0.1]]]
    simulation = simulate(target, draft, 0, 1, 1, 2, uniforms)
    assert simulation.num_accepted.tolist() == [[0, 1]]
    assert simulation.next_token.tolist() == [[1, 0]]


def cells(cuts):
    """[0, 1) cut up: (midpoint, width) of each cell, the widths exact."""
    edges = sorted({Fraction(0), Fraction(1), *(cut for cut in cuts if 0 < cut < 1)})
    return [(float(low + high) / 2, high - low)
            for low, high in zip(edges, edges[1:], strict=False)]


def simulated_law(target, draft, prompt_token, gamma, num_steps):
    """The exact law of `simulate`: one chain for each cell of the cube of its uniforms.

    A draw is the inverse CDF (see above) and a test is a comparison, so that nothing
    changes within a cell: its midpoint stands for all of it.
    """
    p, q = target.table, draft.table
    drafting = cells(q.cumsum(axis=1).ravel())
    testing = cells(p[q > 0] / q[q > 0])
    closing = cells(np.cumsum([*map(residual, p, q), *p], axis=1).ravel())
    step = [drafting] * gamma + [testing] * gamma + [closing]
    chains = list(product(*step * num_steps))
    uniforms = np.array([[midpoint for midpoint, _ in chain] for chain in chains])
    uniforms = uniforms.reshape(len(chains), num_steps, 2 * gamma + 1).swapaxes(0, 1)
    simulation = simulate(target, draft, prompt_token, gamma, num_steps, len(chains),
                          uniforms)
    law = Counter()
    for chain, outcome in zip(chains, outcomes_of(simulation), strict=True):
        law[outcome] += math.prod(width for _, width in chain)
    return dict(law)


def outcomes_of(simulation):
    """Of each chain the (draft_tokens, num_accepted, next_token) of its steps."""
    drafts = simulation.draft_tokens.swapaxes(0, 1).tolist()
    kept, last = simulation.num_accepted.T.tolist(), simulation.next_token.T.tolist()
    return [tuple((tuple(d), k, t) for d, k, t in zip(*chain, strict=True))
            for chain in zip(drafts, kept, last, strict=True)]


def readable_law(target, draft, prompt_token, gamma, num_steps):
    """The exact law of the same steps of `speculative_decode`."""
    def experiment(rng):
        steps = speculative_decode(
            target, draft, [prompt_token], num_steps * (gamma + 1), gamma, rng)
        return tuple((tuple(s.draft_tokens), s.num_accepted, s.next_token)
                     for s in islice(steps, num_steps))
    return outcomes(experiment)


@pytest.mark.parametrize("prompt_token", range(3))
@pytest.mark.parametrize(("target", "draft"), PAIRS)
def test_the_joint_law_of_a_step_is_that_of_the_readable_code(target, draft, prompt_token):
    law = simulated_law(target, draft, prompt_token, 2, 1)
    assert sum(law.values()) == 1
    assert law == readable_law(target, draft, prompt_token, 2, 1)


@pytest.mark.parametrize(("target", "draft"), PAIRS[:2])
def test_the_joint_law_of_two_steps_is_that_of_the_readable_code(target, draft):
    assert simulated_law(target, draft, 0, 1, 2) == readable_law(target, draft, 0, 1, 2)


@pytest.mark.parametrize(("target", "draft"), PAIRS)
def test_sampled_steps_are_as_near_to_their_law_as_chance_allows(target, draft):
    num_chains = 200_000
    law = readable_law(target, draft, 0, 2, 1)
    rng = np.random.default_rng(11)
    counts = Counter(outcomes_of(simulate(target, draft, 0, 2, 1, num_chains, rng)))
    sampled = {outcome: count / num_chains for outcome, count in counts.items()}
    # P(2 TV >= e) <= 2^k exp(−n e² / 2) for n draws of k outcomes (Bretagnolle, Huber and
    # Carol): here 1e-9 for each model.
    bound = math.sqrt(2 * (len(law) * math.log(2) + math.log(1e9)) / num_chains) / 2
    assert bound < 0.012
    assert total_variation(sampled, {k: float(weight) for k, weight in law.items()}) < bound


def test_a_generator_gives_what_its_uniforms_give():
    target = playground_target()
    draft = draft_of_quality(target, 0.85)
    uniforms = np.random.default_rng(3).random((6, 50, 7))
    drawn = simulate(target, draft, 2, 3, 6, 50, np.random.default_rng(3))
    replayed = simulate(target, draft, 2, 3, 6, 50, uniforms)
    assert outcomes_of(drawn) == outcomes_of(replayed)


def test_chains_do_not_mix():
    target = playground_target()
    draft = draft_of_quality(target, 0.5)
    uniforms = np.random.default_rng(4).random((5, 8, 9))
    together = outcomes_of(simulate(target, draft, 0, 4, 5, 8, uniforms))
    alone = [outcomes_of(simulate(target, draft, 0, 4, 5, 1, uniforms[:, [chain]]))[0]
             for chain in range(8)]
    assert together == alone


def test_tokens_are_the_kept_guesses_and_what_follows_them():
    simulation = Simulation(
        np.array([[[1, 2]], [[3, 4]], [[5, 6]]]), np.array([[0], [2], [1]]),
        np.array([[7], [8], [9]]))
    assert simulation.tokens(0) == [7, 3, 4, 8, 5, 9]
    assert simulation.num_tokens == 6


@pytest.mark.parametrize(("gamma", "num_steps", "num_chains"), [
    (0, 3, 2), (2, 0, 2), (2, 3, 0)])
def test_sizes_of_zero_give_empty_arrays(gamma, num_steps, num_chains):
    simulation = simulate(DENSE_TARGET, DENSE_DRAFT, np.uint8(2), gamma, num_steps,
                          num_chains, np.random.default_rng(0))
    assert simulation.draft_tokens.shape == (num_steps, num_chains, gamma)
    assert simulation.num_accepted.shape == (num_steps, num_chains)
    assert simulation.num_tokens == num_steps * num_chains


def test_a_narrow_integer_prompt_does_not_overflow():
    uniforms = np.random.default_rng(6).random((4, 20, 5))
    target, draft = FLOAT_PAIRS["large"]
    wide, narrow = (simulate(target, draft, prompt, 2, 4, 20, uniforms)
                    for prompt in (39, np.uint8(39)))
    assert outcomes_of(wide) == outcomes_of(narrow)


@pytest.mark.parametrize(("changed", "named"), [
    ({"draft": TableModel(np.eye(2))}, "3 and 2 tokens"),
    ({"prompt_token": 3}, "prompt_token"),
    ({"prompt_token": -1}, "prompt_token"),
    ({"prompt_token": 1.0}, "prompt_token"),
    ({"gamma": -1}, "gamma"),
    ({"gamma": 1.5}, "gamma"),
    ({"num_steps": -1}, "num_steps"),
    ({"num_chains": -1}, "num_chains"),
    ({"rng_or_uniforms": np.zeros((2, 4, 5))}, "uniforms must be"),
    ({"rng_or_uniforms": 7}, "uniforms must be"),
    ({"rng_or_uniforms": np.ones((2, 5, 5))}, "outside"),
    ({"rng_or_uniforms": np.full((2, 5, 5), -0.1)}, "outside"),
    ({"rng_or_uniforms": np.full((2, 5, 5), np.nan)}, "outside"),
])
def test_bad_input_is_refused_by_name(changed, named):
    good = {"target": DENSE_TARGET, "draft": DENSE_DRAFT, "prompt_token": 0, "gamma": 2,
            "num_steps": 2, "num_chains": 5, "rng_or_uniforms": np.random.default_rng(0)}
    with pytest.raises(ValueError, match=named):
        simulate(**(good | changed))
