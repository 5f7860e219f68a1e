"""llama.cpp's samplers, in C++ and float32, on a bare row of logits: no model is loaded.

Its C functions are in the extension module of the package xllamacpp, which is loaded as a
shared library. A sampler sorts the candidates, shortens their list or changes their logits;
what is no longer in the list is cut. Equals come in any order.

Source: include/llama.h of https://github.com/ggml-org/llama.cpp.
"""

import ctypes
from ctypes import POINTER, byref, c_bool, c_float, c_int32, c_int64, c_size_t, c_void_p
from importlib.util import find_spec

import numpy as np


class TokenData(ctypes.Structure):
    """llama_token_data"""

    _fields_ = [("id", c_int32), ("logit", c_float), ("p", c_float)]


class TokenDataArray(ctypes.Structure):
    """llama_token_data_array"""

    _fields_ = [("data", POINTER(TokenData)), ("size", c_size_t),
                ("selected", c_int64), ("sorted", c_bool)]


_library = ctypes.CDLL(find_spec("xllamacpp.xllamacpp").origin)


def _function(name, result, *arguments):
    function = getattr(_library, f"llama_sampler_{name}")
    function.restype, function.argtypes = result, arguments
    return function


_accept = _function("accept", None, c_void_p, c_int32)
_apply = _function("apply", None, c_void_p, POINTER(TokenDataArray))
_free = _function("free", None, c_void_p)
_top_k = _function("init_top_k", c_void_p, c_int32)
_top_p = _function("init_top_p", c_void_p, c_float, c_size_t)
_min_p = _function("init_min_p", c_void_p, c_float, c_size_t)
_typical = _function("init_typical", c_void_p, c_float, c_size_t)
_temp = _function("init_temp", c_void_p, c_float)
_penalties = _function(
    "init_penalties", c_void_p, c_int32, c_int32, c_float, c_float, c_float)


def top_k(logits, k):
    return _applied(_top_k(k), logits)


def top_p(logits, p):
    return _applied(_top_p(p, 1), logits)


def min_p(logits, p):
    return _applied(_min_p(p, 1), logits)


def typical_p(logits, p):
    return _applied(_typical(p, 1), logits)


def temperature(logits, value):
    return _applied(_temp(value), logits)


def penalties(logits, tokens, *, repetition=1.0, frequency=0.0, presence=0.0):
    sampler = _penalties(len(logits), len(tokens), repetition, frequency, presence)
    for token in tokens:
        _accept(sampler, token)
    return _applied(sampler, logits)


def _applied(sampler, logits):
    """Returns logits [vocab] after the sampler, −inf where it cut, and frees the sampler."""
    data = (TokenData * len(logits))(*[(i, x, 0) for i, x in enumerate(logits)])
    row = TokenDataArray(data, len(logits), -1, False)
    _apply(sampler, byref(row))
    _free(sampler)
    left = np.full(len(logits), -np.inf)
    for one in row.data[: row.size]:
        left[one.id] = one.logit
    return left
