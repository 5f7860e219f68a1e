"""docs/scenes/playground.py: a session is a pure function of its seed and settings log."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec import speculative
from specdec.models import draft_of_quality, playground_target
from tests.scene_loading import load_scene, replay, session_of

scene = load_scene("playground")

moves = st.lists(
    st.tuples(st.integers(1, 6), st.floats(0, 1), st.integers(1, 8)), min_size=1, max_size=4)


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
