"""The bets are fair: the right code is called wrong no more often than is stated."""

from functools import partial
from itertools import product
from math import exp, inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec.evidence import LEVEL, ConfidenceBand, Evidence, log_e_value_of_counts
from specdec.models import TableModel, draft_of_quality, playground_target
from tests.specdec.streams import decoded, decoded_in_pieces, judge

SEEDS = st.integers(0, 2**32 - 1)
PLAYGROUND = playground_target()
SMALL = TableModel([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.25, 0, 0.75]])
VOCAB = 3


def random_table(rng):
    """Returns [3, 3]: rows of all kinds, one of them with a zero."""
    table = rng.dirichlet(np.full(VOCAB, rng.choice([0.3, 1, 10])), size=VOCAB)
    table[rng.integers(VOCAB)] = [0, 0.4, 0.6]
    return table


# --- the price is fair: exactly, by enumeration -----------------------------------------

@settings(max_examples=8)
@given(SEEDS, st.sampled_from([0.3, 2.0, 100.0]))
def test_the_e_value_is_a_martingale_whatever_row_the_past_puts_in_force(seed, strength):
    tables = [random_table(np.random.default_rng(seed + i)) for i in range(2)]

    def play(tokens):
        """Returns (e-value, row in force next); the reader moves the dial as they like."""
        evidence, weight = Evidence(strength), 1.0
        for context, token in zip((0, *tokens), tokens, strict=False):
            row = tables[int(evidence.log_e_value > 0)][context]
            evidence.update(context, row, token)
            weight *= row[token]
        row = tables[int(evidence.log_e_value > 0)][(0, *tokens)[-1]]
        return exp(evidence.log_e_value) if weight else 0, row, weight

    for length in range(6):
        mean = 0.0
        for tokens in product(range(VOCAB), repeat=length):
            e_value, row, weight = play(tokens)
            mean += weight * e_value
            if weight:
                after = sum(row[x] * play((*tokens, x))[0] for x in range(VOCAB))
                assert after == pytest.approx(e_value, rel=1e-10)
        assert mean == pytest.approx(1, rel=1e-10)


@settings(max_examples=8)
@given(SEEDS)
def test_each_words_bet_is_a_martingale_whatever_row_the_past_puts_in_force(seed):
    tables = [random_table(np.random.default_rng(seed + i)) for i in range(2)]

    def play(tokens):
        band, counts, weight = ConfidenceBand(VOCAB), np.zeros(VOCAB), 1.0
        for context, token in zip((0, *tokens), tokens, strict=False):
            row = tables[int(band.log_martingale(counts)[0] > 0)][context]
            band.update(row)
            counts[token] += 1
            weight *= row[token]
        bets = band.log_martingale(counts)
        return np.exp(bets), tables[int(bets[0] > 0)][(0, *tokens)[-1]], weight

    for length in range(5):
        mean = np.zeros(VOCAB)
        for tokens in product(range(VOCAB), repeat=length):
            bets, row, weight = play(tokens)
            mean += weight * bets
            after = sum(row[x] * play((*tokens, x))[0] for x in range(VOCAB))
            assert after == pytest.approx(bets, rel=1e-9)
        assert mean == pytest.approx(np.ones(VOCAB), rel=1e-9)


# --- the same numbers, got another way --------------------------------------------------

@given(SEEDS, st.integers(0, 60), st.sampled_from([0.3, 2.0, 100.0]))
def test_the_closed_form_is_the_sequential_product(seed, num_tokens, strength):
    rng = np.random.default_rng(seed)
    table, counts, context = random_table(rng), np.zeros((VOCAB, VOCAB)), 0
    evidence, path = Evidence(strength), [0.0]
    for token in rng.integers(VOCAB, size=num_tokens):
        evidence.update(context, table[context], token)
        path.append(evidence.log_e_value)
        counts[context, token] += 1
        context = token
    expected = log_e_value_of_counts(counts, table, strength)
    assert evidence.log_e_value == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert evidence.max_log_e_value == max(path)
    assert evidence.num_tokens == num_tokens


