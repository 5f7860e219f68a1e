"""Beam search against another engine's: ONNX Runtime's, in C++ and float32."""

import math

import numpy as np
import pytest

from specdec.beam import beam_search, beam_steps
from tests.specdec import onnx_beam_search
from tests.specdec.beam_tables import by_position, found, random_table, same


def ends_of_onnx(table, width, length_penalty, stop_token):
    """Whether ONNX Runtime may stop too early: it takes the present length for the bound.

    With a penalty above 0, a live hypothesis gains by each token to come; the operator, as
    Hugging Face's search, asks only whether its score would beat the worst as it is now.
    """
    for step in beam_steps(by_position(table), [0], width, len(table), stop_tokens=[stop_token],
                           length_penalty=length_penalty):
        top = max((one.log_prob for one in step.live + step.finished), default=-math.inf)
        length = max((len(one.tokens) for one in step.live), default=0)
        if length and len(step.best) == width and any(
                step.best[-1].score >= top / n ** length_penalty for n in (length, length + 1)):
            return True
    return False


@pytest.mark.parametrize("length_penalty", [0.0, 0.5, 1.0, 2.0, -0.5])
def test_onnx_runtime_finds_the_same(length_penalty):
    """Where there is a penalty, the last token is a stop token for certain: the operator
    counts the prompt's token in the length and the stop token not, which is the same only
    for those that are finished. Ties, which float32 sums decide, are left to other tests."""
    compared = 0
    for seed in range(120):
        table = random_table(seed)
        num_tokens, vocab, _ = table.shape
        stop, width = vocab - 1, 1 + seed % 5
        if length_penalty:
            table[-1] = np.eye(vocab)[stop]
        ours = found(beam_search(by_position(table), [0], width, num_tokens,
                                 length_penalty=length_penalty, stop_tokens=[stop]))
        theirs = onnx_beam_search.beam_search(table, 0, width, num_tokens, length_penalty, stop)
        if length_penalty > 0 and ends_of_onnx(table, width, length_penalty, stop):
            assert ours[0][1] >= theirs[0][1] - 1e-4
            continue
        same(ours, theirs, rtol=1e-4, atol=1e-5)
        compared += 1
    assert compared > 60


def test_onnx_runtime_stops_where_a_live_hypothesis_still_wins():
    """Width 1: the end is likelier than going on, but not a token's mean."""
    table = np.array([[[0.4, 0.6], [0.5, 0.5]], [[0.0, 1.0], [0.0, 1.0]]])
    [ours] = beam_search(by_position(table), [0], 1, 2, length_penalty=1, stop_tokens=[1])
    [(theirs, their_score)] = onnx_beam_search.beam_search(table, 0, 1, 2, 1, 1)
    assert (ours.tokens, theirs) == ((0, 1), (1,))
    assert ours.score == pytest.approx(math.log(0.4) / 2)
    assert their_score == pytest.approx(math.log(0.6), abs=1e-6)
