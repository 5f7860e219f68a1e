"""site_hooks/widgets_bundle.py: esbuild makes one module of each entry point."""

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
    (widgets / "lab.js").write_text('import { Hello } from "./hello.jsx"; Hello();')
    (widgets / "hello.jsx").write_text("export const Hello = () => <p>a greeting</p>;")
    return tmp_path


def test_each_entry_point_becomes_one_module_with_its_imports(project):
    bundles = bundle(project)
    assert set(bundles) == {"widgets/editor.js", "widgets/lab.js", "widgets/worker.js", "sw.js"}
    lab, worker = bundles["widgets/lab.js"], bundles["widgets/worker.js"]
    assert b"a greeting" in lab
    assert b"import " not in lab
    assert b"answer" in worker and b"a greeting" not in worker
    assert b"self.__WB_MANIFEST" in bundles["sw.js"]  # the list of files goes there


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
