"""The strict build: the pages are there, and every hook did its part.

A site builder that ignores `hooks:` still builds pages; these tests would fail then.
"""

import json
import re

from specdec.mistakes import PATCHES
from tests.built_files import build_folder_of
from tests.site.html_pages import pages_of


def test_the_pages_are_there(built_site):
    assert pages_of(built_site).keys() == {
        "404.html", "beam-search/index.html", "glossary/index.html", "index.html",
        "reference/index.html", "sampling-knobs/index.html", "speculative-decoding/index.html",
        "start-up/index.html"}


def test_every_hook_is_listed_and_every_listed_hook_exists(root):
    config = (root / "mkdocs.yml").read_text()
    listed = re.findall(r"^  - (site_hooks/\w+\.py)", config, re.M)
    there = [f"site_hooks/{path.name}" for path in (root / "site_hooks").glob("*.py")]
    assert sorted(set(listed)) == sorted(there)


def test_no_element_that_a_hook_fills_is_left_empty(built_site):
    for path, page in pages_of(built_site).items():
        elements = ("spec-source", "spec-playground", "spec-exactness",
                    "spec-sampling-knobs", "spec-beam-search")
        for element in sum(map(page.find, elements), []):
            assert element.text.strip(), path
            assert not element.inside("p"), path


def test_the_playground_holds_a_run_and_its_picture(built_site):
    page = pages_of(built_site)["speculative-decoding/index.html"]
    [template] = [one for one in page.find("template", "data-frame")
                  if one.inside("spec-playground")]
    frame = json.loads(template.text)
    assert len(frame["frames"]) == frame["state"]["run"]["steps"] > 0
    [picture] = page.find("svg", "aria-label")
    assert picture.inside("figure")
    assert picture.attributes["aria-label"].startswith("Step 1: ")


def test_the_source_panel_is_filled(built_site):
    page = pages_of(built_site)["speculative-decoding/index.html"]
    [panel] = page.find("spec-source")
    lines = page.find("span", "data-line")
    assert [line.attributes["data-line"] for line in lines] == [
        str(number + 1) for number in range(int(panel.attributes["data-lines"]))]


def test_every_mistake_is_listed_with_what_it_does(built_site):
    page = pages_of(built_site)["speculative-decoding/index.html"]
    articles = page.find("article", "data-mistake")
    assert [article.attributes["data-mistake"] for article in articles] == [
        patch.name for patch in PATCHES]
    assert all(article.inside("spec-mistakes") for article in articles)
    assert {(article.attributes["data-changes"], article.attributes["data-notices"])
            for article in articles} == {("yes", "yes"), ("yes", "no"), ("no", "no")}


def test_the_service_worker_keeps_every_page_and_knows_its_files(built_site):
    worker = (built_site / "sw.js").read_text()
    build = build_folder_of(built_site).name
    assert "__WB_MANIFEST" not in worker
    for address in (*pages_of(built_site), f"build/{build}/widgets/editor.js"):
        assert f'"url":"{address}"' in worker, address


def test_nothing_of_a_build_is_published_outside_its_folder(built_site):
    folders = {path.name for path in built_site.iterdir() if path.is_dir()}
    pages = {path.split("/")[0] for path in pages_of(built_site) if "/" in path}
    assert folders - pages == {"assets", "build", "images", "runtime", "search"}
    runtime = {path.name.partition("-")[0] for path in (built_site / "runtime").iterdir()}
    assert runtime == {"memory", "pyodide"}  # named by what is in them: the same in many builds


def test_no_number_is_left_out_of_the_prose(built_site):
    for path, page in pages_of(built_site).items():
        assert "{{" not in page.elements[0].text, path


def test_the_widgets_are_bundled_and_their_sources_are_not_published(built_site):
    widgets = build_folder_of(built_site) / "widgets"
    names = {re.sub(r"-[0-9A-Z]{8}\.js$", "-*.js", path.name) for path in widgets.iterdir()}
    assert names == {"beam_search-*.js", "early.js", "editor.js", "lab.js", "worker.js",
                     "chunk-*.js", "later-*.js", "line_view-*.js", "sampling_knobs-*.js"}


def test_scenes_are_published_byte_for_byte_and_nothing_else(built_site, root):
    scenes = build_folder_of(built_site) / "scenes"
    published = {path.name: path.read_bytes() for path in scenes.iterdir()}
    assert published == {
        path.name: path.read_bytes() for path in (root / "docs/scenes").glob("*.py")}


def test_every_module_of_the_package_is_in_the_reference(root):
    reference = (root / "docs/reference.md").read_text()
    named = re.findall(r"^::: (specdec\.\w+)$", reference, re.M)
    modules = [f"specdec.{path.stem}" for path in (root / "specdec").glob("*.py")]
    assert sorted(named) == sorted(set(modules) - {"specdec.__init__"})
