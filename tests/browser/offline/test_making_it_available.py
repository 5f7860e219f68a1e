"""“Make this lab available offline”: it says what it costs, and then nothing is missing."""

import re
import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.offline.kept_copy import wait_until_copied, wait_until_python_is_kept
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.site_server import ORIGIN, PREFIX
from tests.built_files import manifest_of

SITE = f"{ORIGIN}{PREFIX}"
DRAWING = "\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('Offline')\nplt.show()\n"


class Offer:
    """Wraps the <spec-offline> of a page."""

    def __init__(self, page: Page) -> None:
        self.element = page.locator("spec-offline")
        self.button = page.get_by_role("button", name="Make this lab available offline")
        self.said = self.element.get_by_role("status")
        self.alert = self.element.get_by_role("alert")

    def expect_whole(self) -> None:
        expect(self.said).to_contain_text("This lab is available offline")
        expect(self.button).to_have_count(0)
        expect(self.alert).to_have_count(0)


def megabytes(site, *roles: str) -> str:
    """Returns how much the files of Python with these roles are, as the page writes it."""
    total = sum(file["bytes"] for file in manifest_of(site)["files"] if file["role"] in roles)
    return f"{total / 1e6:.1f} MB"


def allow_room(page: Page, size: int | None) -> None:
    """Lets the browser keep so many bytes for the site; None: what it has."""
    quota = {} if size is None else {"quotaSize": size}
    page.context.new_cdp_session(page).send(
        "Storage.overrideQuotaForOrigin", {"origin": ORIGIN, **quota})


def test_all_is_there_after_one_press_packages_too(open_page, host, built_site):
    page = open_page("", service_workers="allow")
    offer = Offer(page)
    expect(offer.said).to_contain_text(
        f"It fetches {megabytes(built_site, 'core', 'package', 'bytecode', 'on-demand')}:")
    offer.button.click()
    offer.expect_whole()
    host.stop()
    page.reload()
    offer.expect_whole()
    page.goto(f"{SITE}{PATH}")
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    CodePanel(page).run(SOURCE + DRAWING)
    expect(page.get_by_role("img", name="Offline")).to_be_visible()


def test_what_is_here_is_not_fetched_again(open_page, guard, built_site):
    page = open_page(PATH, service_workers="allow")
    PlaygroundPage(page).wait_until_live()
    wait_until_copied(page)
    wait_until_python_is_kept(page)
    page.get_by_role("main").get_by_role("link", name="All playgrounds").click()
    offer = Offer(page)
    expect(offer.said).to_have_text(
        f"It fetches {megabytes(built_site, 'on-demand')}; "
        f"{megabytes(built_site, 'core', 'package', 'bytecode')} are here.")
    guard.requests.clear()
    offer.button.click()
    offer.expect_whole()
    asked = {url.rpartition("/")[2] for url in guard.requests}
    assert asked >= {file["name"] for file in manifest_of(built_site)["files"]
                     if file["role"] == "on-demand"}
    assert "pyodide.asm.wasm" not in asked


def test_progress_is_shown_while_it_comes(open_page, host):
    page = open_page("", service_workers="allow")
    offer = Offer(page)
    with host.server.slowed("pyodide.asm.wasm", bytes_per_second=5_000_000):
        offer.button.click()
        expect(page.get_by_role("progressbar", name="Fetching the lab")).to_be_visible()
        expect(offer.button).to_be_disabled()
        expect(offer.said).to_contain_text(re.compile(r"Fetching the lab: [\d.]+ of [\d.]+ MB"))
    offer.expect_whole()


def test_a_server_that_goes_away_is_named_and_another_press_goes_on(
        open_page, guard, host, built_site):
    guard.announce("Failed to load resource")
    page = open_page("", service_workers="allow")
    wait_until_copied(page)
    offer = Offer(page)
    expect(offer.said).to_contain_text("It fetches")
    host.stop()
    offer.button.click()
    expect(offer.alert).to_contain_text("no answer from the server")
    host.deploy(built_site)
    offer.button.click()
    offer.expect_whole()


def test_a_damaged_file_is_named_and_not_kept(open_page, host, built_site, tmp_path):
    damaged = tmp_path / "site"
    shutil.copytree(built_site, damaged)
    [numpy] = damaged.rglob("numpy.packed")
    numpy.write_bytes(numpy.read_bytes()[:-1] + b"?")
    host.deploy(damaged)
    offer = Offer(open_page("", service_workers="allow"))
    offer.button.click()
    expect(offer.alert).to_contain_text("numpy.packed is damaged")
    host.deploy(built_site)
    offer.button.click()
    offer.expect_whole()


def test_no_room_is_said_and_another_press_goes_on_once_there_is(open_page):
    page = open_page("", service_workers="allow")
    wait_until_copied(page)
    offer = Offer(page)
    allow_room(page, 10_000_000)
    offer.button.click()
    expect(offer.alert).to_contain_text("there is no room")
    allow_room(page, None)
    offer.button.click()
    offer.expect_whole()


def test_without_any_room_all_works_online_and_the_offer_says_so(open_page):
    page = open_page("", service_workers="allow", prepare=lambda page: allow_room(page, 1))
    offer = Offer(page)
    offer.button.click()
    expect(offer.alert).to_contain_text("no room")
    page.get_by_role("main").get_by_role("heading", name="Speculative decoding").click()
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.step_times(1, made=6)


def test_without_service_workers_the_offer_says_so(open_page):
    page = open_page("", service_workers="block")
    offer = Offer(page)
    offer.button.click()
    expect(offer.alert).to_contain_text("this browser keeps no copy of a site")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_every_reader(open_page, scheme):
    page = open_page("", viewport={"width": 390, "height": 844}, color_scheme=scheme)
    offer = Offer(page)
    offer.button.click()
    expect(offer.alert).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth"
                         " - document.documentElement.clientWidth") == 0
    violations = Axe().run(page, context="spec-offline").response["violations"]
    assert [rule["id"] for rule in violations] == []
