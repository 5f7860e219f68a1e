"""Knobs wired to speculative decoding: what law comes out, by enumeration."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import sampling
from specdec.certificate import small_models
from specdec.exact import CannotEnumerate, sequence_law
from specdec.exact import total_variation as exact_variation
from specdec.exactness import SequencesCheck, judge
from specdec.models import TableModel
from specdec.recording import RecordingRng
from specdec.sampling import Knobs, penalties, softmax
from specdec.speculative import speculative_decode, verify
from specdec.wiring import (
    Wiring,
    acceptance_by_temperature,
    compare_wiring,
    in_fractions,
    wire,
    with_knobs,
)
from tests.specdec.small_models import FOUR, THREE, TWO_BACK, bigram, in_floats

FLOATS = [in_floats(model) for model in THREE]
ALL = [Wiring(*switches) for switches in product([True, False], repeat=3)]
RIGHT = [wiring for wiring in ALL if wiring.in_ratio or not wiring.on_draft]
WRONG = [wiring for wiring in ALL if wiring not in RIGHT]

SETTINGS = {
    "top-k": Knobs(top_k=2),
    "top-p": Knobs(top_p=0.6),
    "temperature": Knobs(temperature=0.5),
    "typical-p": Knobs(typical_p=0.5),
    "penalties": Knobs(repetition=1.5, frequency=0.5, presence=0.25),
    "several": Knobs(temperature=0.7, min_p=0.2, top_k=2, presence=1),
}


def distances(models, knobs, wiring, **options):
    """TV to the law with knobs and to the law without, as two Fractions."""
    comparison = compare_wiring(*models, knobs, wiring=wiring, **options)
    return (comparison.with_knobs.total_variation, comparison.without_knobs.total_variation)


@pytest.mark.parametrize("knobs", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("wiring", RIGHT, ids=str)
def test_the_law_is_exactly_that_of_the_p_in_use(knobs, wiring):
    knobbed, raw = distances(THREE, knobs, wiring)
    assert (knobbed if wiring.on_target else raw) == 0
    assert (raw if wiring.on_target else knobbed) > Fraction(1, 100)


@pytest.mark.parametrize("knobs", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("wiring", WRONG, ids=str)
def test_a_ratio_with_another_q_gives_neither_law(knobs, wiring):
    assert min(distances(THREE, knobs, wiring)) > Fraction(1, 1000)


def test_a_truncated_draw_and_a_raw_ratio_are_far_off():
    """Issue 5's figure, .26, in the first of the certificate's models, with top-k = 2."""
    model = small_models()[0]
    _, raw = distances((model.target, model.draft), Knobs(top_k=2),
                       Wiring(on_target=False, in_ratio=False))
    assert float(raw) == pytest.approx(0.26, abs=0.005)


@pytest.mark.parametrize("order", sampling.ORDERS)
@pytest.mark.parametrize("models", [THREE, FOUR, TWO_BACK], ids=["three", "four", "two back"])
def test_models_orders_and_more_than_one_step(models, order):
    comparison = compare_wiring(
        *models, Knobs(temperature=1.5, top_p=0.8, frequency=0.5), order, gamma=1, num_tokens=3)
    assert comparison.with_knobs.total_variation == 0
    assert comparison.with_knobs.emitted is comparison.without_knobs.emitted
    assert sum(comparison.with_knobs.emitted.values()) == 1
    assert comparison.with_knobs.num_paths > 8


def test_the_two_orders_are_two_laws():
    knobs = Knobs(temperature=2, top_p=0.7)
    laws = [compare_wiring(*FOUR, knobs, order, gamma=1, num_tokens=2).with_knobs.target
            for order in sampling.ORDERS]
    assert laws[0] != laws[1]


def test_the_law_is_that_after_the_prompt():
    options = {"gamma": 2, "num_tokens": 3}
    after = {prompt: compare_wiring(*THREE, Knobs(top_k=2), prompt=prompt, **options).with_knobs
             for prompt in ((0,), (2, 1))}
    assert all(law.total_variation == 0 for law in after.values())
    assert after[0,].emitted != after[2, 1].emitted
    usual = compare_wiring(*THREE, Knobs(top_k=2)).with_knobs
    assert (usual.emitted, usual.num_paths) == (after[0,].emitted, after[0,].num_paths)


def test_a_wiring_and_what_comes_of_it_cannot_be_changed():
    for one, name in ((Wiring(), "on_draft"), (wire(*THREE, Knobs()), "verify"),
                      (compare_wiring(*THREE, Knobs(), num_tokens=1), "with_knobs")):
        with pytest.raises(FrozenInstanceError):
            setattr(one, name, None)


def test_knobs_at_rest_leave_the_model_itself_and_every_wiring_exact():
    assert with_knobs(THREE[0], Knobs()) is THREE[0]
    for wiring in ALL:
        assert distances(THREE, Knobs(), wiring) == (0, 0)


def test_greedy_knobs_give_the_one_greedy_text():
    target = bigram([[1, 3, 2], [5, 1, 2], [1, 1, 1]])
    law = compare_wiring(target, THREE[1], Knobs(temperature=0)).with_knobs
    assert law.emitted == law.target == {(1, 0, 1): 1}


def test_each_row_has_the_knobs_with_its_own_prefix():
    model = THREE[0]
    knobs = Knobs(frequency=1.0, presence=0.5)
    rows = with_knobs(model, knobs)([0, 1, 1, 2], 3)
    prefixes = [[0, 1], [0, 1, 1], [0, 1, 1, 2]]
    with np.errstate(divide="ignore"):
        expected = [
            softmax(penalties(np.log(model(prefix)[-1].astype(float)), prefix,
                              frequency=1.0, presence=0.5)) for prefix in prefixes]
    np.testing.assert_allclose(rows, expected, rtol=1e-14)
    np.testing.assert_array_equal(rows[-1], with_knobs(model, knobs)([0, 1, 1, 2])[-1])


def test_penalties_count_once_a_token_and_not_once_a_step():
    """The mistake: in the target's one pass, each row has the prefix of the first."""
    knobs, (target, draft) = Knobs(presence=2.0), THREE
    right = in_fractions(with_knobs(target, knobs))

    def once_a_step(tokens, num_rows=1):
        before = tokens[:len(tokens) - num_rows + 1]
        rows = target(tokens, num_rows).astype(float)[:, None]
        return np.array([with_knobs(lambda *_, row=row: row, knobs)(before)[-1] for row in rows])

    def total_variation(model):
        check = SequencesCheck(speculative_decode, in_fractions(model), draft, 2, 3)
        return exact_variation(check.comparison().emitted, sequence_law(right, [0], 3))

    assert total_variation(right) == 0
    assert total_variation(once_a_step) > Fraction(1, 100)


