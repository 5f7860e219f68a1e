"""Laws compared: against a calculation that draws nothing, and with code that is wrong."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec import edition
from specdec.exact import CannotEnumerate, sequence_law, total_variation
from specdec.exactness import Comparison, SequencesCheck, check_step, judge
from specdec.quick_fractions import QuickFraction
from specdec.speculative import Step, speculative_decode
from tests.specdec.mutants import DECODE_MUTANTS, VERIFY_MUTANTS
from tests.specdec.small_models import DISJOINT, FOUR, ONE_HOT, THREE, TWO_BACK, bigram

MODELS = {"three": THREE, "four": FOUR, "disjoint": DISJOINT, "one-hot": ONE_HOT,
          "two words back": TWO_BACK}


def joint(decode, models, gamma, num_tokens, **options):
    return SequencesCheck(decode, *models, gamma, num_tokens, **options).comparison()


def state_of(check):
    return judge(check).state


# --- one step, calculated without drawing anything ---------------------------------------

def residual(p, q):
    above = [max(a - b, 0) for a, b in zip(p, q, strict=True)]
    return [part / sum(above) for part in above] if any(above) else p


RULES = {  # name: (chance to keep a guess, the law it is replaced from)
    "the right rule": (lambda p, q, x: min(1, p[x] / q[x]), residual),
    "resample_from_p": (lambda p, q, x: min(1, p[x] / q[x]), lambda p, q: p),
    "accept_with_p": (lambda p, q, x: p[x], residual),
    "accept_leniently": (lambda p, q, x: min(1, 2 * p[x] / q[x]), residual),
    "residual_with_p_and_q_swapped": (
        lambda p, q, x: min(1, p[x] / q[x]), lambda p, q: residual(q, p)),
}


def step_by_hand(target, draft, gamma, keep, replace, start=(0,)):
    """Returns the law of one step, then the target's own words, by multiplying out."""
    law = {}

    def walk(tokens, weight, guesses_left, checked):
        if not weight:
            return
        if len(tokens) == len(start) + gamma + 1:
            emitted = tokens[len(start):]
            law[emitted] = law.get(emitted, 0) + weight
            return
        p, q = target(tokens)[-1].tolist(), draft(tokens)[-1].tolist()
        for x in range(len(p)):
            if not checked or not guesses_left:  # after a miss, or the bonus token
                walk((*tokens, x), weight * p[x], 0, False)
                continue
            if q[x]:
                kept = keep(p, q, x)
                walk((*tokens, x), weight * q[x] * kept, guesses_left - 1, True)
                for y, share in enumerate(replace(p, q)):
                    walk((*tokens, y), weight * q[x] * (1 - kept) * share, 0, False)

    walk(start, Fraction(1), gamma, True)
    return law


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("models", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("gamma", [1, 2, 3])
def test_one_steps_law_is_the_one_calculated_by_hand(models, gamma, rule):
    verify = VERIFY_MUTANTS.get(rule)
    decode = partial(speculative_decode, verify=verify) if verify else speculative_decode
    comparison = check_step(decode, *models, gamma)
    assert comparison.emitted == step_by_hand(*models, gamma, *RULES[rule])
    assert comparison.total_variation == total_variation(
        comparison.emitted, sequence_law(models[0], [0], gamma + 1))
    if rule == "the right rule":
        assert comparison.total_variation == 0


rows = st.integers(3, 5).flatmap(lambda vocab: st.lists(
    st.lists(st.integers(0, 20), min_size=vocab, max_size=vocab).filter(any),
    min_size=2 * vocab, max_size=2 * vocab))


@settings(max_examples=40)
@given(rows)
def test_whatever_the_rows_the_file_is_exact(weights):
    vocab = len(weights[0])
    target, draft = bigram(weights[:vocab]), bigram(weights[vocab:])
    assert state_of(lambda: check_step(speculative_decode, target, draft, 2)) == "exact"
    assert state_of(lambda: joint(speculative_decode, (target, draft), 1, 3)) == "exact"


def test_quick_fractions_come_to_the_same_comparison():
    decode = partial(speculative_decode, verify=VERIFY_MUTANTS["resample_from_p"])
    quick = [bigram([[1]]), bigram([[1]])]
    for model, plain in zip(quick, FOUR, strict=True):
        model.table = np.array([[QuickFraction(x) for x in row] for row in plain.table])
    assert check_step(decode, *quick, 2) == check_step(decode, *FOUR, 2)


# --- several steps -----------------------------------------------------------------------

@pytest.mark.parametrize("name", ["seed_reset_every_step", "cache_keeps_the_rejected_guess"])
def test_what_one_step_passes_on_shows_in_the_joint_law_only(name):
    decode = DECODE_MUTANTS[name]
    assert state_of(lambda: check_step(decode, *THREE, 1)) == "exact"
    assert state_of(lambda: joint(decode, THREE, 1, 3)) == "not exact"


def test_a_seed_reset_leaves_the_first_token_right():
    comparison = joint(DECODE_MUTANTS["seed_reset_every_step"], THREE, 1, 3)
    assert comparison.first_token_variation == 0 < comparison.total_variation
    wrong = joint(partial(speculative_decode, verify=VERIFY_MUTANTS["accept_with_p"]),
                  THREE, 1, 3)
    assert 0 < wrong.first_token_variation <= wrong.total_variation


def test_too_many_tokens_are_sequences_of_their_own():
    comparison = joint(DECODE_MUTANTS["more_tokens_than_asked_for"], THREE, 1, 3)
    assert any(len(tokens) > 3 for tokens in comparison.emitted)
    assert comparison.total_variation > 0


def test_stop_tokens_end_a_sequence():
    comparison = joint(speculative_decode, THREE, 2, 4, stop_tokens=(2,))
    assert comparison.total_variation == 0
    assert {len(tokens) for tokens in comparison.emitted if 2 in tokens} == {1, 2, 3, 4}


def test_in_parts_it_comes_to_the_same():
    whole = joint(speculative_decode, THREE, 1, 3)
    check = SequencesCheck(speculative_decode, *THREE, 1, 3)
    counts, shares = [], [check.share]
    while not check.advance(10):
        counts.append(check.num_paths)
        shares.append(check.share)
    assert counts == [10 * (i + 1) for i in range(len(counts))]
    assert shares[0] == 0 and shares == sorted(set(shares))
    assert check.share == 1 and check.num_paths == whole.num_paths
    assert check.comparison() == whole


def test_the_budget_is_kept_and_named():
    paths = joint(speculative_decode, THREE, 1, 3).num_paths
    assert joint(speculative_decode, THREE, 1, 3, max_paths=paths).num_paths == paths
    check = SequencesCheck(speculative_decode, *THREE, 1, 3, max_paths=paths - 1)
    assert check.advance(paths - 2) is False
    with pytest.raises(CannotEnumerate, match=f"more than {paths - 1} paths, which is the budget"):
        check.advance(1)
    verdict = judge(check.comparison)
    assert (verdict.state, verdict.comparison) == ("could not check", None)
    assert f"more than {paths - 1} paths, which is the budget" in verdict.reason


# --- the comparison and the verdict ------------------------------------------------------

def test_the_worst_sequence_is_the_one_that_differs_most():
    law = {(0, 0): Fraction(1, 2), (0, 1): Fraction(3, 10), (1, 0): Fraction(1, 5)}
    other = {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 10), (2, 0): Fraction(2, 5)}
    comparison = Comparison(law, other, num_paths=3)
    assert comparison.worst == (2, 0)
    assert comparison.difference((2, 0)) == Fraction(2, 5)
    assert comparison.total_variation == Fraction(2, 5)
    assert comparison.first_token_variation == Fraction(2, 5)
    assert Comparison(law, law, num_paths=3).worst is None


