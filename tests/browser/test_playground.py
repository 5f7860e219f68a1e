"""The playground, driven as a reader drives it and compared with CPython's numbers."""

import math
import re

import pytest
from playwright.sync_api import expect

from tests.browser.playground_page import (
    FIRST,
    FIRST_TOKENS,
    PATH,
    PlaygroundPage,
    as_fixed,
    as_tiles,
)
from tests.scene_loading import replay


@pytest.fixture
def playground(open_page) -> PlaygroundPage:
    """A playground whose Python is up."""
    playground = PlaygroundPage(open_page(PATH))
    playground.wait_until_live()
    return playground


KINDS_OF_THE_LAST_FIRST_STEP = ["accepted", "accepted", "rejected", "discarded", "recovered"]


# Keeps what the page shows after each change, however fast the next one follows.
RECORD_EVERY_PICTURE = """places => {
    const playground = places.closest("spec-playground");
    window.pictures = [];
    new MutationObserver(() => window.pictures.push({
        verdict: places.dataset.verdict,
        kinds: [...places.querySelectorAll("[data-token]")].map(e => e.dataset.token),
        tokens: playground.querySelector('[data-stat="tokens-emitted"]').textContent,
        chart: playground.querySelector('svg[aria-label^="Tokens per"]').ariaLabel,
    })).observe(places, {subtree: true, childList: true, attributes: true});
}"""


def assert_same(ours, theirs, where="data"):
    """Tokens, counts and texts agree exactly, floats to 1e-12."""
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys(), where
        for key in ours:
            assert_same(ours[key], theirs[key], f"{where}.{key}")
    elif isinstance(ours, list | tuple):
        assert len(ours) == len(theirs), where
        for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{where}[{i}]")
    elif isinstance(ours, float) or isinstance(theirs, float):
        assert math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12), where
    else:
        assert ours == theirs, where


def assert_statistics_are_cpythons(playground, cost_ratio=0.05):
    data = playground.data()
    cpython = replay(data["state"]["session"], cost_ratio)
    window, run = playground.shown_statistics()
    assert window == as_tiles(cpython["state"]["window"])
    assert run == as_tiles(cpython["state"]["run"])
    assert_same(data["state"], cpython["state"])
    assert_same(data["frames"], cpython["frames"][-len(data["frames"]):])


def test_the_first_run_is_there_before_python_and_run_continues_it(open_page):
    def hold_python_back(page):
        page.route("**/pyodide.asm.wasm", lambda route: held.append(route))

    held = []
    playground = PlaygroundPage(open_page(PATH, prepare=hold_python_back))
    playground.expect_steps(len(FIRST["frames"]))
    expect(playground.element).to_have_attribute("data-python", "booting")
    assert playground.shown_statistics()[0] == as_tiles(FIRST["state"]["window"])
    expect(playground.stat("exact")).to_contain_text("exact")
    playground.run.click()
    expect(playground.page.get_by_text("Starting as soon as Python is up")).to_be_visible()
    for route in held:
        route.continue_()
    playground.expect_steps(len(FIRST["frames"]) + 2)
    playground.pause.click()
    expect(playground.run).to_be_visible()
    assert_same(playground.data()["frames"][: len(FIRST["frames"])], FIRST["frames"])
    assert_statistics_are_cpythons(playground)


def test_step_makes_one_step_and_reset_begins_anew(playground):
    made = playground.step_times(2, made=6)
    assert_statistics_are_cpythons(playground)
    playground.reset.click()
    playground.expect_steps(0)
    assert playground.shown_statistics()[0] == as_tiles(
        {"draft_accept_rate": None, "tokens_per_pass": None, "speedup": None,
         "thrown_away": 0, "tokens_emitted": 0})
    made = playground.step_times(6, made=0)
    assert_same(playground.data()["frames"], FIRST["frames"])
    assert made == 6


