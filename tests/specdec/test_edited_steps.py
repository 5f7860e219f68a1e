"""specdec/edited_steps.py: what a reader's speculative_decode yields is a step, or is refused."""

from types import SimpleNamespace

import numpy as np
import pytest

from specdec import edition
from specdec.edited_steps import check_step, next_step, steps_of
from specdec.edition import CodeProblem

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
    with pytest.raises(CodeProblem, match=name) as told:
        check_step(SimpleNamespace(**STEP | {name: value}), 4)
    assert told.value.file == "speculative.py"


def test_what_is_no_step_at_all_is_refused():
    with pytest.raises(CodeProblem, match="should yield steps with draft_tokens, but yielded 'x'"):
        check_step("x", 4)


def steps_by(body):
    """Returns the steps of a speculative_decode with this body."""
    text = f"def speculative_decode(target, draft, prompt, num_tokens, gamma, rng):\n    {body}\n"
    return steps_of(edition.load("speculative.py", text), None, None, [0], 5, 2, None)


@pytest.mark.parametrize(("body", "message", "line"), [
    ("return 1 / 0", "ZeroDivisionError", 2),
    ("return 3", "'int' object is not iterable", None),
    ("yield prompt[9]", "IndexError", 2),
    ("yield prompt", "should yield steps with draft_tokens", None),
    ("yield from ()", "it ended", None),
])
def test_what_is_wrong_with_the_code_is_told_when_it_is_asked(body, message, line):
    with pytest.raises(CodeProblem, match=message) as told:
        next_step(steps_by(body), 4, ended="it ended")
    assert (told.value.file, told.value.line) == ("speculative.py", line)


def test_the_prompt_is_a_copy():
    prompt = [0]
    code = edition.load("speculative.py", (
        "def speculative_decode(target, draft, prompt, num_tokens, gamma, rng):\n"
        "    prompt.append(1)\n    yield target\n"))
    step = SimpleNamespace(**STEP)
    assert next_step(steps_of(code, step, None, prompt, 5, 2, None), 4, ended="") is step
    assert prompt == [0]
