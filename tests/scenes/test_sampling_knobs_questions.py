"""docs/scenes/sampling_knobs_questions.py: judged by the figures of the run alone."""

import pytest

from tests.scene_loading import load_scene

questions = load_scene("sampling_knobs_questions").SCENE


def state(*, against_with=False, against_without=False, rate=0.5, words_left=400, tokens=100):
    """Returns as much of the playground's state as a judgement looks at."""
    return {
        "counted": {"rate": rate, "words_left": words_left, "tokens": tokens},
        "evidence": {"tokens": 321, "with_knobs": {"rejected": against_with},
                     "without_knobs": {"rejected": against_without}}}


def judged(question, *states):
    """Returns the right one and what was seen, which no answer changes."""
    asked = questions()
    said = [asked.judge(question=question, answer=answer, states=list(states))
            for answer in asked.questions[question].choices]
    assert len({(one["choice"], one["sentence"]) for one in said}) == 1
    assert sum(one["right"] for one in said) == (said[0]["choice"] in
                                                 asked.questions[question].choices)
    return said[0]["choice"], said[0]["sentence"]


@pytest.mark.parametrize(("against_with", "against_without", "right"), [
    (False, True, "with"), (True, False, "without"), (True, True, "neither"),
    (False, False, "undecided")])
def test_whose_law_comes_out_is_said_by_the_evidence(against_with, against_without, right):
    choice, sentence = judged("forgotten-target", state(
        against_with=against_with, against_without=against_without, rate=0.25))
    assert choice == right
    for name, against in (("with", against_with), ("without", against_without)):
        verb = "speaks against" if against else "has nothing against"
        assert f"{verb} the law {name} the knobs" in sentence
    assert "On 321 tokens" in sentence and "25% of the guesses" in sentence


@pytest.mark.parametrize(("first", "last", "right"), [
    (500, 400, "first"), (400, 400, "same"), (400, 500, "last")])
def test_the_order_is_judged_by_the_words_left_to_each_token(first, last, right):
    choice, sentence = judged("min-p-order", state(words_left=first),
                              state(words_left=2 * last, tokens=200))
    assert choice == right
    assert f"temperature first, {first / 100:.1f} words" in sentence
    assert f"min-p first, {last / 100:.1f}" in sentence


@pytest.mark.parametrize(("rate", "wrong", "right"), [
    (0.4, False, "speed"), (0.4, True, "both"), (0.6, True, "text"), (0.6, False, "neither"),
    (0.5, False, "neither")])
def test_a_draft_without_knobs_is_judged_by_speed_and_text(rate, wrong, right):
    choice, sentence = judged("draft-without", state(), state(rate=rate, against_with=wrong))
    assert choice == right
    assert f"from 50% to {rate:.0%}" in sentence and "On 321 tokens" in sentence
    assert f"has found {'something' if wrong else 'nothing'}" in sentence


def test_the_runs_are_those_that_the_questions_speak_of():
    def segments(question):
        return questions().plan(question=question)["segments"]

    [forgotten] = segments("forgotten-target")
    assert forgotten["settings"] == {
        "decoder": "speculative", "temperature": 0.5, "on_target": False}
    first, last = segments("min-p-order")
    assert (first["settings"]["order"], last["settings"]["order"]) == ("vLLM", "llama.cpp")
    for one in (first, last):
        assert one["settings"] == {
            "temperature": 2, "min_p": 0.1, "top_p": 1, "order": one["settings"]["order"]}
    both, alone = segments("draft-without")
    assert both["settings"] == {"decoder": "speculative", "temperature": 0.5}
    assert alone["settings"] == both["settings"] | {"on_draft": False}
