"""site_hooks/versioned_paths.py: one folder a build, and all of the build in it."""

import json
import re

import pytest

from site_hooks.versioned_paths import (
    build_folder,
    is_versioned,
    versioned,
    versioned_manifest,
    with_manifest,
)

FILES = {"widgets/lab.js": b"draw()", "scenes/a.py": b"pass\n"}


@pytest.mark.parametrize(("uri", "expected"), [
    ("widgets/lab.js", True),
    ("scenes/playground.py", True),
    ("stylesheets/lab.css", True),
    ("runtime/specdec-0.1.0-py3-none-any.whl", True),
    ("runtime/manifest.json", True),
    ("runtime/pyodide-1.2/pyodide.asm.wasm", False),  # its address holds its own version
    ("assets/stylesheets/main.57a0d79d.min.css", False),
    ("index.html", False),
    ("sw.js", False),
])
def test_what_a_page_of_ours_loads_belongs_to_the_build(uri, expected):
    assert is_versioned(uri) is expected


def test_the_folder_is_the_same_for_the_same_files_in_any_order():
    folder = build_folder(FILES)
    assert re.fullmatch(r"build/[0-9a-f]{12}", folder)
    assert build_folder(dict(reversed(FILES.items()))) == folder


@pytest.mark.parametrize("changed", [
    FILES | {"widgets/lab.js": b"draw();"},
    FILES | {"scenes/b.py": b""},
    {"widgets/lab.js": b"draw()", "scenes/b.py": b"pass\n"},
    {"widgets/lab.js": b"pass\n", "scenes/a.py": b"draw()"},
    {"widgets/lab.js": b"draw()"},
])
def test_any_change_gives_another_folder(changed):
    assert build_folder(changed) != build_folder(FILES)


def test_files_keep_their_addresses_within_the_folder():
    assert versioned("widgets/lab.js", "build/0") == "build/0/widgets/lab.js"
    assert versioned("assets/_mkdocstrings.css", "build/0") == "assets/_mkdocstrings.css"


def test_the_manifest_says_where_its_files_are_published_and_nothing_else_changes():
    python = {"url": "runtime/pyodide-1.2/pyodide.mjs", "bytes": 7}
    before = {"pyodide": "1.2", "files": [python, {"url": "scenes/a.py", "bytes": 5}]}
    after = {"pyodide": "1.2", "files": [python, {"url": "build/0/scenes/a.py", "bytes": 5}]}
    assert json.loads(versioned_manifest(json.dumps(before), "build/0")) == after


def test_the_worker_holds_the_manifest_before_all_it_does():
    manifest = {"files": [{"name": "λ.py", "url": "build/0/scenes/λ.py"}]}
    script = with_manifest("start()\n", json.dumps(manifest, indent=1))
    statement, _, rest = script.partition("\n")
    assert rest == "start()\n"
    assert json.loads(statement.removeprefix("globalThis.specdecManifest=")[:-1]) == manifest
