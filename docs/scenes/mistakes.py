"""What the list "Break it" computes: each change's exact law, and what sampling would say.

`judged_catalogue` is made when the site is built. In the tab, `Mistakes` gives the changed
text, and watches a run of it with the running evidence, a slice of tokens a call.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isfinite, log, log10

import numpy as np

from specdec import edition, sample_size
from specdec.certificate import SmallModel, small_models
from specdec.evidence import LEVEL, Evidence
from specdec.exactness import SequencesCheck, check_step
from specdec.mistakes import PATCHES, Patch
from specdec.models import TableModel, draft_of_quality, playground_target

QUALITY, GAMMA, SEED = 0.3, 4, 7  # of the run that the evidence watches: a poor draft
WATCHED_TOKENS = 10_000
_TRAIL_EVERY = 50  # tokens


@dataclass(frozen=True)
class Findings:
    """What is known of a change without running a single sample. Fractions are in text.

    Attributes:
        model: the first of the certificate's small models whose law changes; the first
            model of all when none does. With vocab, gamma and num_tokens.
        total_variation: from the target's joint law of all tokens.
        first_token: the same of the first token alone, after the word where it is largest.
        two_words: the same of all tokens, on a model of two words.
        paths: runs of the code that it took, on `model`.
        needed: tokens that the ordinary test needs; None if no number is enough.
    """

    model: str
    vocab: int
    gamma: int
    num_tokens: int
    total_variation: str
    first_token: str
    two_words: str
    paths: int
    needed: int | None


def findings(patch: Patch) -> Findings:
    """Enumerates the changed code on small models."""
    decode = _module(patch).speculative_decode
    models = small_models()
    for model in models:
        comparison = _joint(decode, model)
        if comparison.total_variation:
            break
    else:
        model, comparison = models[0], _joint(decode, models[0])
    steps = [check_step(decode, model.target, model.draft, model.gamma, prompt=[word])
             for word in range(len(model.target.table)) if word not in model.stop_tokens]
    needed = [number for number in map(_needed, steps) if number is not None]
    return Findings(
        model.name, len(model.target.table), model.gamma, model.num_tokens,
        str(comparison.total_variation),
        str(max(step.first_token_variation for step in steps)),
        str(_joint(decode, _two_words(model)).total_variation),
        comparison.num_paths, min(needed, default=None))


def judged_catalogue() -> list[dict]:
    """Returns what the page lists: every change, judged, in order."""
    return [judged(patch) for patch in PATCHES]


def judged(patch: Patch) -> dict:
    """Returns a change with its findings.

    "changes" and "notices" are the right answers to the two questions: does the law of
    the output change, and would an ordinary test of `sample_size.TOKENS` tokens notice?
    """
    found = findings(patch)
    return {
        "name": patch.name, "title": patch.title, "seen": patch.seen, "why": patch.why,
        "text": _text(patch), "findings": asdict(found),
        "changes": found.total_variation != "0",
        "notices": found.needed is not None and found.needed <= sample_size.TOKENS}


class Mistakes:
    """`patched` gives a changed text; `watch` and `go_on` run it beside the evidence."""

    ACTIONS = ("patched", "watch", "go_on")

    def patched(self, *, name: str) -> dict:
        """Returns {"text": speculative.py with the change of this name}.

        Raises:
            ValueError: no change has the name.
        """
        return {"text": _text(_named(name))}

    def watch(self, *, name: str) -> dict:
        """Opens a run of the changed code on the playground's target, with a poor draft.

        Returns:
            As `go_on`, before the first token.
        """
        target = playground_target()
        self.target, self.evidence = target, Evidence()
        self.context = target.words.index(".")
        self.trail = [[0, 0.0]]
        steps = _module(_named(name)).speculative_decode(
            target, draft_of_quality(target, QUALITY), [self.context], WATCHED_TOKENS, GAMMA,
            np.random.default_rng(SEED))
        self.tokens = (int(token) for step in steps for token in step.tokens)
        return self.go_on(tokens=0)

    def go_on(self, *, tokens: int) -> dict:
        """Watches so many tokens more, fewer when the evidence is in or the run is over.

        Returns:
            {"tokens": seen so far, "rejected": whether the alarm went off, "done": whether
            there is nothing more to come, "trail": [[tokens, log10 of the e-value], ...]
            from the start; the logarithm is None past all bounds, "alarm": where it goes
            off, "most_tokens": at which it ends in any case, "settings": of the draft}.
        """
        for _ in range(tokens):
            if self._done():
                break
            token = next(self.tokens)
            self.evidence.update(self.context, self.target([self.context])[0], token)
            self.context = token
            if self.evidence.num_tokens % _TRAIL_EVERY == 0 or self._done():
                e_value = self.evidence.log_e_value / log(10)
                self.trail.append(
                    [self.evidence.num_tokens, e_value if isfinite(e_value) else None])
        return {"tokens": self.evidence.num_tokens, "rejected": self.evidence.rejects(),
                "done": self._done(), "trail": self.trail,
                "alarm": -log10(LEVEL), "most_tokens": WATCHED_TOKENS,
                "settings": {"quality": QUALITY, "gamma": GAMMA}}

    def _done(self) -> bool:
        return self.evidence.rejects() or self.evidence.num_tokens >= WATCHED_TOKENS


SCENE = Mistakes


def _named(name: str) -> Patch:
    for patch in PATCHES:
        if patch.name == name:
            return patch
    raise ValueError(f"no change {name!r}; there are {', '.join(p.name for p in PATCHES)}")


def _text(patch: Patch) -> str:
    return patch.applied_to(edition.original("speculative.py").text)


def _module(patch: Patch):
    return edition.load("speculative.py", _text(patch)).module


def _joint(decode, model: SmallModel):
    return SequencesCheck(
        decode, model.target, model.draft, model.gamma, model.num_tokens,
        stop_tokens=model.stop_tokens).comparison()


def _two_words(model: SmallModel) -> SmallModel:
    """Returns a model of two words that is run as this one is."""
    def table(*tenths):
        return TableModel(np.array(
            [[Fraction(number, 10) for number in row] for row in tenths], dtype=object))

    return SmallModel("two words", table((7, 3), (2, 8)), table((4, 6), (9, 1)),
                      gamma=2, num_tokens=4, stop_tokens=(1,) if model.stop_tokens else ())


def _needed(step) -> int | None:
    """Returns how many first tokens the ordinary test needs; `step` compares their laws."""
    words = sorted({tokens[0] for law in (step.emitted, step.target) for tokens in law})
    emitted, target = (
        [sum(weight for tokens, weight in law.items() if tokens[0] == word) for word in words]
        for law in (step.emitted, step.target))
    return sample_size.tokens_needed(target, emitted)
