"""Serves a built site under a project sub-path, as GitHub Pages does, and can misbehave.

Everything outside the sub-path answers 404. Chromium reaches the server under the name
lab.localhost (a secure context, and the site's own site_url) through a resolver rule.
"""

import http.server
import threading
from contextlib import contextmanager
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

    def log_message(self, *_) -> None:
        """Keeps the tests' output to what the tests say."""


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_) -> None:
        """A browser that closes a page in mid-download is no fault."""


@contextmanager
def serve(site: Path):
    """Yields the port on which the site is served until the block ends."""
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def chromium_arguments(port: int) -> list[str]:
    """Returns what makes Chromium find the site at ORIGIN, and nothing else anywhere."""
    return [
        f"--host-resolver-rules=MAP lab.localhost:80 127.0.0.1:{port}",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--no-first-run",
    ]
