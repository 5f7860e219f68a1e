"""The joint law of what is emitted is the target's; and this check catches mistakes.

Every random outcome is run, in Fractions: equal means a total variation of exactly 0.
"""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.exact import outcomes, total_variation
from specdec.recording import InjectedRng
from specdec.speculative import sample, speculative_decode, verify
from tests.specdec.decode_mutants import decode_with
from tests.specdec.mutants import (
    DECODE_MUTANTS,
    LAW_PRESERVING_DECODE_MUTANTS,
    LAW_PRESERVING_MUTANTS,
    VERIFY_MUTANTS,
)
from tests.specdec.small_models import (
    DISJOINT,
    FOUR,
    ONE_HOT,
    SPARSE_FOUR,
    SPARSE_THREE,
    THREE,
    TWO_BACK,
    Case,
    exact_rows,
    in_floats,
)
from tests.specdec.verify_mutants import verify_with

# gamma + 2 tokens are never one step's.
LOSSLESS = {
    "one guess, V = 3": Case(*THREE, gamma=1, num_tokens=3),
    "one guess, V = 4": Case(*FOUR, gamma=1, num_tokens=3),
    "two guesses, three steps": Case(*SPARSE_THREE, gamma=2, num_tokens=5),
    "two guesses, most rows full": Case(*THREE, gamma=2, num_tokens=4),
    "three guesses, V = 3": Case(*SPARSE_THREE, gamma=3, num_tokens=5),
    "three guesses, V = 4": Case(*SPARSE_FOUR, gamma=3, num_tokens=5, prompt=(3,)),
    "no guesses": Case(*THREE, gamma=0, num_tokens=3),
    "p = q": Case(THREE[0], THREE[0], gamma=2, num_tokens=4),
    "supports that do not meet": Case(*DISJOINT, gamma=3, num_tokens=5),
    "one-hot rows": Case(*ONE_HOT, gamma=3, num_tokens=6),
    "one-hot target": Case(ONE_HOT[0], THREE[1], gamma=2, num_tokens=4),
    "one-hot draft": Case(THREE[0], ONE_HOT[1], gamma=3, num_tokens=5),
    "laws of the last two tokens": Case(*TWO_BACK, gamma=3, num_tokens=5, prompt=(1, 2)),
    "a stop token": Case(*SPARSE_FOUR, gamma=3, num_tokens=5, stop_tokens=(2,)),
}


@pytest.mark.parametrize("case", LOSSLESS.values(), ids=LOSSLESS)
def test_speculative_decoding_has_exactly_the_targets_law(case):
    law = case.emitted_law()
    assert total_variation(law, case.target_law()) == 0
    assert sum(law.values()) == 1


@pytest.mark.parametrize("case", LOSSLESS.values(), ids=LOSSLESS)
def test_in_floats_the_law_is_off_by_rounding_only(case):
    case = case.in_floats()
    law = case.emitted_law()
    assert total_variation(law, case.target_law()) < 1e-12
    assert sum(law.values()) == 1


rows = st.sampled_from([3, 4]).flatmap(lambda vocab: st.lists(
    st.lists(st.integers(0, 5), min_size=vocab, max_size=vocab).filter(any),
    min_size=4, max_size=4))


@given(rows)
def test_verify_keeps_the_law_whatever_the_rows(rows):
    """One step with gamma = 2: the first token follows p[0], a second p[1], a third p[2].

    The number kept is known too: the k-th guess is kept with probability Σ min(p, q).
    """
    p, q = exact_rows(rows)[:3], exact_rows(rows)[[3, 0]]

    def experiment(rng):
        guesses = [sample(row, rng) for row in q]
        num_accepted, next_token = verify(p, q, guesses, rng)
        return (*guesses[:num_accepted], next_token)

    law = outcomes(experiment)
    overlaps = [np.minimum(p[i], q[i]).sum() for i in range(2)]
    survival = [1, overlaps[0], overlaps[0] * overlaps[1]]
    for i in range(3):
        emitted = {}
        for tokens, weight in law.items():
            if len(tokens) > i:
                emitted[tokens[i]] = emitted.get(tokens[i], 0) + weight
        assert emitted == {token: survival[i] * weight
                           for token, weight in enumerate(p[i]) if survival[i] * weight}


# --- the check can fail ------------------------------------------------------------------

# Three kinds of context and shape; some mistakes show on one of them only.
CASES = [
    Case(*THREE, gamma=2, num_tokens=4, prompt=(1,)),
    Case(*TWO_BACK, gamma=2, num_tokens=4),
    Case(*SPARSE_FOUR, gamma=2, num_tokens=4, prompt=(3,), stop_tokens=(2,)),
]

