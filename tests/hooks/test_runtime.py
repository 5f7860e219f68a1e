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
NEVER_ASKED = ("never asked", pytest.fail)


def source(name, content=None, only=None):
    """A source that has this content for every file, or for that one, or nothing."""

    def fetch(names):
        for wanted in names:
            if content is None or only not in (None, wanted):
                raise Unavailable(f"{name} is down")
            yield wanted, content

    return name, fetch


def obtained(*sources):
    """What they give for a.wasm."""
    return dict(obtain({"a.wasm": PIN}, sources))["a.wasm"]


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
        obtained(*sources)


def test_the_first_source_that_has_the_file_is_taken():
    assert obtained(source("down"), source("up", GOOD), NEVER_ASKED) == GOOD


def test_the_next_source_is_asked_once_for_all_that_is_still_missing():
    asked = []

    def fetch(names):
        asked.append(names)
        yield from ((name, GOOD) for name in names)

    pins = dict.fromkeys(["a.whl", "b.whl", "c.whl"], PIN)
    files = dict(obtain(pins, [source("site", GOOD, only="a.whl"), ("wheel", fetch)]))
    assert files == dict.fromkeys(pins, GOOD)
    assert asked == [["b.whl", "c.whl"]]


def test_when_nothing_has_it_the_message_says_what_was_tried_and_what_to_do():
    pins = {"a.wasm": PIN, "b.wasm": FOUND}
    with pytest.raises(PluginError) as error:
        dict(obtain(pins, [source("site"), source("wheel")]))
    for part in (*pins, *pins.values(), "site is down", "wheel is down", ".cache/runtime"):
        assert part in str(error.value)


def test_a_second_run_asks_no_source(tmp_path):
    cache, pins = tmp_path / "cache", {"a.wasm": PIN, "b.wasm": PIN}
    files = dict.fromkeys(pins, GOOD)
    assert obtain_cached(pins, cache, [source("site", GOOD)]) == files
    assert obtain_cached(pins, cache, [NEVER_ASKED]) == files


def test_what_came_before_a_failure_stays_in_the_cache(tmp_path):
    pins = {"a.wasm": PIN, "b.wasm": PIN}
    with pytest.raises(PluginError, match="Not to be had:\n  b.wasm"):
        obtain_cached(pins, tmp_path, [source("site", GOOD, only="a.wasm")])
    assert [path.name for path in tmp_path.iterdir()] == ["a.wasm"]


def test_a_damaged_cache_is_healed(tmp_path):
    (tmp_path / "a.wasm").write_bytes(GOOD[:-1])
    files = obtain_cached({"a.wasm": PIN}, tmp_path, [source("site", GOOD)])
    assert files == {"a.wasm": GOOD}
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [GOOD]


def test_a_damaged_cache_is_never_published(tmp_path):
    (tmp_path / "a.wasm").write_bytes(BAD)
    with pytest.raises(PluginError, match="site is down"):
        obtain_cached({"a.wasm": PIN}, tmp_path, [source("site")])


def test_a_tampered_download_does_not_reach_the_cache(tmp_path):
    with pytest.raises(PluginError, match="from site is not the pinned file"):
        obtain_cached({"a.wasm": PIN}, tmp_path, [source("site", BAD)])
    assert list(tmp_path.iterdir()) == []


def test_a_core_file_changed_in_node_modules_stops_the_build(tmp_path):
    core = tmp_path / "node_modules/pyodide"
    core.mkdir(parents=True)
    (core / "pyodide.mjs").write_bytes(BAD)
    with pytest.raises(PluginError, match="pyodide.mjs from npm package pyodide is not"):
        runtime.runtime_files(tmp_path)


def test_on_demand_packages_lie_in_a_folder_of_their_own(tmp_path, monkeypatch):
    core = tmp_path / "node_modules/pyodide"
    core.mkdir(parents=True)
    (core / "pyodide.mjs").write_bytes(GOOD)
    monkeypatch.setattr(runtime, "PINS", {
        "pyodide": "1.2", "core": {"pyodide.mjs": PIN}, "packages": {"numpy.whl": PIN},
        "on_demand": {"matplotlib.whl": PIN}})
    monkeypatch.setattr(runtime, "from_download_site", source("site", GOOD)[1])
    assert runtime.runtime_files(tmp_path) == dict.fromkeys([
        "runtime/pyodide-1.2/pyodide.mjs", "runtime/pyodide-1.2/numpy.whl",
        "runtime/pyodide-1.2/on-demand/matplotlib.whl"], GOOD)


def test_a_folder_without_the_file_is_unavailable(tmp_path):
    with pytest.raises(Unavailable):
        dict(from_folder(tmp_path)(["a.wasm"]))


def test_the_download_site_is_asked_for_the_pinned_version(tmp_path, monkeypatch):
    folder = tmp_path / runtime.PINS["pyodide"]
    folder.mkdir()
    (folder / "a.whl").write_bytes(GOOD)
    address = f"{tmp_path.as_uri()}/{{pyodide}}/{{name}}"
    monkeypatch.setattr(runtime, "DOWNLOAD_SITE", address)
    assert dict(runtime.from_download_site(["a.whl"])) == {"a.whl": GOOD}
    with pytest.raises(Unavailable, match="b.whl"):
        dict(runtime.from_download_site(["b.whl"]))


@pytest.fixture
def local_registry(tmp_path, monkeypatch):
    """A folder that pip takes for all there is."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return tmp_path


@pytest.fixture
def carrier(local_registry):
    """The carrier wheel in that folder; a.whl and c.whl are its files of use."""
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
        wheel.writestr(f"{runtime.CARRIER_FOLDER}/c.whl", BAD)
    return carrier


def test_the_carrier_wheel_gives_its_members(carrier):
    assert dict(runtime.from_carrier(["a.whl", "c.whl"])) == {"a.whl": GOOD, "c.whl": BAD}
    with pytest.raises(Unavailable, match=f"{carrier.name}: .*b.whl"):
        dict(runtime.from_carrier(["a.whl", "b.whl"]))


def test_a_damaged_carrier_is_unavailable(carrier):
    carrier.write_bytes(carrier.read_bytes().replace(GOOD, b"!" * len(GOOD)))
    with pytest.raises(Unavailable, match=f"{carrier.name}: Bad CRC-32 .*a.whl"):
        dict(runtime.from_carrier(["a.whl"]))


def test_a_carrier_that_cannot_be_had_says_what_pip_said(local_registry):
    with pytest.raises(Unavailable, match="pip download failed: .*open-webui"):
        dict(runtime.from_carrier(["a.whl"]))


def test_a_pip_that_fails_without_a_word_is_unavailable(monkeypatch):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(Unavailable, match="pip download failed: pip gave no reason"):
        dict(runtime.from_carrier(["a.whl"]))
