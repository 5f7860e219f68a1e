"""When Python starts: by itself where that costs little, else when a reader touches a widget."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playground_page import PATH, PlaygroundPage
from tests.built_files import build_folder_of

OF_PYTHON = ("/runtime/", "/scenes/", "/worker.js")

DEAR = {"saveData": True, "effectiveType": "4g"}
SLOW = {"saveData": False, "effectiveType": "3g"}
GOOD = {"saveData": False, "effectiveType": "4g"}


def over(connection: dict, site: Path) -> Callable[[Page], None]:
    """Returns a `prepare` for `open_page`: the browser says this of its connection."""
    said = f"""Object.defineProperty(
        navigator, "connection", {{value: {json.dumps(connection)}}});"""
    worker = (build_folder_of(site) / "widgets/worker.js").read_text()

    def prepare(page: Page) -> None:
        page.add_init_script(said)
        page.route("**/widgets/worker.js", lambda route: route.fulfill(
            body=said + worker, content_type="text/javascript"))
    return prepare


def asked_for_python(guard) -> list[str]:
    return [url for url in guard.requests if any(part in url for part in OF_PYTHON)]


@pytest.fixture
def opened_at_rest(open_page, built_site) -> Callable[..., PlaygroundPage]:
    """Opens the playground over a connection, and waits until the page asks for nothing more."""
    def opened(connection: dict, search: str = "") -> PlaygroundPage:
        page = open_page(PATH + search, prepare=over(connection, built_site))
        page.wait_for_load_state("networkidle")
        return PlaygroundPage(page)
    return opened


@pytest.mark.parametrize("connection", [DEAR, SLOW], ids=["Save-Data", "3g"])
def test_over_a_dear_or_slow_connection_nothing_is_fetched_before_a_touch(
        opened_at_rest, guard, connection):
    playground = opened_at_rest(connection)
    expect(playground.element).to_have_attribute("data-python", "idle")
    expect(playground.page.get_by_text("to spare your connection")).to_be_visible()
    assert asked_for_python(guard) == []
    playground.step.click()
    playground.expect_steps(7)
    playground.expect_as_in_cpython()
    asked = {url.rpartition("/")[2] for url in asked_for_python(guard)}
    assert "python_boot.packed" in asked  # fewer bytes than
    assert "python_memory.packed" not in asked


def test_there_a_press_of_its_own_starts_it(opened_at_rest, guard):
    playground = opened_at_rest(DEAR, "?seed=5&quality=0.2&gamma=3&steps=4")
    playground.page.get_by_role("button", name="Start Python").click()
    playground.wait_until_live()
    playground.expect_steps(4)
    playground.expect_as_in_cpython()


def test_there_a_key_starts_it_too(opened_at_rest, guard):
    playground = opened_at_rest(DEAR)
    playground.page.get_by_role("link", name="Skip to content").focus()
    assert asked_for_python(guard) == []
    playground.quality.focus()
    playground.wait_until_live()


def test_over_a_good_connection_it_starts_by_itself(opened_at_rest):
    opened_at_rest(GOOD).wait_until_live()


def test_a_playground_far_below_waits_until_the_reader_comes_near(open_page, guard):
    page = open_page(PATH, viewport={"width": 220, "height": 120})
    page.wait_for_load_state("networkidle")
    playground = PlaygroundPage(page)
    expect(playground.element).to_have_attribute("data-python", "idle")
    assert asked_for_python(guard) == []
    playground.element.scroll_into_view_if_needed()
    playground.wait_until_live()


def test_a_page_without_widgets_starts_nothing(open_page, guard, built_site):
    page = open_page("reference/", prepare=over(GOOD, built_site))
    page.wait_for_load_state("networkidle")
    assert asked_for_python(guard) == []
