"""Instant navigation between pages: Python boots once, and the session comes back."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.site_server import ORIGIN, PREFIX
from tests.scene_loading import replay


def test_back_and_forth_between_pages_keeps_python_running(open_page, guard):
    page = open_page("")
    page.evaluate("window.neverReloaded = true")
    page.get_by_role("main").get_by_role("heading", name="Speculative decoding").click()
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.quality.fill("0.4")
    playground.step_times(2, made=6)
    expect(page).to_have_url(re.compile(r"moves=6:0\.4:4&steps=8"))
    before = playground.data()
    for _ in range(20):
        page.get_by_role("main").get_by_role("link", name="Reference").click()
        expect(page.get_by_role("heading", name="specdec.speculative", exact=False).first
               ).to_be_visible()
        page.go_back()
        playground.expect_steps(8)
        expect(playground.element).to_have_attribute("data-python", "live")
        assert playground.data() == before
        page.go_back()
        expect(page.get_by_role("heading", name="All playgrounds")).to_be_visible()
        page.go_forward()
        playground.expect_steps(8)
    playground.step_times(1, made=8)
    assert page.evaluate("window.neverReloaded") is True
    pythons = [worker for worker in page.workers if worker.url.endswith("widgets/worker.js")]
    assert len(pythons) == 1
    wasm = [url for url in guard.requests if url.endswith("pyodide.asm.wasm")]
    assert len(wasm) == 1


def test_leaving_in_mid_run_stops_the_run_and_coming_back_finds_it(open_page):
    page = open_page(PATH)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.run.click()
    playground.expect_steps(8)
    page.get_by_role("main").get_by_role("link", name="All playgrounds").click()
    expect(page.get_by_role("heading", name="All playgrounds")).to_be_visible()
    assert page.url == f"{ORIGIN}{PREFIX}"  # no playground's session in another page's address
    page.go_back()
    playground.wait_until_live()
    expect(playground.run).to_be_visible()
    data = playground.data()
    assert data["state"]["session"]["steps"] >= 8
    assert data["state"] == replay(data["state"]["session"])["state"]


def test_the_last_step_is_found_again_however_quickly_one_leaves(open_page):
    page = open_page(PATH)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    link = page.get_by_role("main").get_by_role("link", name="Reference").element_handle()
    playground.step_times(1, made=6)
    # In one go, before the address has followed: browsers do not let it change that often.
    page.evaluate("""(link) => new Promise((done) => {
        const playground = document.querySelector("spec-playground");
        const leave = () => {
            if (playground.session.state.session.steps < 8) return;
            playground.session.removeEventListener("change", leave);
            done(link.click());
        };
        playground.session.addEventListener("change", leave);
        playground.session.step();
    })""", link)
    expect(page.get_by_role("heading", name="Reference", level=1)).to_be_visible()
    page.go_back()
    playground.expect_steps(8)


def test_leaving_before_python_is_up_and_coming_back_gives_one_session(open_page):
    held = []
    page = open_page(PATH, prepare=lambda page: page.route(
        "**/pyodide.asm.wasm", lambda route: held.append(route)))
    playground = PlaygroundPage(page)
    playground.expect_steps(6)
    page.get_by_role("main").get_by_role("link", name="Reference").click()
    expect(page.get_by_role("heading", name="Reference", level=1)).to_be_visible()
    page.go_back()
    playground.expect_steps(6)
    for route in held:
        route.continue_()
    playground.wait_until_live()
    playground.step_times(1, made=6)
    data = playground.data()
    assert data["state"] == replay(data["state"]["session"])["state"]


@pytest.mark.parametrize("name", ["Sampling knobs", "Beam search", "All playgrounds", "Reference"])
def test_every_link_onward_leads_to_its_page(open_page, name):
    page = open_page(PATH)
    page.get_by_role("main").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page).not_to_have_url(re.compile(PATH))
