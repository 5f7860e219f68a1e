"""The steps that speculative.py in force makes: asked for one by one, and never trusted.

A reader's speculative_decode may raise, end early or yield anything at all. Here that
becomes a `CodeProblem`, so that no nonsense is drawn or counted.
"""

from collections.abc import Iterator

import numpy as np

from specdec.edition import CodeProblem, Edition, problems_told

_FILE = "speculative.py"
_ENDED = object()


def steps_of(code: Edition, target, draft, prompt, num_tokens, gamma, rng) -> Iterator:
    """Returns what the code's speculative_decode makes, to be asked for by `next_step`.

    Raises:
        CodeProblem: it raised, or returned what cannot be gone through.
    """
    with problems_told(_FILE):  # the prompt is a copy: a reader's code may change it
        return iter(code.module.speculative_decode(
            target, draft, list(prompt), num_tokens, gamma, rng))


def next_step(steps: Iterator, vocab: int, *, ended: str):
    """Returns the next step that a reader's code makes.

    Args:
        steps: from `steps_of`.
        vocab: ids lie in [0, vocab).
        ended: what to say if there is none.

    Raises:
        CodeProblem: it raised, made what is no step, or ended.
    """
    with problems_told(_FILE):
        step = next(steps, _ENDED)
    if step is _ENDED:
        raise _problem(ended)
    check_step(step, vocab)
    return step


def check_step(step, vocab: int) -> None:
    """Refuses what is no step, so that no nonsense is drawn or counted.

    Args:
        step: what the code yielded.
        vocab: ids lie in [0, vocab).

    Raises:
        CodeProblem: the message names the attribute and says what it should have been.
    """
    guesses = _ids(step, "draft_tokens", vocab)
    emitted = _ids(step, "tokens", vocab)
    accepted, next_token = _of(step, "num_accepted"), _of(step, "next_token")
    if not (_is_whole(accepted) and 0 <= accepted <= len(guesses)):
        raise _problem(f"num_accepted should be a whole number from 0 to {len(guesses)}, "
                       f"the guesses made, but is {accepted!r}")
    if not (_is_whole(next_token) and 0 <= next_token < vocab):
        raise _problem(f"next_token should be a token id from 0 to {vocab - 1}, "
                       f"but is {next_token!r}")
    if not emitted or emitted != [*guesses[:accepted], next_token][: len(emitted)]:
        raise _problem(f"tokens should be the guesses accepted, then next_token: "
                       f"{[*guesses[:accepted], next_token]}, but is {emitted}")
    for name, rows in (("target_probs", len(guesses) + 1), ("draft_probs", len(guesses))):
        try:
            probs = np.asarray(_of(step, name)).astype(float)
        except (TypeError, ValueError):
            raise _problem(f"{name} should hold numbers") from None
        if probs.shape != (rows, vocab):
            raise _problem(f"{name} should be {rows} rows of {vocab} numbers, "
                           f"but has shape {list(probs.shape)}")
        if not np.all(np.isfinite(probs)):
            raise _problem(f"{name} should hold finite numbers, but a row is "
                           f"{probs[~np.isfinite(probs).all(axis=1)][0]}")


def _of(step, name):
    try:
        return getattr(step, name)
    except AttributeError:
        raise _problem(f"speculative_decode should yield steps with {name}, "
                       f"but yielded {step!r:.80}") from None


def _ids(step, name, vocab):
    ids = _of(step, name)
    if not (isinstance(ids, list | tuple | np.ndarray)
            and all(_is_whole(i) and 0 <= i < vocab for i in ids)):
        raise _problem(f"{name} should be a list of token ids from 0 to {vocab - 1}, "
                       f"but is {ids!r:.80}")
    return list(ids)


def _is_whole(number):
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _problem(message):
    return CodeProblem(message, file=_FILE)