def test_wire_gives_what_speculative_decode_takes_and_a_plain_run_uses_it():
    knobs = Knobs(top_k=2)
    for wiring in ALL:
        wired = wire(*FLOATS, knobs, wiring=wiring)
        rng = np.random.default_rng(3)
        steps = list(speculative_decode(
            wired.target, wired.draft, [0], 30, 3, rng, verify=wired.verify))
        assert sum(len(step.tokens) for step in steps) == 30
        kept = [np.count_nonzero(row) for step in steps for row in step.target_probs]
        assert (max(kept) == 2) == wiring.on_target
        guessed_from = [np.count_nonzero(row) for step in steps for row in step.draft_probs]
        assert (max(guessed_from) == 2) == wiring.on_draft
        # What a step shows as q is the law that was drawn from.
        assert all(row[token] > 0 for step in steps
                   for row, token in zip(step.draft_probs, step.draft_tokens, strict=True))
        assert (wired.verify is verify) == (wiring in RIGHT)


def test_a_raw_ratio_is_taken_with_the_rows_of_the_same_step():
    """The rule as wired, beside the file's own rule given the raw rows by hand."""
    wired = wire(*FLOATS, Knobs(top_k=2), wiring=Wiring(in_ratio=False))
    for seed in range(20):
        rng = RecordingRng(np.random.default_rng(seed))
        context = [0]
        for step in speculative_decode(wired.target, wired.draft, [0], 12, 3, rng,
                                       verify=wired.verify):
            draws = rng.take()[len(step.draft_tokens):]
            raw = [FLOATS[1]([*context, *step.draft_tokens[:i]])[-1]
                   for i in range(len(step.draft_tokens))]
            replay = SimpleNamespace(random=iter([d.uniform for d in draws]).__next__)
            kept = 0
            for row, p, token in zip(raw, step.target_probs, step.draft_tokens, strict=False):
                if replay.random() >= p[token] / row[token]:
                    break
                kept += 1
            assert kept == step.num_accepted
            context += step.tokens


def test_a_run_cut_short_leaves_nothing_to_the_next():
    wired = wire(*FLOATS, Knobs(top_k=2), wiring=Wiring(in_ratio=False))

    def failing(tokens, num_rows):
        raise RuntimeError("the target is down")

    with pytest.raises(RuntimeError):
        list(speculative_decode(failing, wired.draft, [1], 4, 3, np.random.default_rng(0),
                                verify=wired.verify))

    def tokens(wired):
        steps = speculative_decode(wired.target, wired.draft, [0], 40, 3,
                                   np.random.default_rng(5), verify=wired.verify)
        return [token for step in steps for token in step.tokens]

    assert tokens(wired) == tokens(wire(*FLOATS, Knobs(top_k=2), wiring=Wiring(in_ratio=False)))


def test_a_readers_edition_is_what_decodes_and_the_file_what_it_is_measured_by():
    def wrong_top_k(logits, tokens, knobs, order):
        return {"top_k": sampling.top_k(logits, 1)}

    edition = SimpleNamespace(stages=wrong_top_k, softmax=sampling.softmax)
    options = {"sampling": edition, "gamma": 1, "num_tokens": 2}
    assert distances(THREE, Knobs(top_k=2), Wiring(), **options)[0] > Fraction(1, 10)
    assert distances(THREE, Knobs(top_k=2), Wiring(), reference=edition, **options)[0] == 0


