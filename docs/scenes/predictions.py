"""The questions of the page "Speculative decoding", and what the run that answers them says."""

from specdec.questions import Question, Questions

COST_RATIO = 0.05


def _judge_good_draft(states: list[dict]) -> tuple[str, str]:
    figures = states[-1]["window"]
    tokens = figures["tokens_per_pass"]
    right = "under-3" if tokens < 3 else "from-3-to-4" if tokens < 4 else "over-4"
    return right, (
        f"{figures['tokens_emitted']} tokens came out of {figures['steps']} target passes, "
        f"{tokens:.2f} a pass; {figures['draft_accept_rate']:.0%} of all guesses were kept. "
        f"With the draft's own cost that is {figures['speedup']:.2f} times as fast.")


def _judge_poor_draft(states: list[dict]) -> tuple[str, str]:
    before, after = (state["window"] for state in states)
    slower = after["tokens_per_pass"] < before["tokens_per_pass"]
    strays = states[-1]["distribution"]["outside"]
    text_changed = states[-1]["evidence"]["rejected"] or bool(strays)
    right = {
        (True, False): "speed", (False, True): "text", (True, True): "both",
        (False, False): "neither"}[slower, text_changed]
    words = "every word stayed inside its band" if not strays else (
        f"outside their bands: {', '.join(strays)}")
    evidence = "has found something" if states[-1]["evidence"]["rejected"] else (
        "has found nothing")
    return right, (
        f"Tokens per pass went from {before['tokens_per_pass']:.2f} to "
        f"{after['tokens_per_pass']:.2f}. Over all {states[-1]['run']['tokens_emitted']} "
        f"tokens, {after['tokens_emitted']} of them with the bad draft, {words}, and the running "
        f"evidence {evidence}.")


def _judge_long_draft(states: list[dict]) -> tuple[str, str]:
    short, long = (state["window"] for state in states)
    change = long["speedup"] / short["speedup"]
    right = "rises" if change > 1.1 else "falls" if change < 0.9 else "same"
    below = ", below 1: slower than no draft at all" if long["speedup"] < 1 else ""
    return right, (
        f"The speed-up went from {short['speedup']:.2f} times at γ = 2 to "
        f"{long['speedup']:.2f} times at γ = 8{below}. At γ = 8, {long['thrown_away']} of "
        f"{long['drafted']} guesses were thrown away, and each had its price.")


QUESTIONS = {
    "good-draft": Question(
        ("under-3", "from-3-to-4", "over-4"),
        (({"quality": 0.95, "gamma": 4}, 150),), _judge_good_draft),
    "poor-draft": Question(
        ("text", "speed", "both", "neither"),
        (({"quality": 0.95, "gamma": 4}, 60), ({"quality": 0.02, "gamma": 4}, 200)),
        _judge_poor_draft),
    "long-draft": Question(
        ("rises", "same", "falls"),
        (({"quality": 0.1, "gamma": 2}, 200), ({"quality": 0.1, "gamma": 8}, 200)),
        _judge_long_draft),
}


class Predictions(Questions):
    """This page's; a run of theirs has a cost ratio as well."""

    questions = QUESTIONS

    def plan(self, *, question: str) -> dict:
        """Returns what the playground has to be set to and run."""
        return super().plan(question=question) | {"cost_ratio": COST_RATIO}


SCENE = Predictions
