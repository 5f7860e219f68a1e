"""Beam search: all sequences, and a slow reference without early end."""

import math
import subprocess
import sys
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import beam
from specdec.beam import beam_search, beam_steps
from specdec.models import playground_target
from tests.specdec.beam_tables import by_position, found, random_table, same


def score(log_prob, tokens, length_penalty):
    return log_prob / len(tokens) ** length_penalty


def all_sequences(table, stop_tokens, length_penalty):
    """[(tokens, score)] of every possible sequence, the best first; in plain Python."""
    num_tokens, vocab, _ = table.shape
    found = {}
    for ids in product(range(vocab), repeat=num_tokens):
        end = next((i for i, token in enumerate(ids) if token in stop_tokens), num_tokens - 1)
        tokens = ids[:end + 1]
        probs = [table[i, before, token]
                 for i, (before, token) in enumerate(pairwise((0, *tokens)))]
        if all(probs):
            found[tokens] = score(sum(map(math.log, probs)), tokens, length_penalty)
    return sorted(found.items(), key=lambda one: (-one[1], one[0]))


def without_early_end(table, width, stop_tokens, length_penalty):
    """Beam search as its docstring has it, but for the early end: [(tokens, score)]."""
    live, finished = [((), 0.0)], []
    for position in range(len(table)):
        grown = sorted(
            ((*tokens, token), log_prob + math.log(prob))
            for tokens, log_prob in live
            for token, prob in enumerate(table[position, ([0, *tokens])[-1]]) if prob)
        grown.sort(key=lambda one: -one[1])  # stable: the lowest ids of equals stay first
        finished += [one for one in grown[:width] if one[0][-1] in stop_tokens]
        live = [one for one in grown if one[0][-1] not in stop_tokens][:width]
    scored = [(tokens, score(log_prob, tokens, length_penalty))
              for tokens, log_prob in finished + live]
    return sorted(scored, key=lambda one: (-one[1], one[0]))[:width]


penalties = st.sampled_from([0.0, 0.5, 1.0, 2.0, -0.5])
seeds = st.integers(0, 10**6)


@given(seeds, penalties, st.sampled_from([(), (1,), (0, 1)]), st.integers(0, 3))
def test_a_width_of_all_sequences_is_exhaustive(seed, length_penalty, stop_tokens, more):
    table = random_table(seed)
    width = table.shape[1] ** len(table) + more
    same(found(beam_search(by_position(table), [0], width, len(table), stop_tokens=stop_tokens,
                           length_penalty=length_penalty)),
         all_sequences(table, stop_tokens, length_penalty), rtol=1e-12)


@given(seeds, penalties, st.sampled_from([(), (1,), (0, 1)]), st.integers(1, 6))
def test_the_early_end_changes_nothing(seed, length_penalty, stop_tokens, width):
    table = random_table(seed)
    same(found(beam_search(by_position(table), [0], width, len(table), stop_tokens=stop_tokens,
                           length_penalty=length_penalty)),
         without_early_end(table, width, stop_tokens, length_penalty), rtol=1e-12)


@given(seeds, st.sampled_from([(), (1,), (0, 1)]))
def test_width_one_is_greedy_decoding(seed, stop_tokens):
    table = random_table(seed)
    tokens = [0]
    while len(tokens) <= len(table) and (len(tokens) == 1 or tokens[-1] not in stop_tokens):
        tokens.append(int(np.argmax(table[len(tokens) - 1, tokens[-1]])))
    [one] = beam_search(by_position(table), [0], 1, len(table), stop_tokens=stop_tokens)
    assert one.tokens == tuple(tokens[1:])


