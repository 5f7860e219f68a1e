"""docs/scenes/predictions.py: judged by the figures of the run alone."""

import pytest

from tests.scene_loading import load_scene

predictions = load_scene("predictions")


def state(tokens_per_pass=3.0, speedup=2.0, rejected=False, outside=()):
    """Returns as much of a playground's state as a judgement looks at."""
    figures = {
        "steps": 100, "tokens_emitted": 300, "tokens_per_pass": tokens_per_pass,
        "speedup": speedup, "draft_accept_rate": 0.5, "drafted": 400, "thrown_away": 200}
    return {
        "window": figures, "run": figures, "evidence": {"rejected": rejected},
        "distribution": {"outside": list(outside)}}


def right_answers(question, states):
    judge = predictions.Predictions().judge
    return [choice for choice in predictions.QUESTIONS[question].choices
            if judge(question=question, answer=choice, states=states)["right"]]


@pytest.mark.parametrize(("tokens", "choice"), [
    (2.99, "under-3"), (3.0, "from-3-to-4"), (3.99, "from-3-to-4"), (4.0, "over-4")])
def test_a_good_draft_is_judged_by_its_tokens_per_pass(tokens, choice):
    assert right_answers("good-draft", [state(tokens)]) == [choice]


@pytest.mark.parametrize(("after", "choice"), [
    (state(1.2), "speed"), (state(1.2, rejected=True), "both"),
    (state(1.2, outside=["cat"]), "both"),
    (state(3.1), "neither"), (state(3.1, outside=["cat"]), "text")])
def test_a_draft_gone_bad_is_judged_by_speed_and_text(after, choice):
    assert right_answers("poor-draft", [state(3.0), after]) == [choice]


def test_words_outside_their_band_are_named():
    said = predictions.Predictions().judge(
        question="poor-draft", answer="both", states=[state(3.0), state(1.2, outside=["cat"])])
    assert "outside their bands: cat" in said["sentence"]


@pytest.mark.parametrize(("speedup", "choice"), [(2.3, "rises"), (2.0, "same"), (1.7, "falls")])
def test_a_long_draft_is_judged_by_the_change_of_the_speedup(speedup, choice):
    assert right_answers("long-draft", [state(speedup=2.0), state(speedup=speedup)]) == [choice]


def test_the_plan_is_what_the_playground_is_set_to():
    plan = predictions.Predictions().plan(question="poor-draft")
    good, bad = plan["segments"]
    assert good["settings"]["quality"] > 0.9 > 0.1 > bad["settings"]["quality"]
    assert plan["cost_ratio"] == predictions.COST_RATIO


@pytest.mark.parametrize("call", [
    lambda scene: scene.plan(question="nonsense"),
    lambda scene: scene.judge(question="nonsense", answer="speed", states=[]),
    lambda scene: scene.judge(question="poor-draft", answer="nonsense", states=[])])
def test_what_is_unknown_is_named(call):
    with pytest.raises(ValueError, match="nonsense"):
        call(predictions.Predictions())
