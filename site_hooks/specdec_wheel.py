"""Publishes the package `specdec` as the wheel that the browser installs.

flit builds it out of the sources in the tree: plain .py files, the same bytes each time.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

# Any fixed moment will do: without one, the wheel's bytes would follow the files' dates.
SOURCE_DATE_EPOCH = "1700000000"


def build_wheel(root: Path) -> tuple[str, bytes]:
    """Returns (name, bytes) of the wheel of the package in root.

    Raises:
        PluginError: flit failed; the message holds what it printed.
    """
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "flit_core.wheel", str(root), "--outdir", folder],
            env=os.environ | {"SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH},
            capture_output=True, text=True,
        )
        if done.returncode:
            raise PluginError(f"The wheel of specdec was not built:\n{done.stderr.strip()}")
        [wheel] = Path(folder).glob("*.whl")
        return wheel.name, wheel.read_bytes()


def forget(package: str, modules: dict) -> None:
    """Removes a package and its modules from those that are loaded."""
    for name in [name for name in modules if name.partition(".")[0] == package]:
        del modules[name]


def on_pre_build(config) -> None:
    # Under `mkdocs serve` the scenes run at build must see an edit, as the wheel does.
    forget("specdec", sys.modules)


def on_files(files, config):
    name, data = build_wheel(Path(config.config_file_path).parent)
    files.append(
        File.generated(config, f"runtime/{name}", content=data,
                       inclusion=InclusionLevel.INCLUDED))
    return files
