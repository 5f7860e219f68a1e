"""specdec/edited_beams.py: a reader's search is called as the package's, and not trusted."""

import numpy as np
import pytest

from specdec import edition
from specdec.beam import beam_search, beam_steps
from specdec.edited_beams import search_in_force
from specdec.edition import CodeProblem

FILE = "beam.py"
OPTIONS = {"length_penalty": 0.5, "stop_tokens": (2,)}


@pytest.fixture(autouse=True)
def original_afterwards():
    yield
    edition.use(FILE, None)


def model(tokens, num_rows=1):
    """Token 1 never comes first."""
    return np.array([[0.5, 0.0, 0.5] if not tokens else [0.25, 0.25, 0.5]])


def search(num_tokens=2):
    return search_in_force(model, 2, num_tokens, **OPTIONS)


def edited(end: str) -> None:
    edition.use(FILE, edition.original(FILE).text + "\n\n" + end)


def test_the_packages_own_search_is_passed_on():
    found, steps = search()
    assert found == beam_search(model, (), 2, 2, **OPTIONS)
    assert steps == list(beam_steps(model, (), 2, 2, **OPTIONS))


def test_an_edit_is_what_runs_and_its_numbers_are_made_plain():
    edited("def beam_search(model, *_, **__):\n"
           "    log_prob = np.log(model(())[-1][2])\n"
           "    return [Hypothesis(np.array([2]), log_prob, np.float32(-7))]\n")
    [one], steps = search()
    assert (one.tokens, one.log_prob, one.score) == ((2,), np.log(0.5), -7.0)
    assert [type(x) for x in (one.tokens[0], one.log_prob, one.score)] == [int, float, float]
    assert steps == list(beam_steps(model, (), 2, 2, **OPTIONS))


SEARCH = "def beam_search(*_, **__):\n    "
HALF = "Hypothesis((0,), float(np.log(0.5)), -1.0)"
STEPS = SEARCH + """return [Hypothesis((2,), float(np.log(0.5)), -1.0)]


def beam_steps(*_, **__):
    """


@pytest.mark.parametrize(("text", "told"), [
    (SEARCH + "return []", "at least one hypothesis"),
    (SEARCH + "return [3]", "has no attribute"),
    (SEARCH + "return [Hypothesis((1, 0), -1.0, -1.0)]", "never gives 1 after"),
    (SEARCH + "return [Hypothesis((3, 0), -1.0, -1.0)]", "never gives 3 after"),
    (SEARCH + "return [Hypothesis((-1, 0), -1.0, -1.0)]", "never gives -1 after"),
    (SEARCH + "return [Hypothesis((2,), -0.6, -1.0)]", r"log_prob of \[2\] should be -0.6931"),
    (SEARCH + "return [Hypothesis((2,), float('nan'), -1.0)]", "log_prob of"),
    (SEARCH + "return [Hypothesis((2,), float(np.log(0.5)), float('inf'))]", "score of"),
    (SEARCH + f"return [{HALF}]", "neither ends"),
    (SEARCH + "return [Hypothesis((), 0.0, 0.0)]", "neither ends"),
    (STEPS + "return []", "gave none"),
    (STEPS + "return [BeamStep([], [], [], [], False)] * 4", "at most 2 steps, but gave more"),
    (STEPS + f"return [BeamStep([{HALF}], [], [], [], False)]", "step 0 .* extends no live"),
    (STEPS + f"return [BeamStep([], [], [], [], False), BeamStep([{HALF}], [], [], [], False)]",
     "step 1 .* extends no live"),
    (STEPS + "return [BeamStep([Hypothesis((), 0.0, 0.0)], [], [], [], False),"
     " BeamStep([], [], [Hypothesis((0,), -0.1, -0.1)], [], True)]", "log_prob of"),
    (STEPS + "yield 1 / 0", "ZeroDivisionError"),
])
def test_what_no_search_gives_is_told(text, told):
    edited(text + "\n")
    with pytest.raises(CodeProblem, match=told) as problem:
        search()
    assert problem.value.file == FILE


@pytest.mark.parametrize("kind", ["live", "finished", "pruned"])
def test_every_hypothesis_of_a_step_is_looked_at(kind):
    kinds = {name: "[]" for name in ("live", "finished", "pruned")} | {
        kind: "[Hypothesis((1,), -1.0, -1.0)]"}
    edited(STEPS + "return [BeamStep([Hypothesis((), 0.0, 0.0)], [], [], [], False), BeamStep("
           f"{kinds['live']}, {kinds['finished']}, {kinds['pruned']}, [], True)]\n")
    with pytest.raises(CodeProblem, match="never gives 1"):
        search()


def test_a_search_that_takes_as_many_steps_as_tokens_is_none_too_long():
    assert len(search(1)[1]) == 2
