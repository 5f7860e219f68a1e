"""What the page "Beam search" computes: the tree of a search, as far as it has gone.

A session is a seed and the settings; its steps say how much of the search is shown. What
searches is the beam.py in force, so that a reader's edit runs; what it is held to, greedy
decoding and the best of all continuations, is the package's.
"""

from __future__ import annotations

import functools
from dataclasses import asdict

import numpy as np

from specdec import beam
from specdec.beam_failures import FailureCount, RandomTree, exhaustive_search
from specdec.controls import Choice, Slider, checked, declared, defaults
from specdec.edited_beams import search_in_force
from specdec.in_parts import completed

MAX_SEED = 999_999
SEED, FIRST_RUN_STEPS = 5, 3
WORDS = ("go", "on", "we", ".")
STOP = WORDS.index(".")
MAX_TOKENS = 5
CONCENTRATION = 0.7  # peaked enough for favourites, not so much that greedy always finds the best

# Named models are random trees, too: each is the first seed's whose tree has the property that
# its name says, at the playground's number of tokens. A test looks for them.
NAMED = {"greedy": 185, "beam": 10, "penalty": 6}

CONTROLS = (
    Slider("width", "Width", 2, 1, 5, 1),
    Slider("length_penalty", "Length penalty", 0, 0, 2, 0.1,
           ends=("favours short", "favours long")),
    Slider("num_tokens", "Tokens at most", 4, 2, MAX_TOKENS, 1),
    Choice("model", "Model", "greedy", (
        ("greedy", "greedy fails, width 2 does not"), ("beam", "width 2 fails, too"),
        ("penalty", "the penalty decides"), ("random", "random, by seed"))),
)

FAILURE_WIDTHS = (1, 2, 3, 4, 5)
FAILURE_MODELS, FAILURE_VOCAB = 200, 3
FAILURE_WORK = 2_000  # continuations looked at in one go: a tenth of a second in a browser


