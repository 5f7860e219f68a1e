"""The sampling knobs against a slow oracle in plain Python that tries every set."""

import math
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from specdec import sampling
from specdec.sampling import (
    ORDERS,
    Knobs,
    argmax,
    min_p,
    penalties,
    softmax,
    stages,
    temperature,
    top_k,
    top_p,
    typical_p,
)

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
    cut = typical_p(min_p(top_p(top_k(temperature(row, heat), k), p), floor), p)
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


@given(rows)
def test_argmax_is_the_limit_of_low_temperatures(row):
    greatest = max(row)
    gap = min((greatest - x for x in row if -INF < x < greatest), default=1)
    assume(gap > 1e-6)
    # Of several greatest logits each keeps its share above T = 0, where the first takes all.
    shares = np.array([float(x == greatest) for x in row])
    limit = shares / shares.sum()
    distances = [abs(softmax(temperature(row, gap / colder)) - limit).max()
                 for colder in (1, 10, 20, 800)]
    assert sorted(distances, reverse=True) == distances
    assert distances[2] < 1e-7 and distances[3] < 1e-15
    if shares.sum() == 1:
        assert limit.tolist() == softmax(temperature(row, 0)).tolist() == argmax(row).tolist()


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


def test_of_many_equals_the_lowest_ids_stay():
    """So many that a sort which is not stable mixes them."""
    row = np.tile([1.0, 0.0], 100)  # a one has e / (1 + e) / 100 = .00731
    assert kept_ids(top_p(row, 0.4)) == set(range(0, 2 * 55, 2))
    assert kept_ids(typical_p(row, 0.4)) == set(range(0, 2 * 55, 2))
    assert kept_ids(top_k(row, 55)) == set(range(0, 2 * 55, 2))


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


def typical_first(row):
    """Ids by |surprise − entropy|, the possible ones; of equals the lowest first."""
    possible = [(i, prob) for i, prob in enumerate(probabilities(row)) if prob > 0]
    entropy = -math.fsum(prob * math.log(prob) for _, prob in possible)
    return sorted((abs(-math.log(prob) - entropy), i, prob) for i, prob in possible)


@given(rows, fractions)
def test_typical_p_keeps_the_most_typical_that_reach_p(row, p):
    order = typical_first(row)
    # Rounding decides between keys that are almost equal, unless the logits are, too.
    assume(all(b - a > 1e-9 or row[i] == row[j] for (a, i, _), (b, j, _) in
               zip(order, order[1:], strict=False)))
    # Equal logits have equal keys, but for what the oracle's sums lose in another order.
    order.sort(key=lambda one: (round(one[0], 9), one[1]))
    masses = np.cumsum([prob for *_, prob in order])
    assume(p in (0, 1) or np.all(abs(masses - p) > 1e-9))
    size = len(order) if p == 1 else next(n for n, mass in enumerate(masses, 1) if mass > p)
    assert kept_ids(typical_p(row, p)) == {i for _, i, _ in order[:size]}


def test_typical_p_may_cut_the_most_probable():
    row = np.log([0.4, 0.15, 0.15, 0.15, 0.15])
    # The entropy is 1.50; a surprise of 1.90 is nearer to it than 0.92.
    assert kept_ids(typical_p(row, 0.2)) == {1, 2}
    assert kept_ids(typical_p(row, 0.7)) == {0, 1, 2, 3, 4}
    assert kept_ids(typical_p(row, 0.6)) == {1, 2, 3, 4}


token_lists = st.lists(st.integers(0, 5), max_size=8)
amounts = st.floats(-3, 3)


@given(rows, token_lists, st.floats(0.1, 5), amounts, amounts)
def test_penalties_are_those_of_ctrl_and_of_openai(row, tokens, repetition, frequency, presence):
    tokens = [token for token in tokens if token < len(row)]
    expected = []
    for i, x in enumerate(row):
        count = tokens.count(i)
        scaled = x if not count else x / repetition if x > 0 else x * repetition
        expected.append(scaled - count * frequency - (count > 0) * presence)
    result = penalties(row, tokens, repetition=repetition, frequency=frequency, presence=presence)
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


