"""QuickFraction is Fraction in every operation, whatever it meets."""

import math
import operator
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.quick_fractions import QuickFraction

fractions = st.fractions(min_value=-30, max_value=30, max_denominator=40)
others = st.one_of(
    fractions, fractions.map(QuickFraction), st.integers(-9, 9), st.booleans(),
    st.sampled_from([0.5, 1e-6, -0.0, 0.1, math.inf, -math.inf, math.nan, 2j]))
OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.eq, operator.ne,
    operator.lt, operator.le, operator.gt, operator.ge, operator.floordiv, operator.mod]


def result(function, *arguments):
    """Returns what a function gives or raises, and of which kind, in comparable form."""
    try:
        value = function(*arguments)
    except Exception as error:
        return type(error)
    kind = Fraction if isinstance(value, Fraction) else type(value)
    return kind, repr(value).replace("QuickFraction", "Fraction")


@pytest.mark.parametrize("operation", OPERATORS)
@given(fraction=fractions, other=others)
def test_two_operands_give_what_fractions_give(operation, fraction, other):
    quick = QuickFraction(fraction)
    plain = Fraction(other) if isinstance(other, Fraction) else other
    assert result(operation, quick, other) == result(operation, fraction, plain)
    assert result(operation, other, quick) == result(operation, plain, fraction)


@given(fractions)
def test_one_operand_gives_what_a_fraction_gives(fraction):
    quick = QuickFraction(fraction)
    for function in (abs, operator.neg, float, int, round, bool, hash, str):
        assert function(quick) == function(fraction)
    assert repr(quick) == repr(fraction).replace("Fraction", "QuickFraction")
    assert quick in {fraction} and fraction in {quick}
    assert pickle.loads(pickle.dumps(quick)) == fraction


def test_in_arrays_it_stays_quick():
    row = np.array([QuickFraction(1, 5), QuickFraction(3, 5), QuickFraction(1, 5)])
    for values in (row + row, row - row[::-1], row / row, row / row.sum(), abs(row - row),
                   [sum(row)]):
        assert {type(value) for value in values} == {QuickFraction}
    assert row.sum() == 1


def test_a_zero_divisor_is_refused_as_fractions_refuse_it():
    with pytest.raises(ZeroDivisionError):
        QuickFraction(1, 2) / QuickFraction(0)