class BeamSearch:
    """One session at a time: `open` begins it, `advance` shows steps of its search or none.

    `examine` is slow, in parts, and needs no session: how often a beam fails.
    """

    ACTIONS = ("open", "advance", "examine")
    HEARD = True  # what a reader's code prints is shown

    def open(self, *, seed: int) -> None:
        """Begins a session: nothing is searched yet."""
        self.seed, self.steps = seed, 0

    def advance(self, *, settings: dict, count: int) -> dict:
        """Goes `count` steps on in the search with these settings (fewer at its end).

        Returns:
            The tree so far, and what other ways to search find.

        Raises:
            ValueError: settings that no control gives, count < 0.
            CodeProblem: the beam.py in force raised or gave what no search can give.
        """
        settings = checked(CONTROLS, settings)
        if count < 0:
            raise ValueError(f"count must be at least 0, got {count}")
        model = model_of(settings["model"], self.seed)
        width, num_tokens = settings["width"], settings["num_tokens"]
        options = {"length_penalty": settings["length_penalty"], "stop_tokens": (STOP,)}
        found, steps = search_in_force(model, width, num_tokens, **options)
        self.steps = min(self.steps + count, len(steps) - 1)
        finished = self.steps == len(steps) - 1
        every = exhaustive_search(model, (), num_tokens, **options)
        best, score_of = every[0], {one.tokens: one.score for one in every}
        greedy = beam.beam_search(model, (), 1, num_tokens, stop_tokens=(STOP,))[0]
        likeliest = max(every, key=lambda one: (one.log_prob, [-token for token in one.tokens]))
        return {
            "session": {"seed": self.seed, "steps": self.steps, "log": [[0, settings]]},
            "finished": finished,
            "columns": [_column(step, best.tokens, found[0].tokens if finished else None)
                        for step in steps[1:self.steps + 1]],
            "greedy": _shown(greedy, score_of), "best": _shown(best, score_of),
            "likeliest": _shown(likeliest, score_of),
            "beam": _shown(found[0], score_of) if finished else None,
            "found": score_of[found[0].tokens] >= best.score if finished else None,
            "continuations": len(every),
            "extended": {"beam": 1 + sum(len(step.live) for step in steps[1:self.steps]),
                         "every": len({one.tokens[:end] for one in every
                                       for end in range(len(one.tokens))})}}

    def examine(self, *, settings: dict) -> dict | None:
        """Returns how often each width fails on random models, with as many tokens; None while
        there are more models to search."""
        num_tokens = checked(CONTROLS, settings)["num_tokens"]
        count = failure_count(num_tokens)
        if not count.advance(max(1, FAILURE_WORK // FAILURE_VOCAB**num_tokens)):
            return None
        return {"seed": SEED, "models": FAILURE_MODELS, "vocab": FAILURE_VOCAB,
                "num_tokens": num_tokens, "rates": [asdict(rate) for rate in count.rates()]}


SCENE = BeamSearch


@functools.cache
def model_of(name: str, seed: int) -> RandomTree:
    """Returns the model of this name; the seed counts for "random" only."""
    rng = np.random.default_rng(NAMED.get(name, seed))
    return RandomTree(rng, len(WORDS), MAX_TOKENS, CONCENTRATION)


@functools.cache
def failure_count(num_tokens: int) -> FailureCount:
    """Returns what counts the failures with so many tokens, as far as it has come."""
    return FailureCount(np.random.default_rng(SEED), FAILURE_WIDTHS, num_models=FAILURE_MODELS,
                        vocab=FAILURE_VOCAB, num_tokens=num_tokens)


def first_frame() -> dict:
    """Returns what the page shows before Python is up, made when the site is built."""
    scene, settings = BeamSearch(), defaults(CONTROLS)
    scene.open(seed=SEED)
    return {
        "controls": declared(CONTROLS), "max_seed": MAX_SEED, "max_steps": MAX_TOKENS,
        "state": scene.advance(settings=settings, count=FIRST_RUN_STEPS),
        "words": WORDS, "examined": completed(lambda: scene.examine(settings=settings))}


def stated_numbers() -> dict[str, str]:
    """Returns what `{{ name }}` in the page stands for."""
    def state(**change):
        scene = BeamSearch()
        scene.open(seed=SEED)
        return scene.advance(settings=defaults(CONTROLS) | change, count=MAX_TOKENS)

    start, fails = state(), state(model="beam")
    short, long = (state(model="penalty", length_penalty=value) for value in (0, 1))
    counted = completed(lambda: BeamSearch().examine(settings=defaults(CONTROLS)))
    rates = {rate["width"]: f"{rate['share']:.0%}" for rate in counted["rates"]}
    return {
        "beam_first_steps": str(FIRST_RUN_STEPS), "beam_words": str(len(WORDS)),
        "beam_continuations": str(start["continuations"]),
        "beam_greedy_text": _quoted(start["greedy"]), "beam_best_text": _quoted(start["best"]),
        "beam_greedy_log_prob": f"{start['greedy']['log_prob']:.2f}".replace("-", "−"),
        "beam_best_log_prob": f"{start['best']['log_prob']:.2f}".replace("-", "−"),
        "beam_extended": str(start["extended"]["beam"]),
        "beam_every_extended": str(start["extended"]["every"]),
        "beam_lost_step": str(lost_at(fails)), "beam_lost_text": _quoted(fails["best"]),
        "beam_short_text": _quoted(short["beam"]), "beam_long_text": _quoted(long["beam"]),
        "beam_rate_1": rates[1], "beam_rate_2": rates[2], "beam_rate_5": rates[5],
        "beam_rate_models": str(FAILURE_MODELS)}


def lost_at(state: dict) -> int | None:
    """Returns the step in which the best of all was pruned, from 1; None if it was not."""
    return next((step for step, column in enumerate(state["columns"], start=1)
                 if any(node["on_best"] and node["kind"] == "pruned" for node in column)), None)


def _column(step: beam.BeamStep, best: tuple[int, ...], found: tuple[int, ...] | None) -> list:
    """Returns the hypotheses that arose in a step, in the tree's order."""
    kinds = {one.tokens: kind for kind in ("live", "finished", "pruned")
             for one in getattr(step, kind)}
    arisen = sorted(step.live + step.finished + step.pruned,
                    key=lambda one: (-one.log_prob, one.tokens))
    nodes = [{
        "tokens": list(one.tokens), "kind": kinds[one.tokens], "rank": rank,
        "log_prob": one.log_prob, "score": one.score,
        "on_best": one.tokens == best[:len(one.tokens)],
        "on_found": found is not None and one.tokens == found[:len(one.tokens)]}
        for rank, one in enumerate(arisen, start=1)]
    return sorted(nodes, key=lambda node: node["tokens"])


def _shown(one: beam.Hypothesis, score_of: dict) -> dict:
    """Returns words and figures; the score is the one that all are held to."""
    return {"words": [WORDS[token] for token in one.tokens], "tokens": list(one.tokens),
            "log_prob": one.log_prob, "score": score_of[one.tokens]}


def _quoted(shown: dict) -> str:
    return f"“{' '.join(shown['words']).replace(' .', '.')}”"