@given(any_rows, token_lists, st.floats(1e-300, 1e300), amounts)
def test_penalties_neither_overflow_nor_bring_a_cut_token_back(row, tokens, repetition, amount):
    tokens = [token for token in tokens if token < len(row)]
    result = penalties(row, tokens, repetition=repetition, frequency=1e300 * amount,
                       presence=amount)
    assert kept_ids(result) == kept_ids(row)
    assert np.all(result < INF)
    assert softmax(result).sum() == pytest.approx(1)


def test_penalties_of_any_size_leave_a_number():
    assert np.isfinite(penalties([1e308, 0], [0] * 20, repetition=0.1, frequency=1e308)).all()


def test_penalties_of_no_tokens_and_at_rest_change_nothing():
    row = [1.0, -2.0, -INF, 0.0]
    assert penalties(row, [], repetition=2, frequency=1, presence=1).tolist() == row
    assert penalties(row, [0, 1, 1, 2]).tolist() == row


settings = st.builds(
    Knobs, temperature=st.floats(0, 3), top_k=st.none() | counts, top_p=fractions,
    min_p=fractions, typical_p=fractions, repetition=st.floats(0.5, 2), frequency=amounts,
    presence=amounts)


def by_hand(row, tokens, knobs, order):
    """The stages called one by one, in the order's own words."""
    calls = {
        "penalties": lambda x: penalties(x, tokens, repetition=knobs.repetition,
                                         frequency=knobs.frequency, presence=knobs.presence),
        "temperature": lambda x: temperature(x, knobs.temperature),
        "top_k": lambda x: top_k(x, knobs.top_k), "top_p": lambda x: top_p(x, knobs.top_p),
        "min_p": lambda x: min_p(x, knobs.min_p),
        "typical_p": lambda x: typical_p(x, knobs.typical_p)}
    for stage in ORDERS[order]:
        row = calls[stage](row)
        yield stage, row


@pytest.mark.parametrize("order", ORDERS)
@given(rows, token_lists, settings)
def test_stages_apply_every_knob_once_and_in_order(order, row, tokens, knobs):
    tokens = [token for token in tokens if token < len(row)]
    after = stages(row, tokens, knobs, order)
    expected = dict(by_hand(row, tokens, knobs, order))
    assert list(after) == list(ORDERS[order])
    for stage, logits in after.items():
        np.testing.assert_array_equal(logits, expected[stage])
    kept = [kept_ids(row), *map(kept_ids, after.values())]
    assert all(later <= before for before, later in zip(kept, kept[1:], strict=False))


@pytest.mark.parametrize("order", ORDERS)
@given(rows, token_lists)
def test_knobs_at_rest_leave_the_law_as_it_is(order, row, tokens):
    tokens = [token for token in tokens if token < len(row)]
    *_, last = stages(row, tokens, Knobs(), order).values()
    np.testing.assert_allclose(softmax(last), softmax(row), rtol=1e-12)
    assert kept_ids(last) == kept_ids(row)


def test_the_orders_are_all_knobs_and_give_different_laws():
    assert all(Counter(order) == Counter(ORDERS["vLLM"]) for order in ORDERS.values())
    row = np.log([0.5, 0.3, 0.15, 0.05])
    laws = {name: softmax([*stages(row, [], Knobs(temperature=2, top_p=0.7), name).values()][-1])
            for name in ORDERS}
    # Heat first: .37 + .29 is below .7, so that a third token is kept. Heat last: .5 + .3.
    assert {name: int((law > 0).sum()) for name, law in laws.items()} == {
        "vLLM": 3, "llama.cpp": 2}
    np.testing.assert_allclose(laws["llama.cpp"][:2], np.sqrt([0.5, 0.3]) / np.sqrt(
        [0.5, 0.3]).sum())


@pytest.mark.parametrize(("probs", "knobs", "vllm", "llama_cpp"), [
    # Top-k before top-p in both: .4 of .7 is above a half. (.4 of 1 would not be.)
    ([0.4, 0.3, 0.2, 0.1], Knobs(top_k=2, top_p=0.5), {0}, {0}),
    # vLLM: min-p before top-p, so that .4 is .57 of what is left. llama.cpp: after it.
    ([0.4, 0.3, 0.2, 0.1], Knobs(min_p=0.6, top_p=0.55), {0}, {0, 1}),
    # llama.cpp: typical-p before top-p, which takes the likeliest of 1 … 4. vLLM: after it.
    ([0.4, 0.15, 0.15, 0.15, 0.15], Knobs(typical_p=0.6, top_p=0.2), {0}, {1}),
    # llama.cpp: top-k leaves .73 and .27 to typical-p, as vLLM does.
    ([0.4, 0.15, 0.15, 0.15, 0.15], Knobs(top_k=2, typical_p=0.2), {0}, {0}),
])
def test_what_the_orders_keep(probs, knobs, vllm, llama_cpp):
    for order, kept in (("vLLM", vllm), ("llama.cpp", llama_cpp)):
        *_, last = stages(np.log(probs), [], knobs, order).values()
        assert kept_ids(last) == kept, order


