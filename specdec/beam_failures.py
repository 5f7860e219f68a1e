"""How often greedy decoding and beam search miss the most probable continuation.

The models are random trees: the law after every prefix is drawn on its own, so that nothing
seen so far tells what is to come.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from specdec.beam import Hypothesis, beam_search
from specdec.speculative import Model


@dataclass(frozen=True)
class FailureRate:
    """How beam search of one width fared on random models; width 1 is greedy decoding.

    Attributes:
        width: hypotheses kept at each step.
        share: of the models, those on which a more probable continuation was missed, 0 to 1.
        mean_loss: by how much its log-probability is greater, in nats, over those models;
            0 if there are none.
    """

    width: int
    share: float
    mean_loss: float


def exhaustive_search(
    model: Model, prompt: Sequence[int], num_tokens: int, *,
    length_penalty: float = 0.0, stop_tokens: Sequence[int] = (),
) -> list[Hypothesis]:
    """Returns every continuation that is possible, best first; of equals the lowest ids.

    It visits up to vocab ** num_tokens of them, one by one and in no beam.

    Args:
        model, prompt, num_tokens, length_penalty, stop_tokens: as for
            `specdec.beam.beam_search`.
    """
    found = []

    def visit(tokens, log_prob):
        if len(tokens) == num_tokens or tokens and tokens[-1] in stop_tokens:
            score = log_prob / max(len(tokens), 1) ** length_penalty
            found.append(Hypothesis(tokens, log_prob, score))
            return
        for token, share in enumerate(np.asarray(model([*prompt, *tokens])[-1], dtype=float)):
            if share > 0:
                visit((*tokens, token), log_prob + min(0.0, float(np.log(share))))

    visit((), 0.0)
    return sorted(found, key=lambda one: (-one.score, one.tokens))


class RandomTree:
    """A model whose law after each prefix is drawn anew: [vocab ** length] laws per length.

    Attributes:
        laws: [num_tokens] of [vocab ** length, vocab], length = 0 … num_tokens − 1.
    """

    def __init__(self, rng: np.random.Generator, vocab: int, num_tokens: int,
                 concentration: float = 1.0):
        """Draws all laws.

        Args:
            rng: a numpy.random.Generator.
            vocab, num_tokens: the ids, and how many can follow the empty prompt.
            concentration: of the symmetric Dirichlet law that rows come from; 1 makes all
                laws equally likely, less makes them more peaked.
        """
        self.laws = [rng.dirichlet(np.full(vocab, concentration), vocab**length)
                     for length in range(num_tokens)]

    def __call__(self, tokens: Sequence[int], num_rows: int = 1) -> np.ndarray:
        """Returns [num_rows, vocab], as every model of this package does."""
        vocab, rows = self.laws[0].shape[1], []
        for end in range(len(tokens) - num_rows + 1, len(tokens) + 1):
            place = 0
            for token in tokens[:end]:
                place = place * vocab + token
            rows.append(self.laws[end][place])
        return np.array(rows)


class FailureCount:
    """Searches random trees in parts, and counts how often beams miss the best."""

    def __init__(self, rng: np.random.Generator, widths: Sequence[int], *, num_models: int = 200,
                 vocab: int = 3, num_tokens: int = 4, concentration: float = 1.0):
        """Searches nothing yet.

        Args:
            rng, vocab, num_tokens, concentration: as for `RandomTree`.
            widths: of the beams, all on the same trees.
            num_models: how many trees there are to be.

        Raises:
            ValueError: num_models < 1.
        """
        if not (isinstance(num_models, Integral) and num_models >= 1):
            raise ValueError(
                f"num_models must be a whole number of at least 1, got {num_models!r}")
        self._tree = lambda: RandomTree(rng, vocab, num_tokens, concentration)
        self._widths, self._num_models, self._num_tokens = widths, num_models, num_tokens
        self._losses: list[list[float]] = []  # of each tree, by width

    def advance(self, num_models: int) -> bool:
        """Searches at most so many trees more; returns whether all are searched.

        Raises:
            ValueError: as `specdec.beam.beam_search`.
        """
        for _ in range(min(num_models, self._num_models - len(self._losses))):
            model = self._tree()
            best = exhaustive_search(model, (), self._num_tokens)[0].log_prob
            self._losses.append([
                best - beam_search(model, (), width, self._num_tokens)[0].log_prob
                for width in self._widths])
        return len(self._losses) == self._num_models

    def rates(self) -> list[FailureRate]:
        """Returns a rate for each width, searching whatever is not searched yet."""
        self.advance(self._num_models)
        return [FailureRate(width, float((column > 0).mean()),
                            float(column[column > 0].mean()) if column.any() else 0.0)
                for width, column in zip(self._widths, np.transpose(self._losses), strict=True)]


def failure_rates(rng: np.random.Generator, widths: Sequence[int], **options) -> list[FailureRate]:
    """Returns a rate for each width, all on the same trees; `options` as for `FailureCount`."""
    return FailureCount(rng, widths, **options).rates()
