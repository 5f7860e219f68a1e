"""Enumerates decoding code on named small models: is its law the target's, exactly?

`specdec.exactness` compares the laws; this file names the models and gives one verdict.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from specdec.exactness import SequencesCheck, Verdict, judge
from specdec.models import TableModel
from specdec.quick_fractions import QuickFraction
from specdec.speculative import Model, speculative_decode


@dataclass(frozen=True)
class SmallModel:
    """A target and a draft small enough for every random outcome to be run.

    Attributes:
        name: what it is a test of.
        target, draft: models with rows of Fractions.
        gamma, num_tokens: how it is run; more than one step whatever is accepted.
        stop_tokens: ids that end the output.
    """

    name: str
    target: Model
    draft: Model
    gamma: int
    num_tokens: int
    stop_tokens: tuple[int, ...] = ()


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
        SmallModel("distributions that depend on the last word", _table("514 136 325"),
                   _table("334 613 253"), gamma=2, num_tokens=4),
        SmallModel("certainties and impossible words", _table("a00 055 370"),
                   _table("055 0a0 433"), gamma=2, num_tokens=4),
        SmallModel("a long draft, from few words", _table("5500 0370 0064 2008"),
                   _table("5500 0550 0037 7003"), gamma=3, num_tokens=5),
        # After word 2 nothing comes, so that its rows are never asked for.
        SmallModel("distributions that depend on the last two words, and a stop word",
                   _TwoWordsBack("433 064 a00  307 550 a00  a00 a00 a00"),
                   _TwoWordsBack("550 037 a00  505 244 a00  a00 a00 a00"),
                   gamma=2, num_tokens=4, stop_tokens=(2,)),
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
    examinations = [
        Examination(decode, model) for model in (small_models() if models is None else models)]
    return combine([examination.finish() for examination in examinations])


def combine(certificates: Sequence[Certificate]) -> Certificate:
    """Returns one verdict on all models: exact only when each of them is."""
    findings = tuple(finding for one in certificates for finding in one.findings)
    for state in ("not exact", "could not check"):
        for certificate in certificates:
            if certificate.state == state:
                return Certificate(state, certificate.reason, findings)
    return Certificate("exact", "", findings)


class Examination:
    """`certify` on one model, made in parts: for those who cannot wait for the whole.

    Attributes:
        certificate: the verdict; None as long as there are paths to run.
    """

    def __init__(self, decode: Callable, model: SmallModel):
        """Takes what `certify` does, and runs nothing yet."""
        self.certificate: Certificate | None = None
        self._model = model
        self._check = SequencesCheck(
            decode, model.target, model.draft, model.gamma, model.num_tokens,
            stop_tokens=model.stop_tokens)

    def advance(self, num_paths: int) -> bool:
        """Runs at most so many paths more; returns whether the verdict is in."""
        verdict = judge(
            lambda: self._check.comparison() if self._check.advance(num_paths) else None)
        if verdict:
            self.certificate = _certificate(verdict, self._model)
        return verdict is not None

    def finish(self) -> Certificate:
        """Runs all that is left and returns the verdict."""
        self.certificate = _certificate(judge(self._check.comparison), self._model)
        return self.certificate


def _certificate(verdict: Verdict, model: SmallModel) -> Certificate:
    if verdict.comparison is None:
        return Certificate(verdict.state, f"{model.name}: {verdict.reason}", ())
    distance = verdict.comparison.total_variation
    reason = verdict.reason or (f"total variation {distance}" if distance else "")
    finding = Finding(
        model.name, len(model.target.table), model.gamma, model.num_tokens,
        verdict.comparison.num_paths, str(distance))
    return Certificate(verdict.state, f"{model.name}: {reason}" if reason else "", (finding,))


class _TwoWordsBack:
    """The law of the next word depends on the last two: table [vocab, vocab, vocab]."""

    def __init__(self, rows: str):
        self.table = _tenths(rows).reshape(3, 3, 3)

    def __call__(self, tokens, num_rows=1):
        ends = range(len(tokens) - num_rows + 1, len(tokens) + 1)
        return np.array([self.table[tokens[max(end - 2, 0)], tokens[end - 1]] for end in ends])


def _table(rows: str) -> TableModel:
    return TableModel(_tenths(rows))


def _tenths(rows: str) -> np.ndarray:
    """Returns rows that are written in tenths, a digit each ("a" is ten)."""
    return np.array([[QuickFraction(int(digit, 11), 10) for digit in row]
                     for row in rows.split()], dtype=object)
