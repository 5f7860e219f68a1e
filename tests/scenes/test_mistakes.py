"""docs/scenes/mistakes.py: what is stated of each change, recomputed by other means."""

import pytest

from specdec import edition, sample_size
from specdec.certificate import certify, small_models
from specdec.exact import outcomes, sequence_law, total_variation
from specdec.mistakes import PATCHES
from tests.scene_loading import load_scene

scene = load_scene("mistakes")
ORIGINAL = edition.original("speculative.py").text

LOOK_ALIKES = {
    "match-the-targets-draw", "draft-lags-behind", "one-hot-rule", "unsure-guess-is-the-last"}
TWO_WORDS_CANNOT_SEE = {"ban-the-refused", "filter-in-the-draw-only", "coin-used-twice"}
FIRST_TOKEN_IS_RIGHT = {
    "full-length-last-step", "stop-word-passed-by", "refused-guess-cached",
    "bonus-at-another-temperature", "one-coin-for-all"}

def decode_of(patch):
    return edition.load("speculative.py", patch.applied_to(ORIGINAL)).module.speculative_decode


def model_named(name):
    [model] = [model for model in small_models() if model.name == name]
    return model


def first_token_distance(decode, model):
    """Returns how far the first token is from the target's row, after the worst word."""
    distances = []
    for word in range(len(model.target.table)):
        if word not in model.stop_tokens:
            row = dict(enumerate(model.target([word])[-1]))
            law = law_of(decode, model, prompt=(word,), first_only=True)
            distances.append(total_variation(law, row))
    return max(distances)


def law_of(decode, model, prompt=(0,), first_only=False):
    """Returns the law of all tokens, or of the first one, by plain enumeration."""
    options = {"stop_tokens": model.stop_tokens} if model.stop_tokens else {}

    def experiment(rng):
        steps = decode(
            model.target, model.draft, list(prompt), model.num_tokens, model.gamma, rng,
            **options)
        tokens = (token for step in steps for token in step.tokens)
        return next(tokens) if first_only else tuple(tokens)

    return outcomes(experiment)


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)
def test_what_is_stated_of_it_is_what_plain_enumeration_finds(patch):
    judged, decode = scene.judged(patch), decode_of(patch)
    found = judged["findings"]
    model = model_named(found["model"])
    law = law_of(decode, model)
    target = sequence_law(model.target, [0], model.num_tokens, stop_tokens=model.stop_tokens)
    distance = total_variation(law, target)
    assert (found["total_variation"], found["paths"]) == (str(distance), law.num_paths)
    first = first_token_distance(decode, model)
    assert found["first_token"] == str(first)
    assert judged["text"] == patch.applied_to(ORIGINAL)

    harmless = patch.name in LOOK_ALIKES
    assert judged["changes"] == (not harmless) == (distance > 0)
    assert (found["two_words"] == "0") == (harmless or patch.name in TWO_WORDS_CANNOT_SEE)
    assert (first == 0) == (harmless or patch.name in FIRST_TOKEN_IS_RIGHT)
    assert (found["needed"] is None) == (first == 0)
    assert judged["notices"] == (found["needed"] is not None
                                 and found["needed"] <= sample_size.TOKENS)
    assert judged["notices"] == (first > 0 and patch.name != "half-precision-draw")

    models = small_models()
    if not harmless:  # as far as the page goes
        models = models[: [model.name for model in models].index(model.name) + 1]
    certificate = certify(decode, models)
    assert certificate.state == ("exact" if harmless else "not exact")
    assert certificate.reason == (
        "" if harmless else f"{model.name}: total variation {distance}")


def watched(name, slices):
    run = scene.Mistakes()
    run.watch(name=name)
    for tokens in slices:
        seen = run.go_on(tokens=tokens)
    return seen


def test_the_evidence_does_not_depend_on_the_slices():
    whole = watched("likeliest-guess", [1000])
    assert whole == watched("likeliest-guess", [7] * 143)
    assert whole["rejected"] and whole["done"]
    assert whole["trail"][-1][0] == whole["tokens"] < 1000
    assert whole["trail"][-1][1] >= whole["alarm"]


@pytest.mark.parametrize("name", sorted(LOOK_ALIKES))
def test_the_evidence_says_nothing_of_a_look_alike(name):
    seen = watched(name, [500, 500])
    assert not seen["rejected"] and not seen["done"]
    assert [tokens for tokens, _ in seen["trail"]] == list(range(0, 1001, 50))


def test_an_impossible_token_is_past_all_bounds():
    seen = watched("refused-guess-cached", [10])
    assert seen["rejected"] and seen["trail"][-1] == [seen["tokens"], None]


def test_a_run_ends_at_the_most_tokens(monkeypatch):
    monkeypatch.setattr(scene, "WATCHED_TOKENS", 120)
    seen = watched("full-length-last-step", [100, 100])
    assert seen["done"] and not seen["rejected"]
    assert seen["tokens"] == seen["most_tokens"] == 120


def test_the_patched_text_is_the_catalogues():
    [patch] = [patch for patch in PATCHES if patch.name == "recover-from-p"]
    assert scene.Mistakes().patched(name="recover-from-p") == {
        "text": patch.applied_to(ORIGINAL)}


def test_an_unknown_name_is_named():
    with pytest.raises(ValueError, match="no change 'nonsense'"):
        scene.Mistakes().patched(name="nonsense")
