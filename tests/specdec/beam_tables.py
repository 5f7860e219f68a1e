"""Models that beam searches are compared on, and how."""

import numpy as np


def by_position(table):
    """A model of the laws [num_tokens, vocab, vocab] by position and last token; prompt: one."""
    return lambda tokens, num_rows=1: table[len(tokens) - 1, tokens[-1]][None]


def random_table(seed, *, vocab=None, num_tokens=None):
    """Laws with some impossible tokens and no ties: [num_tokens, vocab, vocab]."""
    rng = np.random.default_rng(seed)
    vocab, num_tokens = vocab or rng.integers(2, 5), num_tokens or rng.integers(1, 6)
    table = rng.dirichlet(np.full(vocab, 0.7), (num_tokens, vocab))
    table[rng.random(table.shape) < 0.15] = 0
    table[table.sum(axis=-1) == 0, 0] = 1
    return table / table.sum(axis=-1, keepdims=True)


def found(hypotheses):
    return [(one.tokens, one.score) for one in hypotheses]


def same(ours, theirs, **tolerance):
    assert [tokens for tokens, _ in ours] == [tokens for tokens, _ in theirs]
    np.testing.assert_allclose([s for _, s in ours], [s for _, s in theirs], **tolerance)
