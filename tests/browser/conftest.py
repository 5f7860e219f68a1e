"""A browser on a served site; a page that fails its test on any console error."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

from tests.browser.chromium import MISSING, find_chromium
from tests.browser.site_server import ORIGIN, SiteServer, chromium_arguments, serve

BLOCKED = "Service Worker registration blocked by Playwright"  # open_page's default
WAIT_MS = 60_000  # generous: a fault, not a slow machine, should end a wait
CONTEXT = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce",
           "service_workers": "block"}


@pytest.fixture(scope="session")
def site_server(built_site) -> Iterator[SiteServer]:
    """This worker's own server."""
    with serve(built_site) as server:
        yield server


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    """What starts a Chromium."""
    with sync_playwright() as playwright:  # there can be but one in a process
        yield playwright.chromium


@pytest.fixture(scope="session")
def launch_chromium(chromium) -> Callable[..., Browser]:
    """Starts a headless Chromium that finds the site at a port: launch_chromium(port)."""
    return lambda port, **options: chromium.launch(**chromium_options(port), **options)


def chromium_options(port: int) -> dict:
    """Returns which Chromium it is, and what makes it find the site at this port."""
    path = find_chromium()
    if path is None:
        pytest.fail(MISSING)
    return {"executable_path": path, "args": chromium_arguments(port)}


@pytest.fixture(scope="session")
def browser(launch_chromium, site_server) -> Iterator[Browser]:
    """One Chromium a worker."""
    browser = launch_chromium(site_server.server_port)
    yield browser
    browser.close()


class Guard:
    """What a test's pages complained of, and what it has announced beforehand."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.announced = [BLOCKED]
        self.requests: list[str] = []

    def announce(self, pattern: str) -> None:
        """Says that the test sabotages a file: the browser's own line on it is no error."""
        self.announced.append(pattern)

    def watch(self, page: Page) -> None:
        """Listens to everything the page and its workers ask for and say."""
        page.on("console", lambda message: self._said(message.type, message.text, message.location))
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.context.on("request", lambda request: self.requests.append(request.url))

    def forget_requests_to(self, address: str) -> None:
        """Says that the test made a page ask for this: the browser lists what it refuses, too."""
        self.requests = [url for url in self.requests if not url.startswith(address)]

    def verdict(self) -> list[str]:
        """Returns the complaints and the foreign addresses."""
        local = (f"{ORIGIN}/specdec/", "data:", "blob:", "about:")
        foreign = [url for url in self.requests if not url.startswith(local)]
        return self.complaints + [f"foreign request: {url}" for url in foreign]

    def _said(self, kind: str, text: str, location: dict) -> None:
        line = f"console {kind}: {text} ({location.get('url', '')})"
        if kind in ("error", "warning") and not any(
                re.search(pattern, line) for pattern in self.announced):
            self.complaints.append(line)


@pytest.fixture
def guard() -> Iterator[Guard]:
    """Fails the test, at its end, on any console error, warning or foreign request."""
    guard = Guard()
    yield guard
    assert guard.verdict() == []


@pytest.fixture
def open_page(browser, guard) -> Iterator[Callable[..., Page]]:
    """Opens a watched page in a context of its own: open_page("speculative-decoding/").

    Only tests of the service worker pay for the copy it makes: service_workers="allow".
    """
    contexts = []

    def open_page(path: str, *, prepare: Callable[[Page], None] = lambda page: None,
                  **options) -> Page:
        context = browser.new_context(**CONTEXT | options)
        contexts.append(context)
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        guard.watch(page)
        prepare(page)
        page.goto(f"{ORIGIN}/specdec/{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
