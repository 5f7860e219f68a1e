"""Two codes on the same random draws: the original and the one in force, side by side.

Both start from the session's seed and take its settings at the same steps. Each draw of
either takes the next uniform of the same stream, so the two texts are equal until the
codes make something different of the same number.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from specdec import edition
from specdec.edited_steps import next_step, steps_of
from specdec.models import draft_of_quality, playground_target
from specdec.recording import Draw, RecordingRng

COMPARED_STEPS = 400
WORDS_BEFORE, WORDS_AFTER = 6, 6
DRAWS_SHOWN = 12


@dataclass(frozen=True)
class Emitted:
    """A token of a run: `first_draw` is the number, from 0, of its step's first draw."""

    word: str
    kind: str
    step: int
    first_draw: int


@dataclass(frozen=True)
class Run:
    """What one code made: its tokens, its draws in order, and what each was used for."""

    tokens: list[Emitted]
    draws: list[Draw]
    uses: list[str]


class SameDraws:
    """`compare` runs both codes and says where their texts part."""

    ACTIONS = ("compare",)

    def compare(self, *, seed: int, log: list) -> dict:
        """Runs the original and the code in force on one seed and one log of settings.

        Args:
            seed: of the stream of uniforms.
            log: [[step, {"quality", "gamma"}], ...] as a session's, at least one.

        Returns:
            {"steps", "tokens": how far both texts were compared, "parted": None, or
            {"token": its number from 1, "original", "edited": each {"step", "words" around
            it, "at": the index of the first that differs}, "draws": those of its step}}.

        Raises:
            CodeProblem: the code in force is at fault.
        """
        original = run(edition.original("speculative.py"), seed, log)
        edited = run(edition.current("speculative.py"), seed, log)
        pairs = list(zip(original.tokens, edited.tokens, strict=False))
        at = next((i for i, (mine, other) in enumerate(pairs) if mine.word != other.word), None)
        parted = None
        if at is not None:
            parted = {
                "token": at + 1, "original": _around(original, at), "edited": _around(edited, at),
                "draws": _draws(original, edited, at)}
        return {"steps": COMPARED_STEPS, "tokens": len(pairs) if at is None else at,
                "parted": parted}


SCENE = SameDraws


def run(code: edition.Edition, seed: int, log: list) -> Run:
    """Returns what the code makes of the seed and the log in COMPARED_STEPS steps.

    Raises:
        CodeProblem: it raised, gave what is no step, or ended early.
    """
    words = playground_target().words
    made = Run([], [], [])
    for number, step, draws in _steps(code, seed, log):
        last = "bonus" if step.num_accepted == len(step.draft_tokens) else "recovered"
        for i, token in enumerate(step.tokens):
            kind = "accepted" if i < step.num_accepted else last
            made.tokens.append(Emitted(words[token], kind, number, len(made.draws)))
        made.draws.extend(draws)
        made.uses.extend(_uses(step, draws, words))
    return made


def _steps(code, seed, log) -> Iterator[tuple]:
    target = playground_target()
    rng = RecordingRng(np.random.default_rng(seed))
    tokens = [target.words.index(".")]
    ends = [start for start, _ in log[1:]] + [COMPARED_STEPS]
    for (start, settings), end in zip(log, ends, strict=True):
        draft, gamma = draft_of_quality(target, settings["quality"]), settings["gamma"]
        steps = steps_of(code, target, draft, tokens, COMPARED_STEPS * (gamma + 1), gamma, rng)
        for number in range(start + 1, min(end, COMPARED_STEPS) + 1):
            step = next_step(
                steps, len(target.words), ended=f"speculative_decode ended before step {number}")
            tokens = tokens + list(step.tokens)
            yield number, step, rng.take()


def _around(made: Run, at: int) -> dict:
    first = max(0, at - WORDS_BEFORE)
    shown = made.tokens[first : at + WORDS_AFTER + 1]
    return {"step": made.tokens[at].step, "at": at - first,
            "words": [{"word": token.word, "kind": token.kind} for token in shown]}


def _draws(original: Run, edited: Run, at: int) -> list[dict]:
    """Returns the draws from the step where the texts part on, and what each code made of them."""
    first = min(original.tokens[at].first_draw, edited.tokens[at].first_draw)
    last = min(len(original.draws), len(edited.draws), first + DRAWS_SHOWN)
    return [
        {"number": i + 1, "uniform": original.draws[i].uniform, "original": original.uses[i],
         "edited": edited.uses[i], "differs": original.uses[i] != edited.uses[i]}
        for i in range(first, last)]


def _uses(step, draws: list[Draw], words) -> list[str]:
    """Returns what a step did with each of its draws."""
    guesses = [words[token] for token in step.draft_tokens]
    tested = min(step.num_accepted + 1, len(guesses))
    usual = ["choice"] * len(guesses) + ["random"] * tested + ["choice"]
    if [draw.method for draw in draws] != usual:  # code that draws in another order
        return [f"chooses “{words[draw.value]}”" if draw.method == "choice" else "tests"
                for draw in draws]
    return (
        [f"guesses “{word}”" for word in guesses]
        + [f"{'keeps' if i < step.num_accepted else 'refuses'} “{guesses[i]}”"
           for i in range(tested)]
        + [f"adds “{words[step.next_token]}”"])
