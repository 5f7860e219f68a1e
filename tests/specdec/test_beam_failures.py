"""How often beams miss the best: the count itself against all sequences, and its limits."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from specdec.beam import beam_search
from specdec.beam_failures import FailureCount, RandomTree, exhaustive_search, failure_rates


def test_exhaustive_search_gives_every_sequence_and_its_probability():
    model = RandomTree(np.random.default_rng(2), 3, 4)
    found = exhaustive_search(model, (), 4)
    assert {one.tokens for one in found} == set(product(range(3), repeat=4))
    assert math.fsum(math.exp(one.log_prob) for one in found) == pytest.approx(1)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_exhaustive_search_ends_at_stop_tokens_and_scores_by_length():
    laws = {(): [0.5, 0.5], (0,): [0.0, 1.0]}
    found = exhaustive_search(lambda tokens, num_rows=1: np.array([laws[tuple(tokens)]]), (), 2,
                              stop_tokens=[1], length_penalty=1)
    assert [(one.tokens, one.log_prob, one.score) for one in found] == [
        ((0, 1), math.log(0.5), math.log(0.5) / 2), ((1,), math.log(0.5), math.log(0.5))]


def test_exhaustive_search_takes_what_beam_search_takes():
    rows = {(): [Fraction(1, 4), Fraction(3, 4)], (0,): [0.0, 1 + 5e-7], (1,): [0.5, 0.5]}

    def model(tokens, num_rows=1):
        return np.array([rows[tuple(tokens)]], dtype=object)

    found = exhaustive_search(model, (), 2)
    assert [one.tokens for one in found] == [(1, 0), (1, 1), (0, 1)]
    assert [one.score for one in found] == [one.log_prob for one in found]
    assert found[-1].log_prob == math.log(1 / 4)  # a row that sums to a little more adds nothing


def test_a_random_tree_is_a_model_with_a_law_of_its_own_after_each_prefix():
    model = RandomTree(np.random.default_rng(1), 3, 3)
    laws = {prefix: model(prefix)[-1]
            for length in range(3) for prefix in product(range(3), repeat=length)}
    assert len({law.tobytes() for law in laws.values()}) == 1 + 3 + 9
    assert model([2]).shape == (1, 3)
    for law in laws.values():
        assert law.sum() == pytest.approx(1) and np.all(law >= 0)
    np.testing.assert_array_equal(model([2, 1], 3), [laws[()], laws[(2,)], laws[(2, 1)]])


def test_the_rates_are_counts_of_the_same_models():
    rates = failure_rates(np.random.default_rng(7), [1, 2], num_models=40, vocab=3, num_tokens=3)
    rng = np.random.default_rng(7)
    losses = {1: [], 2: []}
    for _ in range(40):
        model = RandomTree(rng, 3, 3)
        log_probs = {
            ids: sum(math.log(model(ids[:i])[-1][ids[i]]) for i in range(3))
            for ids in product(range(3), repeat=3)}
        for width in losses:
            [one, *_] = beam_search(model, (), width, 3)
            losses[width].append(max(log_probs.values()) - log_probs[one.tokens])
    for rate in rates:
        missed = [loss for loss in losses[rate.width] if loss > 0]
        assert rate.share == len(missed) / 40
        assert rate.mean_loss == pytest.approx(np.mean(missed))


def test_greedy_fails_often_a_beam_less_and_a_beam_of_all_never():
    greedy, two, four, every = failure_rates(
        np.random.default_rng(0), [1, 2, 4, 27], num_models=150, vocab=3, num_tokens=4)
    assert greedy.share > 0.2 > two.share > 0.02
    assert two.share > four.share > 0
    assert (every.share, every.mean_loss) == (0, 0)


def test_the_same_seed_gives_the_same_rates():
    runs = [failure_rates(np.random.default_rng(3), [1, 3], num_models=20) for _ in range(2)]
    assert runs[0] == runs[1]


def test_the_defaults_and_a_single_model():
    def rates(**options):
        return failure_rates(np.random.default_rng(4), [1, 2], **options)

    assert rates() == rates(num_models=200, vocab=3, num_tokens=4, concentration=1)
    assert all(rate.share in (0, 1) for rate in rates(num_models=1))


def test_parts_come_to_the_same_as_all_at_once():
    options = {"num_models": 10, "num_tokens": 3}
    count = FailureCount(np.random.default_rng(3), [1, 2], **options)
    assert [count.advance(4) for _ in range(4)] == [False, False, True, True]
    assert count.rates() == failure_rates(np.random.default_rng(3), [1, 2], **options)
    begun = FailureCount(np.random.default_rng(3), [1, 2], **options)
    begun.advance(3)
    assert begun.rates() == count.rates()


@pytest.mark.parametrize("num_models", [0, 1.5])
def test_no_models_are_refused(num_models):
    with pytest.raises(ValueError, match="num_models"):
        failure_rates(np.random.default_rng(0), [1], num_models=num_models)
