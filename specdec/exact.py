"""The exact law of a program that draws random numbers, by running every outcome.

`outcomes` runs an experiment again and again. Its generator replays a prefix of the
random decisions made so far, then takes the next alternative, until all are done: a
depth-first walk through the tree of everything that can happen. The code under test is
the code itself, not a model of it, and nothing is estimated.

Weights are `fractions.Fraction`. A float probability counts as the rational number that
it is, so float64 code gets the exact law it would have with ideal uniform numbers.
"""

import math
import operator
from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction

import numpy as np

TOLERANCE = 1e-6  # of a row's sum; float32 rows pass


class CannotEnumerate(Exception):
    """The experiment draws what cannot be enumerated, too much of it, or changes."""


class Law(dict):
    """A law: outcome -> probability, a Fraction; the probabilities sum to exactly 1.

    Attributes:
        num_paths: how many runs of the experiment it took.
    """

    num_paths = 0


def outcomes(experiment: Callable[["EnumeratingRng"], Hashable], *,
             max_paths: int = 100_000) -> Law:
    """Returns the law of `experiment(rng)`, by running it through every random branch.

    Args:
        experiment: a function of a generator, with a hashable result and otherwise
            deterministic. Branches of probability 0 are not run.
        max_paths: the number of runs allowed.

    Raises:
        CannotEnumerate: a draw that has no finite set of branches (it is named), more
            than `max_paths` paths, an experiment that is not a function of its draws.
        ValueError: max_paths < 1; what the experiment raises in one of its branches.
    """
    if max_paths < 1:
        raise ValueError(f"max_paths must be at least 1, got {max_paths}")
    law, tape = Law(), _Tape()
    while True:
        if law.num_paths == max_paths:
            raise CannotEnumerate(f"more than max_paths = {max_paths} paths")
        outcome = experiment(EnumeratingRng(tape))
        law[outcome] = law.get(outcome, 0) + tape.finish()
        law.num_paths += 1
        if not tape.advance():
            return law


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
    law = {(): Fraction(1)}
    for _ in range(num_tokens):
        longer = {}
        for tokens, weight in law.items():
            if tokens and tokens[-1] in stop_tokens:
                longer[tokens] = weight
                continue
            row = np.asarray(model([*prompt, *tokens]))[-1]
            for token, share in _normalised(row.tolist()):
                longer[(*tokens, token)] = weight * share
        law = longer
    return law


class EnumeratingRng:
    """Looks like a `numpy.random.Generator` whose every draw is a branching point."""

    def __init__(self, tape: "_Tape"):
        self._tape = tape

    def random(self, size=None):
        """Returns a lazy `Uniform` on [0, 1), or an object array of them."""
        return _repeated(lambda: Uniform(_Interval(self._tape)), size)

    def choice(self, a, size=None, replace=True, p=None):
        """Returns an element of `a`, or of range(a), drawn with probabilities p.

        Raises:
            ValueError: nothing to choose from, p that is no distribution over it.
            CannotEnumerate: several draws without replacement.
        """
        values = range(a) if isinstance(a, int | np.integer) else a
        n = len(values)
        if p is None:
            p = [Fraction(1, n)] * n if n else []
        if len(p) != n or n == 0:
            raise ValueError(f"choice: {len(p)} probabilities p for {n} values")
        if size is not None and not replace:
            raise CannotEnumerate("choice(replace=False) cannot be enumerated")
        weights = p.tolist() if isinstance(p, np.ndarray) else list(p)
        return _repeated(
            lambda: values[self._tape.decide("choice", weights, _normalised)], size)

    def integers(self, low, high=None, size=None):
        """Returns an integer in [low, high), or in [0, low) without `high`."""
        low, high = (0, low) if high is None else (low, high)
        return self.choice(range(low, high), size)

    def __getattr__(self, name):
        if name.startswith("__"):  # protocol probes, such as NumPy's and copy's
            raise AttributeError(name)
        raise CannotEnumerate(
            f"rng.{name} cannot be enumerated: only random, choice and integers can")


