"""Closed forms: what speculative decoding gains, and how far ahead to draft.

p is the target's law, q the draft's; alpha is the chance that a guess is kept, gamma the
number of guesses a step, cost_ratio the time of a draft pass over that of a target pass.
The formulas take floats or Fractions. They suppose that each guess is kept with the same
chance, whatever came before; where the context matters they are an approximation.

Source: Leviathan, Kalman and Matias 2023, arXiv:2211.17192, section 3.
"""

import math
from numbers import Integral

import numpy as np


def acceptance_rate(p, q):
    """Returns [...]: Σ min(p, q), the chance that a guess drawn from q is kept.

    It is 1 − TV(p, q): 1 for equal laws, 0 for laws with no token in common.

    Args:
        p, q: [..., vocab] laws of the target and of the draft, one shape.

    Raises:
        ValueError: unequal shapes, rows that are no distributions.

    Source: theorem 3.5.
    """
    p, q = _distributions("p", p), _distributions("q", q)
    if p.shape != q.shape:
        raise ValueError(f"p {list(p.shape)} and q {list(q.shape)} must have one shape")
    return np.minimum(np.minimum(p, q).sum(axis=-1), 1)  # rows may sum to 1 and a little


def expected_tokens(alpha, gamma: int):
    """Returns the tokens a step emits on average, 1 to gamma + 1, the target's included.

    A step reaches its token i + 1 when i guesses in a row were kept, so it is the sum of
    alpha**i: the closed form (1 − alpha**(gamma + 1)) / (1 − alpha), whole at alpha = 1.

    Raises:
        ValueError: alpha outside [0, 1], gamma not a whole number of at least 0.

    Source: equation 1.
    """
    _check_alpha(alpha)
    _check_gamma("gamma", gamma)
    return sum(alpha**i for i in range(gamma + 1))


def walltime_speedup(alpha, gamma: int, cost_ratio):
    """Returns how many times faster than plain decoding: tokens a step over its time.

    Raises:
        ValueError: as expected_tokens; cost_ratio negative or not finite.

    Source: theorem 3.8.
    """
    _check_ratio("cost_ratio", cost_ratio)
    return expected_tokens(alpha, gamma) / (gamma * cost_ratio + 1)


def operations_factor(alpha, gamma: int, ops_ratio):
    """Returns the arithmetic spent on a token, in units of plain decoding's: at least 1.

    Args:
        alpha, gamma: as everywhere here.
        ops_ratio: operations of the draft over those of the target, for one token.

    Raises:
        ValueError: as expected_tokens; ops_ratio negative or not finite.

    Source: theorem 3.11.
    """
    _check_ratio("ops_ratio", ops_ratio)
    return (gamma * ops_ratio + gamma + 1) / expected_tokens(alpha, gamma)


def best_gamma(alpha, cost_ratio, max_gamma: int = 64) -> int:
    """Returns the gamma in 0 … max_gamma with the greatest speed-up, the least if several.

    Drafting one more pays while the chance that it is used, alpha**(gamma + 1), is above
    its cost in tokens, cost_ratio · speed-up; once it does not pay it never does again.
    At alpha <= cost_ratio the best is 0, no speculation at all.

    Raises:
        ValueError: as walltime_speedup; max_gamma not a whole number of at least 0.
    """
    _check_alpha(alpha)
    _check_ratio("cost_ratio", cost_ratio)
    _check_gamma("max_gamma", max_gamma)
    for gamma in range(max_gamma):
        speedup = walltime_speedup(alpha, gamma, cost_ratio)
        if alpha ** (gamma + 1) <= cost_ratio * speedup:
            return gamma
    return max_gamma


def stationary_distribution(table) -> np.ndarray:
    """Returns [vocab]: how often each token comes up in the long run of a bigram model.

    Args:
        table: [vocab, vocab] row c is the law after token c.

    Raises:
        ValueError: not square, rows that are no distributions, or tokens that fall into
            groups which never meet, so that the long run depends on the start.
    """
    table = _distributions("table", table).astype(float)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"table must be [vocab, vocab], got {list(table.shape)}")
    vocab = len(table)
    # w · table = w and Σ w = 1; together of rank vocab when they have one solution.
    equations = np.vstack([table.T - np.eye(vocab), np.ones(vocab)])
    solution, _, rank, _ = np.linalg.lstsq(equations, np.append(np.zeros(vocab), 1))
    if rank < vocab:
        raise ValueError("table: more than one stationary distribution")
    frequencies = np.maximum(solution, 0)  # rounding may leave −1e-17
    return frequencies / frequencies.sum()


def mean_acceptance_rate(target_table, draft_table) -> float:
    """Returns alpha: the acceptance rate after a token, averaged over the tokens.

    What is emitted follows the target, so its stationary law gives the weights.

    Args:
        target_table, draft_table: [vocab, vocab] bigram models over one vocabulary.

    Raises:
        ValueError: as acceptance_rate and stationary_distribution.

    Source: definition 3.1 and corollary 3.6, E[β] over the prefixes.
    """
    rates = acceptance_rate(target_table, draft_table)
    return min(1.0, float(stationary_distribution(target_table) @ rates))


def _distributions(name, rows):
    rows = np.asarray(rows)
    if not (rows.ndim and np.all(rows >= 0) and np.all(abs(rows.sum(axis=-1) - 1) <= 1e-6)):
        raise ValueError(f"{name}: rows [..., vocab] must be >= 0 and sum to 1, got {rows}")
    return rows


def _check_alpha(alpha):
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be in [0, 1], got {alpha}")


def _check_gamma(name, gamma):
    if not (isinstance(gamma, Integral) and gamma >= 0):
        raise ValueError(f"{name} must be a whole number of at least 0, got {gamma!r}")


def _check_ratio(name, ratio):
    if not (ratio >= 0 and math.isfinite(ratio)):
        raise ValueError(f"{name} must be finite and at least 0, got {ratio}")
