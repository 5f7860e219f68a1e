"""Beam search: at each step, keep the few most probable of all continuations.

A model is any callable `model(tokens, num_rows=1) -> [num_rows, vocab]`: next-token
distributions, the one after the whole of `tokens` last.

Each step extends every live hypothesis by every token that is possible at all, and ranks what
arises by log-probability. Those among the first `width` that end in a stop token are finished
and leave the beam; the first `width` of those that go on are live; the rest are pruned. What
is finished competes by score: the best `width` are kept, whatever happens in the beam. The
search ends early only when no live hypothesis can beat them any more: log-probabilities never
rise, so at best all its tokens to come are certain. Without a length penalty, width 1 is
greedy decoding.

Source: Sutskever, Vinyals and Le 2014, arXiv:1409.3215, section 3.2; the length penalty is
that of Hugging Face transformers, a power of the length (compare Wu et al. 2016,
arXiv:1609.08144, section 7).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Hypothesis:
    """A continuation of the prompt.

    Attributes:
        tokens: the ids generated; a stop token is the last.
        log_prob: the sum of their log-probabilities, at most 0.
        score: log_prob / len(tokens) ** length_penalty; the greatest is the best.
    """

    tokens: tuple[int, ...]
    log_prob: float
    score: float


@dataclass(frozen=True)
class BeamStep:
    """One step; whatever arose in it is live, newly finished or pruned, best first.

    Its parent is the hypothesis one token shorter, live a step before; the edge between them
    weighs the difference of their log-probabilities.

    Attributes:
        live: those that go on, at most `width`.
        finished: those that ended in this step.
        pruned: those that are given up.
        best: the best of all that are finished so far, at most `width`.
        done: whether the search ends with this step.
    """

    live: list[Hypothesis]
    finished: list[Hypothesis]
    pruned: list[Hypothesis]
    best: list[Hypothesis]
    done: bool


def beam_search(
    model, prompt: Sequence[int], width: int, num_tokens: int, *,
    length_penalty: float = 0.0, stop_tokens: Sequence[int] = (),
) -> list[Hypothesis]:
    """Returns at most `width` hypotheses, best first; of equals the lowest ids first.

    Args:
        model, prompt: the model; the ids to continue.
        width: vocab ** num_tokens and more find the best of all.
        num_tokens: the most ids to generate; those live at the end compete as they are.
        length_penalty: 0 compares log-probabilities, 1 their means per token; the greater,
            the better long hypotheses fare.
        stop_tokens: ids that end a hypothesis.

    Raises:
        ValueError: width < 1, num_tokens < 0, a length_penalty that is not finite (at once);
            rows that are no distributions.
    """
    *_, last = beam_steps(model, prompt, width, num_tokens, length_penalty=length_penalty,
                          stop_tokens=stop_tokens)
    return _best(last.best + last.live, width)


def beam_steps(
    model, prompt: Sequence[int], width: int, num_tokens: int, *,
    length_penalty: float = 0.0, stop_tokens: Sequence[int] = (),
) -> Iterator[BeamStep]:
    """Yields the state before the first step, then every step, of `beam_search`."""
    for name, value, least in (("width", width, 1), ("num_tokens", num_tokens, 0)):
        if not (isinstance(value, int | np.integer) and value >= least):
            raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    if not np.isfinite(length_penalty):
        raise ValueError(f"length_penalty must be finite, got {length_penalty}")
    return _steps(model, prompt, width, num_tokens, length_penalty, stop_tokens)


def _steps(model, prompt, width, num_tokens, length_penalty, stop_tokens):
    step = BeamStep([Hypothesis((), 0.0, 0.0)], [], [], [], done=num_tokens == 0)
    yield step
    length = 0
    while not step.done:
        length += 1
        live, finished, pruned = [], [], []
        for rank, one in enumerate(_children(step.live, model, prompt, length_penalty)):
            ends = one.tokens[-1] in stop_tokens
            if ends and rank < width:
                finished.append(one)
            elif not ends and len(live) < width:
                live.append(one)
            else:
                pruned.append(one)
        best = _best(step.best + finished, width)
        # The most that a live hypothesis can score: the bound is monotonic in the length.
        hope = max((one.log_prob / n**length_penalty for one in live[:1]
                    for n in (length, num_tokens)), default=-np.inf)
        over = length == num_tokens or not live or len(best) == width and best[-1].score > hope
        step = BeamStep(live, finished, pruned, best, over)
        yield step


def _children(live, model, prompt, length_penalty):
    """Returns all possible extensions by one token, the most probable first."""
    children = []
    for parent in live:
        row = np.asarray(model([*prompt, *parent.tokens])[-1], dtype=float)
        if not ((row >= 0).all() and abs(row.sum() - 1) <= 1e-6):
            raise ValueError(f"model: rows must be >= 0 and sum to 1, got {row}")
        for token in np.flatnonzero(row):
            tokens = (*parent.tokens, int(token))
            log_prob = parent.log_prob + min(0.0, float(np.log(row[token])))
            children.append(
                Hypothesis(tokens, log_prob, log_prob / len(tokens) ** length_penalty))
    return sorted(children, key=lambda one: (-one.log_prob, one.tokens))


def _best(hypotheses, width):
    return sorted(hypotheses, key=lambda one: (-one.score, one.tokens))[:width]
