"""The recording generator changes nothing; the injected one plays what it is given."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.models import draft_of_quality, playground_target
from specdec.recording import Draw, InjectedRng, RecordingRng, inverse_cdf
from specdec.speculative import speculative_decode

SEEDS = st.integers(0, 2**32 - 1)


def random_p(rng, size):
    """Returns a distribution over `size` ids, about a third of them impossible."""
    p = rng.dirichlet(np.full(size, rng.choice([0.05, 1.0, 20.0])))
    p[rng.random(size) < 1 / 3] = 0
    return p / p.sum() if p.sum() > 0 else np.eye(size)[rng.integers(size)]


@given(SEEDS, st.integers(1, 60))
def test_values_are_those_of_the_bare_generator(seed, size):
    p = random_p(np.random.default_rng(seed), size)
    bare, recorded = np.random.default_rng(seed), RecordingRng(np.random.default_rng(seed))
    for _ in range(20):
        assert recorded.choice(size, p=p) == bare.choice(size, p=p)
        assert recorded.random() == bare.random()


@given(SEEDS, st.integers(1, 60), st.floats(-9, -1),
       st.sampled_from([np.float16, np.float32, np.float64]), st.booleans())
def test_rounded_rows_are_taken_or_refused_as_by_the_bare_generator(
        seed, size, exponent, dtype, as_list):
    p = (random_p(np.random.default_rng(seed), size) * (1 + 10**exponent)).astype(dtype)
    assert drawn(np.random.default_rng(seed), p, as_list) == drawn(
        RecordingRng(np.random.default_rng(seed)), p, as_list)


def drawn(rng, p, as_list):
    """Returns 20 ids, or that p was refused."""
    try:
        return [rng.choice(len(p), p=list(p) if as_list else p) for _ in range(20)]
    except ValueError:
        return "refused"


def test_a_large_float32_vocabulary_is_taken_as_the_bare_generator_takes_it():
    p = np.random.default_rng(0).dirichlet(np.ones(50_000)).astype(np.float32)
    p *= np.float32(1 + 4e-8) * np.float32(1 + 1e-7)  # off by a rounding of float32
    assert abs(p.sum(dtype=float) - 1) > np.sqrt(np.finfo(float).eps)
    recorded = RecordingRng(np.random.default_rng(0))
    assert drawn(recorded, p, False) == drawn(np.random.default_rng(0), p, False)
    assert len(recorded.take()) == 20


@given(SEEDS, st.integers(0, 8), st.floats(0, 1))
def test_a_recorded_decode_is_the_bare_decode(seed, gamma, quality):
    target = playground_target()
    draft = draft_of_quality(target, quality)
    bare, recorded = (
        list(speculative_decode(target, draft, [0], 25, gamma, rng))
        for rng in (np.random.default_rng(seed), RecordingRng(np.random.default_rng(seed)))
    )
    assert len(bare) == len(recorded)
    for a, b in zip(bare, recorded, strict=True):
        assert a.draft_tokens == b.draft_tokens and a.tokens == b.tokens
        assert (a.num_accepted, a.next_token) == (b.num_accepted, b.next_token)
        assert np.array_equal(a.target_probs, b.target_probs)
        assert np.array_equal(a.draft_probs, b.draft_probs)


@given(SEEDS, st.integers(1, 8))
def test_each_step_logs_its_guesses_then_its_verdicts_then_its_own_token(seed, gamma):
    target = playground_target()
    draft = draft_of_quality(target, 0.5)
    rng = RecordingRng(np.random.default_rng(seed))
    for step in speculative_decode(target, draft, [0], 25, gamma, rng):
        draws, guesses = rng.take(), len(step.draft_tokens)
        verdicts = min(step.num_accepted + 1, guesses)
        assert [d.method for d in draws] == (
            ["choice"] * guesses + ["random"] * verdicts + ["choice"])
        assert [d.value for d in draws[:guesses]] == step.draft_tokens
        assert draws[-1].value == step.next_token
        for i, draw in enumerate(draws[guesses:-1]):
            token = step.draft_tokens[i]
            ratio = step.target_probs[i][token] / step.draft_probs[i][token]
            assert (draw.uniform < ratio) == (i < step.num_accepted)


def test_the_log_names_value_and_deciding_uniform():
    rng = RecordingRng(InjectedRng([0.25, 0.75]))
    rng.random()
    rng.choice(3, p=[0.5, 0.2, 0.3])
    assert rng.draws == [Draw("random", 0.25, 0.25), Draw("choice", 2, 0.75)]


def test_take_empties_the_log_and_keeps_what_was_taken():
    rng = RecordingRng(InjectedRng([0.25, 0.75]))
    rng.random()
    taken = rng.take()
    rng.random()
    assert [d.uniform for d in taken] == [0.25]
    assert [d.uniform for d in rng.take()] == [0.75] and rng.draws == []


@given(SEEDS, st.integers(1, 60))
def test_a_recorded_run_can_be_played_again(seed, size):
    p = random_p(np.random.default_rng(seed), size)
    recorded = RecordingRng(np.random.default_rng(seed))
    values = [recorded.choice(size, p=p) for _ in range(20)]
    played = InjectedRng(draw.uniform for draw in recorded.take())
    assert [played.choice(size, p=p) for _ in range(20)] == values
    assert played.remaining == 0


def test_a_uniform_on_a_boundary_picks_the_index_above_it():
    p = [0, 0.25, 0, 0.75, 0]
    uniforms = [0.0, np.nextafter(0.25, 0), 0.25, np.nextafter(1.0, 0)]
    rng = InjectedRng(uniforms)
    assert [rng.choice(5, p=p) for _ in uniforms] == [1, 1, 3, 3]


@given(SEEDS, st.integers(1, 20))
def test_rows_of_a_table_have_the_cdfs_they_have_alone(seed, size):
    rng = np.random.default_rng(seed)
    table = np.array([random_p(rng, size) for _ in range(4)])
    assert np.array_equal(inverse_cdf(table), [inverse_cdf(row) for row in table])


def test_running_out_of_uniforms_says_so():
    rng = InjectedRng([0.5])
    rng.random()
    with pytest.raises(ValueError, match="draw 2 has no uniform: 1 were given"):
        rng.choice(2, p=[0.5, 0.5])


@pytest.mark.parametrize("uniform", [-0.1, 1.0, float("nan")])
def test_a_number_that_is_no_uniform_is_refused(uniform):
    with pytest.raises(ValueError, match=r"uniforms\[1\]"):
        InjectedRng([0.5, uniform])


@pytest.mark.parametrize("p", [
    [0.5, 0.6], [1.5, -0.5], [float("nan"), 1.0], [0.0, 0.0], [1.0], [0.2, 0.3, 0.5]])
def test_a_bad_p_is_refused_as_the_bare_generator_refuses_it(p):
    for rng in (np.random.default_rng(0), RecordingRng(np.random.default_rng(0))):
        with pytest.raises(ValueError):
            rng.choice(2, p=p)


def test_a_refused_draw_uses_no_uniform_and_leaves_no_log():
    injected = InjectedRng([0.5])
    rng = RecordingRng(injected)
    with pytest.raises(ValueError):
        rng.choice(2, p=[1.0])
    assert injected.remaining == 1 and rng.draws == []


@pytest.mark.parametrize("rng", [RecordingRng(np.random.default_rng(0)), InjectedRng([])])
def test_another_draw_is_an_error_that_names_it(rng):
    with pytest.raises(AttributeError, match=f"{type(rng).__name__} has no draw 'normal'"):
        rng.normal()
    copy.deepcopy(rng)  # asks for attributes before there are any
