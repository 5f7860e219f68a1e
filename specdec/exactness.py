"""Is decoding code exact on one small model? Its law beside the target's, by enumeration.

`check_step` looks at one step and lets the target finish the sequence: quick enough to
follow a hand. `SequencesCheck` runs step after step: only the joint law of several shows
a mistake that one step passes on to the next.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from specdec import edited_steps, edition
from specdec.exact import (
    CannotEnumerate,
    Enumeration,
    continued,
    outcomes,
    sequence_law,
    total_variation,
)

ROUNDING = Fraction(1, 10**12)  # a distance below it is what floats leave, and no mistake


@dataclass(frozen=True)
class Comparison:
    """The law of what the code emits, beside the target's own law.

    Attributes:
        emitted, target: sequence of ids -> probability, each summing to exactly 1.
        num_paths: how many runs of the code it took.
    """

    emitted: dict[tuple[int, ...], Fraction]
    target: dict[tuple[int, ...], Fraction]
    num_paths: int

    @cached_property
    def total_variation(self) -> Fraction:
        """How far the two are apart: 0 if they are one law, 1 if they have nothing shared."""
        return total_variation(self.emitted, self.target)

    @cached_property
    def first_token_variation(self) -> Fraction:
        """The same of the first token alone, which may be right when the whole is not."""
        return total_variation(_first_token(self.emitted), _first_token(self.target))

    @property
    def worst(self) -> tuple[int, ...] | None:
        """The sequence whose two probabilities differ most; None if none differs."""
        if not self.total_variation:
            return None
        return max(sorted(self.emitted.keys() | self.target.keys()), key=self.difference)

    def difference(self, tokens: tuple[int, ...]) -> Fraction:
        """Returns by how much the two probabilities of a sequence differ."""
        return abs(self.emitted.get(tokens, 0) - self.target.get(tokens, 0))


@dataclass(frozen=True)
class Verdict:
    """What a check came to: `state` is "exact", "not exact" or "could not check".

    Attributes:
        reason: why it could not be checked, else "".
        comparison: None when there is none, because the code raised or drew too much.
    """

    state: str
    reason: str
    comparison: Comparison | None


def judge(check: Callable[[], Comparison | None]) -> Verdict | None:
    """Returns the verdict of a check; what the code under test raises is told in it.

    Args:
        check: gives the comparison, or None while it is not finished: no verdict then.
    """
    try:
        with edition.problems_told():
            comparison = check()
    except edition.CodeProblem as problem:
        cannot = isinstance(problem.__cause__, CannotEnumerate)
        reason = str(problem.__cause__ if cannot else problem)
        return Verdict("could not check", reason, None)
    if comparison is None:
        return None
    distance = comparison.total_variation
    if 0 < distance < ROUNDING:
        reason = ("the code computes in floats; what is left, "
                  f"{float(distance):.1e}, is rounding")
        return Verdict("could not check", reason, comparison)
    return Verdict("not exact" if distance else "exact", "", comparison)


def check_step(decode: Callable, target, draft, gamma: int, *,
               prompt: Sequence[int] = (0,)) -> Comparison:
    """Compares the law of one step, continued to gamma + 1 tokens by the target's own law.

    Args:
        decode: code with the signature of `specdec.speculative.speculative_decode`.
        target, draft: models with rows of Fractions.
        gamma, prompt: the guesses of the step; the ids to continue.

    Raises:
        CannotEnumerate: as `specdec.exact.outcomes`.
        CodeProblem: the code yields no step; what `decode` raises.
    """
    vocab, num_tokens = len(target(prompt)[-1]), gamma + 1

    def first_step(rng):
        for step in decode(target, draft, list(prompt), num_tokens, gamma, rng):
            return _tokens(step, vocab)
        raise edition.CodeProblem("speculative_decode yielded no step", file="speculative.py")

    law = outcomes(first_step)
    return Comparison(
        continued(law, target, prompt, num_tokens),
        sequence_law(target, prompt, num_tokens), law.num_paths)


class SequencesCheck:
    """Compares the joint law of all that `decode` emits with the target's, in parts.

    Attributes:
        num_paths: the paths run so far.
        share: the probability that these paths have together; 1 when all are run.
    """

    def __init__(self, decode: Callable, target, draft, gamma: int, num_tokens: int, *,
                 prompt: Sequence[int] = (0,), stop_tokens: Collection[int] = (),
                 max_paths: int = 100_000):
        """Takes what `check_step` does, and runs nothing yet.

        Args:
            decode, target, draft, gamma, prompt: as for `check_step`.
            num_tokens: how many ids; more than gamma + 1 take more than one step.
            stop_tokens: ids that end a sequence; `decode` is told only if there are any.
            max_paths: the number of runs allowed.
        """
        vocab = len(target(prompt)[-1])
        options = {"stop_tokens": stop_tokens} if stop_tokens else {}

        def all_steps(rng):
            steps = decode(target, draft, list(prompt), num_tokens, gamma, rng, **options)
            return tuple(token for step in steps for token in _tokens(step, vocab))

        self._enumeration, self._max_paths = Enumeration(all_steps), max_paths
        self._target_law = lambda: sequence_law(
            target, prompt, num_tokens, stop_tokens=stop_tokens)

    @property
    def num_paths(self) -> int:
        return self._enumeration.law.num_paths

    @property
    def share(self) -> Fraction:
        return sum(self._enumeration.law.values(), Fraction(0))

    def advance(self, num_paths: int) -> bool:
        """Runs at most so many paths more; returns whether all are run.

        Raises:
            CannotEnumerate: the budget is used up; as `specdec.exact.outcomes`.
            CodeProblem: the code yields what is no step; what `decode` raises.
        """
        left = self._max_paths - self.num_paths
        done = self._enumeration.advance(min(num_paths, left))
        if not done and num_paths >= left:
            raise CannotEnumerate(f"more than {self._max_paths:,} paths, which is the budget")
        return done

    def comparison(self) -> Comparison:
        """Returns the two laws, running whatever is not run yet."""
        self.advance(self._max_paths)
        return Comparison(self._enumeration.law, self._target_law(), self.num_paths)


def _tokens(step, vocab: int) -> tuple[int, ...]:
    """Returns the ids that a step emitted; whatever is no step is refused in plain words."""
    tokens = getattr(step, "tokens", None)
    if not (type(tokens) is list and tokens
            and all(type(token) is int and 0 <= token < vocab for token in tokens)):
        edited_steps.check_step(step, vocab)
    return tuple(map(int, tokens))


def _first_token(law):
    first = {}
    for tokens, weight in law.items():
        first[tokens[:1]] = first.get(tokens[:1], 0) + weight
    return first
