"""docs/scenes/exactness.py: the models of the panel, and what it says of the code in force."""

from fractions import Fraction
from functools import partial

import pytest

from specdec import edition
from specdec.exactness import SequencesCheck, judge
from specdec.speculative import speculative_decode
from tests.scene_loading import load_scene
from tests.specdec.mutants import DECODE_MUTANTS, VERIFY_MUTANTS

scene = load_scene("exactness")
ORIGINAL = edition.original("speculative.py").text
EVERY_GUESS_KEPT = ORIGINAL.replace("rng.random() >= p[token] / q[token]", "rng.random() >= 1")
LAW_CHANGING = DECODE_MUTANTS | {
    name: partial(speculative_decode, verify=verify) for name, verify in VERIFY_MUTANTS.items()}

# The certificate's last model has what these need: more context, a stop word.
SEEN_ELSEWHERE = {"penalties_counted_once_a_step", "stop_token_inside_the_block_missed"}


@pytest.fixture
def in_force():
    """Puts a text in force for one test."""
    yield lambda text: edition.use("speculative.py", text)
    edition.use("speculative.py", None)


def models(vocabs=scene.VOCABS, gammas=scene.GAMMAS):
    return [scene.preset(name, vocab, gamma) for name in scene.Exactness().presets()
            for vocab in vocabs for gamma in gammas]


def default(**changed):
    return scene.preset(**scene.DEFAULT) | changed


def joint_of(panel, model):
    """Returns the parts that `sequences` gives, up to the last."""
    parts = [panel.sequences(model=model)]
    while not parts[-1]["done"]:
        parts.append(panel.sequences(model=model))
    return parts


@pytest.mark.parametrize("model", models(), ids=scene.name_of)
def test_the_file_is_exact_in_one_step_on_every_preset(model):
    result = scene.Exactness().one_step(model=model)
    assert (result["state"], result["reason"]) == ("exact", "")
    assert result["law"]["distance"] == {"value": 0.0, "exact": "0"}
    assert result["law"]["worst"] is None
    assert result["tokens"] == model["gamma"] + 1


@pytest.mark.parametrize("model", models((3, 4), gammas=(1, 2)), ids=scene.name_of)
def test_the_file_is_exact_in_several_steps_on_every_preset(model):
    result = joint_of(scene.Exactness(), model)[-1]["result"]
    assert (result["state"], result["tokens"]) == ("exact", model["gamma"] + 2)
    assert result["law"]["distance"]["exact"] == "0"


@pytest.mark.parametrize("name", sorted(LAW_CHANGING.keys() - SEEN_ELSEWHERE))
def test_the_default_model_shows_every_mistake_that_a_bigram_model_can(name):
    target, draft = scene.tables(default())
    check = SequencesCheck(LAW_CHANGING[name], target, draft, 2, 4)
    assert judge(check.comparison).state == "not exact"


def test_presets_are_what_their_names_say():
    for model in models():
        target, draft = (table.table for table in scene.tables(model))
        if model["preset"] == "equal":
            assert (target == draft).all()
        if model["preset"] == "disjoint":
            assert not ((target > 0) & (draft > 0)).any()
        if model["preset"] == "one-hot":
            assert set(target.flat) == set(draft.flat) == {0, 1}
            assert (target == draft).all(axis=1).any() and not (target == draft).all()
        distinct = len(set(map(tuple, target)))
        assert distinct == (model["vocab"] if model["context_dependent"] else 1)


def test_weights_become_exact_rows_one_for_all_contexts_or_one_for_each():
    target, draft = scene.tables(default(
        context_dependent=False, target=[[20, 0, 7]], draft=[[1, 1, 1]]))
    assert target.table.tolist() == [[Fraction(20, 27), 0, Fraction(7, 27)]] * 3
    assert draft.table.tolist() == [[Fraction(1, 3)] * 3] * 3
    target, _ = scene.tables(default())
    assert target.table.sum(axis=1).tolist() == [1, 1, 1]
    assert len(set(map(tuple, target.table))) == 3


@pytest.mark.parametrize(("changed", "message"), [
    ({"target": [[0, 0, 0], [1, 0, 0], [1, 0, 0]]}, "target: one word at least"),
    ({"draft": [[1, 0, 21], [1, 0, 0], [1, 0, 0]]}, "whole numbers from 0 to 20"),
    ({"draft": [[1, 0, 0.5], [1, 0, 0], [1, 0, 0]]}, "whole numbers from 0 to 20"),
    ({"draft": [[1, 0, -1], [1, 0, 0], [1, 0, 0]]}, "whole numbers from 0 to 20"),
    ({"draft": [[1, 1, 1]]}, "draft: 3 rows of 3 weights"),
    ({"target": [[1, 1]] * 3}, "target: 3 rows of 3 weights"),
    ({"vocab": 6}, "6 words"), ({"gamma": 0}, "gamma 0"), ({"preset": "mine"}, "'mine'"),
])
def test_a_model_that_the_page_cannot_show_is_refused(changed, message):
    for action in (scene.Exactness().one_step, scene.Exactness().sequences):
        with pytest.raises(ValueError, match=message):
            action(model=default(**changed))


