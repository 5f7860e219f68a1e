"""site_hooks/runtime_manifest.py: what the worker loads, with sizes and hashes."""

import gzip
import hashlib

import pytest

from site_hooks.runtime_manifest import entry, manifest, role_of


@pytest.mark.parametrize(("uri", "role"), [
    ("runtime/pyodide-1.2/pyodide.asm.wasm", "core"),
    ("runtime/pyodide-1.2-ab/numpy_binaries.packed", "package"),
    ("runtime/pyodide-1.2-ab/numpy.packed", "bytecode"),
    ("runtime/pyodide-1.2-ab/python_boot.packed", "bytecode"),
    ("runtime/memory-ab/python_memory.packed", "memory"),
    ("runtime/pyodide-1.2/on-demand/matplotlib-3-wasm32.whl", "on-demand"),
    ("runtime/specdec-0.1.0-py3-none-any.whl", "specdec"),
    ("scenes/playground.py", "scene"),
    ("runtime/manifest.json", None),
    ("index.html", None),
    ("old/scenes/playground.py", None),
])
def test_the_address_tells_the_role(uri, role):
    assert role_of(uri) == role


def test_the_manifest_states_name_address_size_hash_and_role():
    contents = {"scenes/a.py": b"pass\n", "runtime/pyodide-1.2/pyodide.mjs": b"export"}
    assert manifest(contents) == {
        "pyodide": "1.2",
        "files": [
            {"name": "pyodide.mjs", "url": "runtime/pyodide-1.2/pyodide.mjs", "bytes": 6,
             "sha256": hashlib.sha256(b"export").hexdigest(), "role": "core"},
            {"name": "a.py", "url": "scenes/a.py", "bytes": 5,
             "sha256": hashlib.sha256(b"pass\n").hexdigest(), "role": "scene"},
        ],
    }


def test_of_a_packed_file_it_states_the_hash_of_what_is_in_it():
    packed = gzip.compress(b"modules")
    said = entry("runtime/pyodide-1.2/numpy.packed", packed)
    assert said["sha256"] == hashlib.sha256(packed).hexdigest()
    assert said["unpacked"] == {"sha256": hashlib.sha256(b"modules").hexdigest()}
