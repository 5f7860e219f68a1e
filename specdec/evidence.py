"""Evidence that a stream of tokens does not follow the target, valid while one watches.

A reader looks at the stream all the time and stops when they like. A p-value would lie to
them: looked at often enough it falls below any level. What is here holds at every time at
once, because each number is a bet against the target with a fair price:

* An e-value M_n is what a stake of 1 has become after n tokens. If each token is drawn
  from the row it is said to come from, no bet gains on average: M is a non-negative
  martingale that starts at 1 (or loses, a supermartingale). Ville's inequality:
  P(M_n >= 1/level at any n) <= level.
* `Evidence` bets on a law learnt from the tokens themselves, in each context apart.
* `ConfidenceBand` bets on the count of each word, and turns the bets round: counts at which
  a bet would have grown to vocab/level are more than chance explains.

Source: Ville 1939, Étude critique de la notion de collectif (the inequality);
Robbins 1970, Ann. Math. Statist. 41(5), 1397-1409 (mixtures of martingales);
Grünwald, de Heide and Koolen 2024, arXiv:1906.07801 (e-values);
Lindon and Malek 2022, arXiv:2011.03567 (the Dirichlet mixture for multinomial counts);
Howard, Ramdas, McAuliffe and Sekhon 2021, arXiv:1810.08240, and Waudby-Smith and Ramdas,
arXiv:2010.09686 (confidence sequences from such mixtures).
"""

from collections import Counter
from collections.abc import Hashable
from math import inf, lgamma, log

import numpy as np

# A right implementation is ever called wrong with this probability, however long one
# watches: the e-value has to reach 1/LEVEL = 10 000.
LEVEL = 1e-4

# For how many tokens' worth the bet trusts the target's row before it follows the counts.
# Small values pay much for learning the law, large ones learn it late. On the playground's
# model, errors of .05 to .1 a token are found about equally fast from 30 to 200; smaller
# errors want more, larger ones less.
PRIOR_STRENGTH = 100.0

# Tilts λ of the band's bets, both signs: λ near sqrt(2 log(vocab/level) / variance) is best
# for a count, so these serve variances from a hundredth to some hundred thousand.
_POSITIVE_TILTS = np.geomspace(2**-7, 2**3, 11)
_TILTS = np.concatenate([-_POSITIVE_TILTS, _POSITIVE_TILTS])
_NEWTON_STEPS = 6


class Evidence:
    """An anytime-valid test that tokens are drawn from the rows in force.

    In each context, and for each row that was in force in it, the bet is the predictive
    law of a Dirichlet prior with mean p, after the tokens seen there:

        m(v) = (a · p(v) + count(v)) / (a + Σ count),    M ← M · m(token) / p(token)

    with a the prior strength. Σ_v p(v) · m(v)/p(v) <= 1 makes M a supermartingale (a
    martingale while all counts lie where p > 0). When the row in a context changes, what
    was learnt under the old one is put aside (one set of counts is kept for each row seen
    in a context), and the stake won so far stays in the game. Where a row never comes
    again, nothing can be learnt and M stays as it is.

    Attributes:
        log_e_value: natural log of M; inf once a token with p = 0 came out.
        max_log_e_value: its largest value so far, 0 at the start.
        num_tokens: tokens seen.

    Source: Lindon and Malek 2022, arXiv:2011.03567 (the mixture); Ville 1939.
    """

    def __init__(self, prior_strength: float = PRIOR_STRENGTH):
        """Starts with a stake of 1.

        Args:
            prior_strength: a, in tokens.

        Raises:
            ValueError: prior_strength that is not positive and finite.
        """
        self._prior_strength = _strength(prior_strength)
        self._counts: dict[tuple, Counter] = {}
        self.log_e_value = self.max_log_e_value = 0.0
        self.num_tokens = 0

    def update(self, context: Hashable, probs, token: int) -> None:
        """Takes in one token.

        Args:
            context: what the bet may depend on, known before the token: in a bigram
                model the last token.
            probs: [vocab] the target's own row in force, not what the code under test
                says it was.
            token: the id that came out.

        Raises:
            ValueError: probs that is no distribution, an id out of range.
        """
        probs = np.asarray(probs, dtype=float)
        key = context, probs.tobytes()
        if key not in self._counts:
            _rows("probs", probs, (probs.size,))
            self._counts[key] = Counter()
        if not 0 <= token < len(probs):
            raise ValueError(f"token id {token} is outside [0, {len(probs)})")
        counts, p = self._counts[key], probs[token] / probs.sum()
        if p > 0:
            a = self._prior_strength
            self.log_e_value += log((a * p + counts[token]) / (a + counts.total()) / p)
        else:
            self.log_e_value = inf
        counts[token] += 1
        self.num_tokens += 1
        self.max_log_e_value = max(self.max_log_e_value, self.log_e_value)

    def rejects(self, level: float = LEVEL) -> bool:
        """Returns whether the e-value has ever reached 1/level: it never takes that back.

        Raises:
            ValueError: level outside (0, 1).
        """
        return self.max_log_e_value >= -log(_level(level))


