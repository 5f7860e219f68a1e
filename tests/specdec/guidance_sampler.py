"""The samplers of the package guidance, in NumPy and float64; they change rows in place."""

import numpy as np
from guidance import _utils
from guidance.models._engine import _engine


def top_k(logits, k):
    return _utils.apply_top_k_and_top_p_filter(_row(logits), {"top_k": k})


def top_p(logits, p):
    return _utils.apply_top_k_and_top_p_filter(_row(logits), {"top_p": p})


def top_k_then_top_p(logits, k, p):
    return _utils.apply_top_k_and_top_p_filter(_row(logits), {"top_k": k, "top_p": p})


def min_p(logits, p):
    return _utils.apply_min_p_filter(_row(logits), {"min_p": p})


def repetition(logits, tokens, penalty):
    return _utils.apply_repetition_penalty(
        tokens, _row(logits), {"repetition_penalty": penalty})


def temperature(logits, value):
    return chain(logits, [], value, {})


def chain(logits, tokens, temperature, params):
    """All of its samplers, in its order; a temperature of 0 leaves the argmax to others."""
    return _engine.apply_temp_and_sampling_params(_row(logits), tokens, temperature, params)


def _row(logits):
    return np.array(logits, dtype=float)
