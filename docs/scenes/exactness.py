"""What the panel "Is it exact?" computes: the code in force, enumerated on a small model.

The page sends the model whole with every call, so that nothing of it is kept here but an
enumeration under way: `sequences` makes the next part of it, or begins with a new model.
"""

from fractions import Fraction

import numpy as np

from specdec import edition
from specdec.exactness import Comparison, SequencesCheck, Verdict, check_step, judge
from specdec.models import TableModel
from specdec.quick_fractions import QuickFraction

WORDS = "ABCDE"
VOCABS, GAMMAS = (3, 4, 5), (1, 2, 3)
MAX_WEIGHT = 20
MAX_PATHS = 8_000
PATHS_A_CALL = 100  # a call has to end soon: a hand that drags a bar waits for it
MAX_SHOWN = 60  # sequences in the chart
MAX_DIGITS = 80  # of a fraction that is written out

# name: (whether the law depends on the last word, weights of target and draft by vocabulary);
# a digit each ("a" is ten), a row for each last word or one row for all.
_PRESETS = {
    "equal": (False, {3: ("532", "532"), 4: ("4321", "4321"), 5: ("42211", "42211")}),
    "disjoint": (False, {3: ("604", "0a0"), 4: ("6040", "0703"), 5: ("50302", "06040")}),
    "one-hot": (True, {
        3: ("0a0 00a a00", "0a0 0a0 0a0"),
        4: ("0a00 00a0 000a a000", "0a00 0a00 000a 000a"),
        5: ("0a000 00a00 000a0 0000a a0000", "0a000 0a000 000a0 000a0 a0000")}),
    "context-dependent": (True, {
        3: ("532 406 073", "226 613 091"),
        4: ("5320 0631 4006 2071", "2260 5140 0703 4042"),
        5: ("53200 06310 40033 00721 13006", "22600 05140 60013 00451 04042")}),
}
DEFAULT = {"preset": "context-dependent", "vocab": 3, "gamma": 2}


class Exactness:
    """`one_step` follows a hand; `sequences` gives the joint law, a part of it a call."""

    ACTIONS = ("presets", "one_step", "sequences")

    def __init__(self) -> None:
        self._model, self._code, self._check = None, None, None

    def presets(self) -> dict:
        """Returns {name: {vocab: model}}, each model with the default gamma."""
        return {name: {str(vocab): preset(name, vocab, DEFAULT["gamma"]) for vocab in VOCABS}
                for name in _PRESETS}

    def one_step(self, *, model: dict) -> dict:
        """Checks one step of the code in force, continued by the target's own law.

        Raises:
            ValueError: a model that the page cannot show.
        """
        target, draft = tables(model)
        decode = edition.current("speculative.py").module.speculative_decode
        verdict = judge(lambda: check_step(decode, target, draft, model["gamma"]))
        return _result(verdict, model, model["gamma"] + 1)

    def sequences(self, *, model: dict) -> dict:
        """Goes on with the joint law of gamma + 2 tokens; a new model or code begins anew.

        Returns:
            {"done", "paths" run so far, "share": their probability, "result" when done}.

        Raises:
            ValueError: a model that the page cannot show.
        """
        code, num_tokens = edition.current("speculative.py"), model["gamma"] + 2
        if (self._model, self._code) != (model, code):
            target, draft = tables(model)
            self._model, self._code = model, code
            self._check = SequencesCheck(
                code.module.speculative_decode, target, draft, model["gamma"], num_tokens,
                max_paths=MAX_PATHS)
        check = self._check
        verdict = judge(
            lambda: check.comparison() if check.advance(PATHS_A_CALL) else None)
        if verdict:
            self._model = None  # asked again, it is enumerated again
        return {
            "done": verdict is not None, "paths": check.num_paths, "share": float(check.share),
            "result": verdict and _result(verdict, model, num_tokens)}


SCENE = Exactness


