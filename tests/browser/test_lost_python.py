"""The worker that runs Python is lost: another takes over, and nothing the reader did is lost."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.python_worker import (
    SILENT_MS,
    STARTED_MS,
    end_python,
    expect_started_anew,
    fail_python,
    keep_workers,
    pythons,
)
from tests.browser.waiting import wait_until

SESSION = "?seed=7&quality=0.6&gamma=5&moves=4:0.3:3&steps=9"

# Before it gives up, the interpreter may list every call that is under way.
TOLD = "brought Python down: its interpreter crashed|did not finish within 10 seconds"
CRASHES = {
    "endless recursion without a guard": (
        "\nimport sys\nsys.setrecursionlimit(10**9)\n"
        "def residual(p, q):\n    return residual(p, q)\n"),
    "abort": "\nimport os\ndef residual(p, q):\n    os.abort()\n",
}


def opened(open_page) -> PlaygroundPage:
    playground = PlaygroundPage(open_page(PATH + SESSION, prepare=keep_workers))
    playground.wait_until_live()
    return playground


def expect_run_goes_on(playground: PlaygroundPage) -> None:
    """More steps are made, and all of them are those of the session."""
    steps = playground.data()["state"]["session"]["steps"]
    wait_until(
        playground.page,
        "steps => document.querySelector('spec-playground').session.state.run.steps > steps",
        steps)
    playground.pause.click()
    playground.expect_as_in_cpython()


def test_a_run_whose_worker_is_ended_from_outside_goes_on_token_for_token(open_page):
    playground = opened(open_page)
    playground.run.click()
    playground.expect_steps(11)
    end_python(playground.page)
    expect(playground.page.get_by_text("Python gives no answer")).to_be_visible()
    expect_started_anew(playground.page, "it gave no answer for 20 s", SILENT_MS)
    expect_run_goes_on(playground)
    assert len(pythons(playground.page)) == 1


def test_a_worker_that_fails_twice_is_told_and_retry_goes_on_with_the_run(open_page, guard):
    guard.announce("out of order")
    playground = opened(open_page)
    page = playground.page
    playground.quality.fill("0.9")
    playground.run.click()
    playground.expect_steps(11)
    fail_python(page)
    expect_started_anew(page, "its worker failed", STARTED_MS)
    fail_python(page)
    alert = page.get_by_role("alert").filter(has_text="Python stopped twice within a minute")
    expect(alert).to_contain_text("its worker failed")
    expect(playground.quality).to_have_value("0.9")
    page.get_by_role("button", name="Retry").click()
    expect(alert).to_have_count(0)
    expect_run_goes_on(playground)


@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES)
def test_an_edit_that_brings_python_down_is_told_and_the_original_goes_on(open_page, guard, crash):
    guard.announce("fatal error|Stack \\(most recent|RangeError|RuntimeError|Aborted|cause of")
    playground = opened(open_page)
    code = CodePanel(playground.page)
    code.type(SOURCE + crash)
    code.apply.click()
    code.expect_refused("The playground goes on with the original.")
    expect(code.state).to_contain_text(re.compile(TOLD))
    code.expect_text(SOURCE + crash)  # what the reader wrote is there still
    playground.wait_until_live()
    playground.expect_steps(9)
    playground.step_times(1, made=9)
    playground.expect_as_in_cpython()


def test_of_two_tabs_one_that_loses_its_python_leaves_the_other_alone(open_page, guard):
    guard.announce("out of order")
    playground = opened(open_page)
    other = PlaygroundPage(beside(playground.page, guard))
    other.wait_until_live()
    other.step_times(1, made=6)
    fail_python(playground.page)
    expect_started_anew(playground.page, "its worker failed", STARTED_MS)
    for tab, made in ((playground, 9), (other, 7)):
        tab.step_times(2, made=made)
        tab.expect_as_in_cpython()
    expect(other.page.get_by_text("It stopped (")).to_have_count(0)


def beside(page: Page, guard) -> Page:
    """Opens the playground in another tab of the same browser."""
    tab = page.context.new_page()
    guard.watch(tab)
    tab.goto(page.url.split("?")[0])
    return tab
