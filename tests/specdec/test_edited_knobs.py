"""specdec/edited_knobs.py: a reader's knobs are called as the package's, and not trusted."""

import numpy as np
import pytest

from specdec import edition, sampling
from specdec.edited_knobs import knobs_in_force
from specdec.sampling import Knobs

FILE = "sampling.py"
LOGITS = np.log([0.5, 0.3, 0.2])


@pytest.fixture(autouse=True)
def original_afterwards():
    yield
    edition.use(FILE, None)


def edited(end: str) -> None:
    edition.use(FILE, edition.original(FILE).text + "\n\n" + end)


def test_the_packages_own_knobs_are_passed_on():
    knobs = Knobs(temperature=0.5, top_k=2)
    mine, theirs = knobs_in_force(), sampling
    stages = mine.stages(LOGITS, [0, 1], knobs, "vLLM")
    for name, row in theirs.stages(LOGITS, [0, 1], knobs, "vLLM").items():
        assert np.array_equal(stages[name], row)
    last = list(stages.values())[-1]
    assert np.array_equal(mine.softmax(last), theirs.softmax(last))


def test_an_edit_is_what_runs():
    edited("def softmax(logits):\n    return np.array([0.0, 1.0, 0.0])\n")
    assert knobs_in_force().softmax(LOGITS).tolist() == [0, 1, 0]


STAGES = "def stages(logits, tokens, knobs, order='vLLM'):\n    "


@pytest.mark.parametrize(("code", "said"), [
    (STAGES + "return {'cut': logits * np.nan}", "after cut there should be 3 logits"),
    (STAGES + "return {'cut': logits[:2]}", "after cut there should be 3 logits"),
    (STAGES + "return {'cut': logits - np.inf}", "the greatest finite"),
    (STAGES + "return {'cut': logits + np.inf}", "the greatest finite"),
    (STAGES + "return {}", "gave none"),
    (STAGES + "return None", "AttributeError"),
    (STAGES + "return {'cut': 'words'}", "ValueError"),
    (STAGES + "raise SystemExit", "SystemExit"),
    ("del stages", "no function stages"),
])
def test_stages_that_are_no_logits_are_the_readers_problem(code, said):
    edited(code + "\n")
    with pytest.raises(edition.CodeProblem, match=said) as problem:
        knobs_in_force().stages(LOGITS, [0], Knobs(), "vLLM")
    assert problem.value.file == FILE


@pytest.mark.parametrize("law", ["logits", "logits * np.nan", "[0.5, 0.5]", "[1.5, -0.5, 0]"])
def test_a_softmax_that_is_no_law_is_the_readers_problem(law):
    edited(f"def softmax(logits):\n    return {law}\n")
    with pytest.raises(edition.CodeProblem, match="softmax should give 3 numbers"):
        knobs_in_force().softmax(LOGITS)


def test_an_edit_cannot_change_what_it_was_given():
    edited("def softmax(logits):\n    logits[:] = 0\n    return logits + 1 / len(logits)\n")
    before = LOGITS.copy()
    knobs_in_force().softmax(LOGITS)
    assert np.array_equal(LOGITS, before)
