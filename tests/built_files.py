"""Where a built site holds what is of this build alone: build/<version>/."""

import json
from pathlib import Path


def build_folder_of(site: Path) -> Path:
    """Returns the one folder of its kind."""
    [folder] = (site / "build").iterdir()
    return folder


def manifest_of(site: Path) -> dict:
    """Returns the list of the files that Python's worker loads."""
    return json.loads((build_folder_of(site) / "runtime/manifest.json").read_text())
