"""docs/scenes/running_code.py: which code is in force, and the verdict on it."""

import hashlib

import pytest

from specdec import certificate, edition
from tests.scene_loading import load_scene

scene = load_scene("running_code")
FILE = "speculative.py"
ORIGINAL = edition.original(FILE).text
EVERY_GUESS_KEPT = ORIGINAL.replace("rng.random() >= p[token] / q[token]", "rng.random() >= 1")


@pytest.fixture
def in_force():
    """Puts a text in force for one test."""
    yield edition.use
    for file in ("speculative.py", "sampling.py"):
        edition.use(file, None)


def verdicts_of(code):
    answers = [code.certify(first=True)]
    while not answers[-1]["done"]:
        answers.append(code.certify(first=False))
    return answers


@pytest.mark.parametrize("file", [FILE, "sampling.py"])
def test_the_source_is_the_imported_file(root, file):
    content = (root / "specdec" / file).read_bytes()
    assert scene.RunningCode().source(file=file) == {
        "sha256": hashlib.sha256(content).hexdigest(), "changed_lines": []}


def test_the_source_is_the_readers_text_where_that_is_in_force(in_force):
    in_force(FILE, "# mine\n" + EVERY_GUESS_KEPT)
    line = ORIGINAL.splitlines().index("        if rng.random() >= p[token] / q[token]:"
                                       "  # keep with probability min(1, p/q)")
    assert scene.RunningCode().source(file=FILE) == {
        "sha256": hashlib.sha256(("# mine\n" + EVERY_GUESS_KEPT).encode()).hexdigest(),
        "changed_lines": [1, line + 2]}


def test_each_file_has_its_own_source(in_force):
    text = edition.original("sampling.py").text + "# mine\n"
    in_force("sampling.py", text)
    in_force(FILE, "# mine\n" + ORIGINAL)
    code = scene.RunningCode()
    assert code.source(file="sampling.py") == {
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "changed_lines": [len(text.splitlines())]}
    assert code.source(file=FILE)["changed_lines"] == [1]
    with pytest.raises(ValueError, match="no file 'samples.py'"):
        code.source(file="samples.py")


def test_certify_goes_through_the_models_some_paths_a_call():
    code = scene.RunningCode()
    answers = verdicts_of(code)
    findings = certificate.certify().findings
    assert answers[-1]["certificate"] == certificate.certify().as_dict()
    calls = [-(-finding.paths // scene.PATHS_A_CALL) for finding in findings]
    assert len(answers) == sum(calls) > len(findings)
    assert code.certify(first=True)["certificate"]["findings"] == ()  # and begins anew


def test_the_readers_code_is_what_is_certified(in_force):
    code = scene.RunningCode()
    in_force(FILE, EVERY_GUESS_KEPT)
    assert verdicts_of(code)[-1]["certificate"]["state"] == "not exact"
    in_force(FILE, None)
    assert verdicts_of(code)[-1]["certificate"]["state"] == "exact"
