"""site_hooks/runtime.py: only the pinned SHA-256 counts, wherever a file comes from."""

import hashlib
import shutil
import sys
import zipfile

import pytest
from mkdocs.exceptions import PluginError

from site_hooks import runtime
from site_hooks.runtime import Unavailable, check, from_folder, obtain, obtain_cached

GOOD, BAD = b"the pinned file", b"another file"
PIN = hashlib.sha256(GOOD).hexdigest()
FOUND = hashlib.sha256(BAD).hexdigest()


def source(name, content=None):
    """A source that has the content, or nothing."""

    def fetch(_):
        if content is None:
            raise Unavailable(f"{name} is down")
        return content

    return name, fetch


def test_a_mismatch_names_file_source_and_both_hashes():
    with pytest.raises(PluginError) as error:
        check("a.wasm", BAD, PIN, "some mirror")
    for part in ("a.wasm", "some mirror", PIN, FOUND):
        assert part in str(error.value)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_mismatch_is_refused_whatever_the_source(position):
    sources = [source("first"), source("second"), source("third")]
    sources[position] = source("tampered", BAD)
    with pytest.raises(PluginError, match=f"from tampered .* found {FOUND}"):
        obtain("a.wasm", PIN, sources)


def test_the_first_source_that_has_the_file_is_taken():
    never = ("never asked", pytest.fail)
    assert obtain("a.wasm", PIN, [source("down"), source("up", GOOD), never]) == GOOD


def test_when_nothing_has_it_the_message_says_what_was_tried_and_what_to_do():
    with pytest.raises(PluginError) as error:
        obtain("a.wasm", PIN, [source("site"), source("wheel")])
    for part in ("a.wasm", "site is down", "wheel is down", PIN, ".cache/runtime"):
        assert part in str(error.value)


def test_a_second_run_asks_no_source(tmp_path):
    cache = tmp_path / "cache"
    assert obtain_cached("a.wasm", PIN, cache, [source("site", GOOD)]) == GOOD
    assert obtain_cached("a.wasm", PIN, cache, [("never asked", pytest.fail)]) == GOOD


def test_a_damaged_cache_is_healed(tmp_path):
    (tmp_path / "a.wasm").write_bytes(GOOD[:-1])
    assert obtain_cached("a.wasm", PIN, tmp_path, [source("site", GOOD)]) == GOOD
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [GOOD]


def test_a_damaged_cache_is_never_published(tmp_path):
    (tmp_path / "a.wasm").write_bytes(BAD)
    with pytest.raises(PluginError, match="site is down"):
        obtain_cached("a.wasm", PIN, tmp_path, [source("site")])


def test_a_tampered_download_does_not_reach_the_cache(tmp_path):
    with pytest.raises(PluginError, match="from site is not the pinned file"):
        obtain_cached("a.wasm", PIN, tmp_path, [source("site", BAD)])
    assert list(tmp_path.iterdir()) == []


def test_a_core_file_changed_in_node_modules_stops_the_build(tmp_path):
    core = tmp_path / "node_modules/pyodide"
    core.mkdir(parents=True)
    (core / "pyodide.mjs").write_bytes(BAD)
    with pytest.raises(PluginError, match="pyodide.mjs from npm package pyodide is not"):
        runtime.runtime_files(tmp_path)


def test_a_folder_without_the_file_is_unavailable(tmp_path):
    with pytest.raises(Unavailable):
        from_folder(tmp_path)("a.wasm")


def test_the_download_site_is_asked_for_the_pinned_version(tmp_path, monkeypatch):
    folder = tmp_path / runtime.PINS["pyodide"]
    folder.mkdir()
    (folder / "a.whl").write_bytes(GOOD)
    address = f"{tmp_path.as_uri()}/{{pyodide}}/{{name}}"
    monkeypatch.setattr(runtime, "DOWNLOAD_SITE", address)
    assert runtime.from_download_site("a.whl") == GOOD
    with pytest.raises(Unavailable):
        runtime.from_download_site("b.whl")


@pytest.fixture
def local_registry(tmp_path, monkeypatch):
    """A folder that pip takes for all there is."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return tmp_path


@pytest.fixture
def carrier(local_registry):
    """The carrier wheel in that folder; a.whl is its one file of use."""
    carrier = local_registry / "open_webui-0.12.4-py3-none-any.whl"
    with zipfile.ZipFile(carrier, "w") as wheel:
        info = "open_webui-0.12.4.dist-info"
        wheel.writestr(f"{info}/METADATA",
                       "Metadata-Version: 2.1\nName: open-webui\nVersion: 0.12.4\n"
                       "Requires-Python: <3.13,>=3.11\n")
        wheel.writestr(f"{info}/WHEEL",
                       "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
        wheel.writestr(f"{runtime.CARRIER_FOLDER}/a.whl", GOOD)
    return carrier


def test_the_carrier_wheel_gives_its_member(carrier):
    assert runtime.from_carrier("a.whl") == GOOD
    with pytest.raises(Unavailable, match=f"{carrier.name}: .*b.whl"):
        runtime.from_carrier("b.whl")


def test_a_damaged_carrier_is_unavailable(carrier):
    carrier.write_bytes(carrier.read_bytes().replace(GOOD, b"!" * len(GOOD)))
    with pytest.raises(Unavailable, match=f"{carrier.name}: Bad CRC-32 .*a.whl"):
        runtime.from_carrier("a.whl")


def test_a_carrier_that_cannot_be_had_says_what_pip_said(local_registry):
    with pytest.raises(Unavailable, match="pip download failed: .*open-webui"):
        runtime.from_carrier("a.whl")


def test_a_pip_that_fails_without_a_word_is_unavailable(monkeypatch):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(Unavailable, match="pip download failed: pip gave no reason"):
        runtime.from_carrier("a.whl")
