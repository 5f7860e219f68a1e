"""docs/scenes/playground.py: a session is a pure function of its seed and settings log."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec import edition, speculative
from specdec.models import draft_of_quality, playground_target
from tests.scene_loading import load_scene, replay

scene = load_scene("playground")

moves = st.lists(
    st.tuples(st.integers(1, 6), st.floats(0, 1), st.integers(1, 8)), min_size=1, max_size=4)


def session_of(seed, moves):
    """Returns the session in which each move's settings run for its steps."""
    log, steps = [], 0
    for count, quality, gamma in moves:
        log.append([steps, {"quality": quality, "gamma": gamma}])
        steps += count
    return {"seed": seed, "steps": steps, "log": log}


@given(seed=st.integers(0, 999), moves=moves)
@settings(max_examples=25)
def test_a_session_replays_to_the_same_data(seed, moves):
    once = replay(session_of(seed, moves))
    again = replay(once["state"]["session"])
    assert again == once
    assert json.loads(json.dumps(once, allow_nan=False))["state"]["run"] == once["state"]["run"]


@given(seed=st.integers(0, 999), moves=moves)
@settings(max_examples=25)
def test_its_tokens_are_those_of_speculative_decode_on_the_same_seed(seed, moves):
    target, rng, tokens = playground_target(), np.random.default_rng(seed), [0]
    for count, quality, gamma in moves:
        draft = draft_of_quality(target, quality)
        steps = speculative.speculative_decode(target, draft, tokens, 1000, gamma, rng)
        for _ in range(count):
            tokens = tokens + next(steps).tokens
    frames = replay(session_of(seed, moves))["frames"]
    emitted = [cell["token"] for frame in frames for cell in frame["cells"]
               if cell["kind"] in ("accepted", "recovered", "bonus")]
    assert emitted == tokens[1:]


@given(seed=st.integers(0, 999), moves=moves)
@settings(max_examples=25)
def test_every_cell_agrees_with_the_uniform_that_decided_it(seed, moves):
    for frame in replay(session_of(seed, moves))["frames"]:
        kinds = [cell["kind"] for cell in frame["cells"]]
        accepted = kinds.count("accepted")
        rejected = "rejected" in kinds
        assert kinds == ["accepted"] * accepted + (
            ["rejected"] + ["discarded"] * (frame["gamma"] - accepted - 1) + ["recovered"]
            if rejected else ["bonus"])
        for cell in frame["cells"]:
            if cell["kind"] == "accepted":
                assert cell["uniform"] < cell["p"] / cell["q"] == cell["ratio"]
            elif cell["kind"] == "rejected":
                assert cell["uniform"] >= cell["ratio"]
            elif cell["kind"] == "discarded":
                assert cell["uniform"] is None
            else:
                law = cell["residual"] or cell["target"]
                below = math.fsum(law[: cell["token"]])
                assert below - 1e-9 <= cell["uniform"] <= below + law[cell["token"]] + 1e-9
            assert cell["target"][cell["token"]] == cell["p"]


def test_rates_count_since_the_last_change_and_each_step_with_its_own_gamma():
    session = session_of(7, [(5, 0.85, 4), (3, 0.1, 8)])
    run = replay(session, cost_ratio=0.1)
    counts = [(frame["gamma"], [cell["kind"] for cell in frame["cells"]])
              for frame in run["frames"]]

    def figures(steps):
        drafted = sum(gamma for gamma, _ in steps)
        accepted = sum(kinds.count("accepted") for _, kinds in steps)
        tokens = accepted + len(steps)
        return {
            "steps": len(steps), "drafted": drafted, "accepted": accepted,
            "thrown_away": drafted - accepted, "tokens_emitted": tokens,
            "draft_accept_rate": accepted / drafted, "tokens_per_pass": tokens / len(steps),
            "speedup": tokens / (len(steps) + 0.1 * drafted)}

    assert run["state"]["run"] == figures(counts)
    assert run["state"]["window"] == figures(counts[5:])
    paces = [frame["pace"] for frame in run["frames"]]
    assert [pace["settings_changed"] for pace in paces] == [
        True, False, False, False, False, True, False, False]
    assert paces[-1]["mean"] == run["state"]["window"]["tokens_per_pass"]


