"""From a model's logits to the law it samples from: temperature, top-k, top-p, min-p.

Each knob takes logits [..., vocab] and returns logits of the same shape, a token that is
cut being −inf, so that knobs can be chained in any order; `softmax` or `argmax` ends the
chain with probabilities:

    softmax(top_p(temperature(logits, 0.7), 0.9))

Speculative decoding compares the laws that result: p and q are rows after all knobs.

Source: Leviathan, Kalman and Matias 2023, arXiv:2211.17192, section 2.2 (standardised
sampling: every method is plain sampling from a changed law); Holtzman et al. 2020,
arXiv:1904.09751 (top-p); Nguyen et al. 2024, arXiv:2407.01082 (min-p).
"""

from numbers import Integral

import numpy as np


def softmax(logits) -> np.ndarray:
    """Returns probabilities [..., vocab]: exp(logit), normalised; −inf has none.

    Raises:
        ValueError: as every function here, logits that are NaN or +inf, or a row that has
            no token left.
    """
    weights = np.exp(_below_greatest(logits))
    return weights / weights.sum(axis=-1, keepdims=True)


def argmax(logits) -> np.ndarray:
    """Returns probabilities [..., vocab]: 1 for the first greatest logit, else 0."""
    return softmax(top_k(logits, 1))


def temperature(logits, value: float) -> np.ndarray:
    """Returns logits / value, shifted so that each row's greatest is 0.

    Args:
        logits: [..., vocab].
        value: below 1 sharpens, above 1 flattens; 0 leaves the argmax alone.

    Raises:
        ValueError: value negative or not finite.
    """
    if not 0 <= value < np.inf:
        raise ValueError(f"temperature must be finite and at least 0, got {value}")
    if value == 0:
        return _below_greatest(top_k(logits, 1))
    with np.errstate(over="ignore"):  # beyond the greatest float below is −inf, cut
        return _below_greatest(logits) / value


def top_k(logits, k: int) -> np.ndarray:
    """Returns logits with all but the k greatest cut: exactly k, the lowest ids of equals.

    Args:
        logits: [..., vocab].
        k: at least 1; vocab or more cuts nothing.

    Raises:
        ValueError: k is not a whole number of at least 1.
    """
    if not (isinstance(k, Integral) and k >= 1):
        raise ValueError(f"top_k must be a whole number of at least 1, got {k!r}")
    kept = _checked(logits).copy()
    np.put_along_axis(kept, _greatest_first(kept)[..., k:], -np.inf, axis=-1)
    return kept


def top_p(logits, p: float) -> np.ndarray:
    """Returns logits with all cut but the fewest tokens whose probabilities reach p.

    The most probable are taken first, the lowest ids of equals, and at least one.

    Args:
        logits: [..., vocab].
        p: 0 leaves the argmax, 1 cuts nothing.

    Raises:
        ValueError: p outside [0, 1].
    """
    _check_fraction("top_p", p)
    kept = _checked(logits).copy()
    if p == 1:
        return kept
    order = _greatest_first(kept)
    probs = np.take_along_axis(softmax(kept), order, axis=-1)
    # A token is needed if those before it fall short of p, that is if it and those after
    # it hold more than 1 − p. Summing from the small end loses no small probability.
    needed = probs[..., ::-1].cumsum(axis=-1)[..., ::-1] > 1 - p
    needed[..., 0] = True
    in_order = np.take_along_axis(kept, order, axis=-1)
    np.put_along_axis(kept, order, np.where(needed, in_order, -np.inf), axis=-1)
    return kept


def min_p(logits, p: float) -> np.ndarray:
    """Returns logits with those tokens cut that are below p times the most probable one.

    Args:
        logits: [..., vocab].
        p: 0 cuts nothing, 1 leaves the most probable token and its equals.

    Raises:
        ValueError: p outside [0, 1].
    """
    _check_fraction("min_p", p)
    logits = _checked(logits)
    return np.where(np.exp(_below_greatest(logits)) < p, -np.inf, logits)


def _greatest_first(logits):
    return np.argsort(-logits, axis=-1, kind="stable")  # stable: the lowest ids of equals


def _below_greatest(logits):
    """Returns logits less their row's greatest: the same law, and exp cannot overflow."""
    logits = _checked(logits)
    with np.errstate(over="ignore"):
        return logits - logits.max(axis=-1, keepdims=True)


def _checked(logits):
    logits = np.asarray(logits, dtype=float)
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"logits must be [..., vocab], got {list(logits.shape)}")
    if not np.all(logits < np.inf):
        raise ValueError("logits: NaN or +inf")
    if not np.all((logits > -np.inf).any(axis=-1)):
        raise ValueError("logits: a row with no token left, all of it is -inf")
    return logits


def _check_fraction(name, p):
    if not 0 <= p <= 1:
        raise ValueError(f"{name} must be in [0, 1], got {p}")
