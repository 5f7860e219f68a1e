"""site_hooks/boot_archives.py: what Python starts with, as bytecode, and what waits."""

import gzip
import hashlib
import io
import json
import re
import zipfile
from _imp import source_hash  # takes the key, which differs from version to version

import pytest
from mkdocs.exceptions import PluginError

from site_hooks import boot_archives
from site_hooks.boot_archives import imports_of, key_of, small_lock, with_archives
from tests.built_files import manifest_of

FOLDER = "runtime/pyodide-1.2.3"
LOCK = {"info": {"python": "3.14.2"}, "packages": {
    name: {"name": name, "version": "1", "file_name": f"{name}-1.whl", "install_dir": "site",
           "sha256": "0", "package_type": "package", "imports": [name], "depends": [],
           "unvendored_tests": False} for name in ("numpy", "matplotlib", "scipy")}}
RUNTIME = {
    f"{FOLDER}/pyodide.mjs": b"core",
    f"{FOLDER}/python_stdlib.zip": b"library",
    f"{FOLDER}/pyodide-lock.json": json.dumps(LOCK).encode(),
    f"{FOLDER}/numpy-1.whl": b"numpy",
    f"{FOLDER}/on-demand/matplotlib-1.whl": b"plots",
}
MEMORY = "python_memory.packed"
ARCHIVES = {"python_boot.packed": b"boot", "numpy.packed": b"packed",
            "numpy_binaries.packed": b"binaries", MEMORY: b"memory"}


def published(**changed):
    """Returns (the folder, what is published in it by name), with some files changed."""
    files = with_archives(RUNTIME | changed.pop("runtime", {}), ARCHIVES | changed)
    [core] = [uri for uri in files if uri.endswith("/pyodide.mjs")]
    folder = core.rpartition("/")[0]
    return folder, {uri.removeprefix(f"{folder}/"): content for uri, content in files.items()}


def test_python_starts_with_the_archives_and_the_library_waits():
    _, files = published()
    [memory] = [uri for uri in files if uri.startswith("runtime/memory-")]
    assert files.pop(memory) == b"memory" and memory.endswith(f"/{MEMORY}")
    assert files.keys() == {
        "pyodide.mjs", "pyodide-lock.json", *(ARCHIVES.keys() - {MEMORY}),
        "on-demand/python_stdlib.zip", "on-demand/matplotlib-1.whl"}
    assert files["on-demand/python_stdlib.zip"] == b"library"


def test_another_memory_has_another_folder_and_the_others_stay():
    (folder, files), (same, others) = published(), published(**{MEMORY: b"another"})
    assert folder == same
    assert len(files.keys() ^ others.keys()) == 2


def test_the_folder_has_another_name_after_any_change():
    changes = [{}, {"numpy.packed": b"other"}, {"runtime": {f"{FOLDER}/pyodide.mjs": b"x"}},
               {"runtime": {f"{FOLDER}/on-demand/matplotlib-1.whl": b"x"}}]
    folders = [published(**change)[0] for change in changes]
    assert len(set(folders)) == len(folders)
    assert all(folder.startswith(f"{FOLDER}-") for folder in folders)
    assert published()[0] == folders[0]


def test_the_lock_keeps_the_entries_that_can_be_asked_for():
    lock = json.loads(small_lock(json.dumps(LOCK).encode(), {"numpy-1.whl", "matplotlib-1.whl"}))
    assert lock["info"] == LOCK["info"]
    assert lock["packages"].keys() == {"numpy", "matplotlib"}
    assert lock["packages"]["numpy"]["file_name"] == "numpy-1.whl"


def test_the_archives_are_made_anew_when_imports_change_and_not_when_code_does():
    before = {"a.py": b"import json\nx = 1\n"}
    assert imports_of(before) == ["import json"]
    key = key_of(RUNTIME, before)
    assert key == key_of(RUNTIME, {"a.py": b"import json\nx = 2\n"})
    assert key != key_of(RUNTIME, {"a.py": b"import json, re\nx = 1\n"})
    assert key != key_of(RUNTIME | {f"{FOLDER}/numpy-1.whl": b"other"}, before)


def test_they_are_made_anew_when_the_page_reads_them_otherwise(monkeypatch, tmp_path):
    for script in boot_archives.SHARED:
        (tmp_path / script).write_bytes((boot_archives.WIDGETS / script).read_bytes())
    monkeypatch.setattr(boot_archives, "WIDGETS", tmp_path)
    keys = {key_of(RUNTIME, {})}
    for script in boot_archives.SHARED:
        (tmp_path / script).write_text("")
        keys.add(key_of(RUNTIME, {}))
    assert len(keys) == 1 + len(boot_archives.SHARED)


