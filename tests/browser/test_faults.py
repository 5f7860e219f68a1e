"""A runtime file that is missing, damaged or slow: the page says so, and goes on."""

import gzip
import json
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.playground_page import FIRST_TOKENS, PATH, PlaygroundPage
from tests.browser.python_worker import restored
from tests.browser.tampered_runtime import replaced, worker_with
from tests.built_files import manifest_of

WITHIN_MS = 10_000  # the time in which a reader has to be told
ALL_OF_IT_MS = 120_000  # 16 MB at 200 KB/s, some files at once

RUNTIME = (  # everything the worker needs, by the end of its address
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "numpy_binaries.packed",
    "pyodide-lock.json", "specdec-*.whl", "scenes/playground.py")
MEMORY = "python_memory.packed"  # without it, these:
BYTECODE = ("python_boot.packed", "numpy.packed")


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
    def prepare(page: Page) -> None:
        if ending in BYTECODE:
            page.route(f"**/{MEMORY}", missing)
        page.route(f"**/{ending}", fault)

    guard.announce(r"Failed to load resource")
    return PlaygroundPage(open_page(PATH, prepare=prepare))


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


def change_a_byte(site: Path, ending: str):
    """Sends a file otherwise than it is."""
    content = bytearray(next(site.rglob(ending)).read_bytes())
    content[len(content) // 2] ^= 1
    return lambda route: route.fulfill(
        body=bytes(content), content_type="application/octet-stream")


@pytest.mark.parametrize("ending", RUNTIME + BYTECODE)
def test_a_missing_file_is_named(open_page, guard, ending):
    playground = sabotaged(open_page, guard, ending, missing)
    expect_to_be_told(playground, name_of(ending), "404")
    expect_the_page_to_be_whole(playground)


@pytest.mark.parametrize("ending", RUNTIME[1:] + BYTECODE)
def test_a_file_with_one_byte_changed_is_refused(open_page, guard, built_site, ending):
    playground = sabotaged(open_page, guard, ending, change_a_byte(built_site, ending))
    expect_to_be_told(playground, name_of(ending), "damaged", "SHA-256")


@pytest.mark.parametrize("how", ["missing", "damaged", "of another layout"])
def test_a_memory_of_the_build_that_is_of_no_use_is_done_without(
        open_page, guard, built_site, how):
    faults = {"missing": missing, "damaged": change_a_byte(built_site, MEMORY)}
    if how in faults:
        playground = sabotaged(open_page, guard, MEMORY, faults[how])
    else:
        replace = replaced(built_site, lambda file: file["role"] == "memory", other_layout)
        playground = PlaygroundPage(open_page(PATH, prepare=replace))
    playground.wait_until_live()
    assert restored(playground.page) is None
    playground.step.click()
    playground.expect_steps(7)
    playground.expect_as_in_cpython()


def other_layout(packed: bytes) -> bytes:
    """Returns the memory of a Python with one function more."""
    file = bytearray(gzip.decompress(packed))
    [note_bytes] = struct.unpack_from("<I", file, 4)
    note = json.loads(file[-note_bytes:])
    said = json.dumps(note | {"functions": note["functions"] + 1})
    struct.pack_into("<I", file, 4, len(said.encode()))
    return gzip.compress(bytes(file[:-note_bytes]) + said.encode())


@pytest.mark.parametrize("ending", BYTECODE)
def test_what_only_a_readers_code_needs_is_named_at_its_press(open_page, guard, ending):
    guard.announce(r"Failed to load resource")
    page = open_page(PATH, prepare=lambda page: page.route(f"**/{ending}", missing))
    playground, code = PlaygroundPage(page), CodePanel(page)
    playground.wait_until_live()
    assert restored(page) == "made"
    code.type(SOURCE + "\nimport numpy.polynomial\n")
    code.apply.click()
    code.expect_refused(f"{ending} could not be fetched: the server said 404")
    playground.step.click()
    playground.expect_steps(7)
    page.unroute(f"**/{ending}")
    code.apply.click()
    code.expect_in_force()


def test_a_file_cut_off_is_refused(open_page, guard, built_site):
    content = next(built_site.rglob("pyodide.asm.wasm")).read_bytes()
    playground = sabotaged(open_page, guard, "pyodide.asm.wasm", lambda route: route.fulfill(
        body=content[:len(content) // 2], content_type="application/wasm"))
    expect_to_be_told(playground, "pyodide.asm.wasm", "damaged", "bytes came")
    expect_the_page_to_be_whole(playground)


def of_no_type(site: Path, name: str):
    """Sends a file as a server does that does not know such files."""
    return lambda route: route.fulfill(
        path=next(site.rglob(name)), content_type="application/octet-stream")


def test_a_wasm_of_another_type_is_taken_for_what_it_is(open_page, guard, built_site):
    fault = of_no_type(built_site, "pyodide.asm.wasm")
    sabotaged(open_page, guard, "pyodide.asm.wasm", fault).wait_until_live()


def test_a_module_of_another_type_is_named_for_browsers_run_no_such(open_page, guard, built_site):
    fault = of_no_type(built_site, "pyodide.asm.mjs")
    playground = sabotaged(open_page, guard, "pyodide.asm.mjs", fault)
    expect_to_be_told(playground, "pyodide.asm.mjs", "application/octet-stream")


@pytest.mark.parametrize("fault", [unreachable, html_instead, never_answered])
@pytest.mark.parametrize("ending", ["pyodide.asm.wasm", "worker.js"])
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
    with site_server.slowed("", bytes_per_second=200_000):
        playground = PlaygroundPage(open_page(PATH))
        playground.step.click()
        note = playground.page.get_by_role("status").filter(has_text="longer than usual")
        expect(note).to_be_visible(timeout=WITHIN_MS)
        expect(note).to_contain_text("of 1")  # megabytes
        expect(playground.page.get_by_role("button", name="Retry")).to_be_visible()
        expect(playground.page.get_by_role("progressbar")).to_be_visible()
        expect(playground.element).to_have_attribute("data-python", "live", timeout=ALL_OF_IT_MS)
    playground.expect_steps(7)


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
    playground = sabotaged(open_page, guard, "widgets/worker.js", lambda route: route.fulfill(
        body=worker_with(built_site, manifest), content_type="text/javascript"))
    expect_to_be_told(playground, "pyodide.mjs", "manifest")


def test_without_our_javascript_the_static_run_is_shown(open_page, guard):
    playground = sabotaged(open_page, guard, "lab.js", missing)
    expect(playground.page.locator("spec-playground figure").first).to_be_visible()
    assert Path(playground.page.url).name == "speculative-decoding"
