"""What a browser has kept of Python: used at the next visit, checked, and done without."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import CONTEXT, WAIT_MS, chromium_options
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.python_worker import pythons
from tests.browser.site_server import ORIGIN
from tests.browser.waiting import wait_until
from tests.built_files import manifest_of

WASM = "pyodide.asm.wasm"
LARGE = (WASM, "python_boot.packed", "numpy.packed")
SNAPSHOT = "/memory-snapshot?"

ADDRESSES = """async () => {
    const cache = await caches.open("specdec-runtime");
    return (await cache.keys()).map(({ url }) => url);
}"""

REPLACE = """async ([part, text]) => {
    const cache = await caches.open("specdec-runtime");
    for (const { url } of await cache.keys()) {
        if (url.includes(part)) await cache.put(url, new Response(text));
    }
}"""


def visit(page: Page) -> PlaygroundPage:
    """Opens the playground anew until Python is up and has made a step."""
    page.goto(f"{ORIGIN}/specdec/{PATH}")
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.step.click()
    playground.expect_steps(7)
    return playground


def kept(page: Page) -> list[str]:
    """Returns the addresses of what is kept, once the large files and the memory are."""
    wait_until(page, f"""async (parts) => {{
        const addresses = await ({ADDRESSES})();
        return parts.every((part) => addresses.some((url) => url.includes(part)));
    }}""", [*LARGE, SNAPSHOT])
    return page.evaluate(ADDRESSES)


def was_restored(page: Page) -> bool:
    [worker] = pythons(page)
    return worker.evaluate("performance.getEntriesByName('specdec: memory restored').length") == 1


@pytest.fixture
def first_visit(open_page) -> Page:
    """A page whose browser has kept everything of Python."""
    page = open_page("reference/")
    visit(page)
    assert not was_restored(page)
    kept(page)
    return page


def asked_for(site_server, visited) -> set[str]:
    """Returns which of the large files the server was asked for during the visit."""
    before = len(site_server.asked)
    visited()
    return {name for name in LARGE
            if any(path.endswith(name) for path in site_server.asked[before:])}


def test_the_next_visit_starts_from_this_browser(chromium, site_server, guard, tmp_path):
    context = chromium.launch_persistent_context(
        tmp_path, **chromium_options(site_server.server_port), **CONTEXT)
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    guard.watch(page)
    assert asked_for(site_server, lambda: visit(page)) == set(LARGE)
    kept(page)
    assert asked_for(site_server, lambda: visit(page)) == set()
    assert was_restored(page)
    context.close()


def test_webassembly_that_the_http_cache_has_lost_comes_from_what_is_kept(
        first_visit, site_server):
    # A private window's cache has no room for it: then the network would have to be quick.
    with site_server.slowed(WASM, 1000):
        visit(first_visit)
    assert was_restored(first_visit)


def test_no_other_build_is_kept(first_visit, built_site):
    ours = {file["url"] for file in manifest_of(built_site)["files"]}
    addresses = [url.partition("/specdec/")[2] for url in kept(first_visit)]
    first_visit.evaluate("""async () => {
        const cache = await caches.open("specdec-runtime");
        await cache.put("runtime/pyodide-1.0.0-00000000/numpy.packed", new Response("old"));
    }""")
    visit(first_visit)
    assert all(url in ours or "/memory-snapshot" in url for url in addresses)
    wait_until(first_visit, f"""async () =>
        !(await ({ADDRESSES})()).some((url) => url.includes("pyodide-1.0.0"))""")


@pytest.mark.parametrize("name", LARGE)
def test_a_kept_file_that_was_damaged_is_fetched_anew(first_visit, guard, name):
    first_visit.evaluate(REPLACE, [name, "damaged"])
    before = len(guard.requests)
    visit(first_visit)
    requested = {one for one in LARGE
                 if any(url.endswith(one) for url in guard.requests[before:])}
    assert requested == {name, WASM}  # which is always asked of the HTTP cache first


def test_a_memory_that_cannot_be_restored_is_done_without(first_visit):
    first_visit.evaluate(REPLACE, [SNAPSHOT, "damaged"])
    visit(first_visit)
    assert not was_restored(first_visit)
    kept(first_visit)
    visit(first_visit)
    assert was_restored(first_visit)


def test_a_start_from_memory_that_never_ended_is_not_tried_again(first_visit):
    first_visit.evaluate("""async () => {
        const cache = await caches.open("specdec-runtime");
        const addresses = (await cache.keys()).map(({ url }) => url);
        const memory = addresses.find((url) => url.includes("/memory-snapshot?"));
        await cache.put(memory.replace("snapshot?", "snapshot-tried?"), new Response());
    }""")
    visit(first_visit)
    assert not was_restored(first_visit)
