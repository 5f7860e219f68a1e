"""After the first visit the server may go: pages, widgets, Python and its run stay."""

import re
import shutil

from playwright.sync_api import expect

from tests.browser.offline.kept_copy import wait_until_copied, wait_until_python_is_kept
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.site_server import ORIGIN, PREFIX
from tests.scene_loading import replay

SITE = f"{ORIGIN}{PREFIX}"


def visited(open_page, path: str = ""):
    """Opens a page for the first time and waits until the site is copied."""
    page = open_page(path, service_workers="allow")
    wait_until_copied(page)
    return page


def test_pages_boot_and_run_work_when_the_server_is_gone(open_page, host):
    playground = PlaygroundPage(visited(open_page, PATH))
    wait_until_python_is_kept(playground.page)
    host.stop()
    playground.page.goto(f"{SITE}{PATH}?seed=3&quality=.9&gamma=3&steps=4")
    playground.wait_until_live()
    playground.expect_steps(4)
    playground.quality.fill("0.2")
    playground.step_times(2, made=4)
    data = playground.data()
    assert data["state"] == replay(data["state"]["session"])["state"]
    playground.wait_until_certified()


def test_every_page_and_the_search_are_there_after_one_visit_of_another(open_page, host):
    page = visited(open_page)
    host.stop()
    page.evaluate("window.neverReloaded = true")
    page.get_by_role("main").get_by_role("heading", name="Speculative decoding").click()
    expect(page.get_by_role("slider", name="Draft quality")).to_be_visible()
    assert page.evaluate("window.neverReloaded") is True
    page.goto(f"{SITE}reference/")
    expect(page.get_by_role("heading", name="Reference", level=1)).to_be_visible()
    page.get_by_role("textbox", name="Search").fill("residual")
    expect(page.get_by_role("link", name=re.compile("residual")).first).to_be_visible()


def test_a_page_is_found_without_its_final_slash(open_page, host):
    page = visited(open_page)
    host.stop()
    page.goto(f"{SITE}{PATH.rstrip('/')}?seed=7&quality=.6")
    expect(page.get_by_role("slider", name="Draft quality")).to_have_value("0.6")
    assert page.url.startswith(f"{SITE}{PATH}?seed=7&quality=")


def test_an_unknown_address_gives_the_page_that_says_so(open_page, guard, host):
    guard.announce("status of 404")
    page = visited(open_page)
    host.stop()
    response = page.goto(f"{SITE}nowhere/?seed=7")
    assert response.status == 404
    expect(page.get_by_role("heading", name="404")).to_be_visible()
    page.get_by_role("banner").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="All playgrounds")).to_be_visible()


def test_the_copy_waits_until_python_is_up(open_page):
    held = []
    page = open_page(PATH, service_workers="allow", prepare=lambda page: page.route(
        "**/pyodide.asm.wasm", lambda route: held.append(route)))
    playground = PlaygroundPage(page)
    expect(playground.element).to_have_attribute("data-python", "booting")
    page.wait_for_load_state()
    has_worker = "async () => Boolean(await navigator.serviceWorker.getRegistration())"
    page.evaluate("new Promise((resolve) => requestIdleCallback(resolve))")
    assert not page.evaluate(has_worker)
    for route in held:
        route.continue_()
    playground.wait_until_live()
    wait_until_copied(page)
    assert page.evaluate(has_worker)


def test_without_the_service_workers_file_all_works_online(
        open_page, host, guard, built_site, tmp_path):
    site = tmp_path / "site"
    shutil.copytree(built_site, site, ignore=shutil.ignore_patterns("sw.js"))
    host.deploy(site)
    guard.announce("404.*fetching the script")
    playground = PlaygroundPage(open_page(PATH, service_workers="allow"))
    playground.wait_until_live()
    playground.step_times(1, made=6)
