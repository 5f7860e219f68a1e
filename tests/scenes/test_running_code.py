"""docs/scenes/running_code.py: which file runs, and the verdict on it."""

import hashlib

from specdec import certificate, speculative
from tests.scene_loading import load_scene

scene = load_scene("running_code")


def test_the_source_is_the_imported_file(root):
    content = (root / "specdec" / "speculative.py").read_bytes()
    assert scene.RunningCode().source() == {
        "file": "speculative.py", "sha256": hashlib.sha256(content).hexdigest()}


def test_certify_goes_through_the_models_one_a_call():
    code = scene.RunningCode()
    answers = [code.certify() for _ in certificate.small_models()]
    assert [answer["done"] for answer in answers] == [False, False, True]
    assert answers[-1]["certificate"] == certificate.certify().as_dict()
    assert code.certify()["done"] is False  # and begins anew


def test_wrong_code_is_not_certified(monkeypatch):
    def keeps_every_guess(target_probs, draft_probs, draft_tokens, rng):
        return len(draft_tokens), speculative.sample(target_probs[-1], rng)

    right = speculative.speculative_decode
    monkeypatch.setattr(
        speculative, "speculative_decode",
        lambda *arguments: right(*arguments, verify=keeps_every_guess))
    assert scene.RunningCode().certify()["certificate"]["state"] == "not exact"