def test_the_measured_pace_comes_to_the_closed_form():
    for quality, gamma in ((0.85, 4), (0.3, 8), (0, 2), (1, 3)):
        run = replay(session_of(1, [(2000, quality, gamma)]))
        pace = run["frames"][-1]["pace"]
        assert pace["mean"] == pytest.approx(pace["predicted"], rel=0.04)


def test_the_emitted_words_stay_in_the_band_whatever_the_draft():
    run = replay(session_of(4, [(300, 0.95, 4), (300, 0, 8), (300, 0.5, 1)]))
    shares = run["state"]["distribution"]
    for emitted, low, high in zip(shares["emitted"], shares["low"], shares["high"], strict=True):
        assert low <= emitted <= high
    assert shares["outside"] == []
    assert shares["total"] == sum(shares["emitted"]) == run["state"]["run"]["tokens_emitted"]
    assert sum(shares["expected"]) == pytest.approx(sum(shares["emitted"]))
    assert run["state"]["evidence"]["rejected"] is False


def test_wrong_code_is_found_by_the_running_evidence(monkeypatch):
    def keeps_every_guess(target_probs, draft_probs, draft_tokens, rng):
        return len(draft_tokens), speculative.sample(target_probs[-1], rng)

    right = speculative.speculative_decode

    def wrong(*arguments):
        return right(*arguments, verify=keeps_every_guess)

    monkeypatch.setattr(speculative, "speculative_decode", wrong)
    run = replay(session_of(7, [(40, 0.2, 4)]))
    assert run["state"]["evidence"]["rejected"] is True
    assert set(run["state"]["distribution"]["outside"]) <= set(playground_target().words)


def test_a_session_ends_at_its_last_step():
    playground = scene.Playground()
    playground.open(seed=1, cost_ratio=0.05)
    playground.advance(quality=1, gamma=1, count=scene.MAX_STEPS - 2, cost_ratio=0.05)
    run = playground.advance(quality=0.5, gamma=2, count=10, cost_ratio=0.05)
    assert len(run["frames"]) == 2
    assert run["state"]["finished"] is True
    assert playground.advance(quality=0.5, gamma=2, count=1, cost_ratio=0.05)["frames"] == []


@pytest.mark.parametrize(("setting", "offender"), [
    ({"quality": 1.5, "gamma": 4}, "quality"), ({"quality": 0.5, "gamma": 9}, "gamma"),
    ({"quality": 0.5, "gamma": 0}, "gamma"), ({"quality": 0.5, "gamma": 2.5}, "gamma"),
    ({"quality": 0.5, "gamma": 4, "count": -1}, "count")])
def test_bad_settings_are_named(setting, offender):
    playground = scene.Playground()
    playground.open(seed=1, cost_ratio=0.05)
    with pytest.raises(ValueError, match=offender):
        playground.advance(**{"count": 0, "cost_ratio": 0.05} | setting)


@pytest.fixture
def put_in_force():
    """Puts an edit of speculative.py in force: put_in_force({old text: new text})."""
    def put(changes: dict[str, str]) -> None:
        text = edition.original().text
        for old, new in changes.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        edition.use(text)

    yield put
    edition.use(None)


def run_of(count=20, quality=0.3, gamma=4):
    """Returns a run under the code in force, as the page gets it."""
    run = replay(session_of(7, [(count, quality, gamma)]))
    return json.loads(json.dumps(run, allow_nan=False))


KEEPS_EVERY_GUESS = {"if rng.random() >= p[token] / q[token]:": "if rng.random() >= 1:"}
TESTS_FIRST = {
    "    for i, token in enumerate(draft_tokens):\n        p, q =":
        "    drawn = [rng.random() for _ in draft_tokens]\n"
        "    for i, token in enumerate(draft_tokens):\n        p, q =",
    "if rng.random() >= p": "if drawn[i] >= p"}


def test_a_session_keeps_to_the_code_in_force_when_it_was_opened(put_in_force):
    playground = scene.Playground()
    playground.open(seed=7, cost_ratio=0.05)
    put_in_force(KEEPS_EVERY_GUESS)
    settings = {"quality": 0.1, "gamma": 4, "count": 20, "cost_ratio": 0.05}
    kinds = [cell["kind"] for frame in playground.advance(**settings)["frames"]
             for cell in frame["cells"]]
    assert "rejected" in kinds
    playground.open(seed=7, cost_ratio=0.05)
    kinds = [cell["kind"] for frame in playground.advance(**settings)["frames"]
             for cell in frame["cells"]]
    assert "rejected" not in kinds


