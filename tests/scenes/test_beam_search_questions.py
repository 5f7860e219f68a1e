"""docs/scenes/beam_search_questions.py: judged by the tree and the texts of the run alone."""

import pytest

from tests.scene_loading import load_scene

questions = load_scene("beam_search_questions").SCENE


def node(kind, rank, on_best):
    return {"kind": kind, "rank": rank, "on_best": on_best}


def right_answers(question, state):
    asked = questions()
    said = {answer: asked.judge(question=question, answer=answer, states=[state])
            for answer in asked.questions[question].choices}
    [sentence] = {one["sentence"] for one in said.values()}
    return [answer for answer, one in said.items() if one["right"]], sentence


@pytest.mark.parametrize(("lost", "right"), [(0, "first"), (1, "later"), (2, "later")])
def test_the_best_is_lost_where_its_beginning_was_pruned(lost, right):
    columns = [[node("live", 1, step < lost), node("pruned", 3, step == lost),
                node("pruned", 2, False)] for step in range(3)]
    state = {"columns": columns, "best": {"words": ["we", "go"]}}
    answers, sentence = right_answers("where-lost", state)
    assert answers == [right]
    assert f"“we go”, was pruned in step {lost + 1}, where it was number 3 of 3." in sentence


def test_a_best_that_was_never_pruned_was_not_lost():
    state = {"columns": [[node("live", 1, True), node("pruned", 2, False)]],
             "best": {"words": ["on"]}}
    answers, sentence = right_answers("where-lost", state)
    assert answers == ["never"] and "“on” were never pruned" in sentence


@pytest.mark.parametrize(("length", "right"), [(2, "shorter"), (3, "same"), (4, "longer")])
def test_a_penalty_is_judged_by_the_lengths_of_the_texts(length, right):
    state = {"likeliest": {"tokens": [0, 1, 3]},
             "beam": {"tokens": [0] * length, "words": ["go"] * length}}
    answers, sentence = right_answers("penalty", state)
    assert answers == [right]
    assert "the best has 3 tokens" in sentence
    assert f"“{' '.join(['go'] * length)}”, {length} tokens" in sentence


def test_the_runs_are_those_that_the_questions_speak_of():
    [lost] = questions().plan(question="where-lost")["segments"]
    [penalty] = questions().plan(question="penalty")["segments"]
    assert lost["settings"] == {"model": "beam"}
    assert penalty["settings"] == {"model": "penalty", "length_penalty": 1}
    playground = load_scene("beam_search")
    [tokens] = [one.default for one in playground.CONTROLS if one.name == "num_tokens"]
    assert lost["steps"] == penalty["steps"] == tokens  # so the search is at its end
