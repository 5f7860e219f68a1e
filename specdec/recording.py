"""Random generators that show which uniform decided what.

`RecordingRng` logs each draw of a run and changes none of them; `InjectedRng` plays
uniforms given beforehand. Both look like a `numpy.random.Generator` to the algorithm:
they offer `random()` and `choice(n, p=...)`, all that speculative decoding asks for.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Draw:
    """One draw from a generator.

    Attributes:
        method: "random" or "choice".
        value: what the caller got: the uniform itself, or the index chosen.
        uniform: the number in [0, 1) that decided.
    """

    method: str
    value: float | int
    uniform: float


def inverse_cdf(p) -> np.ndarray:
    """Returns cdf [..., vocab]; a uniform u picks `cdf.searchsorted(u, side="right")`.

    The arithmetic is that of `numpy.random.Generator.choice`, to the last bit, so that
    the same uniform picks the same index. An index with p = 0 is never picked.

    Args:
        p: [..., vocab] distributions.

    Raises:
        ValueError: a row that is no distribution.

    Source: inverse transform sampling; NumPy, `numpy/random/_generator.pyx`, `choice`.
    """
    tolerance = _sum_tolerance(p)
    p = np.asarray(p, dtype=float)
    sums = p.sum(axis=-1)
    if not (np.all(p >= 0) and np.all(abs(sums - 1) <= tolerance)):
        raise ValueError(f"p: each row must be >= 0 and sum to 1, got sum {sums} of {p}")
    cdf = p.cumsum(axis=-1)
    cdf /= cdf[..., -1:]
    return cdf


def _sum_tolerance(p) -> float:
    """Returns what Generator.choice lets the sum of p be off by.

    It is √eps of float64, or of an array's own floats if these are coarser: the sum of
    float32 shares is off by more than float64 would allow.
    """
    has_floats = isinstance(p, np.ndarray) and np.issubdtype(p.dtype, np.floating)
    return max(float(np.sqrt(np.finfo(dtype).eps))
               for dtype in (float, p.dtype if has_floats else float))


class RecordingRng:
    """Wraps a generator and logs its draws; the values are those of the bare generator.

    Attributes:
        draws: the draws since the start or the last `take()`, in order.
    """

    def __init__(self, rng):
        """Wraps `rng`: a numpy.random.Generator, or anything with such a `random()`."""
        self.draws: list[Draw] = []
        self._next_uniform = rng.random

    def random(self) -> float:
        """Returns a uniform in [0, 1)."""
        uniform = self._next_uniform()
        self.draws.append(Draw("random", uniform, uniform))
        return uniform

    def choice(self, n: int, *, p) -> int:
        """Returns an index below n, drawn from p [n].

        Raises:
            ValueError: p is no distribution over n indices.
        """
        cdf = inverse_cdf(p)
        if cdf.shape != (n,):
            raise ValueError(f"p must have shape [{n}], got {list(cdf.shape)}")
        uniform = self._next_uniform()
        index = int(cdf.searchsorted(uniform, side="right"))
        self.draws.append(Draw("choice", index, uniform))
        return index

    def take(self) -> list[Draw]:
        """Returns the log and starts an empty one."""
        taken, self.draws = self.draws, []
        return taken

    def __getattr__(self, name):
        raise AttributeError(
            f"{type(self).__name__} has no draw {name!r}: it offers random() and "
            "choice(n, p=...)")


class InjectedRng(RecordingRng):
    """Plays given uniforms, one a draw, in order; logs the draws too."""

    def __init__(self, uniforms: Iterable[float]):
        """Keeps the uniforms.

        Raises:
            ValueError: a number outside [0, 1).
        """
        self.draws = []
        self._uniforms = [float(uniform) for uniform in uniforms]
        self._used = 0
        for i, uniform in enumerate(self._uniforms):
            if not 0 <= uniform < 1:
                raise ValueError(f"uniforms[{i}] = {uniform} is outside [0, 1)")

    @property
    def remaining(self) -> int:
        """How many uniforms have not been played."""
        return len(self._uniforms) - self._used

    def _next_uniform(self):
        if not self.remaining:
            raise ValueError(
                f"draw {self._used + 1} has no uniform: {self._used} were given")
        self._used += 1
        return self._uniforms[self._used - 1]
