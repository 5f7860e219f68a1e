"""A deploy while a reader is there, and between visits: never two builds in one page."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.code_panel import CodePanel
from tests.browser.offline.kept_copy import copied_addresses, wait_until_copied
from tests.browser.offline.second_build import NEW_FOOTER
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.site_server import ORIGIN, PREFIX
from tests.built_files import build_folder_of

SITE = f"{ORIGIN}{PREFIX}"
OUTCOME_OF_UPDATE = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise((resolve) => registration.addEventListener("updatefound", () => {
        const {installing} = registration;
        installing.addEventListener("statechange", () => resolve(installing.state));
    }));
    await registration.update();
    return found;
}"""
NONE_WAITS = """async () => {
    while (registration.waiting) await new Promise((resolve) => setTimeout(resolve, 50));
}"""


def notice(page: Page):
    return page.get_by_role("status").filter(has_text="A new version of the lab is here")


def load_it(page: Page):
    return page.get_by_role("button", name="Load it")


def builds_on(page: Page) -> set[str]:
    """Returns the builds whose files the page has loaded, by its own account."""
    addresses = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    return {found[1] for found in (re.search(r"/build/(\w+)/", url) for url in addresses) if found}


def expect_new_site(page: Page, new_site) -> None:
    expect(page.get_by_role("contentinfo").filter(has_text=NEW_FOOTER)).to_be_visible()
    assert builds_on(page) == {build_folder_of(new_site).name}


def test_a_reader_with_a_page_open_is_told_and_keeps_the_run(
        open_page, host, built_site, new_site):
    page = open_page(f"{PATH}?seed=3&quality=.9&gamma=3&steps=4", service_workers="allow")
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    wait_until_copied(page)
    playground.quality.fill("0.2")
    playground.step_times(2, made=4)
    host.deploy(new_site)
    page.get_by_role("main").get_by_role("link", name="Reference").click()
    expect(notice(page)).to_be_visible()
    page.go_back()  # the page and its run are of the old build still, and work
    playground.expect_steps(6)
    playground.step_times(1, made=6)
    before = playground.data()
    assert builds_on(page) == {build_folder_of(built_site).name}
    load_it(page).click()
    expect_new_site(page, new_site)
    playground.wait_until_live()
    playground.expect_steps(7)
    assert playground.data() == before
    expect(notice(page)).to_have_count(0)
    old = build_folder_of(built_site).name
    assert [url for url in copied_addresses(page) if f"/build/{old}/" in url] == []


def test_the_last_step_is_kept_though_the_address_lags_behind(open_page, host, new_site):
    page = open_page(PATH, service_workers="allow")
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    wait_until_copied(page)
    host.deploy(new_site)
    page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
    expect(notice(page)).to_be_visible()
    # Both presses in one go: browsers do not let an address change that often.
    for _ in range(2):
        playground.step.evaluate("(button) => button.click()")
    playground.expect_steps(8)
    load_it(page).evaluate("(button) => button.click()")
    expect_new_site(page, new_site)
    playground.expect_steps(8)


def test_what_was_typed_in_the_editor_is_kept(open_page, host, new_site):
    page = open_page(PATH, service_workers="allow")
    wait_until_copied(page)
    code = CodePanel(page)
    code.type("# half a thought\n")
    host.deploy(new_site)
    page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
    load_it(page).click()
    expect_new_site(page, new_site)
    code.edit.click()
    expect(code.editor).to_have_text("# half a thought")


def test_between_visits_the_new_version_takes_over_by_itself(
        open_page, guard, host, built_site, new_site):
    page = open_page("", service_workers="allow")
    wait_until_copied(page)
    host.deploy(new_site)
    page.get_by_role("main").get_by_role("heading", name="Speculative decoding").click()
    expect(notice(page)).to_be_visible()
    later = page.context.new_page()
    page.close()
    newest = page.context.service_workers[-1]
    newest.evaluate(NONE_WAITS)
    guard.watch(later)
    later.goto(SITE)
    expect_new_site(later, new_site)
    expect(notice(later)).to_have_count(0)
    old = build_folder_of(built_site).name
    wait_until_copied(later)
    assert [url for url in copied_addresses(later) if f"/build/{old}/" in url] == []


def test_two_tabs_are_both_told_and_change_together(open_page, guard, host, new_site):
    one = open_page("reference/", service_workers="allow")
    wait_until_copied(one)
    two = one.context.new_page()
    guard.watch(two)
    two.goto(f"{SITE}{PATH}?seed=7&quality=.6&gamma=6&steps=5")
    playground = PlaygroundPage(two)
    playground.wait_until_live()
    host.deploy(new_site)
    one.get_by_role("main").get_by_role("link", name="All playgrounds").first.click()
    for page in (one, two):
        expect(notice(page)).to_be_visible()
    before = playground.data()
    load_it(one).click()
    for page in (one, two):
        expect_new_site(page, new_site)
    playground.wait_until_live()
    assert playground.data() == before


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_notice_can_be_put_off_and_moves_nothing(
        open_page, host, new_site, width, scheme):
    page = open_page("", service_workers="allow", color_scheme=scheme,
                     viewport={"width": width, "height": 800})
    wait_until_copied(page)
    heading = page.get_by_role("heading", name="All playgrounds")
    place = heading.bounding_box()
    host.deploy(new_site)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(notice(page)).to_be_visible()
    assert heading.bounding_box() == place
    violations = Axe().run(page, context="spec-new-version").response["violations"]
    assert [rule["id"] for rule in violations] == []
    load_it(page).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(notice(page)).to_have_count(0)
    assert heading.bounding_box() == place


def test_a_deploy_that_has_not_spread_yet_is_not_taken(open_page, host, built_site, new_site):
    page = open_page("", service_workers="allow")
    wait_until_copied(page)
    behind = new_site / "reference/index.html"
    newest = behind.read_text()
    behind.write_text((built_site / "reference/index.html").read_text())
    host.deploy(new_site)
    assert page.evaluate(OUTCOME_OF_UPDATE) == "redundant"  # refused, and not "installed"
    expect(notice(page)).to_have_count(0)
    behind.write_text(newest)
    page.get_by_role("main").get_by_role("heading", name="Speculative decoding").click()
    expect(notice(page)).to_be_visible()


def test_without_a_service_worker_a_page_whose_files_are_gone_offers_the_new_version(
        open_page, guard, host, new_site):
    guard.announce("Failed to load resource")
    page = open_page(PATH, prepare=lambda page: page.route(
        "**/worker.js", lambda route: route.abort()))
    playground = PlaygroundPage(page)
    expect(page.get_by_role("alert").filter(has_text="worker.js")).to_be_visible()
    expect(notice(page)).to_have_count(0)  # the same build still: Retry is what helps
    page.unroute("**/worker.js")
    host.deploy(new_site)
    page.get_by_role("button", name="Retry").click()
    load_it(page).click()
    expect_new_site(page, new_site)
    playground.wait_until_live()


def test_without_a_service_worker_a_page_of_another_build_is_loaded_whole(
        open_page, host, new_site):
    page = open_page("")
    expect(page.get_by_text(re.compile("It fetches .* MB"))).to_be_visible()  # all has loaded
    host.deploy(new_site)
    page.get_by_role("main").get_by_role("heading", name="Speculative decoding").click()
    expect_new_site(page, new_site)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.step_times(1, made=6)
