"""docs/scenes/same_draws.py: two codes on one stream of uniforms, and where they part."""

import pytest

from specdec import edition
from specdec.edition import CodeProblem
from tests.scene_loading import load_scene, replay

scene = load_scene("same_draws")
ORIGINAL = edition.original("speculative.py").text
TEST = "rng.random() >= p[token] / q[token]"
LOG = [[0, {"quality": 0.3, "gamma": 3}], [20, {"quality": 0.8, "gamma": 5}]]


@pytest.fixture
def in_force():
    yield lambda text: edition.use("speculative.py", text)
    edition.use("speculative.py", None)


def compare():
    return scene.SameDraws().compare(seed=7, log=LOG)


def test_the_same_code_never_parts(in_force):
    in_force(ORIGINAL + "\n# mine\n")
    made = compare()
    assert made["parted"] is None
    assert made["tokens"] > made["steps"] == scene.COMPARED_STEPS


def test_its_runs_are_those_of_the_playground(in_force):
    made = scene.run(edition.current("speculative.py"), 7, LOG)
    frames = replay({"seed": 7, "steps": 60, "log": LOG})["frames"]
    emitted = [cell["word"] for frame in frames for cell in frame["cells"]
               if cell["kind"] in ("accepted", "recovered", "bonus")]
    assert [token.word for token in made.tokens][: len(emitted)] == emitted


def test_other_code_parts_at_the_first_word_that_differs(in_force):
    in_force(ORIGINAL.replace(TEST, "rng.random() >= 1"))
    mine = scene.run(edition.original("speculative.py"), 7, LOG)
    other = scene.run(edition.current("speculative.py"), 7, LOG)
    made = compare()
    at = made["tokens"]
    words, others = ([token.word for token in side.tokens] for side in (mine, other))
    assert words[:at] == others[:at] and words[at] != others[at]
    parted = made["parted"]
    assert parted["token"] == at + 1
    for side, whole in (("original", words), ("edited", others)):
        shown = parted[side]
        start = at - shown["at"]
        assert [token["word"] for token in shown["words"]] == whole[start : at + 7]


def test_the_draws_shown_are_one_stream_and_begin_with_the_step(in_force):
    in_force(ORIGINAL.replace(TEST, "rng.random() >= 1"))
    mine = scene.run(edition.original("speculative.py"), 7, LOG)
    draws = compare()["parted"]["draws"]
    assert [draw["number"] for draw in draws] == list(
        range(draws[0]["number"], draws[0]["number"] + len(draws)))
    for draw in draws:
        assert draw["uniform"] == mine.draws[draw["number"] - 1].uniform
        assert draw["differs"] == (draw["original"] != draw["edited"])
    assert any(draw["differs"] for draw in draws)
    assert not draws[0]["differs"]
    first = next(draw for draw in draws if draw["differs"])
    assert first["original"].startswith("refuses") and first["edited"].startswith("keeps")


def test_code_that_draws_in_another_order_is_told_in_plain_words(in_force):
    in_force(ORIGINAL.replace(TEST, "rng.random() + rng.random() >= p[token] / q[token]"))
    uses = {use.split()[0] for use in
            scene.run(edition.current("speculative.py"), 7, LOG).uses}
    assert uses == {"chooses", "tests"}


def test_a_fault_of_the_code_is_told(in_force):
    in_force(ORIGINAL.replace(TEST, "rng.normal() >= 0"))
    with pytest.raises(CodeProblem, match="normal"):
        compare()
    in_force(ORIGINAL.replace("while wanted > 0:", "if wanted > 0:"))
    with pytest.raises(CodeProblem, match="ended before step 2"):
        compare()
