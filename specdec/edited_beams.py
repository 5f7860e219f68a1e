"""The beam search of the beam.py in force: called as the package's own, and never trusted.

A reader's code may raise, never end, or give ids that no model has. Here that becomes a
`CodeProblem`, so that no nonsense is drawn or called the best.
"""

import math
from collections.abc import Sequence
from itertools import islice

import numpy as np

from specdec.beam import BeamStep, Hypothesis
from specdec.edition import CodeProblem, current, problems_told
from specdec.speculative import Model

_FILE = "beam.py"
_ROUNDING = 1e-9  # another order of the same additions changes no more


def search_in_force(
    model: Model, width: int, num_tokens: int, *,
    length_penalty: float, stop_tokens: Sequence[int],
) -> tuple[list[Hypothesis], list[BeamStep]]:
    """Runs the `beam_search` and the `beam_steps` in force on the empty prompt.

    Args:
        model, width, num_tokens, length_penalty, stop_tokens: as for
            `specdec.beam.beam_search`.

    Returns:
        The hypotheses that the first returns, at least one; the steps that the second yields.

    Raises:
        CodeProblem: whatever the code raises; no hypothesis, more steps than tokens, a
            hypothesis of a step without its parent, or one that `checked` refuses.
    """
    options = {"length_penalty": length_penalty, "stop_tokens": stop_tokens}
    code = current(_FILE)
    with problems_told(_FILE):
        found = list(code.function("beam_search")(model, (), width, num_tokens, **options))
        steps = list(islice(
            code.function("beam_steps")(model, (), width, num_tokens, **options),
            num_tokens + 2))
        found = [_plain(one) for one in found]
        steps = [BeamStep(*([_plain(one) for one in kind] for kind in (
            step.live, step.finished, step.pruned, step.best)), bool(step.done))
            for step in steps]
    if not found:
        raise CodeProblem("beam_search should give at least one hypothesis, but gave none",
                          file=_FILE)
    if not 1 <= len(steps) <= num_tokens + 1:
        raise CodeProblem(
            f"beam_steps should give the state before the first step and at most {num_tokens} "
            f"steps, but gave {'none' if not steps else 'more'}", file=_FILE)
    for one in found:
        checked(one, model)
        if len(one.tokens) < num_tokens and one.tokens[-1:] != tuple(
                token for token in one.tokens[-1:] if token in stop_tokens) or not one.tokens:
            raise CodeProblem(f"beam_search gave {list(one.tokens)}, which neither ends in a stop "
                              f"token nor has {num_tokens} tokens", file=_FILE)
    parents = [()]
    for length, step in enumerate(steps):
        arisen = [*step.live, *step.finished, *step.pruned]
        for one in arisen:
            checked(one, model)
            if len(one.tokens) != length or length and one.tokens[:-1] not in parents:
                raise CodeProblem(f"step {length} of beam_steps holds {list(one.tokens)}, which "
                                  "extends no live hypothesis by one token", file=_FILE)
        parents = [one.tokens for one in step.live]
    return found, steps


def checked(one: Hypothesis, model: Model) -> Hypothesis:
    """Returns the hypothesis.

    Raises:
        CodeProblem: an id that the model cannot give there, a log_prob that is not the sum of
            its log-probabilities, a score that is not finite.
    """
    log_prob = 0.0
    for i, token in enumerate(one.tokens):
        row = np.asarray(model(one.tokens[:i])[-1])
        if not (0 <= token < len(row) and row[token] > 0):
            raise CodeProblem(f"{list(one.tokens)} is impossible: the model never gives {token} "
                              f"after {list(one.tokens[:i])}", file=_FILE)
        log_prob += math.log(row[token])
    if not abs(one.log_prob - log_prob) <= _ROUNDING:
        raise CodeProblem(f"the log_prob of {list(one.tokens)} should be {log_prob:.4f}, "
                          f"but is {one.log_prob:.4f}", file=_FILE)
    if not math.isfinite(one.score):
        raise CodeProblem(f"the score of {list(one.tokens)} should be finite, "
                          f"but is {one.score}", file=_FILE)
    return one


def _plain(one) -> Hypothesis:
    return Hypothesis(tuple(map(int, one.tokens)), float(one.log_prob), float(one.score))
