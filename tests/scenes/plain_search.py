"""Searches in plain Python, by which the beam's scene is judged."""

import math
from itertools import product


def every_text(model, vocab, num_tokens, stop):
    """Returns {tokens: log-probability} of all texts: up to the stop, or num_tokens long."""
    texts = {}
    for ids in product(range(vocab), repeat=num_tokens):
        end = ids.index(stop) + 1 if stop in ids else num_tokens
        texts[ids[:end]] = sum(math.log(model(ids[:i])[-1][ids[i]]) for i in range(end))
    return texts


def greedy(model, num_tokens, stop):
    """Returns the text of likeliest tokens."""
    tokens = ()
    while len(tokens) < num_tokens and stop not in tokens:
        row = list(model(tokens)[-1])
        tokens += (row.index(max(row)),)
    return tokens


def kept_by_a_beam(model, width, num_tokens, stop=None):
    """Returns the texts that are alive after each step of a beam search."""
    live, steps = [((), 0.0)], []
    for _ in range(num_tokens):
        grown = [((*tokens, token), log_prob + math.log(share)) for tokens, log_prob in live
                 for token, share in enumerate(model(tokens)[-1])]
        grown.sort(key=lambda one: -one[1])
        live = [one for one in grown if one[0][-1] != stop][:width]
        steps.append([tokens for tokens, _ in live])
    return steps
