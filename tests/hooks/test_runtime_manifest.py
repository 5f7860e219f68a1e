"""site_hooks/runtime_manifest.py: what the worker loads, with sizes and hashes."""

import hashlib

import pytest

from site_hooks.runtime_manifest import manifest, role_of


@pytest.mark.parametrize(("uri", "role"), [
    ("runtime/pyodide-1.2/pyodide.asm.wasm", "core"),
    ("runtime/pyodide-1.2-ab/numpy.packed", "package"),
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