class Uniform:
    """A number scale · u + offset, where u is uniform on [0, 1) and not yet known.

    Comparing it with a number is the random decision. What the answer says about u is
    kept, so that the same u compared again gives an answer that fits.
    """

    def __init__(self, interval, scale=Fraction(1), offset=Fraction(0)):
        self._interval, self._scale, self._offset = interval, scale, offset

    def __add__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # NumPy then takes it element by element
        scale, offset = self._scale, self._offset
        if isinstance(other, Uniform):
            if other._interval is not self._interval:
                raise CannotEnumerate("two uniform numbers cannot be compared or added")
            scale, offset = scale + other._scale, offset + other._offset
        else:
            offset += _exact(other)
        return Uniform(self._interval, scale, offset) if scale else offset

    def __mul__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Uniform):
            raise CannotEnumerate("a product of uniform numbers cannot be enumerated")
        factor = _exact(other)
        if not factor:
            return factor
        return Uniform(self._interval, self._scale * factor, self._offset * factor)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * (1 / _exact(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def _compare(self, other, compare):
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Uniform):
            return compare(self - other, 0)
        if isinstance(other, float) and not math.isfinite(other):
            return compare(0, other)  # any finite number stands for u
        below = self._interval.below((_exact(other) - self._offset) / self._scale)
        return below == ((compare in (operator.lt, operator.le)) == (self._scale > 0))

    # Equality has probability 0, so that < and <= are the same event.
    def __lt__(self, other):
        return self._compare(other, operator.lt)

    def __le__(self, other):
        return self._compare(other, operator.le)

    def __gt__(self, other):
        return self._compare(other, operator.gt)

    def __ge__(self, other):
        return self._compare(other, operator.ge)

    def _refuse(self, *_):
        raise CannotEnumerate(
            "rng.random(): a uniform number can be compared by <, <=, >, >= and scaled or "
            "shifted by numbers; its value and functions of it cannot be enumerated")

    __eq__ = __ne__ = __hash__ = __bool__ = __float__ = __int__ = __round__ = _refuse
    __floor__ = __pow__ = __rpow__ = __rtruediv__ = __mod__ = __floordiv__ = _refuse
    log = log1p = log2 = exp = sqrt = _refuse  # what np.log calls for an array of these

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if ufunc not in _UFUNCS or method != "__call__":
            self._refuse()
        return ufunc(*(_boxed(x) if isinstance(x, Uniform) else x for x in inputs),
                     **options)


_UFUNCS = {np.less, np.less_equal, np.greater, np.greater_equal,
           np.add, np.subtract, np.multiply, np.divide, np.negative}


class _Interval:
    """What is known about one uniform number: it lies in [low, high)."""

    def __init__(self, tape):
        self.tape, self.low, self.high = tape, Fraction(0), Fraction(1)

    def below(self, threshold) -> bool:
        """Decides whether the number is below the threshold, and remembers it."""
        if threshold <= self.low:
            return False
        if threshold >= self.high:
            return True
        if self.tape.decide("random", threshold, self._shares) == 0:
            self.high = threshold
            return True
        self.low = threshold
        return False

    def _shares(self, threshold):
        below = (threshold - self.low) / (self.high - self.low)
        return [(0, below), (1, 1 - below)]


class _Tape:
    """The decisions of the current path, in order, and which were not yet tried.

    A decision is [draw, branches, index of the branch taken, weight of the path so far],
    where a branch is (value, probability).
    """

    def __init__(self):
        self.decisions, self.position = [], 0

    def decide(self, kind, parameters, branches_of):
        """Returns the value of the branch to take: the one on tape, or a first one."""
        if self.position == len(self.decisions):
            weight = self.weight()
            branches = branches_of(parameters)
            self.decisions.append([(kind, parameters), branches, 0, weight])
        draw, branches, taken, _ = self.decisions[self.position]
        if draw != (kind, parameters):
            raise _not_deterministic(f"{draw} was drawn, now {(kind, parameters)}")
        self.position += 1
        return branches[taken][0]

    def weight(self):
        """Returns the probability of all decisions on tape."""
        if not self.decisions:
            return Fraction(1)
        _, branches, taken, weight = self.decisions[-1]
        return weight * branches[taken][1]

    def finish(self):
        """Returns the probability of the path that was just run to its end."""
        if self.position < len(self.decisions):
            raise _not_deterministic(f"it ended before drawing {self.decisions[-1][0]}")
        return self.weight()

    def advance(self) -> bool:
        """Turns to the next path; returns whether there is one."""
        self.position = 0
        while self.decisions:
            last = self.decisions[-1]
            last[2] += 1
            if last[2] < len(last[1]):
                return True
            self.decisions.pop()
        return False


def _not_deterministic(what):
    return CannotEnumerate(f"the experiment differs when its draws are repeated: {what}")


def _normalised(weights):
    """Returns [(index, Fraction)] of the positive weights, which sum to exactly 1."""
    if not (min(weights) >= 0 and abs(sum(weights) - 1) <= TOLERANCE):  # nor NaN
        raise ValueError(f"probabilities must be >= 0 and sum to 1, got {weights}")
    exact = [_exact(weight) for weight in weights]
    total = sum(exact)
    return [(i, weight / total) for i, weight in enumerate(exact) if weight]


def _exact(number) -> Fraction:
    if isinstance(number, np.generic):
        number = number.item()
    return number if isinstance(number, Fraction) else Fraction(number)


def _repeated(draw, size):
    if size is None:
        return draw()
    drawn = np.empty(size, dtype=object)
    for index in np.ndindex(drawn.shape):
        drawn[index] = draw()
    return drawn


def _boxed(uniform):
    box = np.empty((), dtype=object)
    box[()] = uniform
    return box
