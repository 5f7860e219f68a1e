"""Seconds to the first live step of our page, beside stock Pyodide's first line of NumPy.

Run it with `python -m benchmarks.startup [site]`: it builds the site, unless it is given one
built with SITE_URL=http://lab.localhost/specdec/. One server gives both, with the same
headers; each visit has a fresh profile of Chromium, in which a second visit follows. The two
take turns; medians and their ratios are printed. Our page counts whole: the theme, the
widgets, the run that it shows, and Step pressed as soon as there is a button.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.browser.chromium import MISSING, find_chromium
from tests.browser.site_server import ORIGIN, chromium_arguments, serve
from tests.conftest import ROOT, build_site

ROUNDS = 7
PAGES = {"stock": "stock_pyodide/index.html", "ours": "speculative-decoding/"}
SETTLED_MS = 6000  # what a page writes for the next visit is written then
DEADLINE_MS = 120_000

# Presses Step once it is there, and notes when the step is on the page.
PRESS_STEP = """(() => {
    const buttons = () => [...document.querySelectorAll("spec-playground button")];
    let before;
    const look = () => {
        const step = buttons().find((button) => button.textContent.trim() === "Step");
        if (!step) return;
        const heading = document.querySelector("spec-playground .stage h2").textContent;
        if (before === undefined) {
            before = heading;
            step.click();
        } else if (heading !== before) window.doneAt ??= performance.now();
    };
    new MutationObserver(look).observe(document, {
        subtree: true, childList: true, characterData: true });
})()"""


def visit(context, page_url: str) -> float:
    """Returns the seconds until the page is done."""
    page = context.new_page()
    page.goto(f"{ORIGIN}/specdec/{page_url}", wait_until="commit")
    page.wait_for_function("window.doneAt", timeout=DEADLINE_MS, polling=100)
    seconds = page.evaluate("window.doneAt") / 1000
    page.wait_for_timeout(SETTLED_MS)
    page.close()
    return seconds


def visits(playwright, arguments, page_url: str) -> tuple[float, float]:
    """Returns the seconds of a first and a second visit in a fresh profile."""
    with tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=find_chromium(), args=arguments, bypass_csp=True,
            reduced_motion="reduce", viewport={"width": 1280, "height": 800})
        context.add_init_script(PRESS_STEP)
        times = visit(context, page_url), visit(context, page_url)
        context.close()
        return times


def add_stock_page(site: Path) -> None:
    """Puts the stock page into the site's folder, with npm's Pyodide and the pinned wheel."""
    stock = site / "stock_pyodide"
    shutil.copytree(Path(__file__).with_name("stock_pyodide"), stock, dirs_exist_ok=True)
    core = ROOT / "node_modules/pyodide"
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
                 "pyodide-lock.json"):
        shutil.copy(core / name, stock)
    [numpy] = (ROOT / ".cache/runtime").glob("numpy-*.whl")
    shutil.copy(numpy, stock)


def main() -> None:
    """Measures in turns and prints."""
    if find_chromium() is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        if len(sys.argv) > 1:
            shutil.copytree(sys.argv[1], site)
        else:
            build_site(site)
        add_stock_page(site)
        times = {name: [] for name in PAGES}
        with serve(site) as server, sync_playwright() as playwright:
            arguments = chromium_arguments(server.server_port)
            for _ in range(ROUNDS):
                for name, page_url in PAGES.items():
                    times[name].append(visits(playwright, arguments, page_url))
                    print(f"  {name:6}", *(f"{seconds:6.2f}" for seconds in times[name][-1]))
    print(f"\nmedian of {ROUNDS}        stock    ours   ratio")
    for index, name in enumerate(("first visit", "second visit")):
        stock, ours = (median(pair[index] for pair in times[page]) for page in PAGES)
        print(f"  {name:16} {stock:6.2f}  {ours:6.2f}   {ours / stock:5.2f}")


if __name__ == "__main__":
    main()
