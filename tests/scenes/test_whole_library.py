"""docs/scenes/whole_library.py: what an edit imports and Python started without."""

import sys
import zipfile

import pytest

from tests.scene_loading import load_scene

library = load_scene("whole_library")


@pytest.mark.parametrize("code", [
    "import statistics", "import json.tool as t", "def f():\n    from json import tool",
    "from json.tool import main"])
def test_a_module_that_is_not_there_is_missed(monkeypatch, code):
    for name in ("statistics", "json.tool"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delattr("json.tool", raising=False)
    assert library.is_missed_by(code)


@pytest.mark.parametrize("code", [
    "import json, math", "import no_such_module", "from . import nothing", "def", "x = 1"])
def test_what_the_library_cannot_mend_does_not_fetch_it(code):
    assert not library.is_missed_by(code)


def test_a_module_that_fails_for_want_of_another_misses_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "unittest", None)
    for name in [name for name in sys.modules if name.startswith("numpy.testing")]:
        monkeypatch.delitem(sys.modules, name)
    assert library.is_missed_by("from numpy.testing import assert_allclose")


def test_mounted_it_gives_new_modules_and_the_others_of_a_package(monkeypatch, tmp_path):
    started, whole = tmp_path / "started.zip", tmp_path / "whole.zip"
    for path, members in (
            (started, ["parted/__init__.py", "parted/here.py"]),
            (whole, ["parted/__init__.py", "parted/there.py", "apart.py"])):
        with zipfile.ZipFile(path, "w") as archive:
            for member in members:
                archive.writestr(member, f"SOURCE = {path.name!r}")
    monkeypatch.setattr(library, "STARTED_WITH", str(started))
    monkeypatch.setattr(sys, "path", [*sys.path, str(started)])
    import parted.here
    try:
        library.mount(str(whole))
        import apart
        import parted.there

        assert parted.SOURCE == parted.here.SOURCE == "started.zip"
        assert apart.SOURCE == parted.there.SOURCE == "whole.zip"
    finally:
        for name in ("apart", "parted", "parted.here", "parted.there"):
            sys.modules.pop(name, None)
