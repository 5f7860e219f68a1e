"""docs/scenes/sampling_knobs.py: a session is a function of its seed and log; laws and verdicts."""

import json
from itertools import product

import numpy as np
import pytest

from specdec import edition, sampling, wiring
from specdec.controls import defaults
from specdec.in_parts import completed
from tests.scene_loading import load_scene

scene = load_scene("sampling_knobs")
questions = load_scene("sampling_knobs_questions")
START = defaults(scene.CONTROLS)
SPECULATIVE = START | {"decoder": "speculative"}


@pytest.fixture(autouse=True)
def original_afterwards():
    yield
    edition.use("sampling.py", None)


def opened(seed=3):
    session = scene.SamplingKnobs()
    session.open(seed=seed)
    return session


def run(segments, seed=3, at_once=True):
    """Returns the state after (settings, steps), one after the other."""
    session = opened(seed)
    for settings, steps in segments:
        for count in [steps] if at_once else [1] * steps:
            state = session.advance(settings=settings, count=count)
    return state


def examined(settings):
    session = scene.SamplingKnobs()
    return completed(lambda: session.examine(settings=settings))


def law_of(state):
    return {word["word"]: word["after"] for word in state["words"]}


def test_every_word_of_the_target_has_a_logit():
    assert np.all(scene.target_model().table > 0)


@pytest.mark.parametrize("settings", [
    START, SPECULATIVE, SPECULATIVE | {"in_ratio": False}, SPECULATIVE | {"on_target": False}])
def test_steps_at_once_and_one_by_one_come_to_the_same(settings):
    segments = [(START, 5), (settings, 6), (settings | {"temperature": 1.5}, 4)]
    assert run(segments) == run(segments, at_once=False)


def test_a_session_replayed_from_its_log_is_the_same():
    state = run([(START, 4), (SPECULATIVE, 3), (START | {"top_k": 2}, 5)])
    log = state["session"]["log"]
    ends = [start for start, _ in log[1:]] + [state["session"]["steps"]]
    again = run([(settings, end - start) for (start, settings), end in zip(log, ends, strict=True)])
    assert again == state
    assert [start for start, _ in log] == [0, 4, 7]


def test_a_picture_takes_no_step_and_draws_nothing():
    session, other = opened(), opened()
    session.advance(settings=SPECULATIVE | {"temperature": 2}, count=0)
    assert (session.advance(settings=START, count=9) == other.advance(settings=START, count=9))


def test_the_state_is_json_and_so_is_the_first_frame():
    frame = scene.first_frame()
    assert json.loads(json.dumps(frame, allow_nan=False))["state"]["tokens"] == len(
        frame["state"]["text"])
    assert scene.first_frame() == frame


@pytest.mark.parametrize("order", ["vLLM", "llama.cpp"])
@pytest.mark.parametrize("change", [
    {}, {"temperature": 0}, {"top_k": 3}, {"min_p": 0.2, "temperature": 2}, {"typical_p": 0.5},
    {"repetition": 1.5, "frequency": 0.5, "presence": 1}])
def test_the_next_words_law_is_that_of_the_knobs(order, change):
    settings = START | change | {"order": order}
    session = opened()
    state = session.advance(settings=settings, count=12)
    knobs = scene.knobs_of(settings)
    for name, value in (change | {"order": order}).items():
        assert getattr(knobs, name, order) == value
    logits = np.log(scene.target_model()(session.tokens)[-1])
    stages = sampling.stages(logits, session.tokens, knobs, order)
    law = sampling.softmax(list(stages.values())[-1])
    words = scene.target_model().words
    assert law_of(state) == pytest.approx(dict(zip(words, law, strict=True)), abs=0)
    for word in state["words"]:
        cut = [name for name, row in stages.items() if row[words.index(word["word"])] == -np.inf]
        assert word["cut_by"] == (cut[0] if cut else None)
        assert (word["logit_after"] is None) == bool(cut) == (word["after"] == 0)
    kept = law[law > 0]
    assert state["law"]["after"] == {
        "words": len(kept), "entropy": pytest.approx(-sum(kept * np.log2(kept))),
        "perplexity": pytest.approx(np.prod(kept**-kept))}
    assert [word["before"] for word in state["words"]] == sorted(
        (word["before"] for word in state["words"]), reverse=True)


def test_the_other_orders_law_is_beside_it():
    hot = START | {"temperature": 2, "top_p": 0.7}
    first, last = (run([(START, 12), (hot | {"order": order}, 0)]) for order in sampling.ORDERS)
    for one, other in ((first, last), (last, first)):
        law = law_of(other)
        assert {word["word"]: word["after_other"] for word in one["words"]} == law
        apart = sum(abs(word["after"] - law[word["word"]]) for word in one["words"]) / 2
        assert one["other"]["distance"] == pytest.approx(apart) and apart > 0.01


