"""What all tests share: repeatable examples, the repository's root, one built site."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SITE_URL = "http://lab.localhost/specdec/"

# Property tests draw the same examples in every run, and time is no verdict. Loaded here,
# before any test module is imported: each @settings takes what it does not say from it.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def built_site(tmp_path_factory) -> Path:
    """The site, built once for all of pytest-xdist's workers, strictly.

    SPECDEC_SITE=<folder> names a site built before (with SITE_URL as above), for quick
    turns while one works on tests.
    """
    if built_before := os.environ.get("SPECDEC_SITE"):
        return Path(built_before)
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    site, done = shared / "site", shared / "site-is-built"
    with FileLock(shared / "site.lock"):
        if not done.exists():
            build_site(site)
            done.touch()
    return site


def build_site(folder: Path) -> None:
    """Builds the site into the folder as a reader of the repository would."""
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", f"--site-dir={folder}"],
        cwd=ROOT, capture_output=True, text=True,
        env=os.environ | {"SITE_URL": SITE_URL, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert build.returncode == 0, f"mkdocs build failed:\n{build.stdout}\n{build.stderr}"
