"""The questions of the page "Sampling knobs", and what the run that answers them says.

A judgement is made from the figures of that run alone, never from what was expected.
"""

from collections.abc import Callable
from typing import NamedTuple


class Question(NamedTuple):
    """How a question is run and judged.

    Attributes:
        choices: ids, as the page's `data-choice` has them.
        segments: (change of the settings at the start, steps), one after the other.
        judge: the states at the segments' ends → (the right choice's id, what was seen).
    """

    choices: tuple[str, ...]
    segments: tuple[tuple[dict, int], ...]
    judge: Callable[[list[dict]], tuple[str, str]]


def _judge_forgotten(states: list[dict]) -> tuple[str, str]:
    evidence, rate = states[-1]["evidence"], states[-1]["counted"]["rate"]
    against = {name: evidence[f"{name}_knobs"]["rejected"] for name in ("with", "without")}
    left = [name for name, rejected in against.items() if not rejected]
    right = left[0] if len(left) == 1 else "neither" if not left else "undecided"
    said = " and ".join(
        f"{'speaks against' if rejected else 'has nothing against'} the law {name} the knobs"
        for name, rejected in against.items())
    return right, f"On {evidence['tokens']} tokens the evidence {said}. {rate:.0%} of the " \
                  "guesses were kept."


def _judge_order(states: list[dict]) -> tuple[str, str]:
    first, last = (state["counted"]["words_left"] / state["counted"]["tokens"]
                   for state in states)
    right = "first" if first > last else "last" if last > first else "same"
    return right, (f"With the temperature first, {first:.1f} words were left on average; with "
                   f"min-p first, {last:.1f}.")


def _judge_draft(states: list[dict]) -> tuple[str, str]:
    both, alone = (state["counted"]["rate"] for state in states)
    evidence = states[-1]["evidence"]
    slower, wrong = alone < both, evidence["with_knobs"]["rejected"]
    right = {(True, False): "speed", (False, True): "text", (True, True): "both",
             (False, False): "neither"}[slower, wrong]
    return right, (f"The share of guesses kept went from {both:.0%} to {alone:.0%}. On "
                   f"{evidence['tokens']} tokens made that way the evidence has found "
                   f"{'something' if wrong else 'nothing'}.")


_SPECULATIVE = {"decoder": "speculative", "temperature": 0.5}
QUESTIONS = {
    "forgotten-target": Question(
        ("with", "without", "neither"),
        ((_SPECULATIVE | {"on_target": False}, 120),), _judge_forgotten),
    "min-p-order": Question(
        ("first", "same", "last"),
        tuple(({"temperature": 2, "top_p": 1, "min_p": 0.1, "order": order}, 120)
              for order in ("vLLM", "llama.cpp")), _judge_order),
    "draft-without": Question(
        ("text", "speed", "both", "neither"),
        ((_SPECULATIVE, 80), (_SPECULATIVE | {"on_draft": False}, 160)), _judge_draft),
}


class Questions:
    """`plan` says how to run a question, `judge` confronts the answer with the run."""

    ACTIONS = ("plan", "judge")

    def plan(self, *, question: str) -> dict:
        """Returns what the playground has to be set to and run; the other settings are its own
        at the start."""
        return {"seed": 7, "segments": [
            {"settings": change, "steps": steps} for change, steps in _question(question).segments]}

    def judge(self, *, question: str, answer: str, states: list[dict]) -> dict:
        """Returns whether the answer agrees with the run, the right one, what was seen.

        Args:
            question, answer: ids.
            states: the playground's state at the end of each segment of the plan.

        Raises:
            ValueError: an unknown question or answer.
        """
        asked = _question(question)
        if answer not in asked.choices:
            raise ValueError(f"{answer!r} is no answer to {question!r}")
        right, sentence = asked.judge(states)
        return {"right": answer == right, "choice": right, "sentence": sentence}


SCENE = Questions


def _question(name: str) -> Question:
    if name not in QUESTIONS:
        raise ValueError(f"no question {name!r}; there are {', '.join(QUESTIONS)}")
    return QUESTIONS[name]
