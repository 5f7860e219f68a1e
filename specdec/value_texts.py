"""Short texts for the values of variables, for a reader who follows code line by line."""

from collections.abc import Sequence
from fractions import Fraction
from types import BuiltinFunctionType, FunctionType

import numpy as np

# What holds token ids in `specdec.speculative`: variables, and the function that draws one.
TOKEN_NAMES = frozenset((
    "token", "next_token", "tokens", "emitted", "guesses", "draft_tokens", "prompt",
    "stop_tokens", "sample"))

_SHOWN = 5  # of a list: its end, for the newest token is the last one
_LARGEST = 3  # of a row
_LONG = 40  # characters of a string, bits of a whole number


def text_of(value, words: Sequence[str] = (), *, are_tokens: bool = False) -> str:
    """Returns a short text: numbers to four digits, rows as their largest entries.

    Args:
        value: anything; what is no number, text, list or array is named by its type.
        words: [vocab] what each token id stands for; a row [vocab] is told in them.
        are_tokens: whether whole numbers in it are token ids.
    """
    try:
        return _text(value, words, are_tokens)
    except Exception:  # a class of a reader's own may do anything
        return type(value).__name__


def _text(value, words, are_tokens):
    if value is None or isinstance(value, bool | np.bool_):
        return str(value)
    if isinstance(value, int | np.integer):
        return _whole(int(value), words, are_tokens)
    if isinstance(value, float | np.floating | Fraction):
        return _number(value)
    if isinstance(value, str):
        return repr(value if len(value) <= _LONG else value[:_LONG] + "…")
    if isinstance(value, list | tuple):
        return _list(value, words, are_tokens)
    if isinstance(value, np.ndarray):
        return _array(value, words, are_tokens)
    if isinstance(value, FunctionType | BuiltinFunctionType | type):
        return f"{value.__name__}()"
    return type(value).__name__


def _whole(value, words, is_token):
    if is_token and 0 <= value < len(words):
        return f"{value} “{words[value]}”"
    bits = value.bit_length()
    return str(value) if bits <= _LONG else f"a whole number of {bits} bits"


def _number(value):
    if isinstance(value, Fraction) and len(str(value)) <= _LONG:
        return str(value)
    return f"{float(value):.4g}"


def _list(items, words, are_tokens):
    if len(items) and all(isinstance(item, np.ndarray) and item.ndim == 1 for item in items):
        return _rows(len(items), len(items[-1]))
    left_out = "… " if len(items) > _SHOWN else ""
    last = items[-_SHOWN:]
    opening, closing = "()" if isinstance(items, tuple) else "[]"
    text = opening + left_out + ", ".join(map(_item, last)) + closing
    if are_tokens and last and all(
            isinstance(item, int | np.integer) and 0 <= item < len(words) for item in last):
        text += f" “{left_out}{' '.join(words[item] for item in last)}”"
    return text


def _item(item):
    return "[…]" if isinstance(item, list | tuple) and item else _text(item, (), False)


def _array(array, words, are_tokens):
    if array.ndim == 0:
        return _text(array.item(), words, are_tokens)
    if array.ndim == 1 and len(array) == len(words) and array.dtype != bool:
        return _row(array.tolist(), words)
    if array.ndim == 1 and len(array) <= _SHOWN:
        return _list(array.tolist(), words, are_tokens)
    return _rows(*array.shape) if array.ndim == 2 else f"array {list(array.shape)}"


def _row(values, words):
    largest = sorted(range(len(values)), key=lambda i: -values[i])[:_LARGEST]
    told = [f"{_word(words[i])} {_share(values[i])}" for i in largest if values[i]]
    more = " …" if sum(map(bool, values)) > len(told) else ""
    return ", ".join(told) + more if told else "0 for every word"


def _word(word):
    return word if word.isalpha() else f"“{word}”"  # a full stop is no part of a number


def _share(value):
    return f"{float(value):.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{float(value):.4g}"


def _rows(count, length):
    return f"{count} row{'' if count == 1 else 's'} of {length}"