def log_e_value_of_counts(counts, table, prior_strength: float = PRIOR_STRENGTH) -> float:
    """Returns the log of `Evidence`'s e-value for a table that was never changed.

    The order of the tokens does not matter then: with B(x) = Π Γ(x_v) / Γ(Σ x_v) it is
    Π_c B(a·p_c + counts_c) / B(a·p_c) / Π_v p_c(v)^counts_c(v).

    Args:
        counts: [contexts, vocab] how often each token came in each context.
        table: [contexts, vocab] the row in force in each context.
        prior_strength: a, in tokens.

    Raises:
        ValueError: shapes that differ, negative counts, rows that are no distributions.

    Source: the Dirichlet-multinomial law; Lindon and Malek 2022, arXiv:2011.03567.
    """
    a, counts = _strength(prior_strength), np.asarray(counts, dtype=float)
    if counts.ndim != 2 or not np.all(counts >= 0):
        raise ValueError(f"counts must be [contexts, vocab] and >= 0, got {counts}")
    table = _rows("table", table, counts.shape)
    total = 0.0
    for context, token in np.argwhere(counts):
        p, n = table[context, token], counts[context, token]
        if p == 0:
            return inf
        total += lgamma(a * p + n) - lgamma(a * p) - n * log(p)
    return total + sum(lgamma(a) - lgamma(a + n) for n in counts.sum(axis=1))


class ConfidenceBand:
    """How far chance alone could put each word's count, at all times and words at once.

    With S the count of word v after n tokens and p_t its probability at token t,
    exp(λS) / Π_t (1 + p_t(e^λ − 1)) is a martingale with mean 1 for every λ, and so is its
    mean over the fixed λ of a grid. By Ville's inequality, and because vocab words may
    fail, the counts at which that mean stays below vocab/level contain every word's count
    at every time with probability >= 1 − level.

    Attributes:
        expected: [vocab] Σ_t p_t, the counts to expect in the contexts visited.
        num_tokens: tokens seen.

    Source: Robbins 1970; Howard et al. 2021, arXiv:1810.08240; Waudby-Smith and Ramdas,
    arXiv:2010.09686.
    """

    def __init__(self, vocab: int):
        """Starts before the first token.

        Raises:
            ValueError: vocab < 1.
        """
        if vocab < 1:
            raise ValueError(f"vocab must be at least 1, got {vocab}")
        self.num_tokens, self.expected = 0, np.zeros(vocab)
        self._certain, self._possible = np.zeros(vocab), np.zeros(vocab)
        self._log_means = np.zeros((len(_TILTS), vocab))  # Σ_t log(1 + p_t(e^λ − 1))

    def update(self, probs) -> None:
        """Takes in one token's row in force, or several.

        Args:
            probs: [vocab] or [tokens, vocab].

        Raises:
            ValueError: rows that are no distributions over vocab words.
        """
        rows = np.atleast_2d(np.asarray(probs, dtype=float))
        rows = _rows("probs", rows, (len(rows), len(self.expected)))
        self.num_tokens += len(rows)
        self.expected += rows.sum(axis=0)
        self._certain += (rows == 1).sum(axis=0)
        self._possible += (rows > 0).sum(axis=0)
        gains = np.expm1(_TILTS)[:, None, None]
        self._log_means += np.log1p(gains * rows).sum(axis=1)

    def log_martingale(self, counts) -> np.ndarray:
        """Returns [vocab]: log of the mean bet on each word, were its count counts [vocab].

        It is convex in the count, and at most 0 where the count is the expected one.
        """
        return self._log_bets(np.asarray(counts, dtype=float))[0]

    def limits(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Returns (low, high), [vocab] counts each: real numbers in [0, num_tokens].

        Args:
            level: the probability that any count ever leaves its limits.

        Raises:
            ValueError: level outside (0, 1).
        """
        bound = log(len(self.expected) / _level(level))
        # Where a single bet reaches the bound by itself. Newton's method goes inward from
        # there and, the function being convex, never too far: each step is a valid limit.
        alone = (bound + log(len(_TILTS)) + self._log_means) / _TILTS[:, None]
        ends = np.array([alone[_TILTS < 0].max(axis=0), alone[_TILTS > 0].min(axis=0)])
        for _ in range(_NEWTON_STEPS):
            value, slope = self._log_bets(ends)
            ends -= (value - bound) / slope
        low, high = np.clip(ends, self._certain, self._possible)
        return low, high

    def _log_bets(self, counts):
        """Returns log of the mean bet and its derivative in the count, shaped as counts."""
        tilts = _TILTS[:, None]
        log_bets = tilts * counts[..., None, :] - self._log_means  # [..., tilts, vocab]
        largest = log_bets.max(axis=-2)
        bets = np.exp(log_bets - largest[..., None, :])
        total = bets.sum(axis=-2)
        return largest + np.log(total / len(_TILTS)), (tilts * bets).sum(axis=-2) / total


def _strength(prior_strength):
    if not 0 < prior_strength < inf:
        raise ValueError(f"prior_strength must be positive, got {prior_strength}")
    return prior_strength


def _level(level):
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, got {level}")
    return level


def _rows(name, rows, shape):
    """Returns rows as floats that sum to 1, as exactly as a draw from them would take."""
    rows = np.asarray(rows, dtype=float)
    if rows.shape != shape:
        raise ValueError(f"{name} must have shape {list(shape)}, got {list(rows.shape)}")
    sums = rows.sum(axis=-1, keepdims=True)
    if not (np.all(rows >= 0) and np.all(abs(sums - 1) <= 1e-6)):
        raise ValueError(f"{name}: each row must be >= 0 and sum to 1, got {rows}")
    return rows / sums
