"""The list "Break it": predict, see, watch the evidence, apply, and the verdict turns."""

import re

import pytest
from playwright.sync_api import expect

from site_hooks.mistakes import computed_catalogue
from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.conftest import ROOT
from tests.scene_loading import load_scene


@pytest.fixture(scope="module")
def catalogue():
    """The entries as the build listed them: enumerated in CPython."""
    return {entry["name"]: entry for entry in computed_catalogue(ROOT)}


class MistakeList:
    """Wraps the <spec-mistakes> of a page."""

    def __init__(self, page) -> None:
        self.page = page
        self.element = page.locator("spec-mistakes")
        self.picker = page.get_by_role("navigation", name="Changes of the code")
        self.score = self.picker.get_by_role("status")
        self.article = self.element.get_by_role("article")
        self.show = self.article.get_by_role("button", name="Show what happens")
        self.apply = self.article.get_by_role("button", name="Apply to the code on this page")
        self.restore = self.article.get_by_role("button", name="Restore the original")
        self.facts = self.article.locator("details")
        self.evidence = self.article.get_by_role("figure")

    def pick(self, entry: dict) -> None:
        """Chooses an entry of the list."""
        self.picker.get_by_role("button", name=entry["title"]).click()
        expect(self.article.get_by_role("heading", level=3)).to_have_text(entry["title"])

    def question(self, beginning: str):
        """The group of radio buttons whose question begins so."""
        return self.article.get_by_role("group", name=beginning)

    def answer(self, changes: bool, notices: bool) -> None:
        """Answers both questions and asks for what is so."""
        self.question("Does the law").get_by_label("Yes" if changes else "No").check()
        self.question("Would an ordinary").get_by_label("Yes" if notices else "No").check()
        self.show.click()


def test_a_mistake_from_the_prediction_to_the_red_verdict_and_back(open_page, catalogue):
    playground = PlaygroundPage(open_page(PATH))
    playground.wait_until_certified()
    mistakes, code = MistakeList(playground.page), CodePanel(playground.page)
    entry = catalogue["likeliest-guess"]
    mistakes.pick(entry)
    expect(mistakes.article.locator("ins")).to_have_text(
        re.compile(r"added: \+ +guesses\.append\(int\(np\.argmax\(rows\[-1\]\)\)\)"))
    expect(mistakes.facts).to_be_hidden()
    expect(mistakes.apply).to_be_hidden()
    expect(mistakes.show).to_be_disabled()
    mistakes.answer(changes=True, notices=False)
    expect(mistakes.question("Does the law").get_by_role("status")).to_have_text(
        "✓ Right. It changes.")
    expect(mistakes.question("Would an ordinary").get_by_role("status")).to_have_text(
        "✗ Not so. It would.")
    expect(mistakes.score).to_have_text(f"0 of {len(catalogue)} predicted right, 1 not")
    expect(mistakes.facts).to_contain_text(entry["why"][:40])

    expect(mistakes.evidence).to_have_attribute("data-done", "true")
    watched = load_scene("mistakes").Mistakes()
    watched.watch(name=entry["name"])
    seen = watched.go_on(tokens=10_000)
    expect(mistakes.evidence.get_by_role("status")).to_have_text(
        f"✗ Alarm after {seen['tokens']:,} tokens.")

    mistakes.apply.click()
    expect(mistakes.article.get_by_text("In force now.")).to_be_visible()
    expect(playground.stat("exact")).to_have_text("✗ not exact")
    expect(code.match).to_have_attribute("data-match", "edited")
    assert code.listing.inner_text() == entry["text"]
    mistakes.restore.click()
    expect(playground.stat("exact")).to_have_text("✓ exact")
    playground.wait_until_certified()
    expect(mistakes.apply).to_be_enabled()
    assert code.listing.inner_text() == SOURCE