def test_what_node_imports_of_the_widgets_is_what_the_key_knows():
    imported = set()
    waiting = [boot_archives.SCRIPTS / "run.mjs"]
    while waiting:
        script = waiting.pop()
        for path in re.findall(r'from "(\.[^"]+)"', script.read_text()):
            waiting.append((script.parent / path).resolve())
            imported.add(waiting[-1])
    assert {path.name for path in imported if path.parent == boot_archives.WIDGETS} == set(
        boot_archives.SHARED)


def test_a_failure_says_what_node_printed(tmp_path):
    with pytest.raises(PluginError, match="were not made(.|\n)*pyodide.mjs"):
        boot_archives.make(tmp_path, {}, {})


@pytest.fixture(scope="module")
def boot(built_site):
    """name → the zip inside what is published under that name."""
    urls = {file["name"]: file["url"] for file in manifest_of(built_site)["files"]}
    return {name: zipfile.ZipFile(io.BytesIO(
        gzip.decompress((built_site / urls[name]).read_bytes())))
        for name in ARCHIVES if name != MEMORY}


def test_what_is_published_is_bytecode_that_no_source_is_compared_with(boot):
    for name in ("python_boot.packed", "numpy.packed"):
        archive = boot[name]
        modules = [member for member in archive.namelist() if member.endswith(".pyc")]
        assert len(modules) > 100, name
        assert not [member for member in archive.namelist() if member.endswith(".py")]
        for member in modules:
            flags = int.from_bytes(archive.read(member)[4:8], "little")
            assert flags == 0b01, member  # by hash, and not to be checked


def test_the_bytecode_is_of_the_pinned_source(boot, root):
    pins = json.loads((root / "site_hooks/runtime_pins.json").read_text())
    [numpy] = pins["packages"]
    for name, pinned, pin in (
            ("python_boot.packed", root / "node_modules/pyodide/python_stdlib.zip",
             pins["core"]["python_stdlib.zip"]),
            ("numpy.packed", root / ".cache/runtime" / numpy, pins["packages"][numpy]),
            ("numpy_binaries.packed", root / ".cache/runtime" / numpy, pins["packages"][numpy])):
        assert hashlib.sha256(pinned.read_bytes()).hexdigest() == pin
        with zipfile.ZipFile(pinned) as source:
            for member in boot[name].namelist():
                if not member.endswith(".pyc"):
                    assert boot[name].read(member) == source.read(member)
                    continue
                header = boot[name].read(member)[:16]
                key = int.from_bytes(header[:4], "little")
                assert header[8:] == source_hash(key, source.read(member[:-1])), member


def test_of_the_library_only_what_is_in_use_is_there(boot):
    names = set(boot["python_boot.packed"].namelist())
    assert {"json/__init__.pyc", "fractions.pyc", "encodings/utf_8.pyc", "asyncio/tasks.pyc",
            "difflib.pyc", "traceback.pyc"} <= names
    assert not {"argparse.pyc", "email/message.pyc", "unittest/case.pyc", "csv.pyc"} & names


def test_numpy_comes_without_its_tests_and_headers(boot):
    names = boot["numpy.packed"].namelist()
    assert "numpy/random/__init__.pyc" in names
    assert "numpy/testing/__init__.pyc" in names  # a reader may use it
    assert not [name for name in names if "/tests/" in name or "/f2py/" in name
                or name.endswith((".pyi", ".h", ".a", ".so"))]
    binaries = boot["numpy_binaries.packed"].namelist()
    assert len(binaries) > 5 and all(name.endswith(".so") for name in binaries)


def test_the_memory_is_of_such_a_python_and_knows_nothing_of_the_lab(built_site, root):
    [file] = [file for file in manifest_of(built_site)["files"] if file["role"] == "memory"]
    assert file["bytes"] < 6_500_000  # docs/start-up.md says how much more than bytecode it is
    memory = gzip.decompress((built_site / file["url"]).read_bytes())
    for imported in ("numpy/random/mtrand.cpython", "_multiarray_umath", "fractions"):
        assert imported.encode() in memory
    for ours in ("speculative_decode", "exactness_of", str(root)):
        assert ours.encode() not in memory


def test_our_own_code_stays_source(built_site):
    [wheel] = [file for file in manifest_of(built_site)["files"] if file["role"] == "specdec"]
    with zipfile.ZipFile(built_site / wheel["url"]) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".pyc")]
