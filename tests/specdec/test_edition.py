"""specdec/edition.py: a text runs beside the original; its faults are told at their line."""

import contextlib
import importlib
import inspect
from pathlib import Path

import numpy as np
import pytest

from specdec import edition, sampling, speculative
from specdec.edition import CodeProblem, problems_told

FILE = "speculative.py"
ORIGINAL = edition.original(FILE).text
MODULES = sorted(path.name for path in Path(speculative.__file__).parent.glob("[a-z]*.py"))


def problem_of(text):
    with pytest.raises(CodeProblem) as told:
        edition.load(FILE, text)
    assert told.value.file == FILE
    return told.value.line, told.value.message


@pytest.fixture(autouse=True)
def original_afterwards():
    yield
    for file in ("speculative.py", "sampling.py"):
        edition.use(file, None)


def test_the_original_is_the_package_itself(root):
    original = edition.original(FILE)
    assert original.module is speculative and not original.edited
    assert original.text == (root / "specdec" / "speculative.py").read_text()
    assert edition.current(FILE) is original


def test_a_text_becomes_a_module_beside_the_original():
    mine = edition.use(FILE, ORIGINAL.replace("p - q", "q - p"))
    assert edition.current(FILE) is mine and mine.edited
    row, other = np.array([0.2, 0.8]), np.array([0.6, 0.4])
    assert mine.module.residual(row, other).tolist() == [1, 0]
    assert speculative.residual(row, other).tolist() == [0, 1]
    assert mine.module.__name__ != "__main__"  # what runs a file by itself stays silent
    assert edition.use(FILE, None) is edition.original(FILE)


def test_the_text_of_the_file_makes_the_same_tokens():
    def model(tokens, num_rows=1):
        return np.tile([0.2, 0.5, 0.3], (num_rows, 1))

    def tokens_of(module):
        steps = module.speculative_decode(model, model, [0], 30, 3, np.random.default_rng(1))
        return [token for step in steps for token in step.tokens]

    assert tokens_of(edition.load(FILE, ORIGINAL).module) == tokens_of(speculative)


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
    good = edition.use(FILE, ORIGINAL + "\n# mine\n")
    with pytest.raises(CodeProblem):
        edition.use(FILE, "nonsense(")
    assert edition.current(FILE) is good


def test_an_exception_in_the_middle_of_a_step_is_told_at_the_readers_line():
    mine = edition.load(FILE, ORIGINAL.replace("return excess / total if total > 0 else p",
                                 "return excess / [][0]"))
    with pytest.raises(CodeProblem) as told, problems_told():
        mine.module.residual(np.array([0.2, 0.8]), np.array([0.6, 0.4]))
    [line] = [i for i, text in enumerate(mine.text.splitlines(), 1) if "[][0]" in text]
    assert (told.value.file, told.value.line) == (FILE, line)
    assert told.value.message == "IndexError: list index out of range"
    assert str(told.value) == f"line {line}: IndexError: list index out of range"


def test_an_error_of_others_has_no_line():
    with pytest.raises(CodeProblem) as told, problems_told():
        raise KeyError("rows")
    assert told.value.line is None and told.value.message == "KeyError: 'rows'"
    assert told.value.file is None


def test_an_error_of_others_is_blamed_on_the_file_at_work():
    with pytest.raises(CodeProblem) as told, problems_told("sampling.py"):
        raise KeyError("rows")
    assert (told.value.file, told.value.line) == ("sampling.py", None)


@pytest.mark.parametrize("file", MODULES)
def test_every_file_of_the_package_can_be_edited(file, root):
    original = edition.original(file)
    assert original.text == (root / "specdec" / file).read_text()
    assert original.module is importlib.import_module(f"specdec.{file.removesuffix('.py')}")
    mine = edition.load(file, original.text + "\nmine = 1\n")
    assert (mine.file, mine.filename, mine.module.mine) == (file, f"<edited {file}>", 1)
    assert not hasattr(original.module, "mine")
    defined = [value for value in vars(mine.module).values() if inspect.isfunction(value)
               and value.__module__ == mine.module.__name__]
    assert {function.__code__.co_filename for function in defined} <= {
        mine.filename, "<string>", inspect.getfile(contextlib)}  # generated, or decorated


@pytest.mark.parametrize("file", [
    "speculative", "no_such.py", "../specdec/speculative.py", "speculative.pyc", "", ".py"])
def test_what_is_no_file_of_the_package_is_refused(file):
    for ask in (edition.original, edition.current, lambda file: edition.use(file, "x = 1\n")):
        with pytest.raises(ValueError, match="specdec has no file"):
            ask(file)


def test_two_files_are_edited_at_once_and_a_problem_of_one_leaves_the_other_in_force():
    steps = edition.use(FILE, ORIGINAL + "\n# mine\n")
    sampling_text = edition.original("sampling.py").text
    knobs = edition.use("sampling.py", sampling_text + "\n# mine, too\n")
    assert (edition.current(FILE), edition.current("sampling.py")) == (steps, knobs)
    assert steps.module is not knobs.module
    with pytest.raises(CodeProblem) as told:
        edition.use("sampling.py", sampling_text + "\n1 / 0\n")
    assert told.value.file == "sampling.py"
    assert (edition.current(FILE), edition.current("sampling.py")) == (steps, knobs)
    edition.use("sampling.py", None)
    assert edition.current("sampling.py").module is sampling
    assert edition.current(FILE) is steps


def test_of_two_edited_files_the_innermost_is_blamed():
    inner = edition.load("sampling.py", "def softmax(logits):\n    return logits / []\n")
    outer = edition.load(FILE, "def speculative_decode(use):\n    x = 1\n    return use(x)\n")
    with pytest.raises(CodeProblem) as told, problems_told(FILE):
        outer.module.speculative_decode(inner.module.softmax)
    assert (told.value.file, told.value.line) == ("sampling.py", 2)
    with pytest.raises(CodeProblem) as told, problems_told("sampling.py"):
        outer.module.speculative_decode(sampling.softmax(np.zeros(2)))
    assert (told.value.file, told.value.line) == (FILE, 3)


def test_a_function_that_is_gone_is_missed_when_it_is_asked_for():
    mine = edition.load("sampling.py", "def softmax(logits):\n    return logits\n\ntop_k = 3\n")
    assert mine.function("softmax")(5) == 5
    assert edition.original("sampling.py").function("top_k") is sampling.top_k
    for name in ("top_k", "top_p"):
        with pytest.raises(CodeProblem) as told:
            mine.function(name)
        assert told.value.message == f"There is no function {name} in it any more"
        assert (told.value.file, told.value.line) == ("sampling.py", None)
