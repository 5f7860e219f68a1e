"""What a browser has kept of Python: used at the next visit, checked, and done without."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.conftest import CONTEXT, WAIT_MS, chromium_options
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.python_worker import restored
from tests.browser.site_server import ORIGIN
from tests.browser.waiting import wait_until
from tests.built_files import manifest_of

WASM = "pyodide.asm.wasm"
LARGE = (WASM, "numpy_binaries.packed")  # at every start
MEMORY, BYTECODE = "python_memory.packed", ("python_boot.packed", "numpy.packed")
SNAPSHOT = "/memory-snapshot?"

ADDRESSES = """async () => {
    const cache = await caches.open("specdec-runtime");
    return (await cache.keys()).map(({ url }) => url);
}"""

# What the memory says of its Python, changed by one; a byte more or less would be noticed.
MOVE_FUNCTIONS = """async () => {
    const cache = await caches.open("specdec-runtime");
    const { url } = (await cache.keys()).find(({ url }) => url.includes("/memory-snapshot?"));
    const file = new Uint8Array(await (await cache.match(url)).arrayBuffer());
    const note = file.subarray(-new Uint32Array(file.buffer, 0, 3)[1]);
    const said = new TextDecoder().decode(note);
    const moved = said.replace(/"functions":([0-9]+)/, (_, n) => `"functions":${Number(n) + 1}`);
    if (moved === said || moved.length !== said.length) throw new Error(said.slice(0, 200));
    note.set(new TextEncoder().encode(moved));
    await cache.put(url, new Response(file));
}"""

# Errors of NumPy, a module that was not imported yet, a binary one that was not linked yet.
NUMPY_AT_WORK = """
import importlib
import sys
import kiwisolver
import numpy as np

print(np.arange(6).reshape(2, 3) @ np.ones(3), np.float64(1) / 3, np.linalg.det(np.eye(2) * 3))
print(np.random.default_rng(7).choice(5, 3), np.array(["a", "b"]).astype("U3"))
print("numpy.fft" in sys.modules, np.fft.fft([1, 2, 3]).round(9))
for wrong in (lambda: np.ones((2, 3)) @ np.ones((2, 3)), lambda: np.array([1, 2])[5],
              lambda: np.random.default_rng(1).choice(2, p=[1, 1])):
    try:
        wrong()
    except (ValueError, IndexError) as error:
        print(type(error).__name__, error)
solver, x = kiwisolver.Solver(), kiwisolver.Variable("x")
solver.addConstraint(x == 1)
try:
    solver.addConstraint(x == 2)
except kiwisolver.UnsatisfiableConstraint as error:
    print(type(error).__name__, error)
print([id(type(x)) == id(int) for x in np.arange(2).tolist()], np.random.RandomState(3).rand())
del sys.modules["numpy.random._pcg64"]
print(importlib.import_module("numpy.random._pcg64").PCG64(5).random_raw())
"""
UNSEEDED = """
import random
import numpy as np

