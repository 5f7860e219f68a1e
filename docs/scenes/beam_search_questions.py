"""The questions of the page "Beam search", and what the run that answers them says."""

from specdec.questions import Question, Questions

TOKENS = 4  # as many as the playground's field says at the start; a step a token


def _judge_where_lost(states: list[dict]) -> tuple[str, str]:
    columns, words = states[-1]["columns"], " ".join(states[-1]["best"]["words"])
    lost = [(step, node) for step, column in enumerate(columns, start=1) for node in column
            if node["on_best"] and node["kind"] == "pruned"]
    if not lost:
        return "never", f"The beginnings of “{words}” were never pruned."
    [(step, node)] = lost
    return "first" if step == 1 else "later", (
        f"The best text, “{words}”, was pruned in step {step}, where it was number "
        f"{node['rank']} of {len(columns[step - 1])}.")


def _judge_penalty(states: list[dict]) -> tuple[str, str]:
    without, with_penalty = states[-1]["likeliest"], states[-1]["beam"]
    lengths = [len(one["tokens"]) for one in (without, with_penalty)]
    right = ("longer" if lengths[1] > lengths[0] else
             "shorter" if lengths[1] < lengths[0] else "same")
    return right, (f"Without a penalty the best has {lengths[0]} tokens; with it the beam found "
                   f"“{' '.join(with_penalty['words'])}”, {lengths[1]} tokens.")


class BeamQuestions(Questions):
    """This page's."""

    questions = {
        "where-lost": Question(
            ("first", "later", "never"), (({"model": "beam"}, TOKENS),), _judge_where_lost),
        "penalty": Question(
            ("shorter", "same", "longer"),
            (({"model": "penalty", "length_penalty": 1}, TOKENS),), _judge_penalty)}


SCENE = BeamQuestions
