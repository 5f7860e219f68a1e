"""Questions that a playground answers by a run: how each is set up, and how it is judged.

A judgement is made from the figures of that run alone, never from what was expected.
"""

from collections.abc import Callable, Mapping
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


class Questions:
    """A scene of questions: `plan` says how to run one, `judge` confronts an answer with the run.

    Attributes:
        questions: by id; each page has its own.
        seed: of every run.
    """

    ACTIONS = ("plan", "judge")
    questions: Mapping[str, Question] = {}
    seed = 7

    def plan(self, *, question: str) -> dict:
        """Returns what the playground has to be set to and run; the other settings are its own
        at the start.

        Raises:
            ValueError: an unknown question.
        """
        return {"seed": self.seed, "segments": [
            {"settings": change, "steps": steps}
            for change, steps in self._named(question).segments]}

    def judge(self, *, question: str, answer: str, states: list[dict]) -> dict:
        """Returns whether the answer agrees with the run, the right one, what was seen.

        Args:
            question, answer: ids.
            states: the playground's state at the end of each segment of the plan.

        Raises:
            ValueError: an unknown question or answer.
        """
        asked = self._named(question)
        if answer not in asked.choices:
            raise ValueError(f"{answer!r} is no answer to {question!r}")
        right, sentence = asked.judge(states)
        return {"right": answer == right, "choice": right, "sentence": sentence}

    def _named(self, name: str) -> Question:
        if name not in self.questions:
            raise ValueError(f"no question {name!r}; there are {', '.join(self.questions)}")
        return self.questions[name]
