"""specdec/edition.py: a text runs beside the original; its faults are told at their line."""

from types import SimpleNamespace

import numpy as np
import pytest

from specdec import edition, speculative
from specdec.edition import CodeProblem, check_step, load, problems_told, use

ORIGINAL = edition.original().text


def problem_of(text):
    with pytest.raises(CodeProblem) as told:
        load(text)
    return told.value.line, told.value.message


@pytest.fixture(autouse=True)
def original_afterwards():
    yield
    use(None)


def test_the_original_is_the_package_itself(root):
    original = edition.original()
    assert original.module is speculative and not original.edited
    assert original.text == (root / "specdec" / "speculative.py").read_text()
    assert edition.current() is original


def test_a_text_becomes_a_module_beside_the_original():
    mine = use(ORIGINAL.replace("p - q", "q - p"))
    assert edition.current() is mine and mine.edited
    row, other = np.array([0.2, 0.8]), np.array([0.6, 0.4])
    assert mine.module.residual(row, other).tolist() == [1, 0]
    assert speculative.residual(row, other).tolist() == [0, 1]
    assert mine.module.__name__ != "__main__"  # what runs a file by itself stays silent
    assert use(None) is edition.original()


def test_the_text_of_the_file_makes_the_same_tokens():
    def model(tokens, num_rows=1):
        return np.tile([0.2, 0.5, 0.3], (num_rows, 1))

    def tokens_of(module):
        steps = module.speculative_decode(model, model, [0], 30, 3, np.random.default_rng(1))
        return [token for step in steps for token in step.tokens]

    assert tokens_of(load(ORIGINAL).module) == tokens_of(speculative)


@pytest.mark.parametrize(("text", "line", "words"), [
    ("x = 1\ny = (2\n", 2, "never closed"),
    ("def f():\nreturn 1\n", 2, "expected an indented block"),
    ("x = 1\n\nx = x / 0\n", 3, "ZeroDivisionError: division by zero"),
    ("import numpy\nimport no_such_module\n", 2, "no module 'no_such_module' here"),
    ("def f():\n    return f()\n\nf()\n", 2, "calls itself without end"),
    ("raise SystemExit\n", 1, "SystemExit"),
    ("import sys\nsys.exit(3)\n", 2, "SystemExit: 3"),
    ("x = '\\0'\n".replace("\\0", "\0"), None, "null"),
    ("x = 1\n", None, "no function speculative_decode"),
    ("speculative_decode = 3\n", None, "no function speculative_decode"),
])
def test_a_text_that_cannot_run_is_refused_at_its_line(text, line, words):
    told_line, message = problem_of(text)
    assert words in message
    assert told_line == line or line is None and told_line in (None, 1)


def test_what_was_in_force_stays_when_a_text_is_refused():
    good = use(ORIGINAL + "\n# mine\n")
    with pytest.raises(CodeProblem):
        use("nonsense(")
    assert edition.current() is good


def test_an_exception_in_the_middle_of_a_step_is_told_at_the_readers_line():
    mine = load(ORIGINAL.replace("return excess / total if total > 0 else p",
                                 "return excess / [][0]"))
    with pytest.raises(CodeProblem) as told, problems_told():
        mine.module.residual(np.array([0.2, 0.8]), np.array([0.6, 0.4]))
    [line] = [i for i, text in enumerate(mine.text.splitlines(), 1) if "[][0]" in text]
    assert told.value.line == line
    assert told.value.message == "IndexError: list index out of range"
    assert str(told.value) == f"line {line}: IndexError: list index out of range"


def test_an_error_of_others_has_no_line():
    with pytest.raises(CodeProblem) as told, problems_told():
        raise KeyError("rows")
    assert told.value.line is None and told.value.message == "KeyError: 'rows'"


STEP = {"draft_tokens": [1, 2], "target_probs": np.full((3, 4), 0.25),
        "draft_probs": np.full((2, 4), 0.25), "num_accepted": 1, "next_token": 3,
        "tokens": [1, 3]}


def test_a_step_passes_and_so_does_one_without_guesses():
    check_step(SimpleNamespace(**STEP), 4)
    check_step(SimpleNamespace(**STEP | {"tokens": [1]}), 4)  # cut at a stop token
    check_step(SimpleNamespace(
        draft_tokens=[], target_probs=np.full((1, 4), 0.25), draft_probs=np.empty((0, 4)),
        num_accepted=0, next_token=np.int64(2), tokens=[2]), 4)


@pytest.mark.parametrize(("name", "value"), [
    ("num_accepted", 3), ("num_accepted", -1), ("num_accepted", float("nan")),
    ("num_accepted", "1"), ("num_accepted", True),
    ("next_token", 4), ("next_token", -1), ("next_token", float("nan")), ("next_token", "a"),
    ("next_token", None),
    ("draft_tokens", "ab"), ("draft_tokens", [1, 9]), ("draft_tokens", [1.5, 2]),
    ("tokens", []), ("tokens", [3]), ("tokens", [1, 3, 3]), ("tokens", "13"), ("tokens", 3),
    ("target_probs", np.full((2, 4), 0.25)), ("target_probs", np.full((3, 4), np.nan)),
    ("target_probs", "a string"), ("target_probs", [[1], [2, 3]]),
    ("draft_probs", np.full((2, 3), 0.25)), ("draft_probs", np.full((2, 4), np.inf)),
])
def test_nonsense_is_refused_by_name(name, value):
    with pytest.raises(CodeProblem, match=name):
        check_step(SimpleNamespace(**STEP | {name: value}), 4)


def test_what_is_no_step_at_all_is_refused():
    with pytest.raises(CodeProblem, match="should yield steps with draft_tokens, but yielded 'x'"):
        check_step("x", 4)
