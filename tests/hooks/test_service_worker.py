"""site_hooks/service_worker.py: sw.js names every file of the copy that a browser keeps."""

import base64
import hashlib
import json
import re

import pytest
from mkdocs.exceptions import PluginError

from site_hooks.service_worker import inject_list

pytestmark = pytest.mark.usefixtures("built_site")  # the build brings node_modules up to date

KEPT = {
    "index.html", "404.html", "a-page/index.html", "search/search_index.json", "sitemap.xml",
    "build/0123456789ab/widgets/lab.js", "build/0123456789ab/scenes/playground.py",
    "assets/_mkdocstrings.css", "assets/javascripts/bundle.a5f9d56c.min.js"}
NOT_KEPT = {
    "runtime/pyodide-1.2/pyodide.asm.wasm", "runtime/pyodide-1.2/on-demand/matplotlib.whl",
    "assets/javascripts/bundle.a5f9d56c.min.js.map", "assets/javascripts/lunr/tinyseg.js",
    "images/playground.png", "objects.inv"}


@pytest.fixture
def site(tmp_path):
    for address in KEPT | NOT_KEPT:
        file = tmp_path / address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"the content of {address}")
    (tmp_path / "sw.js").write_text("keep(self.__WB_MANIFEST);")
    return tmp_path


def listed(site) -> dict[str, dict]:
    """Returns the entries of the list in sw.js by their addresses."""
    [text] = re.fullmatch(r"keep\((.*)\);", (site / "sw.js").read_text(), re.S).groups()
    entries = json.loads(text)
    assert len({entry["url"] for entry in entries}) == len(entries)
    return {entry["url"]: entry for entry in entries}


def test_pages_and_what_they_load_are_listed_and_python_is_not(site):
    inject_list(site)
    assert listed(site).keys() == KEPT


def test_each_file_is_listed_with_its_hash(site):
    inject_list(site)
    for address, entry in listed(site).items():
        digest = hashlib.sha256((site / address).read_bytes()).digest()
        assert entry["integrity"] == f"sha256-{base64.b64encode(digest).decode()}"


def test_a_file_whose_address_changes_with_its_content_is_not_fetched_twice(site):
    inject_list(site)
    versioned = {address for address, entry in listed(site).items()
                 if entry["revision"] is None}
    assert versioned == {
        "build/0123456789ab/widgets/lab.js", "build/0123456789ab/scenes/playground.py",
        "assets/javascripts/bundle.a5f9d56c.min.js"}


def test_a_changed_page_changes_the_service_worker(site):
    inject_list(site)
    before = (site / "sw.js").read_text()
    (site / "sw.js").write_text("keep(self.__WB_MANIFEST);")
    (site / "a-page/index.html").write_text("another text")
    inject_list(site)
    assert (site / "sw.js").read_text() != before


def test_a_failure_says_what_workbox_said(site):
    (site / "sw.js").write_text("nothing to fill in")
    with pytest.raises(PluginError, match=r"(?s)list of files.*injection"):
        inject_list(site)
