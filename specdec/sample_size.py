"""How many tokens an ordinary sampling test needs to notice that a law is wrong.

The ordinary test draws n tokens, counts them and compares the counts with the law they
should follow by Pearson's chi-square. If they follow another law, its statistic is about
a noncentral chi-square, with the noncentrality n · Σ (r − p)² / p: the larger n, the
likelier the alarm.

Source: Pearson 1900, Philos. Mag. 50, 157-175 (the test); Cochran 1952, Ann. Math.
Statist. 23(3), 315-345 (its power, and the rule on small expected counts).
"""

from collections.abc import Callable
from math import ceil, exp, inf, lgamma, log, log1p

import numpy as np

# The ordinary test of this lab: how often it may call a right law wrong, how often it has
# to notice a wrong one, and how many tokens a test-suite spends on it.
LEVEL, POWER, TOKENS = 0.05, 0.9, 10_000

MIN_EXPECTED_COUNT = 5  # below it in any cell, the chi-square law is no good description


def tokens_needed(target_probs, emitted_probs, *, level: float = LEVEL,
                  power: float = POWER) -> int | None:
    """Returns how many tokens, each drawn anew, the test needs; None if no number does.

    A token that the target never emits needs no chi-square: the first one seen settles it.

    Args:
        target_probs: [vocab] p, the law the tokens should follow.
        emitted_probs: [vocab] r, the law they do follow; floats or Fractions, as p.
        level: how often the test may call a right law wrong.
        power: how often it has to notice this wrong one.

    Raises:
        ValueError: laws of different sizes; level < power is not so, or not both in (0, 1).
    """
    p, r = np.asarray(target_probs), np.asarray(emitted_probs)
    if p.shape != r.shape or p.ndim != 1:
        raise ValueError(f"both laws must be [vocab], got {p.shape} and {r.shape}")
    if not 0 < level < power < 1:
        raise ValueError(f"need 0 < level < power < 1, got level {level}, power {power}")
    possible = p > 0
    needed, impossible = inf, float(r[~possible].sum())
    if impossible > 0:
        needed = ceil(log(1 - power) / log1p(-impossible)) if impossible < 1 else 1
    p, r = p[possible], r[possible]
    effect = float(((r - p) ** 2 / p).sum())
    if len(p) > 1 and effect > 0:
        enough = noncentrality_needed(len(p) - 1, level, power) / effect
        needed = min(needed, max(ceil(enough), ceil(MIN_EXPECTED_COUNT / min(p))))
    return None if needed == inf else needed


def noncentrality_needed(freedom: int, level: float, power: float) -> float:
    """Returns the noncentrality at which the test of this level has this power.

    Args:
        freedom: degrees of freedom, at least 1.
    """
    critical = _root(lambda x: chi_square_tail(x, freedom) - level)
    return _root(lambda shift: power - noncentral_chi_square_tail(critical, freedom, shift))


def chi_square_tail(x: float, freedom: float) -> float:
    """Returns P(X > x) for a chi-square X with `freedom` degrees of freedom.

    Source: the series of the lower incomplete gamma function, DLMF 8.11.4.
    """
    a, z = freedom / 2, x / 2
    if z <= 0:
        return 1.0
    term = total = exp(a * log(z) - z - lgamma(a + 1))
    while term > total * 1e-17:
        a += 1
        term *= z / a
        total += term
    return max(0.0, 1 - total)


def noncentral_chi_square_tail(x: float, freedom: int, noncentrality: float) -> float:
    """Returns P(X > x) for a noncentral chi-square X.

    It is a chi-square whose degrees of freedom are `freedom` + 2 J, J Poisson with mean
    noncentrality/2.
    """
    mean = noncentrality / 2
    last = ceil(mean + 12 * (mean + 1) ** 0.5)  # beyond it less than 1e-15 is left
    weights = [exp(j * log(mean) - mean - lgamma(j + 1)) if mean else float(j == 0)
               for j in range(last + 1)]
    return sum(weight * chi_square_tail(x, freedom + 2 * j)
               for j, weight in enumerate(weights))


def _root(falling: Callable[[float], float]) -> float:
    """Returns where a falling function, positive at 0, crosses 0: by doubling, then halving."""
    low, high = 0.0, 1.0
    while falling(high) > 0:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return high
