"""The page from its first paint on: what is there stands still while scripts and Python come."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.waiting import wait_until

LARGEST_SHIFT = 0.02
VIEWPORTS = {"laptop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}

# Layout shifts as browsers score them, with the elements that moved.
WATCH_SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        const moved = sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? node?.nodeName);
        shifts.push([value, moved]);
    }
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("viewport", VIEWPORTS.values(), ids=VIEWPORTS)
def test_nothing_moves_when_javascript_and_python_take_over(open_page, viewport):
    page = open_page(PATH, prepare=lambda page: page.add_init_script(WATCH_SHIFTS),
                     viewport=viewport)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    playground.wait_until_certified()
    wait_until(page, "() => customElements.get('spec-exactness')")
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < LARGEST_SHIFT, shifts


def test_a_real_run_is_there_when_the_page_paints(open_page, guard):
    """With no script of ours at all: what paints first is the run, in words and in a picture."""
    guard.announce("Failed to load resource")

    def without_scripts(page: Page) -> None:
        page.route("**/widgets/*", lambda route: route.abort())

    page = open_page(PATH, prepare=without_scripts)
    figure = page.locator("spec-playground figure").first
    expect(figure.get_by_role("img", name="Step 1: the (accepted), old (accepted)")).to_be_visible()
    expect(page.get_by_role("button", name="Step")).to_have_count(0)


def test_before_python_only_what_the_page_names_is_asked_for(open_page, guard):
    """What that weighs is tests/site/test_page_weight.py's business."""
    PlaygroundPage(open_page(PATH)).wait_until_live()
    asked = [url.partition("/specdec/")[2] for url in guard.requests]
    [worker] = [i for i, url in enumerate(asked) if url.endswith("widgets/worker.js")]
    ours = {url for url in asked[:worker] if url.startswith("build/")}
    names = {url.rpartition("/")[2] for url in ours if "/chunk-" not in url}
    assert {"lab.css", "early.js"} <= names <= {"lab.css", "early.js", "lab.js"}
    assert not [url for url in asked[:worker] if url.startswith("runtime/")]
    python = [url for url in asked if url.startswith("runtime/")]
    modules = [url for url in python if url.endswith(".mjs")]  # checked, then imported
    assert len(python) - len(modules) == len(set(python) - set(modules))
    assert not [url for url in asked if "on-demand" in url or url.endswith("editor.js")]
