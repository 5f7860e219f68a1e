"""Table models: next-token laws that depend on the last token, and a draft's quality.

The playground's target is here too: a bigram model of sixteen words whose samples read
like English. N-gram models and the transformer are not in this file.
"""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral

import numpy as np


class TableModel:
    """A bigram model: the law of the next token is the row of the last token.

    Attributes:
        table: [vocab, vocab] row c is the law after token c; floats or Fractions.
        words: [vocab] what each id stands for.
    """

    def __init__(self, table, words: Sequence[str] | None = None):
        """Checks and keeps the table.

        Raises:
            ValueError: not square, rows that are no distributions, a wrong number of words.
        """
        table = np.asarray(table)
        if table.ndim != 2 or table.shape[0] != table.shape[1]:
            raise ValueError(f"table must be [vocab, vocab], got {list(table.shape)}")
        if not (np.all(table >= 0) and np.all(abs(table.sum(axis=1) - 1) <= 1e-6)):
            raise ValueError("table: each row must be >= 0 and sum to 1")
        words = tuple(words) if words is not None else tuple(map(str, range(len(table))))
        if len(words) != len(table):
            raise ValueError(f"words: {len(words)} for a vocabulary of {len(table)}")
        self.table, self.words = table, words

    def __call__(self, tokens: Sequence[int], num_rows: int = 1) -> np.ndarray:
        """Returns [num_rows, vocab], as every model of this package does.

        Raises:
            ValueError: fewer tokens than rows wanted, an id out of range.
        """
        if not 1 <= num_rows <= len(tokens):
            raise ValueError(f"num_rows = {num_rows} needs as many tokens, got {len(tokens)}")
        contexts = list(tokens[-num_rows:])
        for token in contexts:
            if not 0 <= token < len(self.table):
                raise ValueError(f"token id {token} is outside [0, {len(self.table)})")
        return self.table[contexts]


def draft_of_quality(target: TableModel, quality) -> TableModel:
    """Returns the draft q = quality · p + (1 − quality) · uniform.

    Args:
        target: the model imitated.
        quality: 0 (uniform, a random guesser) to 1 (equal to the target); a Fraction
            or a whole number keeps a Fraction table exact.

    Raises:
        ValueError: quality outside [0, 1].
    """
    if not 0 <= quality <= 1:
        raise ValueError(f"quality must be in [0, 1], got {quality}")
    if target.table.dtype == object and isinstance(quality, Integral):
        quality = Fraction(int(quality))  # two ints would divide to a float
    uniform_share = (1 - quality) / len(target.table)
    return TableModel(quality * target.table + uniform_share, target.words)


# Percent, after each word. Subjects follow "the", objects follow "a", so that a model
# that sees one word back still keeps its sentences straight. Rare words (below the
# uniform 1/16) are those that a random guesser likes too much: on them the coin decides.
_PLAYGROUND_PERCENT = {
    ".": {"the": 64, "then": 36},
    "then": {"the": 100},
    "the": {"cat": 34, "dog": 31, "fox": 3, "owl": 2, "old": 30},
    "old": {"cat": 38, "dog": 54, "fox": 3, "owl": 3, "old": 2},
    "cat": {"saw": 53, "chased": 44, "slept": 3},
    "dog": {"saw": 3, "chased": 62, "slept": 35},
    "fox": {"saw": 60, "chased": 37, "slept": 3},
    "owl": {"saw": 78, "chased": 3, "slept": 19},
    "saw": {"a": 100},
    "chased": {"a": 100},
    "slept": {".": 97, "and": 3},
    "a": {"bird": 45, "mouse": 52, "small": 3},
    "small": {"bird": 56, "mouse": 41, "small": 3},
    "bird": {".": 97, "and": 3},
    "mouse": {".": 58, "and": 42},
    "and": {"saw": 3, "chased": 57, "slept": 40},
}


def playground_target() -> TableModel:
    """Returns the playground's target: sixteen words, sentences that end in a full stop."""
    words = tuple(_PLAYGROUND_PERCENT)
    table = np.zeros((len(words), len(words)))
    for context, row in _PLAYGROUND_PERCENT.items():
        for word, percent in row.items():
            table[words.index(context), words.index(word)] = percent / 100
    return TableModel(table, words)
