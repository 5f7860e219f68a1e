"""What the playground computes: a session of speculative decoding, step by step.

Everything here is a pure function of a seed and a log of settings, so that a link, a
crash and the comparison of CPython with Pyodide all come to the same tokens. Nothing
here draws: `Playground` returns JSON-able data, the widget shows it.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np

from specdec import edition, evidence, speculative, theory
from specdec.edited_steps import next_step, steps_of
from specdec.models import draft_of_quality, playground_target
from specdec.recording import RecordingRng

MAX_STEPS = 2000
MAX_GAMMA = 8
MAX_SEED = 999_999
DEFAULTS = {"seed": 81, "quality": 0.85, "gamma": 4, "cost_ratio": 0.05}
FIRST_RUN_STEPS = 6
ARGUMENT_CHECKS = ("_rows", "_checked")  # functions whose lines a learner may pass over


class Totals(NamedTuple):
    """Counts over some steps: a step is one target pass."""

    steps: int
    drafted: int
    accepted: int
    tokens: int

    def plus(self, other: Totals) -> Totals:
        """Returns the counts over both."""
        return Totals(*(one + two for one, two in zip(self, other, strict=True)))

    def minus(self, other: Totals) -> Totals:
        """Returns the counts over what `other` does not cover."""
        return Totals(*(one - two for one, two in zip(self, other, strict=True)))


class Playground:
    """One session at a time: `open` begins it, `advance` runs steps of it.

    The code that makes the steps is the one in force when the session is opened.
    """

    ACTIONS = ("open", "advance")
    HEARD = True  # what a reader's code prints and draws in its steps is shown

    def open(self, *, seed: int, cost_ratio: float) -> dict:
        """Begins a session: no step made yet, the stream stands before a new sentence."""
        self.seed = seed
        self.edition = edition.current("speculative.py")
        self.target = playground_target()
        self.rng = RecordingRng(np.random.default_rng(seed))
        self.tokens = [self.target.words.index(".")]
        self.log: list[tuple[int, dict]] = []
        self.totals = [Totals(0, 0, 0, 0)]  # after each step, and before the first
        self.emitted = np.zeros(len(self.target.words), int)
        self.evidence = evidence.Evidence()
        self.band = evidence.ConfidenceBand(len(self.target.words))
        return {"frames": [], "state": self._state(cost_ratio)}

    def advance(self, *, quality: float, gamma: int, count: int, cost_ratio: float,
                lines: bool = False) -> dict:
        """Runs `count` steps under these settings (fewer at the session's end).

        Returns:
            {"frames": one for each step made, "state": where the session stands then}.
            With `lines` the last frame also tells which lines of the code made it.

        Raises:
            ValueError: quality outside [0, 1], gamma outside [1, MAX_GAMMA], count < 0.
            CodeProblem: the code in force raised, ended early or made what is no step; the
                session has to be opened anew.
        """
        if not (isinstance(gamma, int) and 1 <= gamma <= MAX_GAMMA):
            raise ValueError(f"gamma must be a whole number in [1, {MAX_GAMMA}], got {gamma}")
        if not 0 <= quality <= 1:
            raise ValueError(f"quality must be in [0, 1], got {quality}")
        if count < 0:
            raise ValueError(f"count must be at least 0, got {count}")
        count = min(count, MAX_STEPS - self.totals[-1].steps)
        if count > 0:
            self._use({"quality": quality, "gamma": gamma})
        frames = [self._step(traced=lines and left == 1) for left in range(count, 0, -1)]
        return {"frames": frames, "state": self._state(cost_ratio)}

    def _use(self, settings: dict) -> None:
        """Takes settings from the next step on; the stream and its random numbers go on."""
        if self.log and self.log[-1][1] == settings:
            return
        draft = draft_of_quality(self.target, settings["quality"])
        self.log.append((self.totals[-1].steps, settings))
        self.alpha = theory.mean_acceptance_rate(self.target.table, draft.table)
        steps_left = MAX_STEPS - self.totals[-1].steps
        self.steps = steps_of(
            self.edition, self.target, draft, self.tokens, steps_left * (settings["gamma"] + 1),
            settings["gamma"], self.rng)

    def _step(self, traced: bool) -> dict:
        settings = self.log[-1][1]
        context = self.tokens[-1]
        trace = self._line_trace() if traced else nullcontext()
        with trace:
            step = next_step(
                self.steps, len(self.target.words), ended="speculative_decode ended after "
                f"{len(self.tokens) - 1} tokens, before it had made as many as it was asked for")
        draws = self.rng.take()
        emitted = [int(token) for token in step.tokens]
        cells = _cells(step, draws, context, self.target.words)
        for token in emitted:
            probs = self.target([context])[0]
            self.evidence.update(context, probs, token)
            self.band.update(probs)
            self.emitted[token] += 1
            context = token
        self.tokens += emitted
        made = Totals(1, len(step.draft_tokens), int(step.num_accepted), len(emitted))
        self.totals.append(self.totals[-1].plus(made))
        window = self._window()
        pace = {
            "tokens": len(emitted), "settings_changed": window.steps == 1,
            "mean": window.tokens / window.steps,
            "predicted": float(theory.expected_tokens(self.alpha, settings["gamma"]))}
        frame = {"step": self.totals[-1].steps, **settings, "cells": cells, "pace": pace}
        return {**frame, "lines": _lines(trace, step, draws)} if traced else frame

    def _line_trace(self):
        from specdec.line_trace import LineTrace  # the tab makes its first step without it

        return LineTrace(self.edition.filename, self.edition.text, self.rng, self.target.words)

    def _window(self) -> Totals:
        """Returns what was made since the settings last changed."""
        start = self.log[-1][0] if self.log else 0
        return self.totals[-1].minus(self.totals[start])

    def _state(self, cost_ratio: float) -> dict:
        run = self.totals[-1]
        low, high = self.band.limits(evidence.LEVEL)
        outside = (self.emitted < low) | (self.emitted > high)
        return {
            "session": {
                "seed": self.seed, "steps": run.steps,
                "log": [[step, settings] for step, settings in self.log]},
            "finished": run.steps == MAX_STEPS,
            "window": _statistics(self._window(), cost_ratio),
            "run": _statistics(run, cost_ratio),
            "distribution": {
                "words": list(self.target.words), "emitted": self.emitted.tolist(),
                "expected": self.band.expected.tolist(), "low": low.tolist(),
                "high": high.tolist(), "total": int(self.emitted.sum()),
                "outside": [self.target.words[i] for i in np.flatnonzero(outside)]},
            "evidence": {
                "log10_e": _finite(self.evidence.log_e_value / math.log(10)),
                "level": evidence.LEVEL, "rejected": self.evidence.rejects(evidence.LEVEL)},
        }


SCENE = Playground


def first_frame() -> dict:
    """Returns the run the page shows before Python is up, made when the site is built."""
    from specdec import certificate  # the tab makes steps sooner without it

    playground = Playground()
    cost_ratio = DEFAULTS["cost_ratio"]
    blank = playground.open(seed=DEFAULTS["seed"], cost_ratio=cost_ratio)["state"]
    run = playground.advance(
        quality=DEFAULTS["quality"], gamma=DEFAULTS["gamma"], count=FIRST_RUN_STEPS,
        cost_ratio=cost_ratio)
    return {
        **run, "blank": blank, "defaults": DEFAULTS, "max_steps": MAX_STEPS,
        "max_gamma": MAX_GAMMA, "max_seed": MAX_SEED, "first_run_steps": FIRST_RUN_STEPS,
        "certificate": certificate.certify().as_dict()}


def _cells(step, draws, context: int, words) -> list[dict]:
    """Returns one cell a guess, and one for the token that the target added.

    `draws` are the step's random numbers in order: a choice a guess, an acceptance test
    a guess until the first miss, one choice for the target's own token. Where a reader's
    code draws otherwise, nobody knows which number decided what, and `uniform` is None.
    """
    guesses, accepted = [int(token) for token in step.draft_tokens], int(step.num_accepted)
    target = np.asarray(step.target_probs).astype(float)
    draft = np.asarray(step.draft_probs).astype(float)
    tests = [draw.uniform for draw in draws if draw.method == "random"]
    if len(tests) != min(accepted + 1, len(guesses)):
        tests = []
    cells = []
    for i, token in enumerate(guesses):
        p, q = target[i], draft[i]
        kind = ("accepted" if i < accepted else "rejected" if i == accepted else "discarded")
        cells.append({
            "kind": kind, "position": i, "token": token, "word": words[token],
            "context": words[context], "p": float(p[token]), "q": float(q[token]),
            "ratio": _ratio(float(p[token]), float(q[token])),
            "uniform": tests[i] if i < len(tests) else None,
            "target": p.tolist(), "draft": q.tolist(),
            "residual": speculative.residual(p, q).tolist() if kind == "rejected" else None})
        context = token
    rejected = accepted < len(guesses)
    token, p = int(step.next_token), target[accepted]
    choices = [draw for draw in draws if draw.method == "choice"]
    decided = choices and choices[-1].value == token
    cells.append({
        "kind": "recovered" if rejected else "bonus", "position": accepted, "token": token,
        "word": words[token],
        "context": cells[accepted]["context"] if rejected else words[context],
        "p": float(p[token]), "q": float(draft[accepted][token]) if rejected else None,
        "ratio": None, "uniform": choices[-1].uniform if decided else None,
        "target": p.tolist(), "draft": draft[accepted].tolist() if rejected else None,
        "residual": cells[accepted]["residual"] if rejected else None})
    return cells


def _lines(trace, step, draws) -> dict:
    """Returns the lines that made a step, each with how much of it was made before.

    What is made is told from the draws: see `_cells`. If a reader's code draws otherwise,
    all of the step is there at its last line, and nothing before.
    """
    guesses, accepted = [int(token) for token in step.draft_tokens], int(step.num_accepted)
    tests = min(accepted + 1, len(guesses))
    usual = [*guesses, *[None] * tests, int(step.next_token)] == [
        draw.value if draw.method == "choice" else None for draw in draws]
    lines = []
    for line in trace.lines:
        drawn = line.draws_before if usual else 0
        checked = min(max(drawn - len(guesses), 0), tests)
        lines.append({**line.as_dict(), "shown": {
            "guesses": min(drawn, len(guesses)),
            "checked": len(guesses) if checked == tests else checked,  # a miss ends the tests
            "own": usual and drawn == len(draws)}})
    if lines:
        lines[-1]["shown"] = {"guesses": len(guesses), "checked": len(guesses), "own": True}
    return {"calls": trace.calls, "lines": lines, "complete": trace.complete,
            "argument_checks": ARGUMENT_CHECKS}


def _ratio(p: float, q: float) -> float | None:
    """Returns p/q; None at a guess that q could not have drawn."""
    return _finite(p / q) if q else None


def _statistics(totals: Totals, cost_ratio: float) -> dict:
    """Returns what the tiles show; a rate over nothing is None."""
    passes, drafted, accepted, tokens = totals
    cost = passes + cost_ratio * drafted  # in target passes; each step with its own gamma
    return {
        "steps": passes, "drafted": drafted, "accepted": accepted,
        "thrown_away": drafted - accepted, "tokens_emitted": tokens,
        "draft_accept_rate": accepted / drafted if drafted else None,
        "tokens_per_pass": tokens / passes if passes else None,
        "speedup": tokens / cost if passes else None}


def _finite(number: float) -> float | None:
    """JSON has no infinity: a number past all bounds is None."""
    return number if math.isfinite(number) else None
