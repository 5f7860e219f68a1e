"""The sampling knobs against two engines: llama.cpp (C++, float32) and guidance (NumPy).

llama.cpp has all of them; guidance has the temperature, top-k, top-p, both at once, min-p and
the repetition penalty, in vLLM's order. Typical-p and the frequency and presence penalties are
in no other package that runs without PyTorch on every machine; test_sampling.py has them in
plain Python. Every comparison is of the row of logits that is left, and only where it is settled:

- llama.cpp computes in float32, and guidance's top-p keeps one token more where a sum of
  probabilities is exactly p. So p is compared where p ± 1e-4 cut the same tokens.
- Both may keep others than the lowest ids of equals, so rows are compared as multisets: the
  values that are left, and how often.
- llama.cpp's entropy is NaN as soon as a probability is 0, so typical-p is compared without
  impossible tokens and far from float32's underflow.
- guidance raises for k > vocab, so there llama.cpp alone is compared; so it is at temperature
  0, where guidance changes no logit.
"""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from specdec.sampling import (
    Knobs,
    min_p,
    penalties,
    softmax,
    stages,
    temperature,
    top_k,
    top_p,
    typical_p,
)
from tests.specdec import guidance_sampler as guidance
from tests.specdec import llama_cpp_sampler as llama_cpp

INF = math.inf

# Float32 numbers, so that both sides see the same: ties, cut tokens, huge values.
finite = st.one_of(st.integers(-2, 2).map(float), st.floats(-30, 30, width=32))
logit = st.one_of(finite, finite, st.just(-INF), st.sampled_from([1e30, -1e30, 3e4]).map(
    lambda x: float(np.float32(x))))
hard_rows = st.lists(logit, min_size=1, max_size=8).filter(lambda row: max(row) > -INF)


def spread(least, most):
    """Numbers all over an interval, where st.floats would dwell on its ends and on round ones."""
    return st.integers(0, 1000).map(lambda i: float(np.float32(least + (most - least) * i / 1000)))


# As a model gives them: no two alike, several of about the same size.
natural = st.lists(spread(-3, 3), min_size=2, max_size=8, unique=True)
rows = st.one_of(hard_rows, natural)
fractions = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1, width=32), spread(0, 1))
tokens = st.lists(st.integers(0, 7), min_size=1, max_size=10)

both = pytest.mark.parametrize("engine", [llama_cpp, guidance])


def left(row):
    """The logits that are not cut, and how many of each."""
    return Counter(x for x in np.asarray(row).tolist() if x > -INF)


def settled(knob, row, p):
    """Whether p is so far from where the knob turns that rounding decides nothing."""
    around = [left(knob(row, min(max(p + shift, 0), 1))) for shift in (-1e-4, 0, 1e-4)]
    # At 0 and 1 both sides say by rule what is cut.
    return p in (0, 1) or around[0] == around[1] == around[2]


@both
@given(row=rows, k=st.integers(1, 12))
def test_top_k(engine, row, k):
    assume(engine is llama_cpp or k <= len(row))
    assert left(top_k(row, k)) == left(engine.top_k(row, k))


@both
@given(row=rows, p=fractions)
def test_top_p(engine, row, p):
    assume(settled(top_p, row, p))
    # With p = 1, guidance cuts where rounding lets a sum exceed 1.
    assume(not (engine is guidance and p == 1))
    assert left(top_p(row, p)) == left(engine.top_p(row, p))


@both
@given(row=rows, p=fractions)
def test_min_p(engine, row, p):
    assume(settled(min_p, row, p))
    assert left(min_p(row, p)) == left(engine.min_p(row, p))


def typical_settled(row, p):
    """The same of typical-p, whose order of tokens must not hang on rounding either."""
    possible = np.array([x for x in row if x > -INF])
    surprise = -np.log(softmax(possible))
    keys = sorted(zip(abs(surprise - softmax(possible) @ surprise), possible, strict=True))
    return settled(typical_p, row, p) and all(
        b - a > 1e-4 or x == y for (a, x), (b, y) in zip(keys, keys[1:], strict=False))


@given(st.one_of(natural, st.lists(finite, min_size=1, max_size=8)), fractions)
def test_typical_p(row, p):
    assume(typical_settled(row, p))
    assert left(typical_p(row, p)) == left(llama_cpp.typical_p(row, p))


