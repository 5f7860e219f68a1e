"""A random generator whose every draw is a branching point, for `specdec.exact`.

`BranchingRng` looks like a `numpy.random.Generator` to the code under test. What it
answers stands on a `Tape`, which replays a path of decisions, takes the first branch
wherever the path goes on, and then turns to the next path: depth first, until every
branch was taken.
"""

import math
import operator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

TOLERANCE = 1e-6  # of a row's sum; float32 rows pass
MAX_DRAWS = 10_000  # on one path: a loop that draws until it is lucky has no longest one


class CannotEnumerate(Exception):
    """The experiment draws what cannot be enumerated, too much of it, or changes."""


@dataclass(slots=True)
class _Decision:
    """One decision on a path.

    Attributes:
        draw: what was drawn: the kind, then its parameters.
        branches: [(value, probability)], all with a positive probability.
        weight_before: the probability of the path up to here.
        taken: the index of the branch taken.
    """

    draw: tuple
    branches: list
    weight_before: Fraction
    taken: int = 0


class Tape:
    """The decisions of the current path, in order; later branches of each are untried."""

    def __init__(self):
        """Starts before the first path."""
        self._decisions, self._position = [], 0

    def decide(self, kind, parameters, branches_of):
        """Returns the value of the branch to take: the one on tape, or the first.

        Args:
            kind, parameters: what is drawn; it must be the same when it is replayed.
            branches_of: gives the branches [(value, probability)] for the parameters.

        Raises:
            CannotEnumerate: a replay that differs, more than MAX_DRAWS decisions.
        """
        if self._position == len(self._decisions):
            if self._position == MAX_DRAWS:
                raise CannotEnumerate(f"a path has more than {MAX_DRAWS} draws")
            branches = branches_of(parameters)
            self._decisions.append(
                _Decision((kind, parameters), branches, self._weight()))
        decision = self._decisions[self._position]
        if decision.draw != (kind, parameters):
            raise _not_deterministic(f"{decision.draw} was drawn, now {kind, parameters}")
        self._position += 1
        return decision.branches[decision.taken][0]

    def finish(self) -> Fraction:
        """Returns the probability of the path that was just run to its end.

        Raises:
            CannotEnumerate: the run ended before the path on tape did.
        """
        if self._position < len(self._decisions):
            raise _not_deterministic(f"it ended before drawing {self._decisions[-1].draw}")
        return self._weight()

    def advance(self) -> bool:
        """Turns to the next path; returns whether there is one."""
        self._position = 0
        while self._decisions:
            last = self._decisions[-1]
            last.taken += 1
            if last.taken < len(last.branches):
                return True
            self._decisions.pop()
        return False

    def _weight(self):
        if not self._decisions:
            return Fraction(1)
        last = self._decisions[-1]
        return last.weight_before * last.branches[last.taken][1]


class BranchingRng:
    """Looks like a `numpy.random.Generator` whose every draw is a branching point."""

    def __init__(self, tape: Tape):
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
            lambda: values[self._tape.decide("choice", weights, exact_branches)], size)

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
        return self._interval.compare(compare, self._scale, self._offset, other)

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
    """What is known about one uniform number u: it lies in [low, high)."""

    def __init__(self, tape):
        self.tape, self.low, self.high = tape, Fraction(0), Fraction(1)

    def compare(self, compare, scale, offset, other) -> bool:
        """Decides compare(scale · u + offset, other), and remembers what that says of u."""
        answer, self.low, self.high = self.tape.decide(
            "random", (compare, scale, offset, other), self._branches)
        return answer

    def _branches(self, question):
        compare, scale, offset, other = question
        threshold = (_exact(other) - offset) / scale
        cut = min(max(threshold, self.low), self.high)
        below = (cut - self.low) / (self.high - self.low)
        if_below = (compare in (operator.lt, operator.le)) == (scale > 0)
        branches = [((if_below, self.low, cut), below),
                    ((not if_below, cut, self.high), 1 - below)]
        return [branch for branch in branches if branch[1]]


def _not_deterministic(what):
    return CannotEnumerate(f"the experiment differs when its draws are repeated: {what}")


def exact_branches(weights):
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
