"""The worker that runs Python, ended as a browser may end it."""

from playwright.sync_api import Page, expect

_KEEP_WORKERS = """
    window.workersMade = [];
    window.Worker = class extends Worker {
        constructor(url, options) {
            super(url, options);
            window.workersMade.push({url: String(url), worker: this});
        }
    };
"""
STARTED_MS = 30_000  # Python's start, on a busy machine
SILENT_MS = 20_000 + STARTED_MS  # so long it may be silent, at most


def keep_workers(page: Page) -> None:
    """A `prepare` for `open_page`: the page's workers can be ended from outside."""
    page.add_init_script(_KEEP_WORKERS)


def end_python(page: Page) -> None:
    """Ends the newest worker that runs Python; nobody is told."""
    page.evaluate("""() => workersMade
        .findLast(({url}) => url.endsWith("widgets/worker.js")).worker.terminate()""")


def fail_python(page: Page) -> None:
    """Lets an error that nobody catches be thrown in the worker that runs Python."""
    worker = pythons(page)[-1]
    worker.evaluate("() => { setTimeout(() => { throw new Error('out of order'); }); }")


def pythons(page: Page) -> list:
    """Returns the workers that run Python."""
    return [worker for worker in page.workers if worker.url.endswith("widgets/worker.js")]


def restored(page: Page) -> str | None:
    """Returns which memory Python has started from: "kept" by the browser, "made" by the build."""
    [worker] = pythons(page)
    return worker.evaluate("performance.getEntriesByName('specdec: memory restored')[0]?.detail")


def expect_started_anew(page: Page, why: str, within_ms: int) -> None:
    """Waits until the page says that Python stopped, why, and that another one is up."""
    expect(page.get_by_text(f"It stopped ({why}")).to_be_visible(timeout=within_ms)
    playground = page.locator("spec-playground, [data-playground]")
    expect(playground).to_have_attribute("data-python", "live")


def expect_one_python(page: Page) -> None:
    """Waits until the workers that were ended are gone: busy ones take a moment. One is left."""
    *ended, _newest = pythons(page)
    for worker in ended:
        with worker.expect_event("close"):
            pass
    assert len(pythons(page)) == 1
