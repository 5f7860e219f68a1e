"""specdec/questions.py: what a run is set to, and how its figures meet an answer."""

import pytest

from specdec.questions import Question, Questions


class Larger(Questions):
    questions = {
        "larger": Question(
            ("first", "last", "same"), (({"size": 2}, 5), ({"size": 3, "hot": True}, 7)),
            lambda states: (("last" if states[1] > states[0] else "first"), f"Saw {states}."))}
    seed = 11


def test_the_plan_is_the_seed_and_a_run_in_segments():
    assert Larger().plan(question="larger") == {"seed": 11, "segments": [
        {"settings": {"size": 2}, "steps": 5}, {"settings": {"size": 3, "hot": True}, "steps": 7}]}
    assert Questions.seed != 11


@pytest.mark.parametrize(("answer", "right"), [("first", False), ("last", True), ("same", False)])
def test_an_answer_is_right_if_it_is_what_the_run_says(answer, right):
    assert Larger().judge(question="larger", answer=answer, states=[1, 2]) == {
        "right": right, "choice": "last", "sentence": "Saw [1, 2]."}


@pytest.mark.parametrize("call", [
    lambda scene: scene.plan(question="nonsense"),
    lambda scene: scene.judge(question="nonsense", answer="last", states=[1, 2]),
    lambda scene: scene.judge(question="larger", answer="nonsense", states=[1, 2])])
def test_what_is_unknown_is_named(call):
    with pytest.raises(ValueError, match="nonsense"):
        call(Larger())


def test_a_page_may_call_both_and_nothing_else():
    assert Larger.ACTIONS == ("plan", "judge")
