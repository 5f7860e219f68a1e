"""Writes runtime/manifest.json: every file that the worker loads, with size and SHA-256.

Python starts with all of them but the on-demand ones, which wait for code that imports them; and
from memory, or else with bytecode, which then waits for a reader's code.
Stands after the hooks that publish these files in mkdocs.yml.
"""

import gzip
import hashlib
import json
import re

from mkdocs.structure.files import File, InclusionLevel

ROLES = (  # the first pattern that matches the whole address decides
    (re.compile(r"runtime/pyodide-[^/]+/on-demand/[^/]+"), "on-demand"),
    (re.compile(r"runtime/memory-[^/]+/[^/]+"), "memory"),
    (re.compile(r"runtime/pyodide-[^/]+/(python_boot|numpy)\.packed"), "bytecode"),
    (re.compile(r"runtime/pyodide-[^/]+/numpy_binaries\.packed"), "package"),
    (re.compile(r"runtime/pyodide-[^/]+/[^/]+"), "core"),
    (re.compile(r"runtime/specdec-[^/]+\.whl"), "specdec"),
    (re.compile(r"scenes/[^/]+\.py"), "scene"),
)


def role_of(uri: str) -> str | None:
    """Returns what the worker needs the file at this address for, None if it doesn't."""
    return next((role for pattern, role in ROLES if pattern.fullmatch(uri)), None)


def entry(uri: str, content: bytes) -> dict:
    """Returns what the manifest says of one file; of a packed one, also of what is in it."""
    said = {
        "name": uri.rpartition("/")[2],
        "url": uri,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "role": role_of(uri),
    }
    if uri.endswith(".packed"):
        said["unpacked"] = {"sha256": hashlib.sha256(gzip.decompress(content)).hexdigest()}
    return said


def manifest(contents: dict[str, bytes]) -> dict:
    """Returns the manifest of the files at these addresses under the site."""
    files = [entry(uri, content) for uri, content in sorted(contents.items())]
    [pyodide] = {uri.split("/")[1] for uri in contents if role_of(uri) == "core"}
    return {"pyodide": pyodide.split("-")[1], "files": files}


def on_files(files, config):
    contents = {
        file.dest_uri: file.content_bytes for file in files if role_of(file.dest_uri)
    }
    text = json.dumps(manifest(contents), indent=1)
    files.append(
        File.generated(config, "runtime/manifest.json", content=text,
                       inclusion=InclusionLevel.INCLUDED))
    return files