def test_knobs_are_frozen_and_compare_by_value():
    assert replace(Knobs(top_k=3), top_k=None) == Knobs()
    with pytest.raises(FrozenInstanceError):
        Knobs().top_k = 2


def test_the_file_on_the_page_is_short_and_runs_when_pasted(tmp_path):
    text = Path(sampling.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    pasted = tmp_path / "pasted.py"
    pasted.write_text(text + """
law = softmax([*stages([2.0, 1.0, 0.0], [0], Knobs(top_k=2, presence=1.0)).values()][-1])
assert law.tolist() == [0.5, 0.5, 0.0], law
""", encoding="utf-8")
    subprocess.run([sys.executable, "-I", "-W", "error", str(pasted)], check=True, cwd=tmp_path)


KNOBS = [lambda x: temperature(x, 0.5), lambda x: temperature(x, 0), lambda x: top_k(x, 2),
         lambda x: top_p(x, 0.6), lambda x: min_p(x, 0.3),
         lambda x: typical_p(x, 0.6), softmax, argmax]


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


@pytest.mark.parametrize("knob", KNOBS)
def test_whole_numbers_are_logits_too(knob):
    np.testing.assert_array_equal(knob([2, 0, 1]), knob([2.0, 0.0, 1.0]))


@given(rows, counts, fractions, fractions)
def test_cutting_keeps_the_other_logits_and_the_greatest(row, k, p, floor):
    for cut in (top_k(row, k), top_p(row, p), typical_p(row, p), min_p(row, floor)):
        assert all(after in (before, -INF) for before, after in zip(row, cut, strict=True))
    for cut in (top_k(row, k), top_p(row, p), min_p(row, floor)):
        assert cut[row.index(max(row))] == max(row)


@given(rows)
def test_knobs_turned_off_change_nothing(row):
    for same in (top_k(row, len(row)), top_k(row, 99), top_k(row, None), top_p(row, 1),
                 typical_p(row, 1), min_p(row, 0)):
        assert same.tolist() == row


@given(rows, counts, fractions, fractions)
def test_a_row_with_one_token_left_keeps_it_through_every_knob(row, k, p, floor):
    lone = top_k(row, 1)
    for cut in (top_k(lone, k), top_p(lone, p), typical_p(lone, p), min_p(lone, floor)):
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
    (lambda: typical_p([0.0], -0.1), "typical_p"),
    (lambda: typical_p([0.0], math.nan), "typical_p"),
    (lambda: penalties([0.0], [], repetition=0), "repetition"),
    (lambda: penalties([0.0], [], repetition=math.nan), "repetition"),
    (lambda: penalties([0.0], [], repetition=INF), "repetition"),
    (lambda: penalties([0.0], [], frequency=math.nan), "frequency"),
    (lambda: penalties([0.0], [], presence=INF), "presence"),
    (lambda: penalties([0.0], [1]), "tokens"),
    (lambda: penalties([0.0], [-1]), "tokens"),
    (lambda: stages([0.0], [], Knobs(), "SGLang"), "SGLang"),
    (lambda: stages([0.0], [], Knobs(top_p=2)), "top_p"),
])
def test_a_knob_out_of_range_is_refused_by_name(call, named):
    with pytest.raises(ValueError, match=rf"\b{named}\b"):
        call()


@pytest.mark.parametrize("knob", KNOBS)
@pytest.mark.parametrize("logits", [
    [0.0, math.nan], [0.0, INF], [-INF, -INF], [[0.0, 0.0], [-INF, -INF]],
    [], 1.0, [[], []]])
def test_logits_that_are_no_logits_are_refused(knob, logits):
    with pytest.raises(ValueError, match="logits"):
        knob(logits)
