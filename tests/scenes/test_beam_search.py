"""docs/scenes/beam_search.py: every text counted in plain Python, named models, readers' code."""

import json
import math

import numpy as np
import pytest

from specdec import edition
from specdec.beam_failures import failure_rates
from specdec.controls import defaults
from specdec.edition import CodeProblem
from specdec.in_parts import completed
from tests.scene_loading import load_scene
from tests.scenes.plain_search import every_text, greedy

scene = load_scene("beam_search")
questions = load_scene("beam_search_questions")
START = defaults(scene.CONTROLS)
SOURCE = edition.original("beam.py").text


@pytest.fixture(autouse=True)
def original_afterwards():
    yield
    edition.use("beam.py", None)


def state_of(steps=scene.MAX_TOKENS, seed=3, **change):
    session = scene.BeamSearch()
    session.open(seed=seed)
    return session.advance(settings=START | change, count=steps)


@pytest.mark.parametrize("model", [*scene.NAMED, "random"])
@pytest.mark.parametrize("num_tokens", [2, 4, 5])
@pytest.mark.parametrize("penalty", [0, 0.7, 2])
def test_the_best_the_likeliest_and_greedy_are_those_of_a_count_of_every_text(
        model, num_tokens, penalty):
    law = scene.model_of(model, 3)
    texts = every_text(law, len(scene.WORDS), num_tokens, scene.STOP)
    scores = {text: log_prob / len(text)**penalty for text, log_prob in texts.items()}
    state = state_of(model=model, num_tokens=num_tokens, length_penalty=penalty)
    assert state["continuations"] == len(texts)
    for name, text in (("best", max(scores, key=scores.get)),
                       ("likeliest", max(texts, key=texts.get)),
                       ("greedy", greedy(law, num_tokens, scene.STOP))):
        shown = state[name]
        assert tuple(shown["tokens"]) == text
        assert shown["words"] == [scene.WORDS[token] for token in text]
        assert shown["log_prob"] == pytest.approx(texts[text], abs=1e-12)
        assert shown["score"] == pytest.approx(scores[text], abs=1e-12)
    beam = tuple(state["beam"]["tokens"])
    assert state["found"] == (scores[beam] >= max(scores.values()) - 1e-12)


def ratio_to_best(state, one):
    return math.exp(state["best"]["log_prob"] - one["log_prob"])


def has_property(name, seed):
    """Whether the random tree of this seed is what the model's name promises."""
    def state(**change):
        return state_of(seed=seed, model="random", **change)

    if name == "greedy":  # greedy's text is at most half as probable as the best; width 2 finds it
        start = state(width=2)
        return (start["found"] and len(start["best"]["tokens"]) >= 3
                and ratio_to_best(start, start["greedy"]) >= 2)
    if name == "beam":  # neither greedy nor width 2 comes near the best
        start = state(width=2)
        return min(ratio_to_best(start, start[one]) for one in ("greedy", "beam")) >= 1.25
    plain, penalised = state(width=2), state(width=2, length_penalty=1)
    return (plain["found"] and penalised["found"] and len(plain["beam"]["tokens"]) == 2
            and len(penalised["beam"]["tokens"]) == 4
            and penalised["beam"]["words"][-1] == ".")


@pytest.mark.parametrize("name", scene.NAMED)
def test_each_named_model_is_the_first_with_its_property(name):
    assert [seed for seed in range(scene.NAMED[name] + 1) if has_property(name, seed)] == [
        scene.NAMED[name]]


def test_the_seed_counts_for_the_random_model_alone():
    assert state_of(seed=1)["columns"] == state_of(seed=2)["columns"]
    assert (state_of(seed=1, model="random")["columns"]
            != state_of(seed=2, model="random")["columns"])


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("penalty", [0, 1])
def test_the_tree_says_of_each_hypothesis_where_it_comes_from_and_what_it_is(width, penalty):
    law = scene.model_of("penalty", 0)
    state = state_of(model="penalty", width=width, length_penalty=penalty)
    parents = {()}
    for length, column in enumerate(state["columns"], start=1):
        assert column == sorted(column, key=lambda node: node["tokens"])
        likeliest = sorted(column, key=lambda node: (-node["log_prob"], node["tokens"]))
        assert [node["rank"] for node in likeliest] == list(range(1, len(column) + 1))
        assert {tuple(node["tokens"]) for node in column} == {
            (*parent, token) for parent in parents for token in range(len(scene.WORDS))}
        for node in column:
            tokens = tuple(node["tokens"])
            assert node["log_prob"] == pytest.approx(
                sum(math.log(law(tokens[:i])[-1][tokens[i]]) for i in range(length)), abs=1e-12)
            assert node["score"] == pytest.approx(node["log_prob"] / length**penalty, abs=1e-12)
            assert (node["kind"] == "finished") <= (tokens[-1] == scene.STOP)
            assert node["on_best"] == (state["best"]["tokens"][:length] == node["tokens"])
            assert node["on_found"] == (state["beam"]["tokens"][:length] == node["tokens"])
        parents = {tuple(node["tokens"]) for node in column if node["kind"] == "live"}
        assert len(parents) <= width
    assert state["extended"]["beam"] == 1 + sum(
        node["kind"] == "live" for column in state["columns"][:-1] for node in column)


def test_before_the_end_nothing_is_said_of_what_the_beam_finds():
    for steps in range(4):
        state = state_of(steps)
        assert len(state["columns"]) == steps == state["session"]["steps"]
        assert not state["finished"] and state["beam"] is state["found"] is None
        assert not any(node["on_found"] for column in state["columns"] for node in column)
    assert state_of(4)["finished"] and state_of(4) == state_of(9)


