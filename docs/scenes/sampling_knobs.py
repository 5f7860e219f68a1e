"""What the page "Sampling knobs" computes: the next word's law as the knobs stand, and a text.

A session is a seed and a log of settings; a step makes one token by the target alone, or
several by speculative decoding with the knobs wired as set. The knobs are those of the
sampling.py in force, so that a reader's edit runs; the law they are held to is the package's.
"""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np

from specdec import edition, exact, exactness, sampling, wiring
from specdec.controls import Choice, Slider, Switch, checked, declared, defaults
from specdec.edited_knobs import knobs_in_force
from specdec.evidence import LEVEL, Evidence
from specdec.in_parts import completed
from specdec.models import TableModel, draft_of_quality, playground_target
from specdec.sampling import ORDERS, Knobs
from specdec.speculative import autoregressive_decode, speculative_decode
from specdec.theory import acceptance_rate

MAX_STEPS = 400
MAX_SEED = 999_999
SEED, FIRST_RUN_STEPS = 5, 18
GAMMA = 4
DRAFT_QUALITY = 0.6
TAIL = 0.12  # with this probability the target forgets the word before
WORDS_SHOWN = 60
TEMPERATURES = tuple(i / 10 for i in range(21))

_WORDS = playground_target().words
CONTROLS = (
    Slider("temperature", "Temperature", 0.8, 0, 2, 0.05, ends=("argmax", "noise")),
    Slider("top_k", "Top-k", len(_WORDS), 1, len(_WORDS), 1, off=len(_WORDS)),
    Slider("top_p", "Top-p", 0.9, 0, 1, 0.01, off=1),
    Slider("min_p", "Min-p", 0, 0, 1, 0.01, off=0),
    Slider("typical_p", "Typical-p", 1, 0, 1, 0.01, off=1),
    Slider("repetition", "Repetition penalty", 1, 1, 2, 0.05, off=1),
    Slider("frequency", "Frequency penalty", 0, 0, 2, 0.05, off=0),
    Slider("presence", "Presence penalty", 0, 0, 2, 0.05, off=0),
    Choice("order", "Order of the knobs", "vLLM", tuple((name, name) for name in ORDERS)),
    Choice("decoder", "Text made by", "target",
           (("target", "the target alone"), ("speculative", "speculative decoding"))),
    Switch("on_target", "Knobs on the target", True),
    Switch("on_draft", "Knobs on the draft", True),
    Switch("in_ratio", "Ratio uses the q drawn from", True),
)

# Three words, each row with one that is rare: most settings of the knobs change its law.
SMALL_TARGET = TableModel([[0.62, 0.35, 0.03], [0.08, 0.7, 0.22], [0.5, 0.1, 0.4]])
SMALL_DRAFT = TableModel([[0.36, 0.58, 0.06], [0.28, 0.4, 0.32], [0.3, 0.65, 0.05]])
SMALL_GAMMA, SMALL_TOKENS = 2, 3


def target_model() -> TableModel:
    """Returns the target: the playground's, smoothed with how often each word comes at all.

    So every word has a logit, and most of them form a tail, as in a language model.
    """
    table = playground_target().table
    return TableModel((1 - TAIL) * table + TAIL * table.mean(axis=0), _WORDS)


def draft_model() -> TableModel:
    """Returns the draft of that target."""
    return draft_of_quality(target_model(), DRAFT_QUALITY)


def knobs_of(settings: dict) -> Knobs:
    """Returns the knobs as these settings have them; all off, they are `Knobs()`."""
    knobs = {field.name: settings[field.name] for field in fields(Knobs)}
    return Knobs(**knobs | {"top_k": None if knobs["top_k"] == len(_WORDS) else knobs["top_k"]})


def wiring_of(settings: dict) -> wiring.Wiring:
    """Returns where the knobs act, as these settings have it."""
    return wiring.Wiring(settings["on_target"], settings["on_draft"], settings["in_ratio"])


