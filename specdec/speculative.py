"""Speculative decoding: a small draft model guesses, the large target model checks.

Each step drafts gamma tokens from q (the draft), scores all in one pass of p (the
target), keeps the guesses up to the first miss and adds one token of the target's own.
What comes out is distributed exactly as the target's own samples.

A model is any callable `model(tokens, num_rows=1) -> [num_rows, vocab]`: next-token
distributions after each of the last `num_rows` prefixes, the whole of `tokens` last.

Source: Leviathan, Kalman and Matias 2023, arXiv:2211.17192, Algorithm 1; also
Chen et al. 2023, arXiv:2302.01318, Algorithm 2 (where p and q trade places).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

Model = Callable[..., np.ndarray]


@dataclass(frozen=True, eq=False)
class Step:
    """One draft and its verification: 1 to gamma + 1 tokens for one target pass.

    Attributes:
        draft_tokens: [gamma] ids the draft guessed.
        target_probs: [gamma + 1, vocab] p before each guess and after the last.
        draft_probs: [gamma, vocab] q, the very rows the guesses were drawn from.
        num_accepted: 0 to gamma, the guesses kept.
        next_token: the target's id after them: recovered from a rejection, or bonus.
        tokens: the ids emitted, cut after the first stop token.
    """

    draft_tokens: list[int]
    target_probs: np.ndarray
    draft_probs: np.ndarray
    num_accepted: int
    next_token: int
    tokens: list[int]


def sample(probs, rng) -> int:
    """Draws one token id from probs [vocab]."""
    return int(rng.choice(len(probs), p=probs / probs.sum()))


def residual(p, q) -> np.ndarray:
    """Returns [vocab]: the part of p above q, normalised; p if there is no such part."""
    excess = np.maximum(p - q, 0)
    total = excess.sum()
    return excess / total if total > 0 else p


def verify(target_probs, draft_probs, draft_tokens, rng) -> tuple[int, int]:
    """Returns (num_accepted, next_token): the guesses kept, the id that follows them.

    Args:
        target_probs: [gamma + 1, vocab] p, after temperature, top-k and the like.
        draft_probs: [gamma, vocab] q, likewise.
        draft_tokens: [gamma] ids, drawn from these very rows of q.
        rng: a numpy.random.Generator.

    Raises:
        ValueError: bad rows or shapes, an id out of range, a guess with q = 0.
    """
    target_probs, draft_probs = _checked(target_probs, draft_probs, draft_tokens)
    for i, token in enumerate(draft_tokens):
        p, q = target_probs[i], draft_probs[i]
        if rng.random() >= p[token] / q[token]:  # keep with probability min(1, p/q)
            return i, sample(residual(p, q), rng)  # the first miss is resampled
    return len(draft_tokens), sample(target_probs[-1], rng)  # all kept: a bonus token


def speculative_decode(
    target: Model, draft: Model, prompt: Sequence[int], num_tokens: int, gamma: int,
    rng: np.random.Generator, *, verify=verify, stop_tokens: Sequence[int] = (),
) -> Iterator[Step]:
    """Yields steps until `num_tokens` ids, never more, or a stop token are out.

    Args:
        target, draft, prompt: models over one vocabulary; the ids to continue.
        num_tokens, gamma: ids to emit; guesses a step, fewer when fewer are wanted.
        rng, verify: a numpy.random.Generator; the acceptance rule.
        stop_tokens: ids that end the output; the one met is still emitted.

    Raises:
        ValueError: gamma or num_tokens no whole number >= 0 (at once); as `verify`.
    """
    for name, value in (("gamma", gamma), ("num_tokens", num_tokens)):
        if not (isinstance(value, int | np.integer) and value >= 0):
            raise ValueError(f"{name} must be a whole number of at least 0, got {value!r}")
    return _steps(target, draft, prompt, num_tokens, gamma, rng, verify, stop_tokens)


def _steps(target, draft, prompt, num_tokens, gamma, rng, verify, stop_tokens):
    tokens, wanted = list(prompt), num_tokens
    while wanted > 0:
        guesses, rows = [], []
        for _ in range(min(gamma, wanted - 1)):
            rows.append(_rows("draft_probs", draft(tokens + guesses))[-1])
            guesses.append(sample(rows[-1], rng))  # the draft goes on from its own guesses
        target_probs = target(tokens + guesses, num_rows=len(guesses) + 1)  # one pass
        num_accepted, next_token = verify(target_probs, rows, guesses, rng)
        emitted = guesses[:num_accepted] + [next_token]
        wanted -= len(emitted)
        for i, token in enumerate(emitted):
            if token in stop_tokens:
                emitted, wanted = emitted[: i + 1], 0
                break
        tokens = tokens + emitted
        draft_probs = np.reshape(rows, (len(rows), len(target_probs[0])))  # even if empty
        yield Step(guesses, target_probs, draft_probs, num_accepted, next_token, emitted)


def autoregressive_decode(target, prompt, num_tokens, rng, *, stop_tokens=()) -> list[int]:
    """Returns plain decoding's ids, one a target pass: speculation without guesses."""
    steps = speculative_decode(
        target, target, prompt, num_tokens, 0, rng, stop_tokens=stop_tokens)
    return [token for step in steps for token in step.tokens]


def _rows(name, rows):
    rows = np.asarray(rows)
    if rows.ndim == 2 and (rows >= 0).all() and (abs(rows.sum(axis=-1) - 1) <= 1e-6).all():
        return rows
    raise ValueError(f"{name}: rows [n, vocab] must be >= 0 and sum to 1, got {rows}")


def _checked(target_probs, draft_probs, draft_tokens):
    p, gamma = _rows("target_probs", target_probs), len(draft_tokens)
    q = _rows("draft_probs", draft_probs) if gamma else p[:0]
    if len(p) != gamma + 1 or q.shape != (gamma, p.shape[1]):
        raise ValueError(f"target_probs {p.shape} and draft_probs {q.shape} must be "
                         f"[{gamma + 1}, vocab] and [{gamma}, vocab]")
    for i, token in enumerate(draft_tokens):
        if not (0 <= token < p.shape[1] and q[i][token] > 0):
            raise ValueError(f"draft_tokens[{i}] = {token} is no token that q could draw")
    return p, q


if __name__ == "__main__":
    P = np.array([[0.1, 0.6, 0.3], [0.5, 0.1, 0.4], [0.3, 0.3, 0.4]])

    def model(quality):
        return lambda ids, num_rows=1: quality * P[ids[-num_rows:]] + (1 - quality) / 3

    rng = np.random.default_rng(7)
    for step in speculative_decode(model(1), model(0.8), [0], 20, 4, rng):
        print(f"drafted {step.draft_tokens}, kept {step.num_accepted}: {step.tokens}")
