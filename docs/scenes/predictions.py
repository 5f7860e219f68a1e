"""The questions a reader answers before running, and what the run then says.

A question is set up as segments of one run (settings change, nothing is reset); its
judgement is made from the figures of that run alone, never from what was expected.
"""

from collections.abc import Callable
from dataclasses import dataclass

COST_RATIO = 0.05


@dataclass(frozen=True)
class Question:
    """How a question is run and judged.

    Attributes:
        choices: ids, as the page's `data-choice` has them.
        segments: (settings, steps), one after the other in one run.
        judge: the states at the segments' ends → (the right choice's id, what was seen).
    """

    choices: tuple[str, ...]
    segments: tuple[tuple[dict, int], ...]
    judge: Callable[[list[dict]], tuple[str, str]]


def _judge_good_draft(states: list[dict]) -> tuple[str, str]:
    figures = states[-1]["window"]
    tokens = figures["tokens_per_pass"]
    right = "under-3" if tokens < 3 else "from-3-to-4" if tokens < 4 else "over-4"
    return right, (
        f"{figures['tokens_emitted']} tokens came out of {figures['steps']} target passes, "
        f"{tokens:.2f} a pass; {figures['draft_accept_rate']:.0%} of all guesses were kept. "
        f"With the draft's own cost that is {figures['speedup']:.2f} times as fast.")


def _judge_poor_draft(states: list[dict]) -> tuple[str, str]:
    before, after = (state["window"] for state in states)
    slower = after["tokens_per_pass"] < before["tokens_per_pass"]
    strays = states[-1]["distribution"]["outside"]
    text_changed = states[-1]["evidence"]["rejected"] or bool(strays)
    right = {
        (True, False): "speed", (False, True): "text", (True, True): "both",
        (False, False): "neither"}[slower, text_changed]
    words = "every word stayed inside its band" if not strays else (
        f"outside their bands: {', '.join(strays)}")
    evidence = "has found something" if states[-1]["evidence"]["rejected"] else (
        "has found nothing")
    return right, (
        f"Tokens per pass went from {before['tokens_per_pass']:.2f} to "
        f"{after['tokens_per_pass']:.2f}. Over all {states[-1]['run']['tokens_emitted']} "
        f"tokens, {after['tokens_emitted']} of them with the bad draft, {words}, and the running "
        f"evidence {evidence}.")


def _judge_long_draft(states: list[dict]) -> tuple[str, str]:
    short, long = (state["window"] for state in states)
    change = long["speedup"] / short["speedup"]
    right = "rises" if change > 1.1 else "falls" if change < 0.9 else "same"
    below = ", below 1: slower than no draft at all" if long["speedup"] < 1 else ""
    return right, (
        f"The speed-up went from {short['speedup']:.2f} times at γ = 2 to "
        f"{long['speedup']:.2f} times at γ = 8{below}. At γ = 8, {long['thrown_away']} of "
        f"{long['drafted']} guesses were thrown away, and each had its price.")


QUESTIONS = {
    "good-draft": Question(
        ("under-3", "from-3-to-4", "over-4"),
        (({"quality": 0.95, "gamma": 4}, 150),), _judge_good_draft),
    "poor-draft": Question(
        ("text", "speed", "both", "neither"),
        (({"quality": 0.95, "gamma": 4}, 60), ({"quality": 0.02, "gamma": 4}, 200)),
        _judge_poor_draft),
    "long-draft": Question(
        ("rises", "same", "falls"),
        (({"quality": 0.1, "gamma": 2}, 200), ({"quality": 0.1, "gamma": 8}, 200)),
        _judge_long_draft),
}


class Predictions:
    """`plan` says how to run a question, `judge` confronts the answer with the run."""

    ACTIONS = ("plan", "judge")

    def plan(self, *, question: str) -> dict:
        """Returns what the playground has to be set to and run."""
        return {
            "seed": 7, "cost_ratio": COST_RATIO,
            "segments": [
                {"settings": settings, "steps": steps}
                for settings, steps in _question(question).segments]}

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


SCENE = Predictions


def _question(name: str) -> Question:
    if name not in QUESTIONS:
        raise ValueError(f"no question {name!r}; there are {', '.join(QUESTIONS)}")
    return QUESTIONS[name]