class SamplingKnobs:
    """One session at a time: `open` begins it, `advance` makes steps of it or none.

    `examine` is slow, in parts, and needs no session: what each wiring does to the law.
    """

    ACTIONS = ("open", "advance", "examine")
    HEARD = True  # what a reader's code prints is shown

    _examined = None  # the knobs, their order and the code that `_found` is of

    def open(self, *, seed: int) -> None:
        """Begins a session: no token made yet, the text stands before a new sentence."""
        self.seed, self.log, self.steps = seed, [], 0
        self.rng = np.random.default_rng(seed)
        self.sampling = knobs_in_force()
        self.target, self.draft = target_model(), draft_model()
        self.tokens, self.kinds = [_WORDS.index(".")], []
        self.counted = {"steps": 0, "drafted": 0, "accepted": 0, "tokens": 0, "words_left": 0}
        # Of each way to make text its own, against the law with the knobs and without.
        self.evidence: dict[wiring.Wiring | None, tuple[Evidence, Evidence]] = {}

    def advance(self, *, settings: dict, count: int) -> dict:
        """Makes `count` steps under these settings (fewer at the session's end).

        Returns:
            Where the session stands then, and the next word's law as the knobs stand.

        Raises:
            ValueError: settings that no control gives, count < 0.
            CodeProblem: the sampling.py in force raised or gave what are no logits; the
                session has to be opened anew.
        """
        settings = checked(CONTROLS, settings)
        if count < 0:
            raise ValueError(f"count must be at least 0, got {count}")
        count = min(count, MAX_STEPS - self.steps)
        if count > 0 and (not self.log or self.log[-1][1] != settings):
            self.log.append([self.steps, settings])
            self.counted = dict.fromkeys(self.counted, 0)
        for _ in range(count):
            self._step(settings)
        return self._state(settings)

    def examine(self, *, settings: dict) -> dict | None:
        """Enumerates what each wiring of these knobs emits on a small model.

        Returns:
            {"model": what was enumerated, "changed": how far the knobs move the target's own
            law there, "wirings": one entry each for the eight of them}; None while there are
            more to enumerate.
        """
        settings = checked(CONTROLS, settings)
        knobs, order = knobs_of(settings), settings["order"]
        of = knobs, order, edition.current("sampling.py")
        if self._examined != of:
            self._examined, self._found = of, {}
        left = {_same(wired) for wired in every_wiring()} - self._found.keys()
        if left:
            wired = left.pop()
            self._found[wired] = wiring.compare_wiring(
                SMALL_TARGET, SMALL_DRAFT, knobs, order, wired,
                gamma=SMALL_GAMMA, num_tokens=SMALL_TOKENS, sampling=knobs_in_force())
        if left:
            return None
        laws = self._found[wiring.Wiring()]
        changed = float(exact.total_variation(laws.with_knobs.target, laws.without_knobs.target))
        return {
            "model": f"{len(SMALL_TARGET.words)} words, γ = {SMALL_GAMMA}, {SMALL_TOKENS} tokens",
            "changed": changed,
            "wirings": [_finding(wired, self._found[_same(wired)], changed)
                        for wired in every_wiring()]}

    def _step(self, settings: dict) -> None:
        """Makes one token by the target alone, or a step of speculative decoding."""
        knobs, order, wired = knobs_of(settings), settings["order"], wiring_of(settings)
        if settings["decoder"] == "target":
            law = wiring.with_knobs(self.target, knobs, order, sampling=self.sampling)
            emitted = autoregressive_decode(law, self.tokens, 1, self.rng)
            kinds, drafted, accepted, way = ["sampled"], 0, 0, None
        else:
            parts = wiring.wire(self.target, self.draft, knobs, order, wired,
                                sampling=self.sampling)
            step = next(speculative_decode(
                parts.target, parts.draft, self.tokens, GAMMA + 1, GAMMA, self.rng,
                verify=parts.verify))
            emitted, accepted, drafted = step.tokens, step.num_accepted, len(step.draft_tokens)
            kinds = ["accepted"] * accepted + ["recovered" if accepted < drafted else "bonus"]
            way = wired
        held_to = wiring.with_knobs(self.target, knobs, order)
        with_knobs, without = self.evidence.setdefault(way, (Evidence(), Evidence()))
        words_left = 0
        for token, kind in zip(emitted, kinds, strict=True):
            probs = held_to(self.tokens)[-1]
            with_knobs.update(self.tokens[-1], probs, token)
            without.update(self.tokens[-1], self.target(self.tokens)[-1], token)
            words_left += int((probs > 0).sum())
            self.tokens.append(int(token))
            self.kinds.append(kind)
        self.steps += 1
        made = {"steps": 1, "drafted": drafted, "accepted": int(accepted),
                "tokens": len(emitted), "words_left": words_left}
        self.counted = {name: self.counted[name] + made[name] for name in made}

    def _state(self, settings: dict) -> dict:
        way = wiring_of(settings) if settings["decoder"] == "speculative" else None
        with_knobs, without = self.evidence.get(way, (Evidence(), Evidence()))
        drafted = self.counted["drafted"]
        return {
            "session": {"seed": self.seed, "steps": self.steps,
                        "log": [[step, dict(entry)] for step, entry in self.log]},
            "finished": self.steps == MAX_STEPS,
            **self._next_word(settings),
            "text": [{"word": _WORDS[token], "kind": kind} for token, kind in zip(
                self.tokens[1:][-WORDS_SHOWN:], self.kinds[-WORDS_SHOWN:], strict=True)],
            "tokens": len(self.kinds),
            "counted": self.counted | {
                "rate": self.counted["accepted"] / drafted if drafted else None},
            "acceptance": self._acceptance(settings),
            "evidence": {
                "tokens": with_knobs.num_tokens, "level": LEVEL,
                "with_knobs": _against(with_knobs), "without_knobs": _against(without)}}

    def _next_word(self, settings: dict) -> dict:
        """Returns each word's logit and probability, before the knobs and after."""
        logits = np.log(self.target(self.tokens)[-1])
        knobs, order = knobs_of(settings), settings["order"]
        other = next(name for name in ORDERS if name != order)

        def stages(order):
            return self.sampling.stages(logits, self.tokens, knobs, order)

        after, after_other = stages(order), list(stages(other).values())[-1]
        before = sampling.softmax(logits)
        last = list(after.values())[-1]
        law, law_other = self.sampling.softmax(last), self.sampling.softmax(after_other)
        words = [{
            "word": word, "logit": float(logits[i] - logits.max()),
            "logit_after": _finite(last[i] - last.max()), "before": float(before[i]),
            "after": float(law[i]), "after_other": float(law_other[i]),
            "cut_by": next((knob for knob, row in after.items() if row[i] == -np.inf), None)}
            for i, word in enumerate(_WORDS)]
        return {
            "context": _WORDS[self.tokens[-1]],
            "words": sorted(words, key=lambda word: -word["before"]),
            "law": {"before": _figures(before), "after": _figures(law)},
            "other": {"order": other, **_figures(law_other),
                      "distance": float(abs(law - law_other).sum() / 2)}}

    def _acceptance(self, settings: dict) -> dict:
        """Returns α of the next word by temperature, for knobs on both and on the target alone."""
        def alphas(temperatures):
            knobs, order = knobs_of(settings), settings["order"]
            both = wiring.acceptance_by_temperature(
                self.target, self.draft, self.tokens, temperatures, knobs, order,
                sampling=self.sampling)
            draft = self.draft(self.tokens)
            alone = [acceptance_rate(wiring.with_knobs(
                self.target, knobs_of(settings | {"temperature": value}), order,
                sampling=self.sampling)(self.tokens), draft)[0] for value in temperatures]
            return {"both": both.tolist(), "alone": [float(alpha) for alpha in alone]}

        return {"temperatures": TEMPERATURES, **alphas(TEMPERATURES),
                "now": {name: value[0] for name, value in
                        alphas((settings["temperature"],)).items()}}