@given(seeds, penalties, st.integers(1, 4))
def test_steps_account_for_every_extension(seed, length_penalty, width):
    table = random_table(seed)
    model = by_position(table)
    steps = list(beam_steps(model, [0], width, len(table), length_penalty=length_penalty,
                            stop_tokens=[1]))
    assert [one.tokens for one in steps[0].live] == [()]
    for length, (before, step) in enumerate(pairwise(steps), 1):
        arisen = step.live + step.finished + step.pruned
        expected = {(*parent.tokens, token): parent.log_prob + math.log(prob)
                    for parent in before.live
                    for token, prob in enumerate(model([0, *parent.tokens])[-1]) if prob}
        assert {one.tokens: pytest.approx(one.log_prob) for one in arisen} == expected
        assert len(arisen) == len(expected)
        assert all(len(one.tokens) == length for one in arisen)
        assert len(step.live) <= width and len(step.finished) <= width
        assert all((one.tokens[-1] == 1) == (one in step.finished)
                   for one in step.live + step.finished)
        # A live one is pruned for `width` better live ones, a finished one for any better.
        for pruned in step.pruned:
            rivals = arisen if pruned.tokens[-1] == 1 else step.live
            better = [one for one in rivals
                      if (-one.log_prob, one.tokens) < (-pruned.log_prob, pruned.tokens)]
            assert len(better) >= width
        assert before.live and not before.done
        for group in (step.live, step.finished, step.pruned):
            assert group == sorted(group, key=lambda one: (-one.log_prob, one.tokens))
        assert {one.tokens for one in step.best} <= {
            one.tokens for one in before.best + step.finished}
    assert steps[-1].done


def test_what_is_finished_outlives_a_beam_that_falls_behind():
    """Two go on ahead of the one that ended, and both come to nothing."""
    laws = {(): [0.3, 0.36, 0.34], (1,): [0.1, 0.45, 0.45], (2,): [0.1, 0.45, 0.45]}

    def model(tokens, num_rows=1):
        return np.array([laws.get(tuple(tokens), [0.2, 0.4, 0.4])])

    first, second, third = beam_search(model, [], 3, 3, stop_tokens=[0])
    assert first.tokens == (0,) and first.log_prob == pytest.approx(math.log(0.3))
    assert second.log_prob < first.log_prob and third.log_prob <= second.log_prob
    # With two places it is the third of its step, and pruned.
    assert (0,) not in [one.tokens for one in beam_search(model, [], 2, 3, stop_tokens=[0])]


def test_the_search_ends_as_soon_as_nothing_live_can_win():
    def model(tokens, num_rows=1):
        return np.array([[0.9, 0.1]])

    def num_steps(length_penalty):
        return len(list(beam_steps(model, [], 1, 50, length_penalty=length_penalty,
                                   stop_tokens=[0]))) - 1

    assert num_steps(0.0) == 1  # .1 at best, behind .9
    assert num_steps(-1.0) == 1
    # With a mean per token, log(.1) / 50 could still beat log(.9), log(.1) · n / 50 does not.
    assert 1 < num_steps(1.0) < 50
    assert beam_search(model, [], 1, 50, length_penalty=1, stop_tokens=[0])[0].tokens == (0,)


def test_a_length_penalty_lets_the_longer_win():
    def model(tokens, num_rows=1):
        return np.array([[0.5, 0.5] if not tokens else [0.2, 0.8]])

    best = {penalty: beam_search(model, [], 4, 3, length_penalty=penalty, stop_tokens=[0])[0]
            for penalty in (0.0, 1.0)}
    assert best[0.0].tokens == (0,) and best[1.0].tokens == (1, 1, 1)
    assert best[1.0].log_prob == pytest.approx(math.log(0.32))
    assert best[1.0].score == pytest.approx(math.log(0.32) / 3)


def test_without_a_length_penalty_scores_are_log_probabilities():
    table = random_table(3, vocab=3, num_tokens=4)
    steps = list(beam_steps(by_position(table), [0], 2, 4, stop_tokens=[1]))
    arisen = [one for step in steps for one in step.live + step.finished + step.pruned]
    assert any(len(one.tokens) > 1 for one in arisen)
    for one in arisen + beam_search(by_position(table), [0], 2, 4, stop_tokens=[1]):
        assert one.score == one.log_prob


def test_what_a_search_gives_cannot_be_changed():
    step, *_ = beam_steps(None, [], 1, 0)
    for one, name in ((step, "live"), (step.live[0], "score")):
        with pytest.raises(FrozenInstanceError):
            setattr(one, name, None)


