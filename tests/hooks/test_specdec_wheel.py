"""site_hooks/specdec_wheel.py: the tree's sources, the same bytes each time."""

import io
import os
import shutil
import zipfile

import pytest
from mkdocs.exceptions import PluginError

from site_hooks.specdec_wheel import build_wheel, forget


@pytest.fixture
def project(root, tmp_path):
    """A copy of what the wheel is made of, with other dates and a stray cache."""
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(root / name, tmp_path)
    shutil.copytree(root / "specdec", tmp_path / "specdec")
    for path in (tmp_path / "specdec").glob("*.py"):
        os.utime(path, (1, 1))
    return tmp_path


def test_the_wheel_is_reproducible(root, project):
    assert build_wheel(root) == build_wheel(project)


def test_the_wheel_holds_every_source_and_nothing_compiled(root):
    name, data = build_wheel(root)
    assert name == "specdec-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        members = {name for name in wheel.namelist() if name.startswith("specdec/")}
        sources = {f"specdec/{path.name}" for path in (root / "specdec").glob("*.py")}
        assert members >= sources
        assert not [name for name in members if "__pycache__" in name]
        for name in members:
            assert wheel.read(name) == (root / name).read_bytes()


def test_a_failure_says_what_flit_said(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "specdec"\n')
    with pytest.raises(PluginError, match="(?s)was not built.*version must be specified"):
        build_wheel(tmp_path)


def test_an_edited_package_is_forgotten_and_nothing_else():
    modules = {"specdec": 1, "specdec.models": 2, "specdecoder": 3, "numpy": 4}
    forget("specdec", modules)
    assert modules == {"specdecoder": 3, "numpy": 4}