@pytest.mark.parametrize(("changes", "message", "blamed"), [
    ({"        emitted = guesses[": "        emitted = 1 // 0 * guesses["},
     "ZeroDivisionError", "emitted = 1 // 0"),
    ({"    return _steps(": "    return num_tokens.steps("}, "AttributeError", "return num_tokens"),
    ({"while wanted > 0:": "while wanted > num_tokens - 9:"}, "ended after", None),
    ({"yield Step(guesses": "yield (guesses"}, "draft_tokens", None)])
def test_what_is_wrong_with_the_code_in_force_is_told(put_in_force, changes, message, blamed):
    put_in_force(changes)
    with pytest.raises(edition.CodeProblem, match=message) as told:
        run_of()
    lines = edition.current().text.splitlines()
    assert told.value.line == next(
        (number for number, line in enumerate(lines, 1) if blamed and blamed in line), None)


def test_a_uniform_is_attributed_only_where_the_draws_are_the_usual_ones(put_in_force):
    usual = [cell for frame in run_of()["frames"] for cell in frame["cells"]]
    assert all((cell["uniform"] is None) == (cell["kind"] == "discarded") for cell in usual)
    put_in_force(TESTS_FIRST)
    frames = run_of()["frames"]
    assert any("rejected" in [cell["kind"] for cell in frame["cells"]] for frame in frames)
    for frame in frames:
        for cell in frame["cells"]:
            if cell["kind"] in ("accepted", "rejected") and cell["uniform"] is not None:
                assert (cell["uniform"] < cell["ratio"]) == (cell["kind"] == "accepted")


def test_a_token_that_no_draw_chose_has_no_uniform(put_in_force):
    put_in_force({"sample(target_probs[-1], rng)  # all kept: a bonus token":
                  "sample(target_probs[-1], rng) * 0 + int(np.argmin(target_probs[-1]))"})
    own = [frame["cells"][-1] for frame in run_of(quality=1)["frames"]]
    assert {(cell["kind"], cell["p"], cell["uniform"]) for cell in own} == {("bonus", 0, None)}


def test_a_guess_that_q_could_not_have_drawn_has_no_ratio(put_in_force):
    put_in_force({
        "guesses.append(sample(rows[-1], rng))": "guesses.append(int(np.argmin(rows[-1])))",
        "if not (0 <= token < p.shape[1] and q[i][token] > 0):": "if False:",
        "if rng.random() >= p[token] / q[token]:": "if rng.random() * q[token] >= p[token]:"})
    cells = [cell for frame in run_of(quality=1)["frames"] for cell in frame["cells"][:-1]]
    assert {cell["q"] for cell in cells} == {0}
    assert {cell["ratio"] for cell in cells} == {None}


def test_code_may_draft_fewer_tokens_than_gamma(put_in_force):
    put_in_force({"range(min(gamma, wanted - 1))": "range(min(gamma, wanted - 1) // 3)"})
    run = run_of(count=12, gamma=8)
    assert {len(frame["cells"]) for frame in run["frames"]} == {3}
    assert run["state"]["run"]["drafted"] == 24
    put_in_force({"range(min(gamma, wanted - 1))": "range(0)"})
    assert {cell["kind"] for frame in run_of()["frames"] for cell in frame["cells"]} == {"bonus"}


def test_code_that_keeps_numpy_ids_or_the_prompt_itself_changes_nothing(put_in_force):
    usual = run_of()
    put_in_force({
        "tokens, wanted = list(prompt), num_tokens": "tokens, wanted = prompt, num_tokens",
        "        tokens = tokens + emitted": "        tokens += emitted",
        "emitted = guesses[:num_accepted] + [next_token]":
            "emitted = [*np.array(guesses[:num_accepted] + [next_token])]",
        "return int(rng.choice(len(probs), p=probs / probs.sum()))":
            "return np.int64(rng.choice(len(probs), p=probs / probs.sum()))"})
    assert run_of() == usual


