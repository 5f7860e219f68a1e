"""How sampling knobs are wired to speculative decoding, and what law comes out of it.

Any draft is right as long as the ratio p/q is taken with the very q that was drawn from, and
what comes out is the law of the p that was used. So knobs on the draft alone cost speed only,
knobs forgotten on the target give the law without them, and a q with knobs in the draw but
without them in the ratio is wrong. `compare_wiring` finds out which it is, by enumeration.

Source: Leviathan, Kalman and Matias 2023, arXiv:2211.17192, section 2.2 and appendix A.1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from specdec import sampling as sampling_file
from specdec.exact import sequence_law
from specdec.exactness import Comparison, SequencesCheck
from specdec.quick_fractions import QuickFraction
from specdec.sampling import Knobs
from specdec.speculative import Model, speculative_decode, verify
from specdec.theory import acceptance_rate


@dataclass(frozen=True)
class Wiring:
    """Where the knobs act; as it stands, everywhere.

    Attributes:
        on_target: on the p that guesses are checked with and tokens are drawn from.
        on_draft: on the q that guesses are drawn from.
        in_ratio: the ratio and the residual use the q that was drawn from; if not, the
            draft's q without knobs. It is the same where the draft has no knobs.
    """

    on_target: bool = True
    on_draft: bool = True
    in_ratio: bool = True


@dataclass(frozen=True)
class Wired:
    """What `speculative_decode` takes: two models, and the acceptance rule."""

    target: Model
    draft: Model
    verify: Callable


@dataclass(frozen=True)
class WiringComparison:
    """The law that a wiring emits, beside the target's own with the knobs and without."""

    with_knobs: Comparison
    without_knobs: Comparison


def with_knobs(model: Model, knobs: Knobs, order: str = "vLLM", *,
               sampling=sampling_file) -> Model:
    """Returns the model with its rows put through the knobs, each after its own prefix.

    So penalties count a token once, whether it was drafted or emitted, and the prompt's too
    (for frequency and presence, vLLM leaves the prompt out).
    A model gives probabilities; their logarithms serve as logits, which are at most 0: the
    repetition penalty, which looks at the sign, always multiplies.

    Args:
        model: `model(tokens, num_rows=1) -> [num_rows, vocab]`.
        knobs, order: as for `specdec.sampling.stages`; with all knobs off the rows are the
            model's own, else floats.
        sampling: the module with `stages` and `softmax`: a reader's edition, perhaps.
    """
    if knobs == Knobs():
        return model

    def knobbed(tokens, num_rows=1):
        with np.errstate(divide="ignore"):  # no probability: a logit of −inf
            logits = np.log(np.asarray(model(tokens, num_rows), dtype=float))
        ends = range(len(tokens) - num_rows + 1, len(tokens) + 1)
        return np.array([
            sampling.softmax([*sampling.stages(row, tokens[:end], knobs, order).values()][-1])
            for row, end in zip(logits, ends, strict=True)])

    return knobbed


def wire(target: Model, draft: Model, knobs: Knobs, order: str = "vLLM",
         wiring: Wiring = Wiring(), *, sampling=sampling_file, exactly: bool = False) -> Wired:
    """Returns what `speculative_decode` takes to run with knobs wired as said.

    Args:
        target, draft: models without knobs.
        knobs, order, sampling: as for `with_knobs`.
        wiring: where the knobs act.
        exactly: rows of Fractions, as for `in_fractions`.
    """
    number = in_fractions if exactly else (lambda model: model)
    knobbed = partial(with_knobs, knobs=knobs, order=order, sampling=sampling)
    p = number(knobbed(target) if wiring.on_target else target)
    q = number(knobbed(draft) if wiring.on_draft else draft)
    if wiring.in_ratio or not wiring.on_draft:
        return Wired(p, q, verify)

    raw, raw_rows = number(draft), []

    def remembering(tokens, num_rows=1):
        raw_rows.append(raw(tokens)[-1])
        return q(tokens, num_rows)

    def verify_with_raw(target_probs, draft_probs, draft_tokens, rng):
        rows = raw_rows[len(raw_rows) - len(draft_tokens):]  # a run cut short left others
        raw_rows.clear()
        return verify(target_probs, rows, draft_tokens, rng)

    return Wired(p, remembering, verify_with_raw)


def compare_wiring(target: Model, draft: Model, knobs: Knobs, order: str = "vLLM",
                   wiring: Wiring = Wiring(), *, gamma: int = 2, num_tokens: int = 3,
                   prompt: Sequence[int] = (0,), sampling=sampling_file,
                   reference=sampling_file, max_paths: int = 100_000) -> WiringComparison:
    """Runs `speculative_decode` as wired through every random outcome, in exact Fractions.

    The rows are exact, too, but for one step: a knob computes in floats, and what it gives is
    taken as the Fractions that those floats stand for, divided by their sum (`in_fractions`).

    Args:
        target, draft, knobs, order, wiring: as for `wire`; three to five tokens are quick.
        gamma, num_tokens, prompt, max_paths: as for `specdec.exactness.SequencesCheck`.
        sampling: the module whose knobs the decoding uses: a reader's edition, perhaps.
        reference: the one whose knobs give the target's own law.

    Raises:
        CannotEnumerate: more than max_paths.
        ValueError: bad knobs, an unknown order, rows that are no distributions.
    """
    wired = wire(target, draft, knobs, order, wiring, sampling=sampling, exactly=True)
    check = SequencesCheck(
        partial(speculative_decode, verify=wired.verify), wired.target, wired.draft,
        gamma, num_tokens, prompt=prompt, max_paths=max_paths)
    emitted = check.comparison()

    def beside(model):
        law = sequence_law(in_fractions(model), prompt, num_tokens)
        return Comparison(emitted.emitted, law, emitted.num_paths)

    knobbed = with_knobs(target, knobs, order, sampling=reference)
    return WiringComparison(beside(knobbed), beside(target))


def in_fractions(model: Model) -> Model:
    """Returns the model with each row as Fractions that sum to exactly 1.

    A float is taken as the rational number that it is, and divided by the sum of its row.

    Raises:
        ValueError: when called, a row that is negative, NaN or does not sum to 1 ± 1e-6.
    """
    def exact(tokens, num_rows=1):
        rows = []
        for row in np.asarray(model(tokens, num_rows)).tolist():
            if not (all(x >= 0 for x in row) and abs(sum(row) - 1) <= 1e-6):
                raise ValueError(f"rows must be >= 0 and sum to 1, got {row}")
            weights = [QuickFraction(*x.as_integer_ratio()) for x in row]
            total = sum(weights)
            rows.append([weight / total for weight in weights])
        return np.array(rows, dtype=object)

    return exact


def acceptance_by_temperature(
    target: Model, draft: Model, tokens: Sequence[int], temperatures: Sequence[float],
    knobs: Knobs, order: str = "vLLM", *, sampling=sampling_file,
) -> np.ndarray:
    """Returns [len(temperatures)]: α = Σ min(p, q) after `tokens`, the knobs on both.

    Args:
        target, draft, tokens: models without knobs; the prefix.
        temperatures: each takes the place of `knobs.temperature`.
        knobs, order, sampling: as for `with_knobs`.
    """
    def rows(model):
        settings = [replace(knobs, temperature=value) for value in temperatures]
        return [with_knobs(model, setting, order, sampling=sampling)(tokens)[-1]
                for setting in settings]

    return acceptance_rate(rows(target), rows(draft)).astype(float)
