"""The page "All playgrounds": a card for each, with its first frame in small."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.python_worker import pythons

CARDS = {"Speculative decoding": "speculative-decoding/", "Sampling knobs": "sampling-knobs/",
         "Beam search": "beam-search/"}
ANIMATIONS = "card => card.getAnimations({subtree: true}).length"


def card(page: Page, title: str):
    return page.get_by_role("list").get_by_role("link", name=re.compile(rf"^{title}"))


def test_each_card_says_what_it_takes_and_leads_to_its_playground(open_page):
    page = open_page("")
    for title, path in CARDS.items():
        one = card(page, title)
        expect(one).to_have_attribute("href", re.compile(f"{path}$"))
        expect(one).to_contain_text(re.compile(r"\d+ minutes? to read · needs: \w+"))
        assert one.locator("svg").bounding_box()["height"] > 40


@pytest.mark.parametrize("title", CARDS)
def test_a_card_plays_while_it_is_pointed_at_or_focused(open_page, title):
    page = open_page("", reduced_motion="no-preference")
    one = card(page, title)
    assert one.evaluate(ANIMATIONS) == 0
    one.hover()
    assert one.evaluate(ANIMATIONS) > 2
    page.mouse.move(0, 0)
    one.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # as one who uses the keyboard comes to it
    expect(one).to_be_focused()
    assert one.evaluate(ANIMATIONS) > 2


@pytest.mark.parametrize("title", CARDS)
def test_under_reduced_motion_it_stays_still(open_page, title):
    page = open_page("")
    card(page, title).hover()
    assert card(page, title).evaluate(ANIMATIONS) == 0


def test_python_keeps_running_from_one_playground_to_the_next(open_page):
    page = open_page("")
    first = None
    for title in CARDS:
        card(page, title).click()
        expect(page.locator("[data-python]")).to_have_attribute("data-python", "live")
        [worker] = pythons(page)
        first = first or worker
        assert worker is first
        page.get_by_role("link", name="All playgrounds").first.click()
        expect(card(page, title)).to_be_visible()