def test_sliders_moved_by_keyboard_act_at_the_next_step_without_a_reset(playground):
    playground.quality.focus()
    for _ in range(5):
        playground.page.keyboard.press("ArrowLeft")
    playground.gamma.focus()
    playground.page.keyboard.press("ArrowRight")
    expect(playground.quality).to_have_value("0.8")
    expect(playground.gamma).to_have_value("5")
    expect(playground.stat("tokens-emitted")).to_have_text(FIRST_TOKENS)  # not reset
    playground.step_times(1, made=6)
    data = playground.data()
    assert data["state"]["session"]["log"] == [
        [0, {"quality": 0.85, "gamma": 4}], [6, {"quality": 0.8, "gamma": 5}]]
    assert len(data["frames"][-1]["cells"]) == 6
    assert data["state"]["window"]["steps"] == 1
    assert_statistics_are_cpythons(playground)


def test_a_fast_run_with_sliders_moved_in_it_gives_cpythons_numbers(playground):
    playground.page.get_by_role("combobox", name="Speed").select_option("max")
    playground.run.click()
    playground.expect_steps_beyond(100)
    playground.quality.fill("0.05")
    playground.gamma.fill("8")
    expect(playground.element.locator('[data-run-stat="tokens-emitted"]')).to_contain_text(
        re.compile(r"\d,\d{3}"))
    playground.pause.click()
    expect(playground.run).to_be_visible()
    assert len(playground.data()["state"]["session"]["log"]) >= 2
    assert_statistics_are_cpythons(playground)
    playground.wait_until_certified()
    expect(playground.stat("exact")).to_have_text("✓ exact")


def test_cost_ratio_changes_the_speedup_alone(playground):
    before = playground.shown_statistics()[0]
    cost = playground.page.get_by_role("spinbutton", name="Cost ratio c")
    cost.fill("0.5")
    cost.press("Enter")
    expect(playground.stat("speedup")).not_to_have_text(before["speedup"])
    assert_statistics_are_cpythons(playground, cost_ratio=0.5)
    after = playground.shown_statistics()[0]
    assert {**after, "speedup": None} == {**before, "speedup": None}


def test_a_number_being_typed_is_not_lost_to_a_run(playground):
    playground.page.get_by_role("combobox", name="Speed").select_option("max")
    playground.run.click()
    seed = playground.page.get_by_role("spinbutton", name="Seed")
    seed.fill("12")
    playground.expect_steps_beyond(100)
    expect(seed).to_have_value("12")
    seed.press("Enter")
    playground.expect_steps(0)
    assert playground.data()["state"]["session"]["seed"] == 12


def test_another_seed_gives_another_run(playground):
    seed = playground.page.get_by_role("spinbutton", name="Seed")
    seed.fill("11")
    seed.press("Enter")
    playground.expect_steps(0)
    playground.step_times(3, made=0)
    assert playground.data()["state"]["session"]["seed"] == 11
    assert_statistics_are_cpythons(playground)


def test_selecting_any_token_shows_the_numbers_that_decided_it(playground):
    frame = FIRST["frames"][-1]
    assert [cell["kind"] for cell in frame["cells"]] == KINDS_OF_THE_LAST_FIRST_STEP
    assert 0 < frame["cells"][2]["ratio"] < 1  # a guess that a coin decided
    for index, cell in enumerate(frame["cells"]):
        # In the page the recovered token stands below the place of the rejected one.
        playground.stage.locator("[data-token]").nth([0, 1, 2, 4, 3][index]).click()
        facts = {fact.get_attribute("data-fact"): fact.inner_text()
                 for fact in playground.inspector.locator("[data-fact]").all()}
        expected = {name: as_fixed(cell[name], 3) for name in ("p", "q", "ratio", "uniform")
                    if cell[name] is not None}
        assert facts == expected
        bars = playground.inspector.get_by_role("img")
        name = bars.get_attribute("aria-label")
        assert ("residual" in name) == (cell["residual"] is not None)
    first_word = playground.emitted.get_by_role("button").first
    first_word.click()
    expect(first_word).to_have_attribute("aria-pressed", "true")
    expect(playground.inspector.get_by_role("heading")).to_contain_text("“the”")