def test_the_model_is_named_and_a_change_of_it_is_said():
    assert scene.name_of(default()) == "3 words, γ = 2, preset “context-dependent”"
    other = scene.preset("disjoint", 4, 1)
    other["target"][0][0] += 1
    result = scene.Exactness().one_step(model=other)
    assert result["model"] == "4 words, γ = 1, preset “disjoint”, changed by you"


def test_wrong_code_in_force_is_told_with_its_worst_sequence(in_force):
    in_force(EVERY_GUESS_KEPT)
    panel = scene.Exactness()
    for result in (panel.one_step(model=default()),
                   joint_of(panel, default())[-1]["result"]):
        assert result["state"] == "not exact"
        law = result["law"]
        probs = {entry["words"]: (Fraction(entry["target"]["exact"]),
                                  Fraction(entry["emitted"]["exact"]))
                 for entry in law["sequences"]}
        distance = sum(abs(p - q) for p, q in probs.values()) / 2
        assert len(probs) == law["total"] and Fraction(law["distance"]["exact"]) == distance
        assert [sum(column) for column in zip(*probs.values(), strict=True)] == [1, 1]
        worst = max(probs, key=lambda words: abs(probs[words][0] - probs[words][1]))
        assert law["worst"]["words"] == worst
        assert Fraction(law["first_token"]["exact"]) > 0


def test_code_that_raises_is_told_with_its_line(in_force):
    in_force(ORIGINAL.replace("excess.sum()", "excess.summ()"))
    line = ORIGINAL.partition("excess.sum()")[0].count("\n") + 1
    panel = scene.Exactness()
    for result in (panel.one_step(model=default()),
                   joint_of(panel, default())[-1]["result"]):
        assert (result["state"], result["law"]) == ("could not check", None)
        assert result["reason"].startswith(f"line {line}: AttributeError")


def test_code_in_floats_could_not_be_checked_and_its_fractions_are_not_written_out(in_force):
    in_force(ORIGINAL.replace("rows = np.asarray(rows)\n",
                              "rows = np.asarray(rows).astype(float)\n"))
    result = joint_of(scene.Exactness(), default())[-1]["result"]
    assert result["state"] == "could not check" and "rounding" in result["reason"]
    assert 0 < result["law"]["distance"]["value"] < 1e-15
    assert result["law"]["distance"]["exact"] == "" and result["law"]["worst"] is None


def test_parts_add_up_and_a_change_of_the_model_or_the_code_begins_anew(in_force):
    panel = scene.Exactness()
    parts = joint_of(panel, default())
    paths = [part["paths"] for part in parts]
    assert paths == [*range(scene.PATHS_A_CALL, paths[-1], scene.PATHS_A_CALL), paths[-1]]
    assert len(parts) > 2 and all(part["result"] is None for part in parts[:-1])
    shares = [part["share"] for part in parts]
    assert shares == sorted(shares) and shares[-1] == 1
    assert parts[-1]["result"]["law"]["paths"] == paths[-1]
    panel.sequences(model=default())
    assert panel.sequences(model=default())["paths"] == 2 * scene.PATHS_A_CALL
    assert panel.sequences(model=default(gamma=3))["paths"] == scene.PATHS_A_CALL
    assert panel.sequences(model=default(gamma=3))["paths"] == 2 * scene.PATHS_A_CALL
    in_force(EVERY_GUESS_KEPT)
    assert panel.sequences(model=default(gamma=3))["paths"] == scene.PATHS_A_CALL


def test_the_path_budget_is_said(monkeypatch):
    monkeypatch.setattr(scene, "MAX_PATHS", 250)
    last = joint_of(scene.Exactness(), default())[-1]
    assert last["paths"] == 250 and last["share"] < 1
    assert (last["result"]["state"], last["result"]["law"]) == ("could not check", None)
    assert "more than 250 paths" in last["result"]["reason"]


def test_the_chart_gets_the_sequences_that_say_most(in_force, monkeypatch):
    monkeypatch.setattr(scene, "MAX_SHOWN", 5)

    def shown():
        law = scene.Exactness().one_step(model=default())["law"]
        assert law["total"] > len(law["sequences"]) == 5
        words = [entry["words"] for entry in law["sequences"]]
        assert words == sorted(words)
        return law["sequences"], law["worst"]

    likeliest, _ = shown()
    assert min(entry["target"]["value"] for entry in likeliest) >= 0.06
    in_force(EVERY_GUESS_KEPT)
    most_different, worst = shown()
    assert worst in most_different


def test_the_first_frame_is_the_default_model_checked():
    frame = scene.first_frame()
    panel = scene.Exactness()
    assert frame["model"] == default()
    assert frame["one_step"] == panel.one_step(model=default())
    assert frame["sequences"] == joint_of(panel, default())[-1]["result"]
    assert frame["sequences"]["state"] == frame["one_step"]["state"] == "exact"
    assert frame["presets"]["disjoint"]["5"] == scene.preset("disjoint", 5, 2)
