"""Finds a Chromium for the browser tests, or installs one.

`find_chromium()` only looks. `python tests/browser/chromium.py` installs one when there
is none: Playwright's build where its download site can be reached, else Debian's package.
"""

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ANSWER_SECONDS = 30
INSTALL_SECONDS = 900

PLAYWRIGHT_FOLDERS = (  # where Playwright keeps its builds: Linux, macOS
    Path.home() / ".cache/ms-playwright",
    Path.home() / "Library/Caches/ms-playwright",
)
PLAYWRIGHT_PROGRAMS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
)
SYSTEM_PROGRAMS = ("chromium", "google-chrome", "google-chrome-stable", "chrome")
MAC_PROGRAMS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

MISSING = (
    "The browser tests need Chromium or Chrome, and none was found. Any of these helps:\n"
    "  python -m playwright install --with-deps chromium\n"
    "  sudo apt-get install chromium        (Debian)\n"
    "  SPECDEC_CHROMIUM=/path/to/chrome     (one you have)"
)


@functools.cache
def find_chromium() -> str | None:
    """Returns the path of the first Chromium or Chrome that starts, None if there is none.

    The environment's SPECDEC_CHROMIUM goes before Playwright's builds, these before the
    system's.
    """
    return next(filter(_starts, _candidates()), None)


def install_chromium() -> str | None:
    """Installs a Chromium where that is possible; returns its path or None."""
    _run(sys.executable, "-m", "playwright", "install", "chromium")
    find_chromium.cache_clear()
    if not find_chromium() and shutil.which("apt-get") and os.geteuid() == 0:
        _run("apt-get", "update")
        _run("apt-get", "install", "--yes", "--no-install-recommends",
             "chromium", "fonts-dejavu-core")
        find_chromium.cache_clear()
    return find_chromium()


def _candidates() -> Iterator[str]:
    if chosen := os.environ.get("SPECDEC_CHROMIUM"):
        yield chosen
    browsers = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    for folder in (Path(browsers),) if browsers else PLAYWRIGHT_FOLDERS:
        for pattern in PLAYWRIGHT_PROGRAMS:
            yield from sorted(map(str, folder.glob(pattern)), reverse=True)
    for program in map(shutil.which, SYSTEM_PROGRAMS):
        if program and not program.startswith("/snap/"):  # a snap sees no /tmp of ours
            yield program
    yield from MAC_PROGRAMS


def _starts(program: str) -> bool:
    try:
        answer = subprocess.run(
            [program, "--version"], capture_output=True, timeout=ANSWER_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0  # not so when its libraries are missing


def _run(*command: str) -> None:
    print("+", *command, flush=True)
    try:
        code = subprocess.run(command, timeout=INSTALL_SECONDS).returncode
    except subprocess.TimeoutExpired:
        code = f"none within {INSTALL_SECONDS} s"
    if code:
        print(f"  That failed (exit: {code}).", flush=True)


if __name__ == "__main__":
    found = find_chromium() or install_chromium()
    sys.exit(print(f"Chromium: {found}") if found else MISSING)