def test_tokens_carry_shape_and_text_besides_colour(playground):
    kinds = playground.tokens(playground.stage)
    assert kinds == ["accepted", "accepted", "rejected", "recovered", "discarded"]
    marks = playground.stage.locator("[data-token] .mark").all_inner_texts()
    assert marks == ["✓", "✓", "✗", "↺", "–"]
    legend = playground.page.get_by_role("list", name="Legend").get_by_role("listitem")
    assert legend.all_inner_texts() == [
        "✓accepted", "✗rejected", "↺resampled", "–discarded", "+bonus"]


def test_the_animation_shows_guesses_one_by_one_and_then_the_verdict(open_page):
    playground = PlaygroundPage(open_page(PATH, reduced_motion="no-preference"))
    playground.wait_until_live()
    playground.page.get_by_role("combobox", name="Speed").select_option("slow")
    places = playground.stage.locator(".places")
    places.evaluate(RECORD_EVERY_PICTURE)
    playground.step.click()
    playground.expect_steps(7)
    expect(places).to_have_attribute("data-verdict", "true")
    expect(playground.stage.locator('[data-token="guess"]')).to_have_count(0)
    expect(playground.stat("tokens-emitted")).not_to_have_text(FIRST_TOKENS)
    drafting = [picture for picture in playground.page.evaluate("window.pictures")
                if picture["verdict"] == "false"]
    counts = [len(picture["kinds"]) for picture in drafting]
    assert counts == sorted(counts) and set(counts) == {1, 2, 3, 4}
    for picture in drafting:
        assert set(picture["kinds"]) == {"guess"}
        assert picture["tokens"] == FIRST_TOKENS  # the figures wait for the verdict
        assert picture["chart"].startswith("Tokens per target pass after 6 steps")
    assert_statistics_are_cpythons(playground)


def test_presses_of_step_are_all_obeyed_and_reset_drops_those_still_waiting(open_page):
    held = []
    playground = PlaygroundPage(open_page(PATH, prepare=lambda page: page.route(
        "**/pyodide.asm.wasm", lambda route: held.append(route))))
    for _ in range(3):
        playground.step.click()
    expect(playground.page.get_by_text("Starting as soon as Python is up")).to_be_visible()
    for route in held:
        route.continue_()
    playground.expect_steps(9)
    assert_statistics_are_cpythons(playground)
    playground.step.click()
    playground.reset.click()
    playground.expect_steps(0)
    assert playground.data()["state"]["session"]["steps"] == 0


def test_reset_lets_go_of_the_selected_token(playground):
    playground.emitted.get_by_role("button").first.click()
    expect(playground.page.get_by_role("button", name="Follow the run again")).to_be_visible()
    playground.reset.click()
    playground.expect_steps(0)
    playground.step_times(1, made=0)
    expect(playground.page.get_by_role("button", name="Follow the run again")).to_have_count(0)


def test_the_verdict_names_what_it_enumerated(playground):
    playground.wait_until_certified()
    playground.page.get_by_role("button", name="What the verdict rests on").click()
    note = playground.page.get_by_role("note").filter(has_text="Every random outcome")
    for finding in FIRST["certificate"]["findings"]:
        expect(note).to_contain_text(finding["name"])
        expect(note).to_contain_text(f"{finding['paths']:,} paths, total variation 0")


def test_a_session_ends_at_its_last_step_and_says_so(open_page):
    playground = PlaygroundPage(open_page(f"{PATH}?seed=5&quality=1&gamma=1&steps=1999"))
    playground.wait_until_live()
    playground.expect_steps(1999)
    playground.step_times(1, made=1999)
    expect(playground.page.get_by_text("All 2000 steps are made")).to_be_visible()
    expect(playground.run).to_be_disabled()
    playground.reset.click()
    playground.expect_steps(0)
    expect(playground.run).to_be_enabled()
