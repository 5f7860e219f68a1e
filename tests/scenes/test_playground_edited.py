"""docs/scenes/playground.py: it runs the code in force, tells its lines, and trusts neither."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec import edition
from tests.scene_loading import load_scene, replay, session_of

scene = load_scene("playground")


@pytest.fixture
def put_in_force():
    """Puts an edit of speculative.py in force: put_in_force({old text: new text})."""
    def put(changes: dict[str, str]) -> None:
        text = edition.original("speculative.py").text
        for old, new in changes.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        edition.use("speculative.py", text)

    yield put
    edition.use("speculative.py", None)


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
    lines = edition.current("speculative.py").text.splitlines()
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
    text = edition.original("speculative.py").text.splitlines()
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