SCENE = SamplingKnobs


def first_frame() -> dict:
    """Returns what the page shows before Python is up, made when the site is built."""
    scene, settings = SamplingKnobs(), defaults(CONTROLS)
    scene.open(seed=SEED)
    return {
        "controls": declared(CONTROLS), "max_seed": MAX_SEED, "max_steps": MAX_STEPS,
        "state": scene.advance(settings=settings, count=FIRST_RUN_STEPS),
        "examined": completed(lambda: scene.examine(settings=settings))}


def stated_numbers() -> dict[str, str]:
    """Returns what `{{ name }}` in the page stands for."""
    start = defaults(CONTROLS) | {"temperature": 0.5}
    scene = SamplingKnobs()
    scene.open(seed=SEED)
    scene.tokens = [_WORDS.index("the")]
    found = completed(lambda: scene.examine(settings=start))
    forgotten = found["wirings"][every_wiring().index(wiring.Wiring(on_target=False))]
    alphas = scene._acceptance(start)["now"]
    hot = scene._next_word(start | {"temperature": 2, "top_p": 1, "min_p": 0.1})
    return {
        "knobs_gamma": str(GAMMA), "knobs_tail": str(TAIL),
        "knobs_forgotten_with": f"{forgotten['with_knobs']:.3f}",
        "knobs_forgotten_without": f"{forgotten['without_knobs']:.0f}",
        "knobs_hot_first": str(hot["law"]["after"]["words"]),
        "knobs_hot_last": str(hot["other"]["words"]),
        "knobs_alpha_both": f"{alphas['both']:.2f}",
        "knobs_alpha_alone": f"{alphas['alone']:.2f}"}


