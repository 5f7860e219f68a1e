"""Back to a page that the browser kept as it was, or did not: the run is there and goes on."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.python_worker import STARTED_MS, end_python, expect_started_anew, keep_workers
from tests.browser.site_server import ORIGIN, PREFIX

NOT_INSTANT = "404.html"  # the theme loads it as browsers do, whole


@pytest.fixture
def browser(launch_chromium, site_server, kept) -> Iterator[Browser]:
    """A Chromium of the test's own, which keeps pages that were left, or none as is usual here."""
    browser = launch_chromium(
        site_server.server_port,
        ignore_default_args=["--disable-back-forward-cache"] if kept else [])
    yield browser
    browser.close()


def leave_and_come_back(page: Page, kept: bool) -> None:
    """Loads another page, then goes back; the first was kept as it was, or was not."""
    page.evaluate("window.keptAsItWas = true")
    page.goto(f"{ORIGIN}{PREFIX}{NOT_INSTANT}")
    page.evaluate("history.back()")  # page.go_back waits for a load that a kept page has not
    expect(page.locator("spec-playground")).to_be_visible()
    why_not = "JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)"
    assert page.evaluate("window.keptAsItWas === true") is kept, page.evaluate(why_not)


@pytest.mark.parametrize("kept", [True, False], ids=["on", "off"])
def test_the_run_is_there_and_goes_on(open_page, kept):
    page = open_page(PATH)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.quality.fill("0.4")
    playground.step_times(2, made=6)
    leave_and_come_back(page, kept)
    playground.wait_until_live()
    playground.expect_steps(8)
    expect(playground.quality).to_have_value("0.4")
    playground.step_times(2, made=8)
    playground.expect_as_in_cpython()


@pytest.mark.parametrize("kept", [True], ids=["on"])
def test_a_worker_that_was_lost_meanwhile_is_missed_on_return(open_page, kept):
    page = open_page(PATH, prepare=keep_workers)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.wait_until_certified()
    playground.step_times(2, made=6)
    end_python(page)
    leave_and_come_back(page, kept)
    expect_started_anew(page, "it did not answer any more", STARTED_MS)
    playground.step_times(2, made=8)
    playground.expect_as_in_cpython()
