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
    (widgets / "lab.js").write_text('import { Hello } from "./hello.jsx"; Hello();')
    (widgets / "hello.jsx").write_text("export const Hello = () => <p>a greeting</p>;")
    return tmp_path


def test_each_entry_point_becomes_one_module_with_its_imports(project):
    bundles = bundle(project)
    assert set(bundles) == {"editor.js", "lab.js", "worker.js"}
    assert b"a greeting" in bundles["lab.js"]
    assert b"import " not in bundles["lab.js"]
    assert b"answer" in bundles["worker.js"] and b"a greeting" not in bundles["worker.js"]


def test_a_mistake_is_named_with_its_file(project):
    (project / "docs/widgets/hello.jsx").write_text("export const Hello = () => <p>;")
    with pytest.raises(PluginError, match=r"(?s)not bundled.*docs/widgets/hello\.jsx"):
        bundle(project)


def test_a_missing_esbuild_is_named(tmp_path):
    with pytest.raises(PluginError, match=r"(?s)esbuild.*pip install -e"):
        bundle(tmp_path)