def every_wiring() -> list[wiring.Wiring]:
    """Returns the eight of them, the right one first."""
    ways = (True, False)
    return [wiring.Wiring(target, draft, ratio)
            for target in ways for draft in ways for ratio in ways]


def _same(wired: wiring.Wiring) -> wiring.Wiring:
    """Returns a wiring that does the same: a draft without knobs has but one q."""
    return wiring.Wiring(wired.on_target, wired.on_draft, wired.in_ratio or not wired.on_draft)


def _finding(wired: wiring.Wiring, laws, changed: float) -> dict:
    """Returns what enumeration found of a wiring: whose law it emits, as words and numbers."""
    with_knobs, without = (law.total_variation for law in (laws.with_knobs, laws.without_knobs))
    rounding = [0 < distance < exactness.ROUNDING for distance in (with_knobs, without)]
    if changed < exactness.ROUNDING:
        state, law = "could not check", "with these knobs the small model's law is as without"
    elif any(rounding):
        state, law = "could not check", "the code in force rounds otherwise than the package's"
    elif not with_knobs:
        state, law = "exact", "the target's law with the knobs"
    elif not without:
        state, law = "not exact", "the target's law without the knobs"
    else:
        state, law = "not exact", "neither law"
    return {
        "on_target": wired.on_target, "on_draft": wired.on_draft, "in_ratio": wired.in_ratio,
        "state": state, "law": law, "paths": laws.with_knobs.num_paths,
        "with_knobs": float(with_knobs), "without_knobs": float(without)}


def _against(test: Evidence) -> dict:
    return {"log10_e": _finite(test.log_e_value / math.log(10)), "rejected": test.rejects(LEVEL)}


def _figures(law: np.ndarray) -> dict:
    """Returns entropy in bits, perplexity, and how many words are left, of a law [vocab]."""
    kept = law[law > 0]
    entropy = max(0.0, float(-(kept * np.log2(kept)).sum()))
    return {"entropy": entropy, "perplexity": 2**entropy, "words": len(kept)}


def _finite(number: float) -> float | None:
    """JSON has no infinity."""
    return float(number) if math.isfinite(number) else None
