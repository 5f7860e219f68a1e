"""Milliseconds of the page in the tab: a line lit, a bar of "Is it exact?" followed.

Run it with `python -m benchmarks.page [site]`: it builds the site, unless it is given one
built with SITE_URL=http://lab.localhost/specdec/, and opens it in headless Chromium. The
measures take turns; their medians and ninth deciles are printed.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import MISSING, find_chromium
from tests.browser.conftest import WAIT_MS
from tests.browser.exactness_page import ExactnessPage
from tests.browser.line_view import LineView
from tests.browser.site_server import ORIGIN, chromium_arguments, serve
from tests.conftest import build_site

ROUNDS = 12
LINES, MOVES = 10, 5  # a round
PRESETS = ("equal", "disjoint", "one-hot", "context-dependent")

# The key is pressed; how long until the line is lit and laid out, and until its frame is out.
LIGHT = """() => new Promise((done) => {
    const view = document.querySelector("spec-playground .line-view");
    const start = performance.now();
    const observer = new MutationObserver(() => {
        observer.disconnect();
        document.body.getBoundingClientRect();
        const work = performance.now() - start;
        requestAnimationFrame(() => setTimeout(() => done([work, performance.now() - start])));
    });
    observer.observe(view, { subtree: true, attributeFilter: ["data-lit"] });
    view.querySelector(".code-copy").dispatchEvent(
        new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
})"""

# A bar is moved, as by a hand that drags; how long until the law of that model is shown.
FOLLOW = """(weight) => new Promise((done) => {
    const { check } = document.querySelector("spec-exactness");
    const bar = document.querySelector('spec-exactness input[data-model="draft"]');
    const start = performance.now();
    const onChange = () => {
        if (check.oneStepIsOld) return;
        check.removeEventListener("change", onChange);
        setTimeout(() => {
            document.body.getBoundingClientRect();
            done(performance.now() - start);
        });
    };
    bar.value = weight;
    bar.dispatchEvent(new InputEvent("input", { bubbles: true }));
    check.addEventListener("change", onChange);
})"""


def light(page: Page, view: LineView) -> list[list[float]]:
    """Returns [to the layout, to the frame] for some lines of a step."""
    view.replay.click()
    view.previous.click()
    page.keyboard.press("Home")
    return [page.evaluate(LIGHT) for _ in range(LINES)]


def follow(page: Page, panel: ExactnessPage, preset: str) -> list[float]:
    """Returns the time of some moves of a bar."""
    panel.preset(preset).click()
    panel.settle()
    times = [page.evaluate(FOLLOW, 2 + move) for move in range(MOVES)]
    panel.element.evaluate("panel => panel.check.release()")
    return times


def report(name: str, times: list[float]) -> None:
    """Prints a measure's line."""
    print(f"  {name:44} {median(times):6.1f} {quantiles(times, n=10)[-1]:6.1f}")


def measure(page: Page) -> None:
    """Measures in turns and prints."""
    view, panel = LineView(page), ExactnessPage(page)
    view.playground.wait_until_live()
    view.playground.step.click()
    view.turn_on()
    panel.look()
    panel.words.select_option("4")
    panel.gamma.select_option("2")
    lit, followed = [], {preset: [] for preset in PRESETS}
    for _ in range(ROUNDS):
        lit += light(page, view)
        for preset, times in followed.items():
            times += follow(page, panel, preset)
    print(f"{'':46} median  90 %  (ms)")
    report("a line lit and laid out", [work for work, _ in lit])
    report("a line lit and its frame out", [frame for _, frame in lit])
    for preset, times in followed.items():
        report(f"V = 4, γ = 2 followed, {preset}", times)


def main() -> None:
    """Builds, serves, opens, measures."""
    path = find_chromium() or sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        site = Path(sys.argv[1] if len(sys.argv) > 1 else folder)
        if len(sys.argv) == 1:
            build_site(site)
        with serve(site) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=path, args=chromium_arguments(server.server_port))
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(WAIT_MS)
            page.goto(f"{ORIGIN}/specdec/speculative-decoding/")
            measure(page)
            browser.close()


if __name__ == "__main__":
    main()
