"""Enumerates decoding code on named small models: is its law the target's, exactly?

`specdec.exact` does the enumerating; this file names the models and gives the verdict.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

import numpy as np

from specdec.exact import CannotEnumerate, outcomes, sequence_law, total_variation
from specdec.models import TableModel
from specdec.speculative import speculative_decode


@dataclass(frozen=True)
class SmallModel:
    """A target and a draft small enough for every random outcome to be run.

    Attributes:
        name: what it is a test of.
        target, draft: tables of Fractions.
        gamma, num_tokens: how it is run; more than one step whatever is accepted.
    """

    name: str
    target: TableModel
    draft: TableModel
    gamma: int
    num_tokens: int


@dataclass(frozen=True)
class Finding:
    """What enumerating one model came to; `total_variation` is a Fraction in text."""

    name: str
    vocab: int
    gamma: int
    num_tokens: int
    paths: int
    total_variation: str


@dataclass(frozen=True)
class Certificate:
    """The verdict: `state` is "exact", "not exact" or "could not check".

    Attributes:
        reason: which model failed, or why the check could not be made; "" when exact.
        findings: one for each model enumerated.
    """

    state: str
    reason: str
    findings: tuple[Finding, ...]

    def as_dict(self) -> dict:
        """Returns the same as JSON-able data."""
        return asdict(self)


def small_models() -> list[SmallModel]:
    """Returns the named models; together they hold the cases that hide mistakes.

    With two words a residual has one token of support and several classic mistakes
    cannot be seen, so there are three or four; and p and q depend on the last token.
    """
    return [
        SmallModel("distributions that depend on the last word", _tenths("514 136 325", 3),
                   _tenths("334 613 253", 3), gamma=2, num_tokens=4),
        SmallModel("certainties and impossible words", _tenths("a00 055 370", 3),
                   _tenths("055 0a0 433", 3), gamma=2, num_tokens=4),
        SmallModel("a long draft, from few words", _tenths("5500 0370 0064 2008", 4),
                   _tenths("5500 0550 0037 7003", 4), gamma=3, num_tokens=5),
    ]


def certify(
    decode: Callable = speculative_decode, models: Sequence[SmallModel] | None = None,
) -> Certificate:
    """Runs `decode` through every random outcome on each of the models.

    Args:
        decode: code with the signature of `specdec.speculative.speculative_decode`.
        models: `small_models()` unless said otherwise.

    Returns:
        The verdict. Code that raises cannot be checked: the reason says what it raised.
    """
    return combine([
        _examine(decode, model)
        for model in (small_models() if models is None else models)])


def combine(certificates: Sequence[Certificate]) -> Certificate:
    """Returns one verdict on all models: exact only when each of them is."""
    findings = tuple(finding for one in certificates for finding in one.findings)
    for state in ("not exact", "could not check"):
        for certificate in certificates:
            if certificate.state == state:
                return Certificate(state, certificate.reason, findings)
    return Certificate("exact", "", findings)


def _examine(decode: Callable, model: SmallModel) -> Certificate:
    try:
        finding = _enumerate(decode, model)
    except CannotEnumerate as error:
        return Certificate("could not check", f"{model.name}: {error}", ())
    except Exception as error:  # the code under test may be anyone's, and raise anything
        reason = f"{model.name}: the code raised {type(error).__name__}: {error}"
        return Certificate("could not check", reason, ())
    if finding.total_variation != "0":
        reason = f"{model.name}: total variation {finding.total_variation}"
        return Certificate("not exact", reason, (finding,))
    return Certificate("exact", "", (finding,))


def _enumerate(decode: Callable, model: SmallModel) -> Finding:
    def experiment(rng):
        steps = decode(model.target, model.draft, [0], model.num_tokens, model.gamma, rng)
        return tuple(token for step in steps for token in step.tokens)

    law = outcomes(experiment)
    distance = total_variation(law, sequence_law(model.target, [0], model.num_tokens))
    return Finding(
        model.name, len(model.target.table), model.gamma, model.num_tokens,
        law.num_paths, str(distance))


def _tenths(rows: str, vocab: int) -> TableModel:
    """Returns the table whose rows are written in tenths, a digit each ("a" is ten)."""
    tenths = [[Fraction(int(digit, 11), 10) for digit in row] for row in rows.split()]
    return TableModel(np.array(tenths, dtype=object).reshape(vocab, vocab))
