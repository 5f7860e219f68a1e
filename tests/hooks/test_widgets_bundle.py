"""site_hooks/widgets_bundle.py: what esbuild makes of each entry point."""

import pytest
from mkdocs.exceptions import PluginError

from site_hooks.widgets_bundle import bundle


@pytest.fixture
def project(tmp_path, root, built_site):  # the build brings node_modules up to date
    (tmp_path / "node_modules").symlink_to(root / "node_modules")
    widgets = tmp_path / "docs/widgets"
    widgets.mkdir(parents=True)
    (widgets / "worker.js").write_text("self.onmessage = () => self.postMessage('answer');")
    (widgets / "editor.js").write_text("export const keys = 'many';")
    (widgets / "service_worker.js").write_text("self.oninstall = () => self.__WB_MANIFEST;")
    (widgets / "early.js").write_text("const early = 1; console.log(early);")
    (widgets / "lab.js").write_text(
        'import { Hello } from "./hello.jsx"; Hello(); import("./later.js");')
    (widgets / "hello.jsx").write_text("export const Hello = () => <p>a greeting</p>;")
    (widgets / "later.js").write_text("console.log('not so urgent');")
    return tmp_path


def test_each_entry_point_is_published_with_its_imports(project):
    bundles = bundle(project)
    [later] = [address for address in bundles if address.startswith("widgets/later-")]
    assert set(bundles) == {
        "widgets/early.js", "widgets/editor.js", "widgets/lab.js", "widgets/worker.js",
        later, "sw.js"}
    lab, worker = bundles["widgets/lab.js"], bundles["widgets/worker.js"]
    assert b"a greeting" in lab and b"answer" in worker and b"a greeting" not in worker
    assert b"self.__WB_MANIFEST" in bundles["sw.js"]  # the list of files goes there


def test_what_comes_later_is_a_file_of_its_own_that_lab_js_names(project):
    bundles = bundle(project)
    [later] = [address for address in bundles if address.startswith("widgets/later-")]
    lab = bundles["widgets/lab.js"]
    assert b"not so urgent" in bundles[later] and b"not so urgent" not in lab
    assert later.removeprefix("widgets/").encode() in lab


def test_the_script_ahead_of_all_leaves_no_name_behind(project):
    assert bundle(project)["widgets/early.js"].startswith(b"(()=>{")


@pytest.mark.parametrize(("published", "said"), [(True, b"!0"), (False, b"!1")])
def test_the_widgets_know_whether_they_are_published(project, published, said):
    (project / "docs/widgets/lab.js").write_text("console.log(PUBLISHED);")
    assert bundle(project, published)["widgets/lab.js"] == b"console.log(" + said + b");\n"


def test_under_mkdocs_serve_there_is_no_service_worker(project):
    assert "sw.js" not in bundle(project, published=False)


def test_a_mistake_is_named_with_its_file(project):
    (project / "docs/widgets/hello.jsx").write_text("export const Hello = () => <p>;")
    with pytest.raises(PluginError, match=r"(?s)not bundled.*docs/widgets/hello\.jsx"):
        bundle(project)


def test_a_missing_esbuild_is_named(tmp_path):
    with pytest.raises(PluginError, match=r"(?s)esbuild.*pip install -e"):
        bundle(tmp_path)
