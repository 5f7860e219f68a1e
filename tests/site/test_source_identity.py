"""The code shown, the code in the wheel and the code in the tree are the same bytes."""

import hashlib
import json
import zipfile

import pytest

from tests.built_files import build_folder_of, manifest_of
from tests.site.html_pages import pages_of


@pytest.fixture(scope="module")
def manifest(built_site):
    return manifest_of(built_site)


@pytest.mark.parametrize(("page", "file"), [
    ("speculative-decoding", "speculative.py"), ("sampling-knobs", "sampling.py"),
    ("beam-search", "beam.py")])
def test_panel_wheel_and_tree_hold_the_same_file(built_site, root, manifest, page, file):
    content = (root / "specdec" / file).read_bytes()

    page = pages_of(built_site)[f"{page}/index.html"]
    [panel], [code] = page.find("spec-source"), page.find("code", "data-source")
    assert code.text.encode() == content
    assert panel.attributes["data-sha256"] == hashlib.sha256(content).hexdigest()

    [wheel] = [file for file in manifest["files"] if file["role"] == "specdec"]
    with zipfile.ZipFile(built_site / wheel["url"]) as archive:
        assert archive.read(f"specdec/{file}") == content


def test_every_source_in_the_wheel_is_the_trees(built_site, root, manifest):
    [wheel] = [file for file in manifest["files"] if file["role"] == "specdec"]
    with zipfile.ZipFile(built_site / wheel["url"]) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()
                  if name.endswith(".py")}
    assert packed == {f"specdec/{path.name}": path.read_bytes()
                      for path in (root / "specdec").glob("*.py")}


def test_the_manifest_tells_the_truth_about_every_file(built_site, manifest):
    for file in manifest["files"]:
        data = (built_site / file["url"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (
            file["bytes"], file["sha256"]), file["name"]


def test_the_manifest_lists_all_that_is_published_for_the_worker(built_site, manifest):
    build = build_folder_of(built_site)
    published = {path.relative_to(built_site).as_posix()
                 for folder in (built_site / "runtime", build / "runtime", build / "scenes")
                 for path in folder.rglob("*") if path.is_file()}
    listed = {file["url"] for file in manifest["files"]}
    assert listed == published - {f"build/{build.name}/runtime/manifest.json"}


def test_the_runtime_is_what_was_pinned(built_site, root, manifest):
    pins = json.loads((root / "site_hooks/runtime_pins.json").read_text())
    assert manifest["pyodide"] == pins["pyodide"] == "314.0.4"
    hashes = {file["name"]: file["sha256"] for file in manifest["files"]}
    made_of_them = {"pyodide-lock.json", *pins["packages"]}  # see tests/hooks/test_boot_archives.py
    for name, pin in (pins["core"] | pins["packages"] | pins["on_demand"]).items():
        assert name in made_of_them or hashes[name] == pin


def test_the_lock_pins_the_same_packages_and_no_dependency_is_missing(
        built_site, root, manifest):
    pins = json.loads((root / "site_hooks/runtime_pins.json").read_text())
    [lock] = [file for file in manifest["files"] if file["name"] == "pyodide-lock.json"]
    packages = json.loads((built_site / lock["url"]).read_text())["packages"]
    pyodides = json.loads((root / "node_modules/pyodide/pyodide-lock.json").read_text())
    assert packages.items() <= {
        name: {key: package[key] for key in packages["numpy"]}
        for name, package in pyodides["packages"].items()}.items()
    needed = ["matplotlib"]
    for name in needed:
        needed += [other for other in packages[name]["depends"] if other not in needed]
    locked = {packages[name]["file_name"]: packages[name]["sha256"] for name in needed}
    assert pins["packages"] | pins["on_demand"] == locked


def test_python_starts_without_the_packages_that_wait_for_a_readers_code(root, manifest):
    pins = json.loads((root / "site_hooks/runtime_pins.json").read_text())
    waiting = {file["name"] for file in manifest["files"] if file["role"] == "on-demand"}
    assert waiting == {"python_stdlib.zip", *pins["on_demand"]}
