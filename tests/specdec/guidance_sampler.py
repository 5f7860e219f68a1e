"""The samplers of the package guidance, in NumPy and float64; they change rows in place."""

import numpy as np
from guidance import _utils


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


def _row(logits):
    return np.array(logits, dtype=float)
