"""docs/scenes/beam_search.py: the tree that is drawn, against every continuation by hand."""

import itertools
import math

import pytest

from specdec import edition
from specdec.controls import defaults
from tests.scene_loading import load_scene

scene = load_scene("beam_search")
questions = load_scene("beam_search_questions")
START = defaults(scene.CONTROLS)


@pytest.fixture(autouse=True)
def restored():
    yield
    edition.use("beam.py", None)


def state_of(seed: int = scene.SEED, count: int = scene.MAX_TOKENS, **change) -> dict:
    search = scene.BeamSearch()
    search.open(seed=seed)
    return search.advance(settings=START | change, count=count)


def every_text(model, num_tokens: int) -> dict[tuple[int, ...], float]:
    """Each text that ends in the stop token or is full, with its log-probability."""
    texts = {}
    for length in range(1, num_tokens + 1):
        for text in itertools.product(range(len(scene.WORDS)), repeat=length):
            if scene.STOP in text[:-1] or (length < num_tokens and text[-1] != scene.STOP):
                continue
            texts[text] = sum(math.log(model(text[:i])[-1][token]) for i, token in enumerate(text))
    return texts


@pytest.mark.parametrize("model", [*scene.NAMED, "random"])
@pytest.mark.parametrize("penalty", [0, 0.7, 2])
def test_the_best_is_the_best_of_all_texts(model, penalty):
    shown = state_of(model=model, length_penalty=penalty)
    texts = every_text(scene.model_of(model, scene.SEED), START["num_tokens"])
    assert shown["continuations"] == len(texts)
    best = max(log_prob / len(text) ** penalty for text, log_prob in texts.items())
    assert shown["best"]["score"] == pytest.approx(best, abs=1e-12)
    assert shown["likeliest"]["log_prob"] == pytest.approx(max(texts.values()), abs=1e-12)
    assert texts[tuple(shown["best"]["tokens"])] == pytest.approx(
        shown["best"]["log_prob"], abs=1e-12)
    found = tuple(shown["beam"]["tokens"])
    assert shown["found"] == (texts[found] / len(found) ** penalty >= best - 1e-12)


def test_the_named_models_do_what_their_names_say():
    assert not state_of(width=1)["found"] and state_of(width=2)["found"]
    assert not state_of(model="beam", width=2)["found"]
    without, with_penalty = (
        state_of(model="penalty", length_penalty=value)["beam"]["tokens"] for value in (0, 1))
    assert len(with_penalty) > len(without)


def test_the_greatest_width_there_is_finds_what_greedy_misses_or_says_that_it_did_not():
    for seed in range(20):
        shown = state_of(seed=seed, model="random", width=5, num_tokens=2)
        assert shown["found"], seed  # 5 of at most 4 live texts: nothing is pruned
        assert not [node for column in shown["columns"] for node in column
                    if node["kind"] == "pruned" and len(node["tokens"]) < 2]


def test_each_step_adds_the_column_of_its_hypotheses():
    whole = state_of()
    for count in range(len(whole["columns"])):
        part = state_of(count=count)
        assert [[node["tokens"] for node in column] for column in part["columns"]] == [
            [node["tokens"] for node in column] for column in whole["columns"][:count]]
        assert not part["finished"] and part["beam"] is None
    for step, column in enumerate(whole["columns"], start=1):
        assert all(len(node["tokens"]) == step for node in column)
        assert sum(node["kind"] == "live" for node in column) <= START["width"]
        ranked = sorted(column, key=lambda node: node["rank"])
        assert [node["log_prob"] for node in ranked] == sorted(
            (node["log_prob"] for node in column), reverse=True)


def test_no_step_changes_the_count_and_the_session_says_where_it_is():
    search = scene.BeamSearch()
    search.open(seed=3)
    search.advance(settings=START, count=2)
    shown = search.advance(settings=START | {"width": 3}, count=0)
    assert shown["session"] == {
        "seed": 3, "steps": 2, "log": [[0, START | {"width": 3}]]}
    with pytest.raises(ValueError, match="count must be at least 0"):
        search.advance(settings=START, count=-1)


def test_what_runs_is_the_edited_file():
    original = edition.original("beam.py").text
    edition.use("beam.py", original + """

_search = beam_search


def beam_search(*arguments, **options):
    return _search(*arguments, **options)[::-1]
""")
    assert state_of()["found"] is False


@pytest.mark.parametrize(("ending", "message"), [
    ("\n\ndef beam_search(*_, **__):\n    return []\n", "at least one hypothesis"),
    ("\n\ndef beam_search(*_, **__):\n    raise KeyError('x')\n", "KeyError"),
    ("\n\ndef beam_steps(*_, **__):\n    return iter(())\n", "not enough values"),
    ("\n\n_steps = beam_steps\n\n\ndef beam_steps(*args, **options):\n"
     "    for _ in range(2):\n        yield from _steps(*args, **options)\n", "but gave more"),
    ("\n\ndef beam_search(*_, **__):\n    return [Hypothesis((0, 99), -1.0, -1.0)]\n",
     "impossible"),
    ("\n\ndef beam_search(*_, **__):\n    return [Hypothesis((0,), -1.0, -1.0)]\n", "log_prob"),
])
def test_nonsense_from_an_edited_file_is_its_problem(ending, message):
    edition.use("beam.py", edition.original("beam.py").text + ending)
    with pytest.raises(edition.CodeProblem, match=message) as problem:
        state_of()
    assert problem.value.file == "beam.py"


@pytest.mark.parametrize(("question", "right"), [("where-lost", "later"), ("penalty", "longer")])
def test_questions_are_judged_by_their_own_run(question, right):
    asked = questions.SCENE()
    plan = asked.plan(question=question)
    states = [state_of(plan["seed"], segment["steps"], **segment["settings"])
              for segment in plan["segments"]]
    for answer in questions.SCENE.questions[question].choices:
        judged = asked.judge(question=question, answer=answer, states=states)
        assert judged["right"] == (answer == right) and judged["choice"] == right
    with pytest.raises(ValueError, match="no answer"):
        asked.judge(question=question, answer="perhaps", states=states)
    with pytest.raises(ValueError, match="no question"):
        asked.plan(question="perhaps")


def test_the_failures_are_those_of_the_package_and_wider_misses_less():
    rates = scene.failures(scene.SEED)["rates"]
    shares = [rate["share"] for rate in rates]
    assert [rate["width"] for rate in rates] == list(scene.FAILURE_WIDTHS)
    assert shares == sorted(shares, reverse=True) and shares[0] > shares[-1]