print(random.random(), np.random.rand(), np.random.default_rng().random())
"""

REPLACE = """async ([part, text]) => {
    const cache = await caches.open("specdec-runtime");
    for (const { url } of await cache.keys()) {
        if (url.includes(part)) await cache.put(url, new Response(text));
    }
}"""

FORGET = """async (part) => {
    const cache = await caches.open("specdec-runtime");
    for (const { url } of await cache.keys()) if (url.includes(part)) await cache.delete(url);
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
    }}""", [*LARGE, *BYTECODE, SNAPSHOT])
    return page.evaluate(ADDRESSES)


@pytest.fixture
def first_visit(open_page) -> Page:
    """A page whose browser has kept everything of Python."""
    page = open_page("reference/")
    visit(page)
    assert restored(page) == "made"
    kept(page)
    return page


def asked_for(site_server, visited) -> set[str]:
    """Returns which of the large files the server was asked for during the visit."""
    before = len(site_server.asked)
    visited()
    return {name for name in (*LARGE, MEMORY, *BYTECODE)
            if any(path.endswith(name) for path in site_server.asked[before:])}


def test_the_next_visit_starts_from_this_browser(chromium, site_server, guard, tmp_path):
    context = chromium.launch_persistent_context(
        tmp_path, **chromium_options(site_server.server_port), **CONTEXT)
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    guard.watch(page)
    assert asked_for(site_server, lambda: visit(page)) >= {*LARGE, MEMORY}
    kept(page)
    assert asked_for(site_server, lambda: visit(page)) == set()
    assert restored(page) == "kept"
    context.close()


def test_webassembly_that_the_http_cache_has_lost_comes_from_what_is_kept(
        first_visit, site_server):
    # A private window's cache has no room for it: then the network would have to be quick.
    with site_server.slowed(WASM, 1000):
        visit(first_visit)
    assert restored(first_visit) == "kept"


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
    requested = {one for one in (*LARGE, MEMORY, *BYTECODE)
                 if any(url.endswith(one) for url in guard.requests[before:])}
    assert requested == {name, WASM}  # which is always asked of the HTTP cache first


def test_a_memory_that_cannot_be_restored_is_done_without(first_visit):
    first_visit.evaluate(REPLACE, [SNAPSHOT, "damaged"])
    visit(first_visit)
    assert restored(first_visit) is None
    kept(first_visit)
    visit(first_visit)
    assert restored(first_visit) == "kept"


def test_a_memory_of_another_layout_is_done_without(first_visit):
    first_visit.evaluate(MOVE_FUNCTIONS)
    visit(first_visit)
    assert restored(first_visit) is None
    kept(first_visit)
    visit(first_visit)
    assert restored(first_visit) == "kept"


def printed(page: Page, code: str) -> str:
    """Returns what code prints that stands below the file on the page."""
    CodePanel(page).run(SOURCE + code)
    output = page.get_by_role("region", name="Output of your code").locator("pre")
    expect(output).not_to_be_empty()
    return output.inner_text()


def test_numpy_works_from_memory_as_it_does_without(first_visit):
    outputs = {restored(first_visit): printed(first_visit, NUMPY_AT_WORK)}
    first_visit.evaluate(FORGET, SNAPSHOT)
    for _ in range(2):
        visit(first_visit)
        outputs[restored(first_visit)] = printed(first_visit, NUMPY_AT_WORK)
        kept(first_visit)
    assert outputs.keys() == {"made", None, "kept"}
    assert outputs[None].count("Error") == 3
    assert outputs["made"] == outputs["kept"] == outputs[None]


@pytest.mark.parametrize("memory", ["made", "kept"])
def test_a_memory_does_not_draw_the_same_numbers_again(first_visit, memory):
    draws = []
    for _ in range(2):
        if memory == "made":
            first_visit.evaluate(FORGET, "")
        visit(first_visit)
        assert restored(first_visit) == memory
        draws.append(printed(first_visit, UNSEEDED).split())
        kept(first_visit)
    assert all(one != other for one, other in zip(*draws, strict=True))


def test_a_memory_knows_nothing_of_a_readers_code(open_page):
    page = open_page(PATH)
    PlaygroundPage(page).wait_until_live()
    printed(page, "import sys\nsys.left_behind = 'left behind'\nprint('here')")
    kept(page)
    visit(page)
    assert restored(page) == "kept"
    assert printed(page, "import sys\nprint(getattr(sys, 'left_behind', 'nothing'))") == "nothing\n"


def test_a_start_from_memory_that_never_ended_is_not_tried_again(first_visit):
    first_visit.evaluate("""async () => {
        const cache = await caches.open("specdec-runtime");
        const addresses = (await cache.keys()).map(({ url }) => url);
        const memory = addresses.find((url) => url.includes("/memory-snapshot?"));
        await cache.put(memory.replace("snapshot?", "snapshot-tried?"), new Response());
    }""")
    visit(first_visit)
    assert restored(first_visit) is None
