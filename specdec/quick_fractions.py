"""Fractions for enumeration, which adds and compares the same few numbers very often.

`fractions.Fraction` asks of each operand what kind of number it is. `QuickFraction` is a
Fraction that looks at the common cases first: the same values, in about half the time.
"""

import math
from fractions import Fraction
from functools import lru_cache


class QuickFraction(Fraction):
    """A Fraction whose +, −, ·, / and comparisons with Fractions and ints are quick.

    What it does not do itself, `Fraction` does; the result is a plain Fraction then.
    """

    __slots__ = ()

    def __add__(self, other):
        if type(other) in _FRACTIONS:
            mine, others = self._denominator, other._denominator
            if mine == others:
                return _lowest(self._numerator + other._numerator, mine)
            return _lowest(self._numerator * others + other._numerator * mine, mine * others)
        if type(other) is int:
            return _lowest(self._numerator + other * self._denominator, self._denominator)
        return Fraction.__add__(self, other)

    def __sub__(self, other):
        if type(other) in _FRACTIONS:
            mine, others = self._denominator, other._denominator
            return _lowest(self._numerator * others - other._numerator * mine, mine * others)
        if type(other) is int:
            return _lowest(self._numerator - other * self._denominator, self._denominator)
        return Fraction.__sub__(self, other)

    def __mul__(self, other):
        if type(other) in _FRACTIONS:
            return _lowest(self._numerator * other._numerator,
                           self._denominator * other._denominator)
        if type(other) is int:
            return _lowest(self._numerator * other, self._denominator)
        return Fraction.__mul__(self, other)

    def __truediv__(self, other):
        if type(other) in _FRACTIONS and other._numerator > 0:
            return _lowest(self._numerator * other._denominator,
                           self._denominator * other._numerator)
        return Fraction.__truediv__(self, other)

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self):
        return self if self._numerator >= 0 else _lowest(-self._numerator, self._denominator)

    def __eq__(self, other):
        if type(other) in _FRACTIONS:
            return (self._numerator == other._numerator
                    and self._denominator == other._denominator)
        return Fraction.__eq__(self, other)

    def __lt__(self, other):
        sides = _sides(self, other)
        return sides[0] < sides[1] if sides else Fraction.__lt__(self, other)

    def __le__(self, other):
        sides = _sides(self, other)
        return sides[0] <= sides[1] if sides else Fraction.__le__(self, other)

    def __gt__(self, other):
        sides = _sides(self, other)
        return sides[0] > sides[1] if sides else Fraction.__gt__(self, other)

    def __ge__(self, other):
        sides = _sides(self, other)
        return sides[0] >= sides[1] if sides else Fraction.__ge__(self, other)

    __hash__ = Fraction.__hash__


def _lowest(numerator: int, denominator: int) -> QuickFraction:
    """Returns the fraction in lowest terms; the denominator is positive."""
    divisor = math.gcd(numerator, denominator)
    fraction = object.__new__(QuickFraction)
    fraction._numerator = numerator // divisor
    fraction._denominator = denominator // divisor
    return fraction


def _sides(fraction, other):
    """Returns two ints that compare as the two numbers do; None for other kinds."""
    if type(other) is int:
        return fraction._numerator, other * fraction._denominator
    if type(other) is float and math.isfinite(other):
        other = _exact(other)
    if type(other) in _FRACTIONS:
        return (fraction._numerator * other._denominator,
                other._numerator * fraction._denominator)
    return None


_FRACTIONS = {QuickFraction, Fraction}  # a look-up; isinstance would ask an abstract class
_exact = lru_cache(Fraction.from_float)  # a program has few float constants
