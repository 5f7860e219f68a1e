"""The sampling knobs against a slow oracle in plain Python that tries every set."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from specdec.sampling import argmax, min_p, softmax, temperature, top_k, top_p

INF = math.inf

# Few distinct values, so that equals and cut tokens are common; any float besides.
logit = st.one_of(st.integers(-2, 2).map(float), st.just(-INF), st.floats(-30, 30))
rows = st.lists(logit, min_size=1, max_size=6).filter(lambda row: max(row) > -INF)
any_rows = st.lists(
    st.one_of(st.just(-INF), st.floats(allow_nan=False, allow_infinity=False)),
    min_size=1, max_size=6).filter(lambda row: max(row) > -INF)
fractions = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
counts = st.integers(1, 8)


def probabilities(row):
    """exp(logit) over their sum, in plain Python."""
    weights = [math.exp(x - max(row)) for x in row]
    return [weight / math.fsum(weights) for weight in weights]


def kept_ids(row):
    return {i for i, x in enumerate(row) if x > -INF}


def best_set(row, size):
    """The `size` ids with the greatest logits; of equal sets that of the lowest ids."""
    return max(combinations(range(len(row)), size),
               key=lambda ids: (sorted((row[i] for i in ids), reverse=True),
                                [-i for i in ids]))


@given(rows)
def test_softmax_is_exp_normalised(row):
    np.testing.assert_allclose(softmax(row), probabilities(row), rtol=1e-14)


@given(rows, st.floats(-50, 50))
def test_softmax_depends_on_differences_alone(row, shift):
    np.testing.assert_allclose(softmax(np.array(row) + shift), softmax(row), atol=1e-12)


@given(any_rows, st.floats(0, 1e300), counts, fractions, fractions)
def test_any_chain_ends_in_a_law_whatever_the_size_of_the_logits(row, heat, k, p, floor):
    cut = min_p(top_p(top_k(temperature(row, heat), k), p), floor)
    for probs in (softmax(cut), argmax(cut)):
        assert probs.sum() == pytest.approx(1, abs=1e-12)
        assert np.all(probs >= 0)


@given(rows)
def test_argmax_is_one_for_the_first_greatest(row):
    first = row.index(max(row))
    assert argmax(row).tolist() == [float(i == first) for i in range(len(row))]


@given(any_rows)
def test_temperature_zero_is_argmax(row):
    assert softmax(temperature(row, 0)).tolist() == argmax(row).tolist()


@given(rows, st.floats(0.05, 20))
def test_temperature_raises_probabilities_to_its_inverse(row, heat):
    powers = [prob ** (1 / heat) for prob in probabilities(row)]
    expected = [power / math.fsum(powers) for power in powers]
    np.testing.assert_allclose(softmax(temperature(row, heat)), expected, rtol=1e-9)


def test_a_temperature_of_one_changes_no_probability_and_a_tiny_one_is_argmax():
    np.testing.assert_array_equal(softmax(temperature([1.0, 3.0, 2.0], 1)),
                                  softmax([1.0, 3.0, 2.0]))
    np.testing.assert_array_equal(softmax(temperature([1.0, 3.0, 2.0], 5e-324)), [0, 1, 0])


@given(rows, counts)
def test_top_k_keeps_the_k_best_of_all_sets(row, k):
    expected = set(best_set(row, min(k, len(row)))) & kept_ids(row)
    assert kept_ids(top_k(row, k)) == expected


@given(rows, fractions)
def test_top_p_keeps_the_smallest_of_all_sets_that_reach_p(row, p):
    probs = probabilities(row)
    masses = [math.fsum(probs[i] for i in best_set(row, size))
              for size in range(1, len(row) + 1)]
    assume(all(abs(mass - p) > 1e-9 for mass in masses))  # rounding decides beside p
    size = next((n for n, mass in enumerate(masses, 1) if mass > p), len(row))
    assert kept_ids(top_p(row, p)) == set(best_set(row, size)) & kept_ids(row)


@pytest.mark.parametrize(("p", "kept"), [
    (0, 1), (0.25, 1), (0.2500001, 2), (0.5, 2), (0.75, 3), (0.9999, 4), (1, 4)])
def test_top_p_takes_equals_by_lowest_id_and_stops_when_p_is_reached(p, kept):
    assert kept_ids(top_p([0.0] * 4, p)) == set(range(kept))


def test_top_p_loses_no_small_probability_beside_one():
    row = [0.0, -40.0, -45.0, -800.0]
    assert kept_ids(top_p(row, 1)) == {0, 1, 2, 3}
    assert kept_ids(top_p(row, np.nextafter(1, 0))) == {0}  # 1 − e⁻⁴⁰ is above it


@given(rows, fractions)
def test_min_p_cuts_below_a_share_of_the_greatest(row, p):
    probs = probabilities(row)
    assume(all(abs(prob - p * max(probs)) > 1e-12 * max(probs) for prob in probs)
           or p in (0, 1))
    expected = {i for i, prob in enumerate(probs) if prob >= p * max(probs)}
    assert kept_ids(min_p(row, p)) == expected & kept_ids(row)


KNOBS = [lambda x: temperature(x, 0.5), lambda x: temperature(x, 0), lambda x: top_k(x, 2),
         lambda x: top_p(x, 0.6), lambda x: min_p(x, 0.3), softmax, argmax]


@pytest.mark.parametrize("knob", KNOBS)
@given(st.integers(1, 5), st.data())
def test_rows_do_not_mix_and_the_input_stays_as_it_is(knob, vocab, data):
    row = st.lists(logit, min_size=vocab, max_size=vocab).filter(lambda x: max(x) > -INF)
    logits = np.array(data.draw(st.lists(row, min_size=1, max_size=4)))
    before = logits.copy()
    together = knob(logits)
    np.testing.assert_array_equal(together, [knob(one) for one in logits])
    np.testing.assert_array_equal(knob(logits[:, None])[:, 0], together)
    np.testing.assert_array_equal(logits, before)


@given(rows, counts, fractions, fractions)
def test_cutting_keeps_the_other_logits_and_the_greatest(row, k, p, floor):
    for cut in (top_k(row, k), top_p(row, p), min_p(row, floor)):
        assert all(after in (before, -INF) for before, after in zip(row, cut, strict=True))
        assert cut[row.index(max(row))] == max(row)


@given(rows)
def test_knobs_turned_off_change_nothing(row):
    for same in (top_k(row, len(row)), top_k(row, 99), top_p(row, 1), min_p(row, 0)):
        assert same.tolist() == row


@given(rows, counts, fractions, fractions)
def test_a_row_with_one_token_left_keeps_it_through_every_knob(row, k, p, floor):
    lone = top_k(row, 1)
    for cut in (top_k(lone, k), top_p(lone, p), min_p(lone, floor)):
        assert cut.tolist() == lone.tolist()
    assert softmax(lone).max() == 1


@pytest.mark.parametrize(("call", "named"), [
    (lambda: temperature([0.0], -1), "temperature"),
    (lambda: temperature([0.0], INF), "temperature"),
    (lambda: temperature([0.0], math.nan), "temperature"),
    (lambda: top_k([0.0], 0), "top_k"),
    (lambda: top_k([0.0], 1.0), "top_k"),
    (lambda: top_p([0.0], -0.1), "top_p"),
    (lambda: top_p([0.0], 1.1), "top_p"),
    (lambda: top_p([0.0], math.nan), "top_p"),
    (lambda: min_p([0.0], 1.1), "min_p"),
    (lambda: min_p([0.0], math.nan), "min_p"),
])
def test_a_knob_out_of_range_is_refused_by_name(call, named):
    with pytest.raises(ValueError, match=named):
        call()


@pytest.mark.parametrize("knob", KNOBS)
@pytest.mark.parametrize("logits", [
    [0.0, math.nan], [0.0, INF], [-INF, -INF], [[0.0, 0.0], [-INF, -INF]],
    [], 1.0, [[], []]])
def test_logits_that_are_no_logits_are_refused(knob, logits):
    with pytest.raises(ValueError, match="logits"):
        knob(logits)
