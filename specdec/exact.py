"""The exact law of a program that draws random numbers, by running every outcome.

`outcomes` runs an experiment again and again. Its generator replays a prefix of the
random decisions made so far, then takes the next alternative, until all are done: a
depth-first walk through the tree of everything that can happen. The code under test is
the code itself, not a model of it, and nothing is estimated.

Weights are `fractions.Fraction`. A float probability counts as the rational number that
it is, so float64 code gets the exact law it would have with ideal uniform numbers.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction

import numpy as np

from specdec.branching import BranchingRng, CannotEnumerate, Tape, exact_branches

__all__ = [
    "CannotEnumerate", "Enumeration", "Law", "continued", "outcomes", "sequence_law",
    "total_variation",
]


class Law(dict):
    """A law: outcome -> probability, a Fraction; the probabilities sum to exactly 1.

    Attributes:
        num_paths: how many runs of the experiment it took.
    """

    num_paths = 0


class Enumeration:
    """The walk through every random branch of an experiment, made in parts.

    Attributes:
        law: of the paths run so far; it sums to 1 when `done`.
        done: whether every path is run.
    """

    def __init__(self, experiment: Callable[[BranchingRng], Hashable]):
        """Takes an experiment as `outcomes` does, and runs none of it yet."""
        self.law, self.done = Law(), False
        self._experiment, self._tape = experiment, Tape()

    def advance(self, num_paths: int) -> bool:
        """Runs at most so many paths more; returns whether all are run.

        Raises:
            CannotEnumerate: as `outcomes`; what the experiment raises.
        """
        for _ in range(num_paths):
            if self.done:
                break
            outcome = self._experiment(BranchingRng(self._tape))
            self.law[outcome] = self.law.get(outcome, 0) + self._tape.finish()
            self.law.num_paths += 1
            self.done = not self._tape.advance()
        return self.done


def outcomes(experiment: Callable[[BranchingRng], Hashable], *,
             max_paths: int = 100_000) -> Law:
    """Returns the law of `experiment(rng)`, by running it through every random branch.

    Args:
        experiment: a function of a generator, with a hashable result and otherwise
            deterministic. Branches of probability 0 are not run.
        max_paths: the number of runs allowed.

    Raises:
        CannotEnumerate: a draw that has no finite set of branches (it is named), more
            than `max_paths` paths, or than 10 000 draws on one, an experiment that is
            not a function of its draws.
        ValueError: max_paths < 1; what the experiment raises in one of its branches.
    """
    if max_paths < 1:
        raise ValueError(f"max_paths must be at least 1, got {max_paths}")
    enumeration = Enumeration(experiment)
    if not enumeration.advance(max_paths):
        raise CannotEnumerate(f"more than max_paths = {max_paths} paths")
    return enumeration.law


def total_variation(a: dict, b: dict):
    """Returns ½ Σ |a − b| over the outcomes of two laws: 0 if equal, 1 if disjoint."""
    return sum(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys()) / 2


def sequence_law(model, prompt: Sequence[int], num_tokens: int, *,
                 stop_tokens: Collection[int] = ()) -> dict[tuple[int, ...], Fraction]:
    """Returns the model's own law of the next `num_tokens` ids: the rows multiplied out.

    It runs no decoding algorithm: it is what their law is compared with.

    Args:
        model: `model(tokens) -> [1, vocab]`, the law of the id after `tokens`.
        prompt: the ids to continue.
        num_tokens: how many ids, fewer after a stop token, which is the last.
        stop_tokens: ids that end the sequence.

    Raises:
        ValueError: a negative num_tokens, a row that is no distribution.
    """
    if num_tokens < 0:
        raise ValueError(f"num_tokens must be at least 0, got {num_tokens}")
    return continued({(): Fraction(1)}, model, prompt, num_tokens, stop_tokens=stop_tokens)


def continued(law: dict, model, prompt: Sequence[int], num_tokens: int, *,
              stop_tokens: Collection[int] = ()) -> dict[tuple[int, ...], Fraction]:
    """Returns the law of sequences whose ends are drawn from the model's own rows.

    Args:
        law: sequence of ids -> probability; those of num_tokens or more stay as they are.
        model, prompt, num_tokens, stop_tokens: as for `sequence_law`.

    Raises:
        ValueError: a row that is no distribution.
    """
    law = dict(law)
    for length in range(num_tokens):
        ends = [tokens for tokens in law if len(tokens) == length
                and not (tokens and tokens[-1] in stop_tokens)]
        for tokens in ends:
            weight = law.pop(tokens)
            row = np.asarray(model([*prompt, *tokens]))[-1]
            for token, share in exact_branches(row.tolist()):
                longer = (*tokens, token)
                law[longer] = law.get(longer, 0) + weight * share
    return law
