"""Instant navigation between pages: Python boots once, and the session comes back."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import WAIT_MS
from tests.browser.playground_page import PATH, PlaygroundPage


def test_back_and_forth_between_pages_keeps_python_running(open_page, guard):
    page = open_page("")
    page.evaluate("window.neverReloaded = true")
    page.get_by_role("main").get_by_role("link", name="Speculative decoding").click()
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.quality.fill("0.4")
    playground.step_times(2, made=6)
    expect(page).to_have_url(re.compile(r"moves=6:0\.4:4&steps=8"))
    before = playground.data()
    for _ in range(3):
        page.get_by_role("main").get_by_role("link", name="Reference").click()
        expect(page.get_by_role("heading", name="specdec.speculative", exact=False).first
               ).to_be_visible()
        page.go_back()
        playground.expect_steps(8)
        expect(playground.element).to_have_attribute("data-python", "live")
        assert playground.data() == before
        page.go_forward()
        expect(page.locator("spec-playground")).to_have_count(0)
        page.go_back()
        playground.expect_steps(8)
    playground.step_times(1, made=8)
    assert page.evaluate("window.neverReloaded") is True
    pythons = [worker for worker in page.workers if worker.url.endswith("widgets/worker.js")]
    assert len(pythons) == 1
    wasm = [url for url in guard.requests if url.endswith("pyodide.asm.wasm")]
    assert len(wasm) == 1


def test_leaving_in_mid_run_stops_the_run(open_page):
    page = open_page(PATH)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.run.click()
    playground.expect_steps(8)
    page.get_by_role("main").get_by_role("link", name="All playgrounds").click()
    expect(page.get_by_role("heading", name="All playgrounds")).to_be_visible(timeout=WAIT_MS)
    page.go_back()
    expect(playground.run).to_be_visible()
    playground.wait_until_live()
    assert playground.data()["state"]["session"]["steps"] >= 8


def test_every_link_onward_leads_to_a_page(open_page):
    page = open_page(PATH)
    for name in ("All playgrounds", "Reference"):
        page.get_by_role("main").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("404 - Not found")).to_have_count(0)
        page.go_back()
        expect(page.locator("spec-playground")).to_be_visible()
