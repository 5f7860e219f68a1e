"""Speculative decoding of many chains at once, for table models.

The algorithm is that of `speculative.py`, step by step and token by token: fed the same
uniforms, both emit the same tokens. What is looped over there is an array here, and what
a table model repeats (ratios, residuals, inverse CDFs) is computed once.
"""

from dataclasses import dataclass
from numbers import Integral

import numpy as np

from specdec.models import TableModel
from specdec.recording import inverse_cdf
from specdec.speculative import residual

_BUCKETS = 256  # a power of two, so that uniform · _BUCKETS is exact


@dataclass(frozen=True, eq=False)
class Simulation:
    """What every chain drafted and emitted in every step.

    Attributes:
        draft_tokens: [num_steps, num_chains, gamma] ids the draft guessed.
        num_accepted: [num_steps, num_chains] 0 to gamma, the guesses kept.
        next_token: [num_steps, num_chains] ids that follow them: recovered or bonus.
    """

    draft_tokens: np.ndarray
    num_accepted: np.ndarray
    next_token: np.ndarray

    @property
    def num_tokens(self) -> int:
        """How many tokens all chains emitted together."""
        return int(self.num_accepted.sum()) + self.num_accepted.size

    def tokens(self, chain: int) -> list[int]:
        """Returns the ids that one chain emitted, in order."""
        emitted = []
        for guesses, kept, last in zip(
                self.draft_tokens[:, chain].tolist(), self.num_accepted[:, chain].tolist(),
                self.next_token[:, chain].tolist(), strict=True):
            emitted += [*guesses[:kept], last]
        return emitted


def simulate(
    target: TableModel, draft: TableModel, prompt_token: int, gamma: int, num_steps: int,
    num_chains: int, rng_or_uniforms,
) -> Simulation:
    """Runs num_chains independent chains for num_steps steps, each from prompt_token.

    One step of one chain takes 2 · gamma + 1 uniforms: gamma to draft, gamma to accept or
    reject, one for the recovered or bonus token. Some thousands of chains at once are
    fastest: enough to be worth a NumPy call, few enough to stay in the cache.

    Args:
        target, draft: models over one vocabulary; their tables are read as float64.
        prompt_token: the id that every chain starts after.
        gamma, num_steps, num_chains: guesses a step; how often; how many side by side.
        rng_or_uniforms: a numpy.random.Generator, or the uniforms themselves, in [0, 1),
            [num_steps, num_chains, 2 · gamma + 1].

    Raises:
        ValueError: unequal vocabularies, an id out of range, a size that is negative or
            no whole number, uniforms of another shape or outside [0, 1).
    """
    p, q = (np.asarray(model.table, dtype=float) for model in (target, draft))
    if p.shape != q.shape:
        raise ValueError(f"target and draft have {len(p)} and {len(q)} tokens")
    for name, value in (("prompt_token", prompt_token), ("gamma", gamma),
                        ("num_steps", num_steps), ("num_chains", num_chains)):
        if not (isinstance(value, Integral) and value >= 0):
            raise ValueError(f"{name} must be a whole number of at least 0, got {value!r}")
    vocab = len(p)
    if prompt_token >= vocab:
        raise ValueError(f"prompt_token = {prompt_token} is outside [0, {vocab})")
    uniforms_of_steps = _steps_of(rng_or_uniforms, (num_steps, num_chains, 2 * gamma + 1))

    with np.errstate(all="ignore"):  # where q is 0 nothing is drafted
        ratio = (p / q).ravel()
    guess_law = _InverseCdf(q)
    next_law = _InverseCdf([*map(residual, p, q), *p])  # after a miss, after none

    chains = np.arange(num_chains)
    last = np.full(num_chains, prompt_token, np.intp)
    draft_tokens = np.empty((num_steps, num_chains, gamma), np.int32)
    num_accepted, next_token = np.empty((2, num_steps, num_chains), np.int32)
    for step, uniforms in enumerate(uniforms_of_steps):
        drafting, testing, (closing,) = np.split(uniforms.T.copy(), [gamma, 2 * gamma])
        contexts = [last]
        for uniform in drafting:  # the draft goes on from its own guesses
            contexts.append(guess_law.draw(contexts[-1], uniform))
        contexts = np.array(contexts)  # [gamma + 1, num_chains]
        accepted = testing < ratio.take(contexts[:-1] * vocab + contexts[1:])
        kept = np.logical_and.accumulate(accepted, axis=0).sum(axis=0)
        last = next_law.draw(contexts[kept, chains] + vocab * (kept == gamma), closing)
        draft_tokens[step] = contexts[1:].T
        num_accepted[step], next_token[step] = kept, last
    return Simulation(draft_tokens, num_accepted, next_token)


class _InverseCdf:
    """Draws from the rows of a table as `Generator.choice` would from the same uniforms.

    A guide table tells, for each row and each of _BUCKETS equal parts of [0, 1), the
    first token that a uniform in it can pick; at most `moves` tokens further is its pick.

    Source: Devroye 1986, Non-Uniform Random Variate Generation, section III.2.4.
    """

    def __init__(self, rows):
        """Builds the guide for rows [num_rows, vocab]."""
        edges = np.arange(_BUCKETS + 1) / _BUCKETS
        tokens, cuts, guide, self.moves = [], [], [], 0
        for row in rows:
            cdf = inverse_cdf(row / row.sum())
            possible = np.flatnonzero(np.diff(cdf, prepend=0))
            cdf = cdf[possible]
            first = cdf.searchsorted(edges[:-1], side="right")
            final = cdf.searchsorted(edges[1:], side="left")
            self.moves = max(self.moves, int((final - first).max()))
            guide.append(first + len(tokens))
            tokens.extend(possible)
            cuts.extend(cdf)
        self.guide = np.concatenate(guide)
        self.tokens, self.cuts = np.array(tokens), np.array(cuts)

    def draw(self, rows, uniforms) -> np.ndarray:
        """Returns ids [n]: for each uniform [n] a draw from its row [n]."""
        buckets = (uniforms * _BUCKETS).astype(np.intp)
        picks = self.guide.take(rows * _BUCKETS + buckets)
        for _ in range(self.moves):
            picks += uniforms >= self.cuts.take(picks)
        return self.tokens.take(picks)


def _steps_of(rng_or_uniforms, shape):
    """Returns an iterable of num_steps arrays [num_chains, 2 · gamma + 1]."""
    if isinstance(rng_or_uniforms, np.random.Generator):
        return (rng_or_uniforms.random(shape[1:]) for _ in range(shape[0]))
    uniforms = np.asarray(rng_or_uniforms, dtype=float)
    if uniforms.shape != shape:
        raise ValueError(f"uniforms must be {list(shape)}, got {list(uniforms.shape)}")
    if not np.all((uniforms >= 0) & (uniforms < 1)):
        raise ValueError("uniforms: a number outside [0, 1)")
    return uniforms
