"""A runtime file that is missing, damaged or slow: the page says so, and goes on."""

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.playground_page import FIRST_TOKENS, PATH, PlaygroundPage
from tests.built_files import manifest_of

WITHIN_MS = 10_000  # the time in which a reader has to be told

RUNTIME = (  # everything the worker needs, by the end of its address
    "manifest.json", "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm",
    "python_stdlib.zip", "pyodide-lock.json", "numpy-*.whl", "specdec-*.whl",
    "scenes/playground.py")


def missing(route: Route) -> None:
    route.fulfill(status=404, body="not here")


def unreachable(route: Route) -> None:
    route.abort("connectionfailed")


def html_instead(route: Route) -> None:
    route.fulfill(content_type="text/html", body="<!doctype html><p>Sign in to continue</p>")


def never_answered(route: Route) -> None:
    """Leaves the request open, as a stalled connection does."""


def sabotaged(open_page, guard, ending: str, fault) -> PlaygroundPage:
    """Opens the playground with one file at fault."""
    guard.announce(r"Failed to load resource")
    page = open_page(PATH, prepare=lambda page: page.route(f"**/{ending}", fault))
    return PlaygroundPage(page)


def expect_to_be_told(playground: PlaygroundPage, *words: str) -> None:
    alert = playground.page.get_by_role("alert").filter(has_text="Python could not start")
    expect(alert).to_be_visible(timeout=WITHIN_MS)
    for word in words:
        expect(alert).to_contain_text(word)
    expect(playground.element).to_have_attribute("data-python", "failed")


def expect_the_page_to_be_whole(playground: PlaygroundPage) -> None:
    """The first run and all the prose are still there."""
    playground.expect_steps(6)
    expect(playground.stat("tokens-emitted")).to_have_text(FIRST_TOKENS)
    expect(playground.page.get_by_role("heading", name="The takeaway")).to_be_attached()
    expect(playground.page.locator("spec-source code[data-source]")).to_contain_text("def verify")


def name_of(ending: str) -> str:
    return ending.split("*")[0].split("/")[-1]


@pytest.mark.parametrize("ending", RUNTIME)
def test_a_missing_file_is_named(open_page, guard, ending):
    playground = sabotaged(open_page, guard, ending, missing)
    expect_to_be_told(playground, name_of(ending), "404")
    expect_the_page_to_be_whole(playground)


@pytest.mark.parametrize("ending", RUNTIME[1:])
def test_a_file_with_one_byte_changed_is_refused(open_page, guard, built_site, ending):
    def change_a_byte(route: Route) -> None:
        file = next(built_site.rglob(ending))
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        route.fulfill(body=bytes(content), content_type="application/octet-stream")

    playground = sabotaged(open_page, guard, ending, change_a_byte)
    expect_to_be_told(playground, name_of(ending), "damaged", "SHA-256")


@pytest.mark.parametrize("fault", [unreachable, html_instead, never_answered])
@pytest.mark.parametrize("ending", ["pyodide.asm.wasm", "manifest.json", "worker.js"])
def test_a_fault_is_told_and_retry_mends_it(open_page, guard, ending, fault):
    guard.announce(r"MIME type|Failed to load module script")
    playground = sabotaged(open_page, guard, ending, fault)
    playground.run.click()  # what the reader wanted is not lost
    expect_to_be_told(playground, ending)
    expect_the_page_to_be_whole(playground)
    playground.page.unroute(f"**/{ending}")
    playground.page.get_by_role("button", name="Retry").click()
    playground.expect_steps(8)
    playground.pause.click()
    playground.wait_until_live()


def test_a_slow_connection_is_said_while_it_goes_on(open_page, site_server):
    with site_server.slowed("pyodide.asm.wasm", bytes_per_second=700_000):
        playground = PlaygroundPage(open_page(PATH))
        note = playground.page.get_by_role("status").filter(has_text="longer than usual")
        expect(note).to_be_visible(timeout=WITHIN_MS)
        expect(playground.page.get_by_role("button", name="Retry")).to_be_visible()
        expect(playground.page.get_by_role("progressbar")).to_be_visible()
        playground.wait_until_live()


def test_retry_on_a_slow_connection_starts_afresh_and_keeps_what_was_asked(
        open_page, site_server):
    with site_server.slowed("pyodide.asm.wasm", bytes_per_second=200_000):
        playground = PlaygroundPage(open_page(PATH))
        playground.run.click()
        retry = playground.page.get_by_role("button", name="Retry")
        expect(retry).to_be_visible(timeout=WITHIN_MS)
    retry.click()
    playground.expect_steps(8)
    playground.pause.click()
    playground.wait_until_live()


def test_an_unreadable_manifest_is_no_crash(open_page, guard, built_site):
    manifest = manifest_of(built_site)
    manifest["files"] = [file for file in manifest["files"] if file["name"] != "pyodide.mjs"]
    playground = sabotaged(
        open_page, guard, "manifest.json", lambda route: route.fulfill(json=manifest))
    expect_to_be_told(playground, "pyodide.mjs", "manifest")


def test_without_our_javascript_the_static_run_is_shown(open_page, guard):
    playground = sabotaged(open_page, guard, "lab.js", missing)
    expect(playground.page.locator("spec-playground figure").first).to_be_visible()
    assert Path(playground.page.url).name == "speculative-decoding"