def test_each_words_kind_is_what_became_of_its_step():
    session, seen = opened(), set()
    for _ in range(40):
        before = session.advance(settings=SPECULATIVE, count=0)
        after = session.advance(settings=SPECULATIVE, count=1)
        drafted, accepted = (after["counted"][name] - before["counted"][name]
                             for name in ("drafted", "accepted"))
        last = "bonus" if accepted == drafted else "recovered"
        kinds = [word["kind"] for word in after["text"]]
        assert kinds[-accepted - 1:] == ["accepted"] * accepted + [last]
        seen.add(last)
    assert seen == {"bonus", "recovered"}


def test_at_temperature_0_the_text_is_the_likeliest_words():
    session = opened()
    session.advance(settings=START | {"temperature": 0}, count=30)
    table = scene.target_model().table
    for context, token in zip(session.tokens, session.tokens[1:], strict=False):
        assert token == table[context].argmax()


def test_text_follows_the_law_shown(seed=11):
    """Each word drawn was left by the knobs; the evidence has nothing against the law."""
    session, settings = opened(seed), START | {"temperature": 0.3}
    for _ in range(60):
        before = law_of(session.advance(settings=settings, count=0))
        word = session.advance(settings=settings, count=1)["text"][-1]["word"]
        assert before[word] > 0
    state = session.advance(settings=settings, count=300)
    assert not state["evidence"]["with_knobs"]["rejected"]
    assert state["evidence"]["without_knobs"]["rejected"]


@pytest.mark.parametrize("decoder", ["target", "speculative"])
def test_the_evidence_follows_the_knobs_as_they_are_moved(decoder):
    moves = [START | {"decoder": decoder} | change for change in (
        {"temperature": 0.3}, {"temperature": 1.6, "top_p": 1}, {"top_k": 2}, {"presence": 2})]
    session = opened()
    for settings in moves:
        evidence = session.advance(settings=settings, count=40)["evidence"]
        assert not evidence["with_knobs"]["rejected"]
    assert evidence["tokens"] == len(session.tokens) - 1 >= 160  # nothing was begun anew


@pytest.mark.parametrize("ways", [*product((True, False), repeat=3)])
def test_each_wirings_verdict_is_what_theory_says(ways):
    on_target, on_draft, in_ratio = ways
    found = examined(START)
    [one] = [one for one in found["wirings"]
             if (one["on_target"], one["on_draft"], one["in_ratio"]) == ways]
    honest = in_ratio or not on_draft
    assert (one["with_knobs"] == 0) == (on_target and honest)
    assert (one["without_knobs"] == 0) == (not on_target and honest)
    assert (one["state"] == "exact") == (on_target and honest)
    assert one["paths"] > 1
    if honest:
        assert one["law"] == f"the target's law {'with' if on_target else 'without'} the knobs"
    else:
        assert one["law"] == "neither law" and min(one["with_knobs"], one["without_knobs"]) > 0.01


def test_wirings_are_enumerated_one_a_time_and_known_from_then_on():
    session = scene.SamplingKnobs()
    asked = [session.examine(settings=START) for _ in range(7)]
    assert asked[:5] == [None] * 5  # eight wirings, six of which differ
    assert asked[5] == asked[6] == examined(START)
    switched = START | {"on_draft": False, "decoder": "speculative"}
    assert session.examine(settings=switched) == asked[5]


@pytest.mark.parametrize("change", [{"temperature": 0.3}, {"order": "llama.cpp"}])
def test_other_knobs_and_other_code_are_enumerated_anew(change):
    session = scene.SamplingKnobs()
    session.examine(settings=START)
    assert completed(lambda: session.examine(settings=START | change)) == examined(START | change)
    text = edition.original("sampling.py").text
    edition.use("sampling.py", text.replace("return below / (value or 1)", "return below"))
    assert completed(lambda: session.examine(settings=START | change)) == examined(START | change)
    assert session.examine(settings=START | change)["wirings"][0]["state"] == "not exact"


@pytest.mark.parametrize("change", [{}, {"top_k": 3}, {"min_p": 0.01}])
def test_wirings_that_the_small_model_cannot_tell_apart_are_not_called_exact(change):
    off = START | {"temperature": 1, "top_p": 1} | change
    found = examined(off)
    assert found["changed"] < 1e-12
    assert {one["state"] for one in found["wirings"]} == {"could not check"}


