"""specdec/mistakes.py: each patch fits the file, runs, and has the law of its semantic twin.

The twins are the wrong variants that the other tests of the law must catch: written apart
from the patches, as functions, and with other code.
"""

import re
from functools import partial

import numpy as np
import pytest

from specdec import edition
from specdec.branching import CannotEnumerate
from specdec.edited_steps import check_step
from specdec.exact import total_variation
from specdec.mistakes import PATCHES, Patch
from specdec.models import draft_of_quality, playground_target
from specdec.recording import RecordingRng
from specdec.speculative import speculative_decode
from tests.specdec.mutants import (
    DECODE_MUTANTS,
    LAW_PRESERVING_DECODE_MUTANTS,
    VERIFY_MUTANTS,
)
from tests.specdec.small_models import SPARSE_FOUR, THREE, TWO_BACK, Case

ORIGINAL = edition.original("speculative.py").text
TWINS = {
    "refused-guess-counted": "keep_the_rejected_guess_too",
    "ratio-turned-round": "accept_with_the_inverse_ratio",
    "likeliest-guess": "argmax_draft_with_soft_q",
    "recover-from-p": "resample_from_p",
    "ratio-doubled": "accept_leniently",
    "full-length-last-step": "more_tokens_than_asked_for",
    "stop-word-passed-by": "stop_token_inside_the_block_missed",
    "ban-the-refused": "ban_the_rejected_token",
    "draft-lags-behind": "draft_cache_misses_the_last_token",
    "refused-guess-cached": "cache_keeps_the_rejected_guess",
    "filter-in-the-draw-only": "top_k_in_the_draws_of_the_draft_only",
    "recover-one-row-late": "recover_from_the_next_row",
    "coin-used-twice": "one_uniform_for_rejection_and_recovery",
}
CASES = [
    Case(*THREE, gamma=2, num_tokens=3),
    Case(*TWO_BACK, gamma=2, num_tokens=4, prompt=(1, 2)),
    Case(*SPARSE_FOUR, gamma=3, num_tokens=4, stop_tokens=(2,)),
]

every_patch = pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)


def decode_of(patch):
    return edition.load("speculative.py", patch.applied_to(ORIGINAL)).module.speculative_decode


def twin_of(name):
    if name in VERIFY_MUTANTS:
        return partial(speculative_decode, verify=VERIFY_MUTANTS[name])
    return (DECODE_MUTANTS | LAW_PRESERVING_DECODE_MUTANTS)[name]


@every_patch
def test_it_changes_one_to_four_lines_and_leaves_the_rest(patch):
    before, after = ORIGINAL.splitlines(), patch.applied_to(ORIGINAL).splitlines()
    removed, added = set(before) - set(after), set(after) - set(before)
    assert 1 <= max(len(removed), len(added)) <= 4
    assert all(len(line) <= 100 for line in after)


@every_patch
def test_it_says_where_it_was_seen_in_one_sentence_with_a_link(patch):
    assert re.findall(r"\]\(https://github\.com/[\w.-]+/[\w.-]+/\S+\)", patch.seen)
    words = re.sub(r"\]\(\S+\)", "", patch.seen).replace("et al.", "et al")
    assert re.findall(r"[.!?](?:\s|$)", words) == ["."]


def test_names_and_titles_are_unique():
    assert len({patch.name for patch in PATCHES}) == len(PATCHES)
    assert len({patch.title for patch in PATCHES}) == len(PATCHES)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", patch.name) for patch in PATCHES)


@pytest.mark.parametrize(("old", "places"), [("no such line\n", 0), ("import", 3)])
def test_a_change_that_does_not_fit_exactly_once_is_named(old, places):
    patch = Patch("misfit", "", "", "", ((old, "x\n"),))
    with pytest.raises(ValueError, match=f"misfit: {places} places match .*need exactly 1"):
        patch.applied_to("import\n" * places)


@pytest.mark.parametrize("name", TWINS)
def test_its_law_is_that_of_its_twin(name):
    [patch] = [patch for patch in PATCHES if patch.name == name]
    compared = 0
    for case in CASES:
        try:
            twins = case.emitted_law(twin_of(TWINS[name]))
        except (CannotEnumerate, ZeroDivisionError):
            continue
        assert total_variation(case.emitted_law(decode_of(patch)), twins) == 0
        compared += 1
    assert compared


@every_patch
@pytest.mark.parametrize("quality", [0.05, 0.9])
def test_it_makes_steps_that_the_page_can_show(patch, quality):
    """In floats, on the playground's own models, without an exception or a warning."""
    target = playground_target()
    rng = RecordingRng(np.random.default_rng(1))
    steps = decode_of(patch)(
        target, draft_of_quality(target, quality), [0], 200, 4, rng)
    for step in steps:
        check_step(step, len(target.words))