@both
@given(row=rows, value=st.one_of(st.just(0.0), st.floats(0.125, 5, width=32)))
def test_temperature(engine, row, value):
    assume(engine is llama_cpp or value > 0)
    ours, theirs = temperature(row, value), engine.temperature(row, value)
    np.testing.assert_allclose(softmax(ours), softmax(theirs), atol=1e-4)


@given(rows, tokens, st.floats(0.25, 4, width=32), st.floats(-2, 2, width=32),
       st.floats(-2, 2, width=32))
def test_penalties(row, tokens, repetition, frequency, presence):
    tokens = [token % len(row) for token in tokens]
    amounts = {"repetition": repetition, "frequency": frequency, "presence": presence}
    np.testing.assert_allclose(penalties(row, tokens, **amounts),
                               llama_cpp.penalties(row, tokens, **amounts), rtol=1e-5, atol=1e-4)


@given(rows, tokens, st.floats(0.25, 4))
def test_the_repetition_penalty(row, tokens, repetition):
    tokens = [token % len(row) for token in tokens]
    np.testing.assert_allclose(penalties(row, tokens, repetition=repetition),
                               guidance.repetition(row, tokens, repetition))


@given(rows, st.integers(1, 8), fractions)
def test_top_k_and_then_top_p(row, k, p):
    """guidance sorts once for both; the order is vLLM's, in which top-k comes first."""
    cut = top_k(row, min(k, len(row)))
    assume(settled(top_p, cut, p) and p < 1)
    knobs = Knobs(top_k=k, top_p=p)
    # Temperature 1 only shifts the row.
    *_, ours = stages(np.array(row) - max(row), [], knobs, "vLLM").values()
    theirs = guidance.top_k_then_top_p(row, min(k, len(row)), p)
    assert left(ours) == left(theirs - max(row))


@given(natural, tokens, st.integers(1, 9), spread(0.125, 1), spread(0, 0.5), spread(0.125, 1),
       spread(0.25, 3))
def test_the_whole_chain_of_llama_cpp(row, tokens, k, p, floor, typical, heat):
    """Its samplers one after the other, in the order of its default chain."""
    tokens = [token % len(row) for token in tokens]
    knobs = Knobs(temperature=heat, top_k=k, top_p=p, min_p=floor, typical_p=typical,
                  repetition=1.25, frequency=0.25, presence=0.5)
    ours = stages(row, tokens, knobs, "llama.cpp")
    assume(np.diff(np.sort(ours["penalties"])).min() > 1e-4
           and typical_settled(ours["top_k"], typical)
           and settled(top_p, ours["typical_p"], p) and settled(min_p, ours["top_p"], floor))
    theirs = llama_cpp.penalties(row, tokens, repetition=1.25, frequency=0.25, presence=0.5)
    for sampler, value in ((llama_cpp.top_k, k), (llama_cpp.typical_p, typical),
                           (llama_cpp.top_p, p), (llama_cpp.min_p, floor),
                           (llama_cpp.temperature, heat)):
        in_list = np.flatnonzero(theirs > -INF)  # what was cut is not in its list any more
        theirs[in_list] = sampler(theirs[in_list], value)
    np.testing.assert_allclose(softmax(ours["temperature"]), softmax(theirs), atol=1e-4)


@given(natural, tokens, st.integers(1, 8), spread(0.125, 0.999), spread(0, 0.5), spread(0.25, 3),
       spread(0.5, 2))
def test_the_whole_chain_of_guidance(row, tokens, k, p, floor, heat, repetition):
    """Its order is vLLM's: penalty, temperature, min-p, top-k, top-p."""
    tokens, k = [token % len(row) for token in tokens], min(k, len(row))
    knobs = Knobs(temperature=heat, top_k=k, top_p=p, min_p=floor, repetition=repetition)
    ours = stages(row, tokens, knobs, "vLLM")
    assume(np.diff(np.sort(ours["penalties"])).min() > 1e-4
           and settled(min_p, ours["temperature"], floor) and settled(top_p, ours["top_k"], p))
    theirs = guidance.chain(row, tokens, heat, {
        "repetition_penalty": repetition, "min_p": floor, "top_k": k, "top_p": p})
    np.testing.assert_allclose(softmax(ours["typical_p"]), softmax(theirs), atol=1e-9)