@given(SEEDS, st.integers(0, 40), st.sampled_from([0.5, 0.05, 1e-4]))
def test_the_limits_are_where_a_bet_reaches_its_bound(seed, num_tokens, level):
    rng = np.random.default_rng(seed)
    rows = random_table(rng)[rng.integers(VOCAB, size=num_tokens)]
    band = ConfidenceBand(VOCAB)
    band.update(rows)
    low, high = band.limits(level)
    assert np.all((low >= 0) & (low <= band.expected + 1e-9))
    assert np.all((high <= num_tokens) & (high >= band.expected - 1e-9))
    certain, possible = (rows == 1).sum(axis=0), (rows > 0).sum(axis=0)
    for count in range(num_tokens + 1):
        unremarkable = band.log_martingale(np.full(VOCAB, count)) < log(VOCAB / level)
        inside = (low <= count) & (count <= high)
        assert np.array_equal(
            inside, unremarkable & (certain <= count) & (count <= possible))


def test_the_limits_are_found_to_the_last_digit_after_many_tokens():
    band, table = ConfidenceBand(VOCAB), [[0.001, 0.3, 0.699], [0.01, 0.01, 0.98]]
    for num_tokens in (20_000, 100_000):
        while band.num_tokens < num_tokens:
            band.update(np.repeat(table, 2_500, axis=0))
        for level in (0.5, LEVEL):
            for end in band.limits(level):
                assert band.log_martingale(end) == pytest.approx(log(VOCAB / level))


def test_rows_may_come_one_by_one_or_together():
    together, apart = ConfidenceBand(VOCAB), ConfidenceBand(VOCAB)
    together.update(SMALL.table)
    for row in SMALL.table:
        apart.update(row)
    assert together.num_tokens == apart.num_tokens == VOCAB
    assert np.allclose(together.limits(0.05), apart.limits(0.05))
    assert together.expected == pytest.approx(SMALL.table.sum(axis=0))


def test_a_word_that_cannot_come_has_no_room_and_one_that_must_come_neither():
    band = ConfidenceBand(VOCAB)
    band.update([[0, 1, 0]] * 20)
    low, high = band.limits(0.05)
    assert low.tolist() == high.tolist() == [0, 20, 0]


def test_a_row_that_sums_to_1_but_for_rounding_counts_as_what_is_drawn_from_it():
    counts, results = np.full((1, 2), 25), []
    for row in (np.array([0.3, 0.7]), np.array([0.3, 0.7]) * (1 + 8e-7)):
        evidence, band = Evidence(), ConfidenceBand(2)
        for token in [0, 1] * 25:
            evidence.update("any", row, token)
            band.update(row)
        results.append([evidence.log_e_value, log_e_value_of_counts(counts, [row]),
                        *band.expected, *band.log_martingale(counts[0])])
    assert np.allclose(*results, rtol=1e-10, atol=0)


# --- what is latched ------------------------------------------------------------------

def test_a_rejection_is_never_taken_back():
    evidence = Evidence(prior_strength=1)
    for token in [0] * 10 + [1] * 10:
        evidence.update("any", [0.5, 0.5], token)
    assert evidence.log_e_value < 0 and evidence.max_log_e_value > log(20)
    assert evidence.rejects(0.05) and not evidence.rejects(LEVEL)


def test_an_impossible_token_settles_it():
    evidence = Evidence()
    evidence.update("any", [0.5, 0.5, 0], 2)
    evidence.update("any", [0.5, 0.5, 0], 0)
    assert evidence.log_e_value == inf and evidence.rejects(1e-300)
    assert log_e_value_of_counts([[1, 0, 1]], [[0.5, 0.5, 0]]) == inf


# --- the right code is left alone -------------------------------------------------------