def yields(step):
    """Returns code that yields this instead of a step."""
    def decode(*_):
        yield step
    return decode


def a_step(**changed):
    rows = np.full((2, 3), Fraction(1, 3))
    right = {"draft_tokens": [1], "target_probs": rows, "draft_probs": rows[:1],
             "num_accepted": 1, "next_token": 2, "tokens": [1, 2]}
    return Step(**right | changed)


@pytest.mark.parametrize(("decode", "reason"), [
    (lambda *_: 1 / 0, "ZeroDivisionError: division by zero"),
    (lambda *_: exit(), "SystemExit"),
    (lambda *_: None, "TypeError: 'NoneType' object is not iterable"),
    (lambda *_: iter([]), "yielded no step"),
    (yields("a string"), "steps with draft_tokens"),
    (yields(a_step(tokens="AB")), "tokens should be a list"),
    (yields(a_step(tokens=[])), "tokens should be the guesses accepted"),
    (yields(a_step(tokens=[1, 3], next_token=3)), "should be a list of token ids from 0 to 2"),
    (lambda *call: iter([call[5].normal()]), "rng.normal cannot be enumerated"),
])
def test_code_that_is_at_fault_could_not_be_checked(decode, reason):
    verdict = judge(lambda: check_step(decode, *THREE, 1))
    assert (verdict.state, verdict.comparison) == ("could not check", None)
    assert reason in verdict.reason


def test_ids_may_be_numpys():
    def decode(*call):
        for step in speculative_decode(*call):
            yield a_step(**vars(step) | {"tokens": np.array(step.tokens)})

    assert state_of(lambda: check_step(decode, *THREE, 2)) == "exact"
    assert state_of(lambda: joint(decode, THREE, 1, 3)) == "exact"


def test_the_line_of_a_readers_code_is_told():
    original = edition.original("speculative.py").text
    text = original.replace("return excess / total", "return excess / totl")
    line = text.partition("excess / totl")[0].count("\n") + 1
    decode = edition.load("speculative.py", text).module.speculative_decode
    verdict = judge(lambda: check_step(decode, *THREE, 1))
    assert verdict.state == "could not check"
    assert verdict.reason.startswith(f"line {line}: NameError: name 'totl'")


def test_what_floats_leave_is_told_from_a_mistake():
    def in_floats(model):
        return lambda tokens, num_rows=1: model(tokens, num_rows=num_rows).astype(float)

    def verdict_on(**options):
        return judge(lambda: check_step(
            lambda target, draft, *call: speculative_decode(
                in_floats(target), in_floats(draft), *call, **options), *THREE, 2))

    verdict = verdict_on()
    assert verdict.state == "could not check"
    assert 0 < verdict.comparison.total_variation < 1e-15
    assert f"what is left, {float(verdict.comparison.total_variation):.1e}" in verdict.reason
    assert verdict_on(verify=VERIFY_MUTANTS["accept_with_p"]).state == "not exact"