def first_frame() -> dict:
    """Returns what the page shows before Python is up, computed when the site is built."""
    scene = Exactness()
    model = preset(**DEFAULT)
    part = scene.sequences(model=model)
    while not part["done"]:
        part = scene.sequences(model=model)
    return {
        "words": WORDS, "vocabs": VOCABS, "gammas": GAMMAS, "max_weight": MAX_WEIGHT,
        "max_paths": MAX_PATHS, "presets": scene.presets(), "model": model,
        "one_step": scene.one_step(model=model), "sequences": part["result"]}


def preset(preset: str, vocab: int, gamma: int) -> dict:
    """Returns the model of this name and size, as the page sends models."""
    by_context, weights = _PRESETS[preset]
    target, draft = ([[int(digit, 11) for digit in row] for row in rows.split()]
                     for rows in weights[vocab])
    return {"preset": preset, "vocab": vocab, "gamma": gamma,
            "context_dependent": by_context, "target": target, "draft": draft}


def tables(model: dict) -> tuple[TableModel, TableModel]:
    """Returns target and draft with exact rows: each weight divided by its row's sum.

    Raises:
        ValueError: out of range, of another shape, a row without any weight.
    """
    vocab, gamma = model["vocab"], model["gamma"]
    if vocab not in VOCABS or gamma not in GAMMAS or model["preset"] not in _PRESETS:
        raise ValueError(f"no model has {vocab} words, gamma {gamma} and the preset "
                         f"{model['preset']!r}")
    return tuple(_table(name, model[name], vocab, model["context_dependent"])
                 for name in ("target", "draft"))


def name_of(model: dict) -> str:
    """Returns how the page names the model that was enumerated."""
    changed = model != preset(model["preset"], model["vocab"], model["gamma"])
    return (f"{model['vocab']} words, γ = {model['gamma']}, preset “{model['preset']}”"
            + (", changed by you" if changed else ""))


def _table(name, weights, vocab, by_context):
    rows = vocab if by_context else 1
    if len(weights) != rows or any(len(row) != vocab for row in weights):
        raise ValueError(f"{name}: {rows} rows of {vocab} weights are wanted, got {weights}")
    for row in weights:
        if not all(isinstance(x, int) and 0 <= x <= MAX_WEIGHT for x in row):
            raise ValueError(f"{name}: weights are whole numbers from 0 to {MAX_WEIGHT}, "
                             f"got {row}")
        if not any(row):
            raise ValueError(f"{name}: one word at least needs a weight above 0")
    exact = [[QuickFraction(x, sum(row)) for x in row] for row in weights]
    return TableModel(np.array(exact * (vocab // rows), dtype=object))


def _result(verdict: Verdict, model: dict, num_tokens: int) -> dict:
    """Returns a verdict as the page shows it."""
    result = {
        "model": name_of(model), "tokens": num_tokens,
        "state": verdict.state, "reason": verdict.reason, "law": None}
    comparison = verdict.comparison
    if comparison:
        # What rounding leaves has no worst sequence.
        worst = comparison.worst if verdict.state == "not exact" else None
        result["law"] = {
            "paths": comparison.num_paths, "distance": _number(comparison.total_variation),
            "first_token": _number(comparison.first_token_variation),
            "worst": worst and _sequence(comparison, worst), **_shown(comparison)}
    return result


def _shown(comparison: Comparison) -> dict:
    """Returns the sequences of the chart: all, or those that say most."""
    every = sorted(comparison.emitted.keys() | comparison.target.keys())
    shown = sorted(every, key=lambda tokens: (
        -comparison.difference(tokens), -comparison.target.get(tokens, 0)))[:MAX_SHOWN]
    return {"total": len(every),
            "sequences": [_sequence(comparison, tokens) for tokens in sorted(shown)]}


def _sequence(comparison, tokens):
    return {"words": "".join(WORDS[token] for token in tokens),
            "target": _number(comparison.target.get(tokens, Fraction(0))),
            "emitted": _number(comparison.emitted.get(tokens, Fraction(0)))}


def _number(fraction) -> dict:
    """Returns a probability in float, and as it is: `exact` is "" when that is too long."""
    long = fraction.denominator >= 10**MAX_DIGITS  # as when the code computes in floats
    return {"value": float(fraction), "exact": "" if long else str(fraction)}
