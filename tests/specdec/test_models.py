"""Table models, the draft-quality dial and the playground's target."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.models import TableModel, draft_of_quality, playground_target
from specdec.speculative import autoregressive_decode
from tests.specdec.small_models import bigram, exact_rows

TABLE = np.array([[0.1, 0.6, 0.3], [0.5, 0.1, 0.4], [0.3, 0.3, 0.4]])

tables = st.integers(2, 5).flatmap(lambda vocab: st.lists(
    st.lists(st.integers(0, 6), min_size=vocab, max_size=vocab).filter(any),
    min_size=vocab, max_size=vocab)).map(bigram)
qualities = st.fractions(0, 1, max_denominator=100)


def acceptance_rates(p, q):
    """Returns [vocab]: Σ min(p, q) after each token."""
    return np.minimum(p.table, q.table).sum(axis=1)


# --- the contract of a model -------------------------------------------------------------

def test_rows_are_the_laws_after_the_last_prefixes_in_order():
    model = TableModel(TABLE)
    assert np.array_equal(model([0, 2, 1]), TABLE[[1]])
    assert np.array_equal(model([0, 2, 1], num_rows=3), TABLE[[0, 2, 1]])


@given(tables, st.lists(st.integers(0, 1), min_size=1, max_size=6), st.data())
def test_each_row_is_the_last_row_after_its_own_prefix(model, tokens, data):
    num_rows = data.draw(st.integers(1, len(tokens)))
    rows = model(tokens, num_rows=num_rows)
    assert rows.shape == (num_rows, len(model.table))
    for i, row in enumerate(rows):
        prefix = tokens[: len(tokens) - num_rows + 1 + i]
        assert np.array_equal(row, model(prefix)[0])


@pytest.mark.parametrize(("tokens", "num_rows", "named"), [
    ([], 1, "got 0"), ([0], 2, "num_rows = 2"), ([0], 0, "num_rows = 0"),
    ([3], 1, "token id 3"), ([-1], 1, "token id -1"), ([0, 9, 1], 2, "token id 9"),
])
def test_a_context_that_gives_no_rows_is_refused(tokens, num_rows, named):
    with pytest.raises(ValueError, match=named):
        TableModel(TABLE)(tokens, num_rows)


@pytest.mark.parametrize(("table", "named"), [
    (np.ones((2, 3)) / 3, r"got \[2, 3\]"),
    ([0.5, 0.5], r"got \[2\]"),
    ([[0.5, 0.6], [0.5, 0.5]], "sum to 1"),
    ([[1.5, -0.5], [0.5, 0.5]], ">= 0"),
    ([[np.nan, 0.5], [0.5, 0.5]], ">= 0"),
    ([[np.inf, 0.5], [0.5, 0.5]], "sum to 1"),
])
def test_a_table_that_is_no_table_of_laws_is_refused(table, named):
    with pytest.raises(ValueError, match=named):
        TableModel(table)


def test_words_default_to_the_ids_and_must_be_as_many_as_rows():
    assert TableModel(TABLE).words == ("0", "1", "2")
    assert TableModel(TABLE, ["a", "b", "c"]).words == ("a", "b", "c")
    with pytest.raises(ValueError, match="words: 2 for a vocabulary of 3"):
        TableModel(TABLE, ["a", "b"])


# --- the dial ----------------------------------------------------------------------------

@given(tables)
def test_quality_zero_is_uniform_and_quality_one_is_the_target(target):
    uniform = np.full(target.table.shape, Fraction(1, len(target.table)))
    assert np.array_equal(draft_of_quality(target, Fraction(0)).table, uniform)
    assert np.array_equal(draft_of_quality(target, Fraction(1)).table, target.table)


@pytest.mark.parametrize("quality", [0, 1, np.int64(0), np.int64(1)], ids=repr)
def test_a_whole_quality_keeps_fractions_and_floats_what_they_are(quality):
    exact = bigram([[1, 1, 1], [1, 2, 0], [0, 0, 1]])
    draft = draft_of_quality(exact, quality)
    assert all(isinstance(x, Fraction) for x in draft.table.flat)
    assert np.array_equal(
        draft.table, draft_of_quality(exact, Fraction(int(quality))).table)
    in_floats = draft_of_quality(TableModel(TABLE), quality).table
    assert in_floats.dtype == float
    assert np.array_equal(
        in_floats, draft_of_quality(TableModel(TABLE), float(quality)).table)


@given(tables, qualities)
def test_acceptance_falls_short_of_one_in_proportion_to_what_quality_lacks(target, quality):
    """α = 1 − (1 − s) · TV(p, uniform), exactly; and Fractions stay Fractions."""
    draft = draft_of_quality(target, quality)
    assert all(isinstance(x, Fraction) for x in draft.table.flat)
    distance = abs(target.table - Fraction(1, len(target.table))).sum(axis=1) / 2
    assert np.array_equal(acceptance_rates(target, draft), 1 - (1 - quality) * distance)


@given(tables, qualities, qualities)
def test_acceptance_rises_with_quality_strictly_where_a_row_is_not_uniform(target, s, t):
    low, high = sorted((s, t))
    rates = [acceptance_rates(target, draft_of_quality(target, x)) for x in (low, high)]
    assert np.all(rates[0] <= rates[1])
    uneven = np.any(target.table != Fraction(1, len(target.table)), axis=1)
    if low < high:
        assert np.array_equal(rates[0] < rates[1], uneven)


def test_acceptance_rises_in_floats_on_every_stop_of_the_slider():
    target = playground_target()
    rates = [acceptance_rates(target, draft_of_quality(target, percent / 100))
             for percent in range(101)]
    assert np.all(np.diff(rates, axis=0) > 0)
    assert np.array_equal(rates[-1], target.table.sum(axis=1))


def test_the_draft_keeps_the_targets_words():
    target = playground_target()
    assert draft_of_quality(target, 0.5).words == target.words


@pytest.mark.parametrize("quality", [-0.01, 1.01, float("nan")])
def test_a_quality_outside_the_dial_is_refused(quality):
    with pytest.raises(ValueError, match=f"quality must be in .* got {quality}"):
        draft_of_quality(TableModel(exact_rows([[1, 1], [1, 2]])), quality)


# --- the playground's target -------------------------------------------------------------

NOUN_PHRASE, OBJECT = "the (old )*(cat|dog|fox|owl)", "a (small )*(bird|mouse)"
VERB_PHRASE = f"(slept|(saw|chased) {OBJECT})"
SENTENCE = re.compile(f"(then )?{NOUN_PHRASE} {VERB_PHRASE}( and {VERB_PHRASE})* \\.")


def test_the_target_has_a_small_vocabulary_of_distinct_words():
    words = playground_target().words
    assert 10 <= len(words) <= 16
    assert len(set(words)) == len(words)


def test_the_next_word_depends_on_the_context():
    table = playground_target().table
    assert np.all(table >= 0)
    assert np.allclose(table.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert len({tuple(row) for row in table}) >= 10


@pytest.mark.parametrize("seed", range(5))
def test_samples_read_like_english(seed):
    target = playground_target()
    stop = target.words.index(".")
    rng = np.random.default_rng(seed)
    for _ in range(40):
        ids = autoregressive_decode(target, [stop], 200, rng, stop_tokens=[stop])
        sentence = " ".join(target.words[token] for token in ids)
        assert SENTENCE.fullmatch(sentence), sentence


def test_on_some_guesses_the_coin_decides():
    target = playground_target()
    for quality in (0, 0.5, 0.85):
        draft = draft_of_quality(target, quality).table
        coin = (target.table > 0) & (target.table < draft)  # 0 < p/q < 1
        stationary = np.linalg.matrix_power(target.table, 1000)[0]
        assert stationary @ (draft * coin).sum(axis=1) > 0.025


def test_every_word_can_come_up():
    target = playground_target()
    ids = autoregressive_decode(target, [0], 20_000, np.random.default_rng(0))
    assert set(ids) == set(range(len(target.words)))
