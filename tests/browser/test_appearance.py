"""Light and dark, phone and wide screen, keyboard alone, no JavaScript, axe's rules."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.playground_page import FIRST_TOKENS, PATH, PlaygroundPage

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
WIDE = {"width": 1920, "height": 1080}
PAGES = ("", PATH, "glossary/", "reference/", "start-up/")
WIDTH_BEYOND_THE_SCREEN = (
    "document.documentElement.scrollWidth - document.documentElement.clientWidth")

# Material's own: its search dialog has no name, its copy buttons one name, its footer and
# header a node each that lacks contrast.
MATERIALS_OWN = (".md-search", ".md-copyright", ".md-header__topic", ".md-code__nav")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_axe_finds_nothing_of_ours(open_page, path, size, scheme):
    page = open_page(path, viewport=size, color_scheme=scheme)
    if path == PATH:
        PlaygroundPage(page).wait_until_certified()
    violations = [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in Axe().run(page).response["violations"] for node in rule["nodes"]
        if not any(own in str(node["target"]) for own in MATERIALS_OWN)]
    assert violations == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP, WIDE], ids=["phone", "laptop", "wide"])
@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways(open_page, path, size):
    page = open_page(path, viewport=size)
    if path == PATH:
        playground = PlaygroundPage(page)
        playground.wait_until_live()
        playground.gamma.fill("8")
        playground.step_times(1, made=6)
    assert page.evaluate(WIDTH_BEYOND_THE_SCREEN) == 0


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways_before_its_scripts_have_run(open_page, path):
    page = open_page(path, viewport=PHONE, java_script_enabled=False)
    assert page.evaluate(WIDTH_BEYOND_THE_SCREEN) == 0


def test_on_a_laptop_the_playground_is_seen_without_scrolling(open_page):
    playground = PlaygroundPage(open_page(PATH, viewport=LAPTOP))
    playground.wait_until_live()
    for part in (playground.run, playground.stage, playground.emitted, playground.stat("exact"),
                 playground.inspector,
                 playground.page.get_by_role("img", name=re.compile("Tokens per target pass")),
                 playground.page.get_by_role("img", name=re.compile("Emitted words"))):
        box = part.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= LAPTOP["height"], part


def test_switching_the_palette_keeps_the_run_and_changes_the_colours(open_page):
    page = open_page(PATH, color_scheme="light")
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.step_times(1, made=6)

    def colours():
        return playground.stage.locator("[data-token]").first.evaluate(
            "e => [getComputedStyle(e).color, getComputedStyle(e).borderColor]")

    light = colours()
    page.get_by_title("Switch to light mode").click()
    page.get_by_title("Switch to dark mode").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    expect(playground.stage.locator("[data-token]").first).not_to_have_css("color", light[0])
    assert not set(light) & set(colours())
    playground.expect_steps(7)


def test_the_playground_is_used_by_keyboard_alone(open_page):
    page = open_page(PATH)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.quality.focus()
    page.keyboard.press("Home")
    expect(playground.quality).to_have_value("0")
    page.keyboard.press("Tab")
    expect(playground.gamma).to_be_focused()
    page.keyboard.press("End")
    expect(playground.gamma).to_have_value("8")
    page.keyboard.press("Tab")
    expect(playground.run).to_be_focused()
    page.keyboard.press("Tab")
    expect(playground.step).to_be_focused()
    page.keyboard.press("Enter")
    playground.expect_steps(7)
    first = playground.stage.locator("[data-token]").first
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(playground.stage.locator('[aria-pressed="true"]')).to_have_count(1)
    expect(first).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="How the speed-up is counted").focus()
    expect(page.get_by_role("note").filter(has_text="Tokens ÷ cost")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("note").filter(has_text="Tokens ÷ cost")).to_be_hidden()


def test_without_javascript_the_page_still_explains_everything(open_page):
    page = open_page(PATH, java_script_enabled=False)
    figure = page.locator("spec-playground figure")
    expect(figure.first).to_be_visible()
    expect(figure.first).to_contain_text(f"{FIRST_TOKENS} tokens came out of 6 passes")
    expect(page.locator("spec-source code[data-source]")).to_contain_text("def verify")
    for heading in ("Where this fits", "The code that's actually running",
                    "Predict, then test", "The takeaway", "Onward"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_text("Only the speed", exact=True)).to_be_visible()
    answers = page.locator("spec-prediction noscript")
    assert [bool(answer.strip()) for answer in answers.all_inner_texts()] == [True] * 3
    assert "The text is the target's, whatever the draft" in answers.nth(1).inner_text()


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_chips_stand_apart_and_nothing_jumps_while_it_runs(open_page, size):
    playground = PlaygroundPage(open_page(PATH, viewport=size))
    playground.wait_until_live()
    playground.gamma.fill("8")
    playground.step_times(1, made=6)
    places = {}
    for made in range(7, 12):
        chips = [chip.bounding_box() for chip in playground.stage.locator("[data-token]").all()]
        for i, one in enumerate(chips):
            for other in chips[i + 1:]:
                assert (one["x"] + one["width"] <= other["x"] + 0.5
                        or other["x"] + other["width"] <= one["x"] + 0.5
                        or one["y"] + one["height"] <= other["y"] + 0.5
                        or other["y"] + other["height"] <= one["y"] + 0.5)
        for part in (playground.run, playground.emitted, playground.stat("exact"),
                     playground.page.get_by_role("img", name=re.compile("Emitted words"))):
            box = part.evaluate("e => e.getBoundingClientRect().top + scrollY")
            assert places.setdefault(str(part), box) == box
        playground.step_times(1, made=made)


@pytest.mark.parametrize("path", [*PAGES, "404.html"])
def test_no_page_complains_or_asks_another_host(open_page, guard, path):
    page = open_page(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert guard.requests