MUTANTS_OF_CLASS = {
    "argmax draft with a soft q": {"argmax_draft_with_soft_q"},
    "greedy that returns the softmax": {"greedy_processor_returns_softmax"},
    "the q stored is not the q sampled from": {
        "ratio_with_q_in_bfloat16", "top_k_in_the_draws_of_the_draft_only"},
    "sampling parameters on one side only": {
        "top_k_on_the_target_only", "ratio_with_p_at_another_temperature"},
    "the same noise for two draws": {
        "one_uniform_for_guess_and_recovery", "one_uniform_for_rejection_and_recovery"},
    "the seed reset inside the loop": {
        "one_uniform_for_all_guesses", "seed_reset_every_step"},
    "all-zero residual": {"epsilon_in_the_residual"},
    "wrong residual": {
        "absolute_difference_as_residual", "residual_with_p_and_q_swapped",
        "recover_from_the_next_row", "resample_from_p", "ban_the_rejected_token"},
    "wrong acceptance": {
        "accept_with_the_inverse_ratio", "accept_with_p", "accept_without_a_coin",
        "accept_leniently"},
    "wrong stop rule": {"continue_after_a_rejection", "keep_the_rejected_guess_too"},
    "bonus token from the wrong row": {"bonus_from_the_row_before"},
    "stop token inside the accepted block": {"stop_token_inside_the_block_missed"},
    "more tokens than asked for": {"more_tokens_than_asked_for"},
    "cache rollback off by one": {
        "target_cache_misses_the_last_token", "cache_keeps_the_rejected_guess",
        "target_rows_all_from_the_first_prefix"},
    "vocabularies of different length": {"target_cut_to_the_drafts_vocabulary"},
    "penalties counted once a step": {"penalties_counted_once_a_step"},
    "a draft that is not a sample of q": {"beam_draft_with_soft_q"},
}
LAW_CHANGING = (
    {name: partial(speculative_decode, verify=mutant)
     for name, mutant in VERIFY_MUTANTS.items()} | DECODE_MUTANTS)
HARMLESS = (
    {name: partial(speculative_decode, verify=mutant)
     for name, mutant in LAW_PRESERVING_MUTANTS.items()} | LAW_PRESERVING_DECODE_MUTANTS)


def distances(decode):
    """Returns how far the law of `decode` is from the target's in each of the cases."""
    return [total_variation(case.emitted_law(decode), case.target_law()) for case in CASES]


@pytest.mark.parametrize("decode", [
    speculative_decode, decode_with, partial(speculative_decode, verify=verify_with)])
def test_without_a_mistake_the_law_is_exact(decode):
    assert distances(decode) == [0, 0, 0]


@pytest.mark.parametrize("name", LAW_CHANGING)
def test_a_mistake_changes_the_law(name, record_property):
    found = distances(LAW_CHANGING[name])
    record_property("total variations", [float(distance) for distance in found])
    print(f"{name}: {[f'{float(distance):.2g}' for distance in found]}")
    assert max(found) > 0


@pytest.mark.parametrize("name", HARMLESS)
def test_some_mistakes_leave_the_law_alone(name):
    assert distances(HARMLESS[name]) == [0, 0, 0]


def test_every_class_of_mistake_is_covered_and_every_mistake_has_its_class():
    assert set.union(*MUTANTS_OF_CLASS.values()) == LAW_CHANGING.keys()
    assert len(VERIFY_MUTANTS) >= 10
    assert len(DECODE_MUTANTS) >= 10


def test_the_seed_reset_leaves_each_tokens_own_law_right():
    """Which is why joint laws are compared here."""
    case = Case(*SPARSE_THREE, gamma=1, num_tokens=3)
    wrong = case.emitted_law(DECODE_MUTANTS["seed_reset_every_step"])
    right = case.target_law()
    assert total_variation(wrong, right) > 0
    firsts = [{}, {}]
    for law, first in zip((wrong, right), firsts, strict=True):
        for tokens, weight in law.items():
            first[tokens[0]] = first.get(tokens[0], 0) + weight
    assert firsts[0] == firsts[1]


# --- mistakes that leave the law alone are caught by the uniforms that meet them ---------

JUST_BELOW_ONE = 1 - 2.0**-53


@pytest.mark.parametrize(("name", "p", "q", "guess", "uniforms", "right"), [
    ("accept_at_equality", [0, 1], [0.5, 0.5], 0, [0, 0.5], (0, 1)),
    ("accept_at_equality", [0.25, 0.75], [0.5, 0.5], 0, [0.5, 0.5], (0, 1)),
    ("empty_residual_becomes_token_zero",
     [0, 0.3 - 1e-7, 0.7], [0, 0.3, 0.7], 1, [JUST_BELOW_ONE, 0.1], (0, 1)),
])
def test_injected_uniforms_catch_what_the_law_cannot(name, p, q, guess, uniforms, right):
    step = np.array([p, p]), np.array([q]), [guess]
    assert verify(*step, InjectedRng(uniforms)) == right
    assert LAW_PRESERVING_MUTANTS[name](*step, InjectedRng(uniforms)) != right


def test_a_nan_is_refused_and_the_mistake_makes_a_token_of_it():
    step = np.array([[np.nan, 0.4, 0.6]] * 2), np.array([[0.2, 0.6, 0.2]]), [1]
    with pytest.raises(ValueError, match="target_probs"):
        verify(*step, InjectedRng([0.9, 0.5]))
    mutant = LAW_PRESERVING_MUTANTS["nan_hidden_by_fmax"]
    assert mutant(*step, InjectedRng([0.9, 0.5])) == (0, 2)


def guesses_come_from_their_own_prefixes(decode):
    target, draft = in_floats(TWO_BACK[0]), in_floats(TWO_BACK[1])
    context = [0, 1]
    for step in decode(target, draft, context, 40, 3, np.random.default_rng(3)):
        for i, row in enumerate(step.draft_probs):
            if not np.array_equal(row, draft(context + step.draft_tokens[:i])[0]):
                return False
        context = context + step.tokens
    return True


def test_the_draft_goes_on_from_its_own_guesses_and_the_slower_mistakes_do_not():
    assert guesses_come_from_their_own_prefixes(speculative_decode)
    for name, mutant in LAW_PRESERVING_DECODE_MUTANTS.items():
        assert not guesses_come_from_their_own_prefixes(mutant), name

