"""Serves a built site under a project sub-path, as GitHub Pages does, and can misbehave.

Everything outside the sub-path answers 404. Chromium reaches the server under the name
lab.localhost (a secure context, and the site's own site_url) through a resolver rule.
"""

import http.server
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

PREFIX = "/specdec/"
ORIGIN = "http://lab.localhost"
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | TYPES

    def translate_path(self, path: str) -> str:
        plain = urlsplit(path).path
        if not plain.startswith(PREFIX):
            return str(Path(self.directory) / "outside-the-site")
        return super().translate_path(plain.removeprefix(PREFIX.rstrip("/")))

    def end_headers(self) -> None:
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def copyfile(self, source, outputfile) -> None:
        rate = self.server.bytes_per_second(self.path)
        if rate is None:
            return super().copyfile(source, outputfile)
        while chunk := source.read(rate // 10):
            outputfile.write(chunk)
            time.sleep(0.1)

    def log_request(self, *_) -> None:
        self.server.asked.append(urlsplit(self.path).path)

    def log_message(self, *_) -> None:
        """Keeps the tests' output to what the tests say."""


class SiteServer(http.server.ThreadingHTTPServer):
    """Serves one site until told to stop; files can be slowed."""

    daemon_threads = True

    def __init__(self, site: Path, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), partial(_Handler, directory=str(site)))
        self.headers: dict[str, str] = {}  # sent with every answer
        self.asked: list[str] = []  # the paths that were, in order
        self._slowed: dict[str, int] = {}
        self._connections: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, tuple]:
        connection, address = super().get_request()
        self._connections.append(connection)
        return connection, address

    def hang_up(self) -> None:
        """Ends the connections that browsers keep open for their next request."""
        for connection in self._connections:
            with suppress(OSError):  # ended by the browser
                connection.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def slowed(self, ending: str, bytes_per_second: int) -> Iterator[None]:
        """Within the block, addresses with this ending come at this rate."""
        self._slowed[ending] = bytes_per_second
        try:
            yield
        finally:
            del self._slowed[ending]

    def bytes_per_second(self, path: str) -> int | None:
        """Returns the rate at which the path is to come, None for as fast as it can."""
        return next((rate for ending, rate in self._slowed.items() if path.endswith(ending)), None)

    def handle_error(self, *_) -> None:
        """A browser that closes a page in mid-download is no fault."""


@contextmanager
def serve(site: Path, port: int = 0) -> Iterator[SiteServer]:
    """Serves the site until the block ends; after it, nobody answers at that port."""
    with SiteServer(site, port) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            server.hang_up()


def chromium_arguments(port: int) -> list[str]:
    """Returns what makes Chromium find the site at ORIGIN, and nothing else anywhere."""
    arguments = [
        f"--host-resolver-rules=MAP lab.localhost:80 127.0.0.1:{port}",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--no-first-run",
    ]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    return arguments