@pytest.mark.parametrize(("target", "quality", "strength"), [
    (SMALL, 0.3, 10.0), (PLAYGROUND, 0.8, 1.0)])
def test_right_code_is_called_wrong_at_most_as_often_as_stated(target, quality, strength):
    level, runs, num_tokens, vocab = 0.05, 200, 120, len(target.table)
    draft, rng = draft_of_quality(target, quality), np.random.default_rng(11)
    rejected = left = fooled = 0
    for _ in range(runs):
        pairs = list(decoded(target, draft, 4, num_tokens, rng))
        rejected += judge(pairs, target, Evidence(strength)).rejects(level)

        band, counts, bets = ConfidenceBand(vocab), np.zeros(vocab), []
        for context, token in pairs:
            band.update(target.table[context])
            counts[token] += 1
            bets.append(band.log_martingale(counts).max())
        left += max(bets) >= log(vocab / level)

        # A test made for one look at a number of tokens fixed beforehand, looked at always.
        rows = target.table[[context for context, _ in pairs]][:, 0]
        surplus = np.cumsum([token == 0 for _, token in pairs]) - np.cumsum(rows)
        deviation = np.sqrt(np.cumsum(rows * (1 - rows)))
        fooled += np.any(abs(surplus[30:]) > 1.96 * deviation[30:])
    assert rejected / runs <= level
    assert left / runs <= level
    assert fooled / runs > 3 * level  # so the streams do tempt a test for one look


@pytest.mark.parametrize("quality", [0, 1])
def test_twenty_thousand_right_tokens_are_no_evidence(quality):
    draft, rng = draft_of_quality(PLAYGROUND, quality), np.random.default_rng(3)
    evidence = judge(decoded_in_pieces(100, PLAYGROUND, draft, 4, 200, rng), PLAYGROUND)
    assert evidence.num_tokens == 20_000 and not evidence.rejects()


# --- bad input --------------------------------------------------------------------------

BAD_ROWS = [[0.5, 0.6], [1.5, -0.5], [float("nan"), 1], [[0.5, 0.5], [0.5, 0.6]], 1.0]


@pytest.mark.parametrize("probs", BAD_ROWS)
def test_a_row_that_is_no_distribution_is_refused(probs):
    for call in (lambda: Evidence().update(0, probs, 0),
                 lambda: ConfidenceBand(2).update(probs),
                 lambda: log_e_value_of_counts([[1, 1]], probs)):
        with pytest.raises(ValueError, match="probs|table"):
            call()


@pytest.mark.parametrize(("name", "call"), [
    ("token id 3", lambda: Evidence().update(0, SMALL.table[0], 3)),
    ("token id -1", lambda: Evidence().update(0, SMALL.table[0], -1)),
    ("probs", lambda: Evidence().update(0, SMALL.table, 0)),
    ("probs", lambda: ConfidenceBand(2).update(SMALL.table)),
    ("vocab", lambda: ConfidenceBand(0)),
    ("counts", lambda: log_e_value_of_counts([1, 2], SMALL.table)),
    ("counts", lambda: log_e_value_of_counts(-np.ones((3, 3)), SMALL.table)),
    ("table", lambda: log_e_value_of_counts(np.ones((2, 3)), SMALL.table)),
    *[("prior_strength", partial(Evidence, a)) for a in (0, -1, inf, float("nan"))],
    *[("level", partial(Evidence().rejects, x)) for x in (0, 1, -1, float("nan"))],
    *[("level", partial(ConfidenceBand(2).limits, x)) for x in (0, 1, float("nan"))],
])
def test_bad_input_is_refused_by_name(name, call):
    with pytest.raises(ValueError, match=name):
        call()


def test_a_refused_token_leaves_no_trace():
    evidence = Evidence()
    with pytest.raises(ValueError):
        evidence.update(0, [0.5, 0.5], 2)
    evidence.update(0, [0.5, 0.5], 1)
    assert evidence.num_tokens == 1 and evidence.log_e_value == 0
