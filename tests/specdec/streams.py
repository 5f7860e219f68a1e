"""Streams of tokens as the code under test emits them, and the evidence on them."""

from specdec.evidence import Evidence
from specdec.speculative import speculative_decode


def decoded(target, draft, gamma, num_tokens, rng, decode=speculative_decode):
    """Yields (the token before, the token) for each token that comes out."""
    last = 0
    for step in decode(target, draft, [0], num_tokens, gamma, rng):
        for token in step.tokens:
            yield last, token
            last = token


def decoded_in_pieces(num_pieces, *call, **options):
    """The same, from the prompt again and again: a step copies all tokens before it."""
    for _ in range(num_pieces):
        yield from decoded(*call, **options)


def judge(pairs, target, evidence=None):
    evidence = evidence or Evidence()
    for context, token in pairs:
        evidence.update(context, target.table[context], token)
    return evidence
