"""The questions of the page "Sampling knobs", and what the run that answers them says."""

from specdec.questions import Question, Questions


def _judge_forgotten(states: list[dict]) -> tuple[str, str]:
    evidence, rate = states[-1]["evidence"], states[-1]["counted"]["rate"]
    against = {name: evidence[f"{name}_knobs"]["rejected"] for name in ("with", "without")}
    left = [name for name, rejected in against.items() if not rejected]
    right = left[0] if len(left) == 1 else "neither" if not left else "undecided"
    said = " and ".join(
        f"{'speaks against' if rejected else 'has nothing against'} the law {name} the knobs"
        for name, rejected in against.items())
    return right, f"On {evidence['tokens']} tokens the evidence {said}. {rate:.0%} of the " \
                  "guesses were kept."


def _judge_order(states: list[dict]) -> tuple[str, str]:
    first, last = (state["counted"]["words_left"] / state["counted"]["tokens"]
                   for state in states)
    right = "first" if first > last else "last" if last > first else "same"
    return right, (f"With the temperature first, {first:.1f} words were left on average; with "
                   f"min-p first, {last:.1f}.")


def _judge_draft(states: list[dict]) -> tuple[str, str]:
    both, alone = (state["counted"]["rate"] for state in states)
    evidence = states[-1]["evidence"]
    slower, wrong = alone < both, evidence["with_knobs"]["rejected"]
    right = {(True, False): "speed", (False, True): "text", (True, True): "both",
             (False, False): "neither"}[slower, wrong]
    return right, (f"The share of guesses kept went from {both:.0%} to {alone:.0%}. On "
                   f"{evidence['tokens']} tokens made that way the evidence has found "
                   f"{'something' if wrong else 'nothing'}.")


_SPECULATIVE = {"decoder": "speculative", "temperature": 0.5}
QUESTIONS = {
    "forgotten-target": Question(
        ("with", "without", "neither"),
        ((_SPECULATIVE | {"on_target": False}, 120),), _judge_forgotten),
    "min-p-order": Question(
        ("first", "same", "last"),
        tuple(({"temperature": 2, "top_p": 1, "min_p": 0.1, "order": order}, 120)
              for order in ("vLLM", "llama.cpp")), _judge_order),
    "draft-without": Question(
        ("text", "speed", "both", "neither"),
        ((_SPECULATIVE, 80), (_SPECULATIVE | {"on_draft": False}, 160)), _judge_draft),
}


class KnobsQuestions(Questions):
    """This page's."""

    questions = QUESTIONS


SCENE = KnobsQuestions
