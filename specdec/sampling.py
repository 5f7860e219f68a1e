"""From a model's logits to the law it samples from: the knobs, and the order they come in.

Each knob takes logits [..., vocab] and returns as many, a token that is cut being −inf, so
that knobs can be chained; `softmax` ends the chain. Bad input raises ValueError, by name.

Source: arXiv 1904.09751 (top-p), 2407.01082 (min-p), 2202.00666 (typical-p), 1909.05858
(repetition). Orders: vllm/v1/sample/sampler.py of github.com/vllm-project/vllm, which has no
typical-p (last here); common/common.h of github.com/ggml-org/llama.cpp.
"""

from dataclasses import dataclass
from numbers import Integral

import numpy as np

ORDERS = {
    "vLLM": ("penalties", "temperature", "min_p", "top_k", "top_p", "typical_p"),
    "llama.cpp": ("penalties", "top_k", "typical_p", "top_p", "min_p", "temperature"),
}


@dataclass(frozen=True)
class Knobs:
    """A setting of every knob; with these defaults none changes anything."""

    temperature: float = 1.0
    top_k: int | None = None  # all
    top_p: float = 1.0
    min_p: float = 0.0
    typical_p: float = 1.0
    repetition: float = 1.0
    frequency: float = 0.0
    presence: float = 0.0


def softmax(logits) -> np.ndarray:
    """Returns probabilities [..., vocab]: exp(logit), normalised; −inf has none."""
    weights = np.exp(_below_greatest(logits))
    return weights / weights.sum(axis=-1, keepdims=True)


def argmax(logits) -> np.ndarray:
    """Returns probabilities [..., vocab]: 1 for the first greatest logit, else 0."""
    return softmax(top_k(logits, 1))


def temperature(logits, value: float) -> np.ndarray:
    """Returns logits / value, each row's greatest at 0; value 0 leaves the argmax alone."""
    if not 0 <= value < np.inf:
        raise ValueError(f"temperature must be finite and at least 0, got {value}")
    below = _below_greatest(logits if value > 0 else top_k(logits, 1))
    with np.errstate(over="ignore"):  # beyond the greatest float below is −inf, cut
        return below / (value or 1)


def top_k(logits, k: int | None) -> np.ndarray:
    """Returns logits with all but the k greatest cut; of equals the lowest ids stay."""
    if not (k is None or isinstance(k, Integral) and k >= 1):
        raise ValueError(f"top_k must be a whole number of at least 1 or None, got {k!r}")
    kept = _checked(logits).copy()
    if k is not None:  # a stable sort leaves the lowest ids of equals in front
        order = np.argsort(-kept, axis=-1, kind="stable")
        np.put_along_axis(kept, order[..., k:], -np.inf, axis=-1)
    return kept


def top_p(logits, p: float) -> np.ndarray:
    """Returns logits with all cut but the fewest, likeliest first, that together reach p."""
    return _reaching("top_p", p, logits, -_checked(logits))


def typical_p(logits, p: float) -> np.ndarray:
    """Returns logits with all cut but the fewest, most typical first, that reach p.

    Those are typical whose surprise, −log(probability), is near its mean, the entropy.
    """
    below = _below_greatest(logits)
    surprise = np.log(np.exp(below).sum(axis=-1, keepdims=True)) - below
    entropy = (softmax(logits) * np.nan_to_num(surprise)).sum(axis=-1, keepdims=True)
    return _reaching("typical_p", p, logits, abs(surprise - entropy))


def min_p(logits, p: float) -> np.ndarray:
    """Returns logits with all cut that are less than p times as likely as the likeliest."""
    if not 0 <= p <= 1:
        raise ValueError(f"min_p must be in [0, 1], got {p}")
    return np.where(np.exp(_below_greatest(logits)) < p, -np.inf, logits)


def penalties(logits, tokens, *, repetition=1.0, frequency=0.0, presence=0.0) -> np.ndarray:
    """Returns logits [vocab] of one row, lower for the ids that are among `tokens`.

    Above 0 such a logit is divided by `repetition`, below multiplied; then `frequency` is
    taken off for each time the id occurs, and `presence` once (as in OpenAI's API).
    """
    logits = _checked(logits)
    if not (0 < repetition < np.inf and np.isfinite([frequency, presence]).all()):
        raise ValueError(f"penalties out of range: {repetition=}, {frequency=}, {presence=}")
    if not all(0 <= token < len(logits) for token in tokens):
        raise ValueError(f"tokens: an id is outside [0, {len(logits)}): {tokens}")
    counts = np.bincount(np.asarray(tokens, dtype=int), minlength=len(logits))
    with np.errstate(over="ignore", invalid="ignore"):
        lower = np.where(logits > 0, logits / repetition, logits * repetition)
        lower = np.nan_to_num(lower - frequency * counts - presence)  # finite whatever comes
    return np.where((counts > 0) & (logits > -np.inf), lower, logits)


def stages(logits, tokens, knobs: Knobs, order: str = "vLLM") -> dict[str, np.ndarray]:
    """Returns {stage: logits [vocab] after it} of one row, given all `tokens` before it."""
    if order not in ORDERS:
        raise ValueError(f"order must be one of {list(ORDERS)}, got {order!r}")
    single = {knob.__name__: knob for knob in (temperature, top_k, top_p, min_p, typical_p)}
    after = {}
    for stage in ORDERS[order]:
        if stage == "penalties":
            logits = penalties(logits, tokens, repetition=knobs.repetition,
                               frequency=knobs.frequency, presence=knobs.presence)
        else:
            logits = single[stage](logits, getattr(knobs, stage))
        after[stage] = logits
    return after


def _reaching(name, p, logits, keys):
    if not 0 <= p <= 1:
        raise ValueError(f"{name} must be in [0, 1], got {p}")
    order = np.argsort(keys, axis=-1, kind="stable")
    probs = np.take_along_axis(softmax(logits), order, axis=-1)
    # A token is too many if those before it reach p, that is if it and those after it hold
    # at most 1 − p. Summing from the small end loses no small probability.
    too_many = (probs[..., ::-1].cumsum(axis=-1)[..., ::-1] <= 1 - p) & (p < 1)
    too_many[..., 0] = False
    cut = np.empty_like(too_many)
    np.put_along_axis(cut, order, too_many, axis=-1)
    return np.where(cut, -np.inf, logits)


def _below_greatest(logits):
    logits = _checked(logits)
    with np.errstate(over="ignore"):  # the same law, and exp cannot overflow
        return logits - logits.max(axis=-1, keepdims=True)


def _checked(logits):
    logits = np.asarray(logits, dtype=float)
    if not (logits.ndim and logits.shape[-1] and np.isfinite(logits.max(axis=-1)).all()):
        raise ValueError("logits must be [..., vocab], the greatest of each row finite")
    return logits
