"""Line by line: the lines lit are those that run, and their values are what they find."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from specdec import edition
from tests.browser.code_panel import CodePanel, line_number, with_lines
from tests.browser.line_view import CHECKS, LineView, executed_lines
from tests.browser.playground_page import PATH, as_tiles
from tests.browser.test_appearance import (
    LAPTOP,
    MATERIALS_OWN,
    PHONE,
    WIDTH_BEYOND_THE_SCREEN,
)
from tests.scene_loading import replay

ORIGINAL = edition.original("speculative.py").text
RULE = line_number(ORIGINAL, "if rng.random() >= p[token] / q[token]:")


def opened(open_page, search="", **options) -> LineView:
    """Opens the mode on a session, its newest step at its last line."""
    view = LineView(open_page(PATH + search, **options))
    view.playground.wait_until_live()
    view.turn_on()
    return view


@pytest.mark.parametrize("search", [
    "", "?seed=7&quality=0.1&gamma=3&steps=2", "?seed=5&quality=1&gamma=2&moves=1:0:8&steps=3"])
def test_the_lines_lit_are_those_that_cpython_runs(open_page, search):
    view = opened(open_page, search)
    data = view.playground.data()
    steps = data["state"]["session"]["steps"]
    assert view.where() == executed_lines(data["state"]["session"])[-1][-1]
    view.begin_a_step(steps + 1)
    lit = view.walk()
    assert lit == executed_lines(view.playground.data()["state"]["session"])[steps]
    assert RULE in [line for line, _ in lit]


def test_asked_for_the_argument_checks_are_walked_through_too(open_page):
    view = opened(open_page)
    view.into_checks.check()
    view.begin_a_step(7)
    session = view.playground.data()["state"]["session"] | {"steps": 7}
    expected = executed_lines(session, passed_over=())[6]
    assert view.place() == (1, len(expected))
    assert {function for _, function in expected} >= set(CHECKS)
    assert view.walk() == expected


def test_edited_code_is_lit_as_edited(open_page):
    view = opened(open_page)
    loop = "    for i, token in enumerate(draft_tokens):\n        p, q ="
    text = with_lines(loop, loop.replace("\n", "\n        half = token / 2\n"))
    CodePanel(view.page).run(text)
    module = edition.load("speculative.py", text).module
    expect(view.lit).to_have_count(1)
    assert view.code.evaluate("code => code.textContent") == text
    session = view.playground.data()["state"]["session"]
    assert view.where() == executed_lines(session, module)[-1][-1]
    view.begin_a_step(7)
    lit = view.walk()
    assert lit == executed_lines(session | {"steps": 7}, module)[6]
    added = line_number(text, "half = token / 2")
    assert [line for line, _ in lit].count(added) >= 1
    while view.where()[0] != added + 1:
        view.previous.click()
    values = view.shown_values()
    assert float(values["half"]) == int(values["token"].split()[0]) / 2


def test_the_values_at_the_rule_are_those_that_decide_each_guess(open_page):
    view = opened(open_page, "?seed=81&steps=5")  # a guess of its sixth step is rejected
    view.begin_a_step(6)
    cells = view.playground.data()["frames"][-1]["cells"]
    tested = [cell for cell in cells if cell["kind"] in ("accepted", "rejected")]
    assert cells[len(tested) - 1]["kind"] == "rejected"
    for i, cell in enumerate(tested):
        while view.where()[0] != RULE:
            view.next.click()
        values = view.shown_values()
        assert values["p[token]"] == f"{cell['p']:.4g}"
        assert values["q[token]"] == f"{cell['q']:.4g}"
        assert values["p[token] / q[token]"] == f"{cell['ratio']:.4g}"
        assert values["u drawn"] == f"{cell['uniform']:.4g}"
        assert values["token"] == f"{cell['token']} “{cell['word']}”"
        assert values["i"] == str(i)
        assert len(view.chips()) == 4 and [kind for kind, _ in view.chips()].count("guess") == 4 - i
        view.next.click()
        kinds = [kind for kind, _ in view.chips()]
        assert kinds[i] == cell["kind"]


def test_back_and_forth_the_chips_are_those_of_the_line(open_page):
    view = opened(open_page)
    view.begin_a_step(7)
    before = view.playground.shown_statistics()
    pictures = []
    at, of = view.place()
    assert at == 1 and view.chips() == []
    for _ in range(of - 1):
        pictures.append((view.where(), view.shown_values(), view.chips()))
        assert view.playground.shown_statistics() == before  # figures wait for the step's end
        view.next.click()
    data = view.playground.data()
    cpython = replay(data["state"]["session"])["state"]
    assert view.playground.shown_statistics()[0] == as_tiles(cpython["window"])
    for picture in reversed(pictures):
        view.previous.click()
        assert (view.where(), view.shown_values(), view.chips()) == picture
    expect(view.previous).to_have_attribute("aria-disabled", "true")
    view.to_the_end.click()
    assert view.place() == (of, of)
    assert view.playground.data() == data
    view.replay.click()  # to the first line, for this reader wants stillness
    assert view.place() == (1, of) and view.chips() == []


def test_keys_alone_turn_it_on_and_walk(open_page):
    page = open_page(PATH)
    view = LineView(page)
    view.playground.wait_until_live()
    view.playground.step.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(view.toggle).to_be_focused()
    expect(view.toggle).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Enter")
    expect(view.toggle).to_have_attribute("aria-pressed", "true")
    expect(view.lit).to_have_count(1)
    for _ in range(40):
        if view.code.evaluate("code => code === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(view.code).to_be_focused()
    _, of = view.place()
    for key, at in (("Home", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2),
                    ("Home", 1), ("ArrowLeft", 1), ("End", of)):
        page.keyboard.press(key)
        assert view.place() == (at, of), key
    view.playground.expect_steps(6)
    page.keyboard.press("ArrowRight")  # past the last line: to the next step's first
    view.playground.expect_steps(7)
    assert view.place()[0] == 1
    expect(view.code).to_be_focused()
    line, function = view.where()
    said = view.element.locator("[aria-live]")
    text = ORIGINAL.splitlines()[line - 1].strip()
    expect(said).to_have_text(f"Line {line}, {function}: {text}")


def test_the_panel_further_down_lights_the_same_line(open_page):
    view = opened(open_page)
    view.begin_a_step(7)
    panel = CodePanel(view.page).listing.locator("[data-lit]")
    for _ in range(12):
        view.next.click()
        expect(panel).to_have_count(1)
        assert int(panel.get_attribute("data-line")) == view.where()[0]
    view.toggle.click()
    expect(view.element).to_have_count(0)
    expect(panel).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_lit_line_stays_in_sight_and_nothing_else_moves(open_page, size):
    view = opened(open_page, viewport=size)
    view.begin_a_step(7)
    view.code.scroll_into_view_if_needed()
    places = {}
    scrolled = view.page.evaluate("scrollY")
    _, of = view.place()
    for _ in range(of - 1):
        view.code.press("ArrowRight")
        window, line = view.code.bounding_box(), view.lit.bounding_box()
        assert window["y"] <= line["y"]
        assert line["y"] + line["height"] <= window["y"] + window["height"] + 0.5
        for part in (view.next, view.code, view.values, view.into_checks, view.playground.emitted):
            box = part.bounding_box()
            assert places.setdefault(str(part), box) == box
    assert view.page.evaluate("scrollY") == scrolled
    assert view.page.evaluate(WIDTH_BEYOND_THE_SCREEN) == 0


@pytest.mark.parametrize("size", [LAPTOP, {"width": 1440, "height": 900}],
                         ids=["laptop", "larger laptop"])
def test_on_a_laptop_stage_code_values_and_text_are_seen_at_once(open_page, size):
    view = opened(open_page, viewport=size)
    view.begin_a_step(7)
    for part in (view.playground.run, view.playground.stage, view.code, view.values, view.next,
                 view.into_checks, view.playground.emitted, view.playground.stat("exact")):
        box = part.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], part


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_axe_finds_nothing_of_ours_in_the_mode(open_page, size, scheme):
    view = opened(open_page, viewport=size, color_scheme=scheme)
    view.begin_a_step(7)
    while view.where()[0] != RULE:
        view.next.click()
    violations = [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in Axe().run(view.page, context="spec-playground").response["violations"]
        for node in rule["nodes"]
        if not any(own in str(node["target"]) for own in MATERIALS_OWN)]
    assert violations == []


# Keeps which line is lit and which chips are shown after each change.
RECORD_EVERY_LINE = """view => {
    const stage = view.closest("spec-playground").querySelector(".stage");
    window.pictures = [];
    new MutationObserver(() => window.pictures.push({
        step: parseInt(stage.querySelector("h2").textContent.slice(5)),
        place: parseInt(view.querySelector(".line-place").textContent),
        line: Number(view.querySelector("[data-lit]")?.dataset.line),
        chips: [...stage.querySelectorAll("[data-token]")].map(
            chip => [chip.dataset.token, chip.textContent]),
    })).observe(view, {subtree: true, childList: true, attributes: true, characterData: true});
}"""


def test_a_slow_run_lights_the_lines_in_step_with_the_chips(open_page):
    view = LineView(open_page(PATH, reduced_motion="no-preference"))
    view.playground.wait_until_live()
    speed = view.page.get_by_role("combobox", name="Speed")
    speed.select_option("slow")
    expect(view.element).to_have_count(0)
    view.playground.run.click()
    expect(view.lit).to_have_count(1)
    view.element.evaluate(RECORD_EVERY_LINE)
    speed.select_option("fast")
    view.playground.expect_steps(8)
    view.playground.pause.click()
    expect(view.playground.run).to_be_visible()
    played = {picture["place"]: picture for picture in view.page.evaluate("window.pictures")
              if picture["step"] == 7}
    session = view.playground.data()["state"]["session"] | {"steps": 8}
    lines = [line for line, _ in executed_lines(session)[6]]
    assert len(played) > len(lines) / 2  # the first ones went by before it was recorded
    for place, picture in played.items():
        assert picture["line"] == lines[place - 1]
    places = sorted(played)
    assert places == list(range(places[0], len(lines) + 1))
    chips = [played[place]["chips"] for place in places]
    assert [len(shown) for shown in chips] == sorted(len(shown) for shown in chips)


def test_pause_stands_at_a_line_and_run_goes_on_from_there(open_page):
    view = opened(open_page, reduced_motion="no-preference")
    view.playground.run.click()
    expect(view.playground.stage.locator('[data-token="guess"]')).to_have_count(2)
    view.playground.pause.click()
    expect(view.playground.run).to_be_visible()
    at, of = view.place()
    assert 1 < at < of
    data = view.playground.data()
    step = data["frames"][-1]["step"]
    assert data["state"]["session"]["steps"] == step - 1  # the figures wait for its end
    lines = executed_lines(data["state"]["session"] | {"steps": step})[-1]
    assert view.where() == lines[at - 1]
    view.next.click()
    assert view.place() == (at + 1, of)
    view.element.evaluate(RECORD_EVERY_LINE)
    view.playground.run.click()
    view.playground.expect_steps(step + 1)
    view.playground.pause.click()
    first = view.page.evaluate("window.pictures.find(({place}) => place > 0)")
    assert first["step"] == step and first["place"] in (at + 1, at + 2)