def test_what_a_readers_edition_raises_is_a_verdict():
    def broken(*_):
        raise ZeroDivisionError("division by zero")

    edition = SimpleNamespace(stages=broken, softmax=sampling.softmax)
    verdict = judge(lambda: compare_wiring(*THREE, Knobs(top_k=2), sampling=edition).with_knobs)
    assert verdict.state == "could not check"
    assert "division by zero" in verdict.reason


@pytest.mark.parametrize(("wiring", "state"), [
    (Wiring(), "exact"), (Wiring(on_draft=False), "exact"),
    (Wiring(on_target=False), "not exact"), (Wiring(in_ratio=False), "not exact")])
def test_the_badge_on_the_law_with_knobs(wiring, state):
    verdict = judge(lambda: compare_wiring(*THREE, Knobs(top_k=2), wiring=wiring).with_knobs)
    assert verdict.state == state


def test_fractions_sum_to_one_and_are_the_floats_but_for_their_sum():
    rows = np.random.default_rng(1).dirichlet(np.ones(5), 4)
    exact = in_fractions(lambda tokens, num_rows=1: rows)([0])
    assert [sum(row) for row in exact] == [1] * 4
    np.testing.assert_allclose(exact.astype(float), rows, rtol=1e-15)
    ratios = [[x * Fraction(row[0]) == Fraction(y) * one[0]
               for x, y in zip(one, row.tolist(), strict=True)]
              for one, row in zip(exact, rows, strict=True)]
    assert np.all(ratios)


def test_fractions_stay_what_they_are():
    exact = in_fractions(THREE[0])([0, 1], 2)
    assert exact.tolist() == THREE[0]([0, 1], 2).tolist()


@pytest.mark.parametrize("row", [[0.5, 0.6], [1.5, -0.5], [np.nan, 1.0]])
def test_rows_that_are_no_law_are_refused(row):
    with pytest.raises(ValueError, match="sum to 1"):
        in_fractions(lambda tokens, num_rows: np.array([row]))([0])


def test_too_many_paths_are_named():
    with pytest.raises(CannotEnumerate, match="10 paths"):
        compare_wiring(*THREE, Knobs(top_k=2), max_paths=10)


def test_a_bad_order_or_knob_is_refused_by_name():
    with pytest.raises(ValueError, match="SGLang"):
        compare_wiring(*THREE, Knobs(top_k=2), "SGLang")
    with pytest.raises(ValueError, match="top_p"):
        compare_wiring(*THREE, Knobs(top_p=2))


def test_alpha_goes_to_whether_the_argmaxes_agree_and_rises_to_one():
    target = TableModel(np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]))
    draft = TableModel(np.array([[0.4, 0.2, 0.4], [0.6, 0.2, 0.2], [0.3, 0.3, 0.4]]))
    heats = [0, 0.1, 1, 1e9]
    agree, differ = (acceptance_by_temperature(target, draft, [token], heats, Knobs())
                     for token in (0, 1))
    np.testing.assert_allclose(agree, [1, agree[1], 0.8, 1], atol=1e-9)
    np.testing.assert_allclose(differ, [0, differ[1], 0.6, 1], atol=1e-9)
    assert differ[1] < 0.01


def test_alpha_is_of_a_readers_edition():
    edition = SimpleNamespace(stages=lambda logits, *_: {"all": logits}, softmax=sampling.softmax)
    raw, cold = (acceptance_by_temperature(*FLOATS, [0], [0.25], Knobs(), sampling=one)[0]
                 for one in (edition, sampling))
    assert raw == pytest.approx(np.minimum(*(model([0])[-1] for model in FLOATS)).sum())
    assert abs(raw - cold) > 0.01


@given(st.floats(0.05, 5), st.sampled_from(["vLLM", "llama.cpp"]))
def test_alpha_is_the_overlap_of_the_rows_as_wired(heat, order):
    knobs = Knobs(top_p=0.7, temperature=heat)
    wired = wire(*FLOATS, knobs, order)
    p, q = wired.target([0, 2])[-1], wired.draft([0, 2])[-1]
    [alpha] = acceptance_by_temperature(*THREE, [0, 2], [heat], Knobs(top_p=0.7), order)
    assert alpha == pytest.approx(np.minimum(p, q).sum())


def test_sequence_laws_are_those_of_plain_sampling_with_the_knobs():
    """The reference law, multiplied out by hand for two tokens."""
    knobs = Knobs(top_k=2)
    model = in_fractions(with_knobs(THREE[0], knobs))
    law = sequence_law(model, [0], 2)
    for (a, b), weight in law.items():
        assert weight == model([0])[-1][a] * model([0, a])[-1][b]