def test_forgotten_knobs_are_seen_in_the_text_and_their_evidence_is_its_own():
    state = run([(SPECULATIVE | {"on_target": False, "temperature": 0.5}, 100)])
    assert state["evidence"]["with_knobs"]["rejected"]
    assert not state["evidence"]["without_knobs"]["rejected"]
    right = run([(SPECULATIVE | {"on_target": False, "temperature": 0.5}, 100), (SPECULATIVE, 50)])
    assert not right["evidence"]["with_knobs"]["rejected"]


def test_acceptance_is_that_of_the_two_laws():
    session = opened()
    state = session.advance(settings=SPECULATIVE, count=7)
    p, q = (wiring.with_knobs(model, scene.knobs_of(START))(session.tokens)[-1]
            for model in (scene.target_model(), scene.draft_model()))
    assert state["acceptance"]["now"]["both"] == pytest.approx(np.minimum(p, q).sum())
    raw = scene.draft_model()(session.tokens)[-1]
    assert state["acceptance"]["now"]["alone"] == pytest.approx(np.minimum(p, raw).sum())
    at = state["acceptance"]["temperatures"].index(START["temperature"])
    assert state["acceptance"]["both"][at] == pytest.approx(state["acceptance"]["now"]["both"])


def test_a_session_ends():
    state = run([(START, scene.MAX_STEPS + 5)])
    assert state["finished"] and state["session"]["steps"] == scene.MAX_STEPS


@pytest.mark.parametrize("settings", [
    START | {"temperature": -1}, START | {"top_k": 2.5}, START | {"order": "mine"}, {}])
def test_settings_that_no_control_gives_are_refused(settings):
    with pytest.raises(ValueError):
        opened().advance(settings=settings, count=1)


def test_an_edit_of_the_knobs_is_what_runs_and_the_badge_finds_it_out():
    text = edition.original("sampling.py").text
    edition.use("sampling.py", text.replace("return below / (value or 1)", "return below"))
    state = opened().advance(settings=START | {"top_p": 1}, count=0)
    assert all(word["after"] == pytest.approx(word["before"]) for word in state["words"])
    [right, *_] = examined(START)["wirings"]
    assert right["state"] == "not exact"


def test_speculative_decoding_runs_an_edit_of_the_knobs():
    text = edition.original("sampling.py").text
    edition.use("sampling.py", text.replace("below / (value or 1)", "top_k(below, 1)"))
    state = run([(SPECULATIVE | {"temperature": 2, "top_p": 1}, 40)])
    assert state["counted"]["words_left"] > state["counted"]["tokens"]  # as the package has it
    assert state["evidence"]["with_knobs"]["rejected"]


def test_an_edit_that_gives_nonsense_is_a_code_problem():
    text = edition.original("sampling.py").text
    edition.use("sampling.py", text.replace("return below / (value or 1)", "return below * np.nan"))
    for ask in (lambda: opened().advance(settings=START, count=1),
                lambda: examined(START)):
        with pytest.raises(edition.CodeProblem, match="finite") as problem:
            ask()
        assert problem.value.file == "sampling.py"


@pytest.mark.parametrize(("question", "right"), [
    ("forgotten-target", "without"), ("min-p-order", "first"), ("draft-without", "speed")])
def test_the_run_answers_each_question(question, right):
    asked = questions.SCENE()
    plan = asked.plan(question=question)
    session, states = opened(plan["seed"]), []
    for segment in plan["segments"]:
        states.append(session.advance(
            settings=START | segment["settings"], count=segment["steps"]))
    judged = {answer: asked.judge(question=question, answer=answer, states=states)
              for answer in questions.QUESTIONS[question].choices}
    assert {answer for answer, said in judged.items() if said["right"]} == {right}
    assert all(said["choice"] == right and said["sentence"] for said in judged.values())


def test_unknown_questions_and_answers_are_refused():
    with pytest.raises(ValueError, match="no question"):
        questions.SCENE().plan(question="why")
    with pytest.raises(ValueError, match="no answer"):
        questions.SCENE().judge(question="min-p-order", answer="x", states=[])


def test_the_pages_numbers_by_another_way():
    stated = scene.stated_numbers()
    p = scene.target_model().table[scene.target_model().words.index("the")]
    hot = p**0.5 / (p**0.5).max()
    assert stated["knobs_hot_first"] == str((hot >= 0.1).sum())
    assert stated["knobs_hot_last"] == str((p / p.max() >= 0.1).sum())
    assert stated["knobs_forgotten_without"] == "0"
    assert float(stated["knobs_forgotten_with"]) > 0.1
