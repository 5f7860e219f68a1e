"""A file of the runtime replaced on its way to the page, pins and all."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from tests.built_files import build_folder_of, manifest_of


def worker_with(site: Path, manifest: dict) -> str:
    """Returns worker.js as if the build had listed these files."""
    script = (build_folder_of(site) / "widgets/worker.js").read_text()
    return f"globalThis.specdecManifest={json.dumps(manifest)};\n{script.partition(chr(10))[2]}"


def replaced(site: Path, wanted: Callable[[dict], bool],
             change: Callable[[bytes], bytes]) -> Callable[[Page], None]:
    """Returns a `prepare` for `open_page` that serves another file in a file's place.

    Args:
        site: the built site.
        wanted: which entry of the manifest, exactly one.
        change: the file's content → what is served, with the manifest to match.
    """
    manifest = manifest_of(site)
    [entry] = [file for file in manifest["files"] if wanted(file)]
    content = change((site / entry["url"]).read_bytes())
    entry |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    if "unpacked" in entry:
        entry["unpacked"] = {"sha256": hashlib.sha256(gzip.decompress(content)).hexdigest()}

    def prepare(page: Page) -> None:
        page.route("**/runtime/manifest.json", lambda route: route.fulfill(json=manifest))
        page.route("**/widgets/worker.js", lambda route: route.fulfill(
            body=worker_with(site, manifest), content_type="text/javascript"))
        page.route(f"**/{entry['url']}", lambda route: route.fulfill(
            body=content, content_type="application/octet-stream"))

    return prepare
