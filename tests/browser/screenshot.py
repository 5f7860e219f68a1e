"""Takes the README's picture of the playground: `python -m tests.browser.screenshot`."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chromium import MISSING, find_chromium
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.site_server import ORIGIN, PREFIX, chromium_arguments, serve
from tests.conftest import ROOT, build_site

PICTURE = ROOT / "docs" / "images" / "playground.png"
SESSION = "?seed=7&quality=0.9&gamma=4&moves=60:0.3:6&steps=110"


def take_screenshot() -> None:
    """Builds the site, replays a session in it and writes PICTURE."""
    path = find_chromium() or exit(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        build_site(Path(folder))
        with serve(Path(folder)) as server, sync_playwright() as playwright:
            arguments = chromium_arguments(server.server_port)
            browser = playwright.chromium.launch(executable_path=path, args=arguments)
            page = browser.new_page(
                viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
            page.goto(f"{ORIGIN}{PREFIX}{PATH}{SESSION}")
            playground = PlaygroundPage(page)
            playground.wait_until_certified()
            PICTURE.parent.mkdir(exist_ok=True)
            page.screenshot(path=PICTURE)
            browser.close()


if __name__ == "__main__":
    take_screenshot()