def test_a_session_replayed_from_its_log_is_the_same():
    session = scene.BeamSearch()
    session.open(seed=6)
    session.advance(settings=START | {"width": 4}, count=2)
    state = session.advance(settings=START | {"model": "random"}, count=1)
    [(start, settings)] = state["session"]["log"]
    again = scene.BeamSearch()
    again.open(seed=state["session"]["seed"])
    assert start == 0
    assert again.advance(settings=settings, count=state["session"]["steps"]) == state


def test_a_shorter_search_ends_where_it_ends():
    session = scene.BeamSearch()
    session.open(seed=6)
    session.advance(settings=START, count=4)
    state = session.advance(settings=START | {"num_tokens": 2}, count=0)
    assert state["finished"] and state["session"]["steps"] == 2


def test_frame_and_figures_are_json_and_made_the_same_way_twice():
    frame = scene.first_frame()
    json.dumps(frame, allow_nan=False)
    assert scene.first_frame() == frame
    shares = [rate["share"] for rate in frame["examined"]["rates"]]
    assert shares == sorted(shares, reverse=True) and shares[0] > shares[-1]


def test_failures_are_counted_in_parts_and_known_from_then_on():
    scene.failure_count.cache_clear()
    session, settings = scene.BeamSearch(), START | {"num_tokens": 5}
    assert session.examine(settings=settings) is None
    found = completed(lambda: session.examine(settings=settings))
    other = scene.BeamSearch()
    assert other.examine(settings=settings | {"width": 5, "model": "beam"}) == found
    rates = failure_rates(np.random.default_rng(found["seed"]), scene.FAILURE_WIDTHS,
                          num_models=found["models"], vocab=found["vocab"], num_tokens=5)
    assert found["num_tokens"] == 5
    assert [(rate["width"], rate["share"], rate["mean_loss"]) for rate in found["rates"]] == [
        (rate.width, rate.share, rate.mean_loss) for rate in rates]


@pytest.mark.parametrize("change", [
    {"width": 0}, {"width": 6}, {"num_tokens": 6}, {"model": "none"}, {"length_penalty": -1}])
def test_what_no_control_gives_is_refused(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        state_of(**change)
    with pytest.raises(ValueError, match="count must be at least 0"):
        state_of(-1)


def test_a_beam_that_keeps_the_worst_is_what_is_searched_and_found_out():
    assert state_of()["found"]
    best_first = "key=lambda one: (-one.log_prob, one.tokens)"
    assert best_first in SOURCE
    edition.use("beam.py", SOURCE.replace(best_first, best_first.replace("-", "")))
    state = state_of()
    assert state["found"] is False
    assert scene.lost_at(state) is not None


@pytest.mark.parametrize(("text", "told"), [
    ("def beam_search(*_, **__):\n    return []\n", "at least one hypothesis"),
    ("def beam_search(*_, **__):\n    return [Hypothesis((7,), -1.0, -1.0)]\n", "never gives 7"),
    ("def beam_search(*_, **__):\n    return [Hypothesis((3,), -0.5, -0.5)]\n", "log_prob of"),
    ("def beam_search(*_, **__):\n    return [Hypothesis((), 0.0, 0.0)]\n", "neither ends"),
    ("def beam_search(model, *_, **__):\n"
     "    log_prob = float(np.log(model(())[-1][0]))\n"
     "    return [Hypothesis((0,), log_prob, log_prob)]\n", "neither ends"),
    ("def beam_steps(*_, **__):\n    return []\n"
     "def beam_search(model, *_, **__):\n"
     "    log_prob = float(np.log(model(())[-1][3]))\n"
     "    return [Hypothesis((3,), log_prob, log_prob)]\n", "gave none"),
    ("def beam_search(*_, **__):\n    return 1 / 0\n", "ZeroDivisionError"),
])
def test_a_search_that_gives_nonsense_is_told(text, told):
    edition.use("beam.py", f"{SOURCE}\n\n{text}")
    with pytest.raises(CodeProblem, match=told) as problem:
        state_of()
    assert problem.value.file == "beam.py"


def test_a_tree_without_an_end_is_told():
    edition.use("beam.py", SOURCE + """

def beam_search(model, *_, **__):
    log_prob = float(np.log(model(())[-1][3]))
    return [Hypothesis((3,), log_prob, log_prob)]


def beam_steps(*_, **__):
    while True:
        yield BeamStep([], [], [], [], False)
""")
    with pytest.raises(CodeProblem, match="at most 4 steps, but gave more"):
        state_of()


@pytest.mark.parametrize("name", questions.SCENE.questions)
def test_a_question_is_judged_by_its_run_alone(name):
    asked = questions.SCENE()
    [segment] = asked.plan(question=name)["segments"]
    state = state_of(segment["steps"], **segment["settings"])
    assert state["finished"]
    judged = {answer: asked.judge(question=name, answer=answer, states=[state])
              for answer in asked.questions[name].choices}
    assert [answer for answer, one in judged.items() if one["right"]] == [
        {"where-lost": "first" if scene.lost_at(state) == 1 else "later",
         "penalty": "longer"}[name]]
    with pytest.raises(ValueError, match="no question"):
        asked.plan(question="none")
    with pytest.raises(ValueError, match="no answer"):
        asked.judge(question=name, answer="none", states=[state])


def test_a_question_whose_run_says_otherwise_is_judged_otherwise():
    asked = questions.SCENE()
    judged = asked.judge(question="where-lost", answer="never", states=[state_of(width=5)])
    assert judged["right"]
    judged = asked.judge(question="penalty", answer="same", states=[state_of(width=5)])
    assert judged["right"]