def traced_run(count=6, quality=0.5, gamma=4, seed=7):
    """Returns the frames of steps that were each asked for with their lines."""
    playground = scene.Playground()
    playground.open(seed=seed, cost_ratio=0.05)
    runs = [playground.advance(quality=quality, gamma=gamma, count=1, cost_ratio=0.05, lines=True)
            for _ in range(count)]
    return json.loads(json.dumps([run["frames"][0] for run in runs], allow_nan=False))


def test_asking_for_the_lines_changes_nothing_else():
    frames = traced_run(count=12)
    assert [{**frame, "lines": None} for frame in frames] == [
        {**frame, "lines": None} for frame in run_of(count=12, quality=0.5)["frames"]]
    playground = scene.Playground()
    playground.open(seed=7, cost_ratio=0.05)
    batch = playground.advance(quality=0.5, gamma=4, count=12, cost_ratio=0.05, lines=True)
    assert [frame.get("lines") for frame in batch["frames"][:-1]] == [None] * 11
    assert json.loads(json.dumps(batch["frames"][-1]["lines"])) == frames[-1]["lines"]


@given(seed=st.integers(0, 99), gamma=st.integers(1, 8), quality=st.floats(0, 1))
@settings(max_examples=25)
def test_a_chip_is_made_by_the_line_that_draws_it(seed, gamma, quality):
    for frame in traced_run(2, quality, gamma, seed):
        guesses = frame["cells"][:-1]
        lines = frame["lines"]["lines"]
        made = {"guesses": 0, "checked": 0, "own": False}
        for line, after in zip(lines, lines[1:], strict=False):
            assert line["shown"] == made
            for draw in line.get("draws", ()):
                if draw["method"] == "random":
                    made = {**made, "checked": made["checked"] + 1}
                    if guesses[made["checked"] - 1]["kind"] == "rejected":
                        made["checked"] = len(guesses)
                elif made["guesses"] < len(guesses):
                    made = {**made, "guesses": made["guesses"] + 1}
                else:
                    made = {**made, "own": True}
            assert after["shown"] == made
        assert made == {"guesses": len(guesses), "checked": len(guesses), "own": True}


def test_the_line_that_decides_shows_the_numbers_of_its_cell():
    text = edition.original().text.splitlines()
    rule = next(number for number, line in enumerate(text, 1) if "if rng.random() >=" in line)
    for frame in traced_run():
        decided = [line for line in frame["lines"]["lines"] if line["line"] == rule]
        tested = [cell for cell in frame["cells"] if cell["kind"] in ("accepted", "rejected")]
        for line, cell in zip(decided, tested, strict=True):
            assert line["parts"] == {
                "p[token]": f"{cell['p']:.4g}", "q[token]": f"{cell['q']:.4g}",
                "p[token] / q[token]": f"{cell['ratio']:.4g}"}
            assert line["draws"] == [{"method": "random", "uniform": f"{cell['uniform']:.4g}"}]


@pytest.mark.parametrize("changes", [
    TESTS_FIRST, {"if rng.random() >= p": "if min(rng.random(), rng.random()) >= p"}])
def test_where_code_draws_otherwise_all_is_shown_at_the_end(put_in_force, changes):
    put_in_force(changes)
    for frame in traced_run():
        if changes == TESTS_FIRST and "rejected" not in [cell["kind"] for cell in frame["cells"]]:
            continue  # then its draws are the usual ones
        *before, last = [line["shown"] for line in frame["lines"]["lines"]]
        assert all(shown == {"guesses": 0, "checked": 0, "own": False} for shown in before)
        assert last == {"guesses": 4, "checked": 4, "own": True}


def test_code_that_made_all_its_steps_before_has_no_lines_to_show(put_in_force):
    put_in_force({"    return _steps(target, draft, prompt, num_tokens,":
                  "    return list(_steps(target, draft, prompt, 60,",
                  "rng, verify, stop_tokens)\n\n": "rng, verify, stop_tokens))\n\n"})
    assert traced_run(count=2)[-1]["lines"]["lines"] == []


def test_the_lines_of_a_long_step_are_few_enough_to_send(put_in_force):
    assert max(len(json.dumps(frame["lines"])) for frame in traced_run(gamma=8)) < 50_000
    put_in_force({"        emitted = guesses[": "        for k in range(9000): abs(k)\n"
                                                "        emitted = guesses["})
    lines = traced_run(count=1)[0]["lines"]
    assert lines["complete"] is False
    assert len(json.dumps(lines)) < 300_000