def test_each_mistake_turns_the_verdict_red_with_the_distance_that_is_stated(
        open_page, catalogue):
    playground = PlaygroundPage(open_page(PATH))
    playground.wait_until_certified()
    mistakes = MistakeList(playground.page)
    tile = playground.element.locator(".verdict-tile")
    # The panel that enumerates each new code as well would take half of Python's time.
    playground.page.locator("spec-exactness").evaluate("panel => panel.remove()")
    for entry in catalogue.values():
        if not entry["changes"]:
            continue
        mistakes.pick(entry)
        mistakes.answer(changes=True, notices=entry["notices"])
        mistakes.apply.click()
        found = entry["findings"]
        expect(tile).to_contain_text(
            f"not exact: {found['model']}: total variation {found['total_variation']}")
        expect(playground.stat("exact")).to_have_text("✗ not exact")
    shipped = sum(entry["changes"] for entry in catalogue.values())
    expect(mistakes.score).to_have_text(f"{shipped} of {len(catalogue)} predicted right")


def test_a_look_alike_leaves_the_verdict_green(open_page, catalogue):
    playground = PlaygroundPage(open_page(PATH))
    playground.wait_until_certified()
    mistakes = MistakeList(playground.page)
    entry = catalogue["one-hot-rule"]
    mistakes.pick(entry)
    mistakes.answer(changes=False, notices=False)
    expect(mistakes.score).to_have_text(f"1 of {len(catalogue)} predicted right")
    mistakes.apply.click()
    expect(mistakes.article.get_by_text("In force now.")).to_be_visible()
    playground.wait_until_certified()
    expect(playground.stat("exact")).to_have_text("✓ exact")


def test_by_keyboard_and_what_was_answered_outlives_the_page_view(open_page, catalogue):
    page = open_page(PATH)
    mistakes = MistakeList(page)
    first, second = list(catalogue.values())[:2]
    mistakes.picker.get_by_role("button", name=first["title"]).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    mistakes.question("Does the law").get_by_label("No").focus()
    page.keyboard.press("ArrowLeft")
    expect(mistakes.question("Does the law").get_by_label("Yes")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(mistakes.question("Would an ordinary").get_by_label("Yes")).to_be_checked()
    page.keyboard.press("Enter")
    score = f"1 of {len(catalogue)} predicted right"
    expect(mistakes.score).to_have_text(score)
    mistakes.article.get_by_role("button", name="Next one").click()
    expect(mistakes.article.get_by_role("heading", level=3)).to_have_text(second["title"])

    page.get_by_role("link", name="Reference of the package").click()
    expect(page.get_by_role("heading", level=1, name="Reference")).to_be_visible()
    page.go_back()
    expect(mistakes.score).to_have_text(score)
    expect(mistakes.article.get_by_role("heading", level=3)).to_have_text(second["title"])
    mistakes.picker.get_by_role("button", name="Start over").click()
    expect(mistakes.score).to_have_text(f"0 of {len(catalogue)} predicted right")


def test_an_address_may_name_an_entry(open_page, catalogue):
    mistakes = MistakeList(open_page(f"{PATH}#one-coin-for-all"))
    expect(mistakes.article.get_by_role("heading", level=3)).to_have_text(
        catalogue["one-coin-for-all"]["title"])


def test_without_javascript_the_list_is_complete(open_page, catalogue):
    page = open_page(PATH, java_script_enabled=False)
    articles = page.locator("spec-mistakes").get_by_role("article")
    expect(articles).to_have_count(len(catalogue))
    for article, entry in zip(articles.all(), catalogue.values(), strict=True):
        expect(article.get_by_role("heading")).to_have_text(entry["title"])
        expect(article.locator("ins").first).to_be_visible()
        article.locator("summary").click()
        expect(article.locator("dd").first).to_be_visible()


def test_nothing_scrolls_sideways_on_a_phone_but_the_diff(open_page, catalogue):
    page = open_page(PATH, viewport={"width": 390, "height": 844})
    mistakes = MistakeList(page)
    for name in ("stop-word-passed-by", "bonus-at-another-temperature", "half-precision-draw"):
        entry = catalogue[name]
        mistakes.pick(entry)
        mistakes.answer(changes=True, notices=True)
        expect(mistakes.facts).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 390, entry["name"]