def test_of_equals_the_lowest_ids_come_first():
    def uniform(tokens, num_rows=1):
        return np.full((1, 3), 1 / 3)

    assert [one.tokens for one in beam_search(uniform, [], 4, 2)] == [
        (0, 0), (0, 1), (0, 2), (1, 0)]
    assert [one.tokens for one in beam_search(uniform, [], 2, 2, stop_tokens=[1])] == [
        (1,), (0, 0)]


def test_equals_of_different_parents_come_by_ids_too():
    """The likelier parent is extended first, and its children are not the lowest."""
    laws = {(): [0.25, 0.5, 0.25], (0,): [0.5, 0.5, 0.0], (1,): [0.25, 0.25, 0.5]}
    found = beam_search(lambda tokens, num_rows=1: np.array([laws[tuple(tokens)]]), [], 2, 2)
    assert [one.tokens for one in found] == [(1, 2), (0, 0)]


def test_an_early_end_does_not_lose_an_equal_of_lower_ids():
    """(0, 1) and (1,) fill the places at a quarter, but (0, 0) can still become their equal."""
    laws = {(): [0.5, 0.25, 0.25], (0,): [0.5, 0.5, 0.0]}

    def model(tokens, num_rows=1):
        return np.array([laws.get(tuple(tokens), [1.0, 0.0, 0.0])])

    first, second = beam_search(model, [], 2, 3, stop_tokens=[1])
    assert (first.tokens, second.tokens) == ((0, 0, 0), (0, 1))
    assert first.score == second.score == math.log(0.25)


def test_fewer_than_width_when_there_are_no_more():
    certain = np.array([[0.0, 1.0]])
    assert [one.tokens for one in beam_search(lambda *_: certain, [], 5, 3)] == [(1, 1, 1)]


def test_a_row_that_sums_to_a_little_more_gives_no_probability_above_one():
    [one] = beam_search(lambda *_: np.array([[1 + 5e-7]]), [], 1, 2)
    assert one.log_prob == 0


def test_no_tokens_are_one_empty_hypothesis():
    [one] = beam_search(lambda *_: None, [0], 3, 0)
    assert (one.tokens, one.log_prob, one.score) == ((), 0.0, 0.0)


def test_a_prompt_and_rows_of_fractions():
    table = np.array([[Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 2)] * 2], dtype=object)
    [one] = beam_search(lambda tokens, num_rows=1: table[tokens[-1:]], [1, 1, 0], 1, 1)
    assert one.tokens == (1,) and one.log_prob == pytest.approx(math.log(0.75))


def test_greedy_misses_what_a_wider_beam_finds_on_the_playgrounds_words():
    model = playground_target()
    best = [beam_search(model, [0], width, 6)[0].log_prob for width in (1, 2, 8)]
    assert best[0] < best[-1] and best == sorted(best)


@pytest.mark.parametrize(("options", "named"), [
    ({"width": 0}, "width"), ({"width": 1.5}, "width"), ({"num_tokens": -1}, "num_tokens"),
    ({"num_tokens": 2.0}, "num_tokens"), ({"length_penalty": math.nan}, "length_penalty"),
    ({"length_penalty": math.inf}, "length_penalty")])
def test_bad_arguments_are_refused_by_name_and_at_once(options, named):
    arguments = {"model": None, "prompt": [0], "width": 2, "num_tokens": 2, **options}
    with pytest.raises(ValueError, match=f"{named} must be"):
        beam_steps(**arguments)
    with pytest.raises(ValueError, match=f"{named} must be"):
        beam_search(**arguments)


@pytest.mark.parametrize("row", [[0.5, 0.6], [1.5, -0.5], [math.nan, 1.0]])
def test_rows_that_are_no_law_are_refused(row):
    with pytest.raises(ValueError, match="model: rows"):
        beam_search(lambda *_: np.array([row]), [0], 2, 2)


def test_the_file_on_the_page_is_short_and_runs_when_pasted(tmp_path):
    text = Path(beam.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    pasted = tmp_path / "pasted.py"
    pasted.write_text(text + """
[best, _] = beam_search(lambda tokens: np.array([[0.25, 0.75]]), [], 2, 3)
assert best.tokens == (1, 1, 1), best
""", encoding="utf-8")
    subprocess.run([sys.executable, "-I", "-W", "error", str(pasted)], check=True, cwd=tmp_path)
