"""A host of one's own: its site can be replaced, and it can go away. Its reader has a Chromium."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.offline.second_build import second_build
from tests.browser.site_server import SiteServer, serve


class Host:
    """What answers at the site's address, if anything does."""

    def __init__(self) -> None:
        self.port = 0  # chosen by the first deploy, kept by the others
        self.server: SiteServer | None = None
        self._serving = ExitStack()

    def deploy(self, site: Path) -> None:
        """Serves this site from now on, in place of another."""
        self.stop()
        self.server = self._serving.enter_context(serve(site, self.port))
        self.port = self.server.server_port

    def stop(self) -> None:
        """From now on nobody answers."""
        self._serving.close()


@pytest.fixture
def host(built_site) -> Iterator[Host]:
    """Serves the built site."""
    host = Host()
    host.deploy(built_site)
    yield host
    host.stop()


@pytest.fixture
def browser(host, launch_chromium) -> Iterator[Browser]:
    """A Chromium that reaches this host, and closes before it is gone."""
    browser = launch_chromium(host.port)
    yield browser
    browser.close()


@pytest.fixture
def new_site(built_site, tmp_path) -> Path:
    """The deploy that follows that of the built site."""
    return second_build(built_site, tmp_path / "site")
