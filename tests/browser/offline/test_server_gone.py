"""The server goes away while Python's files come, and is back: Retry, and all goes on."""

from playwright.sync_api import expect

from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.waiting import wait_until

WITHIN_MS = 10_000  # the time in which a reader has to be told


def test_a_start_broken_off_is_told_and_retry_mends_it(open_page, guard, host, built_site):
    guard.announce("Failed to load resource|net::ERR")
    with host.server.slowed("pyodide.asm.wasm", bytes_per_second=1_000_000):
        page = open_page(PATH)
        playground = PlaygroundPage(page)
        playground.quality.fill("0.3")
        playground.run.click()
        wait_until(page, """() => document.querySelector("progress").value > 6e6""")
        host.stop()
    alert = page.get_by_role("alert").filter(has_text="Python could not start")
    expect(alert).to_contain_text("pyodide.asm.wasm", timeout=WITHIN_MS)
    playground.expect_steps(6)
    host.deploy(built_site)
    page.get_by_role("button", name="Retry").click()
    playground.expect_steps(8)  # the run that was asked for
    playground.pause.click()
    playground.expect_as_in_cpython()
    expect(playground.quality).to_have_value("0.3")
