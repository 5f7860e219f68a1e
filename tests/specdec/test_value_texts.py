"""specdec.value_texts: short, and right to the digits that it shows."""

import inspect
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import speculative
from specdec.recording import RecordingRng
from specdec.value_texts import TOKEN_NAMES, text_of

WORDS = ("the", "cat", "saw", ".")
HALF = np.array([0.5, 0.25, 0.2, 0.05])


class Hostile:
    """Whatever is done to it raises."""

    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")


@pytest.mark.parametrize(("value", "text"), [
    (None, "None"), (True, "True"), (np.bool_(False), "False"),
    (7, "7"), (np.int64(-7), "-7"), (10**30, "a whole number of 100 bits"),
    (0.25, "0.25"), (np.float64(2 / 3), "0.6667"), (np.float32(0.1), "0.1"), (1e-9, "1e-09"),
    (float("nan"), "nan"), (float("-inf"), "-inf"),
    (Fraction(3, 7), "3/7"), (Fraction(10**50, 3 * 10**50 + 1), "0.3333"),
    ("draft_probs", "'draft_probs'"), ("x" * 50, f"'{'x' * 40}…'"),
    ([], "[]"), ((), "()"), ([1, 2], "[1, 2]"), ((3, 0.5), "(3, 0.5)"),
    ([1, 2, 3, 4, 5, 6, 7], "[… 3, 4, 5, 6, 7]"), ([[1], [], (2,)], "[[…], [], […]]"),
    (HALF, "the .500, cat .250, saw .200 …"), (np.array([0, 0, 0, 1.0]), "“.” 1"),
    (np.zeros(4), "0 for every word"), (np.array([0.25, 0, -0.05, -0.2]), "the .250, saw -.050 …"),
    (np.array([Fraction(1, 3), 0, Fraction(2, 3), 0]), "saw .667, the .333"),
    (HALF[:3], "[0.5, 0.25, 0.2]"), (np.ones(9), "array [9]"), (np.float64(3).reshape(()), "3"),
    (HALF > 0.1, "[True, True, True, False]"), (np.ones((2, 3, 4)), "array [2, 3, 4]"),
    (np.ones((1, 4)), "1 row of 4"), ([HALF, HALF], "2 rows of 4"),
    (np.ones((0, 4)), "0 rows of 4"),
    (text_of, "text_of()"), (len, "len()"), (speculative.Step, "Step()"),
    (RecordingRng(np.random.default_rng(0)), "RecordingRng"), ({1: 2}, "dict")])
def test_values_of_every_kind(value, text):
    assert text_of(value, WORDS) == text


@pytest.mark.parametrize(("value", "text"), [
    (2, "2 “saw”"), (np.int64(3), "3 “.”"), (4, "4"), (-1, "-1"),
    ([0, 1, 2], "[0, 1, 2] “the cat saw”"), ([0, 9], "[0, 9]"), ([], "[]"),
    ((3,), "(3) “.”"), (np.array([1, 2]), "[1, 2] “cat saw”"),
    ([0, 1, 2, 3, 0, 1, 2], "[… 2, 3, 0, 1, 2] “… saw . the cat saw”"), (0.5, "0.5")])
def test_token_ids_come_with_their_words(value, text):
    assert text_of(value, WORDS, are_tokens=True) == text


def test_a_class_of_a_readers_own_is_named_and_not_run():
    assert text_of(Hostile()) == "Hostile"
    assert text_of([Hostile()]) == "list"


def test_without_words_a_row_is_told_by_its_numbers():
    assert text_of(HALF) == "[0.5, 0.25, 0.2, 0.05]"


def test_the_names_of_tokens_are_those_of_the_file_on_the_page():
    source = inspect.getsource(speculative)
    assert all(re.search(rf"\b{name}\b", source) for name in TOKEN_NAMES)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.fractions(),
    lambda inner: st.lists(inner, max_size=8) | st.tuples(inner, inner), max_leaves=30)


@given(value=plain, are_tokens=st.booleans())
def test_a_text_is_always_short(value, are_tokens):
    assert len(text_of(value, WORDS, are_tokens=are_tokens)) < 260


def test_a_list_that_holds_itself_is_no_endless_text():
    endless = []
    endless += [endless] * 5
    assert text_of(endless) == "[[…], […], […], […], […]]"
