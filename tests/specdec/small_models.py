"""Small models with exact rows, on which whole laws can be enumerated.

All depend on the context, and their rows hold zeros so that the trees stay small.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from specdec.exact import outcomes, sequence_law
from specdec.models import TableModel
from specdec.speculative import speculative_decode


def exact_rows(weights):
    """Returns rows of whole numbers as rows of Fractions, each divided by its sum."""
    weights = np.asarray(weights)
    exact = np.array([Fraction(int(x)) for x in weights.flat], dtype=object)
    exact = exact.reshape(weights.shape)
    return exact / exact.sum(axis=-1, keepdims=True)


def bigram(weights):
    return TableModel(exact_rows(weights))


class TwoBackModel:
    """The law of the next token depends on the last two: table [vocab, vocab, vocab].

    A mistake in any place of the context shows, which a bigram model would not see.
    """

    def __init__(self, weights):
        self.table = exact_rows(weights)

    def __call__(self, tokens, num_rows=1):
        ends = range(len(tokens) - num_rows + 1, len(tokens) + 1)
        return np.array([self.table[tokens[max(end - 2, 0)], tokens[end - 1]]
                         for end in ends])


@dataclass(frozen=True)
class Case:
    """A target and a draft, and how far to run them."""

    target: object
    draft: object
    gamma: int
    num_tokens: int
    prompt: tuple[int, ...] = (0,)
    stop_tokens: tuple[int, ...] = ()

    def emitted_law(self, decode=speculative_decode, **options):
        """Returns the joint law of the tokens that `decode` emits, by enumeration."""
        def experiment(rng):
            steps = decode(self.target, self.draft, self.prompt, self.num_tokens,
                           self.gamma, rng, stop_tokens=self.stop_tokens, **options)
            return tuple(token for step in steps for token in step.tokens)

        return outcomes(experiment)

    def in_floats(self):
        """Returns the same case with rows of float64."""
        return replace(self, target=in_floats(self.target), draft=in_floats(self.draft))

    def target_law(self):
        """Returns the joint law of as many tokens of the target's own."""
        return sequence_law(self.target, self.prompt, self.num_tokens,
                            stop_tokens=self.stop_tokens)


def in_floats(model):
    """Returns the model with its rows rounded to float64."""
    return lambda tokens, num_rows=1: model(tokens, num_rows).astype(float)


THREE = bigram([[2, 5, 3], [5, 0, 4], [0, 3, 4]]), bigram([[8, 1, 1], [2, 7, 0], [1, 1, 8]])
FOUR = (bigram([[1, 6, 3, 2], [5, 0, 4, 1], [0, 3, 4, 2], [2, 2, 1, 7]]),
        bigram([[4, 3, 3, 1], [2, 7, 0, 3], [1, 1, 8, 2], [5, 1, 3, 0]]))
SPARSE_THREE = (bigram([[0, 2, 1], [3, 0, 4], [0, 1, 0]]),
                bigram([[1, 1, 0], [4, 1, 0], [0, 2, 3]]))
SPARSE_FOUR = (bigram([[0, 2, 1, 0], [3, 0, 0, 4], [0, 1, 0, 0], [1, 0, 5, 0]]),
               bigram([[0, 1, 0, 2], [1, 0, 0, 1], [0, 3, 2, 0], [0, 0, 1, 0]]))
ONE_HOT = (bigram([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
           bigram([[0, 1, 0], [1, 0, 0], [1, 0, 0]]))
DISJOINT = (bigram([[0, 2, 1], [3, 0, 4], [0, 1, 2]]),
            bigram([[1, 0, 0], [0, 1, 0], [1, 0, 0]]))
TWO_BACK = (
    TwoBackModel([[[0, 2, 1], [3, 1, 0], [0, 1, 4]], [[1, 0, 2], [0, 3, 2], [5, 1, 0]],
                  [[2, 3, 0], [1, 0, 1], [0, 4, 3]]]),
    TwoBackModel([[[1, 2, 0], [1, 2, 0], [0, 3, 1]], [[2, 0, 1], [0, 1, 0], [2, 3, 0]],
                  [[1, 4, 0], [3, 0, 4], [0, 2, 1]]]))
