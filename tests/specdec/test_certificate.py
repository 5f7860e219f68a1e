"""The certificate: exact for right code, not exact for wrong code, honest otherwise."""

from fractions import Fraction

import numpy as np
import pytest

from specdec.certificate import certify, combine, small_models
from specdec.speculative import speculative_decode
from tests.specdec.mutants import DECODE_MUTANTS, VERIFY_MUTANTS

# Wrong only where the models of the playground's page do not go.
NEEDS_MORE_CONTEXT = {"penalties_counted_once_a_step"}  # a model that sees two words back
NEEDS_STOP_TOKENS = {"stop_token_inside_the_block_missed"}


def with_verify(verify):
    """Returns speculative_decode with another acceptance rule."""
    def decode(*arguments):
        return speculative_decode(*arguments, verify=verify)
    return decode


def first_not_exact(decode):
    """Returns the certificate of the first model that says so, quickest first."""
    certificates = (certify(decode, [model]) for model in small_models())
    return next(one for one in certificates if one.state != "exact")


def test_the_code_on_the_page_is_exact():
    certificate = certify()
    assert (certificate.state, certificate.reason) == ("exact", "")
    assert [finding.total_variation for finding in certificate.findings] == ["0", "0", "0"]
    assert [finding.name for finding in certificate.findings] == [
        model.name for model in small_models()]


@pytest.mark.parametrize("name", VERIFY_MUTANTS)
def test_a_wrong_verify_is_not_exact(name):
    certificate = first_not_exact(with_verify(VERIFY_MUTANTS[name]))
    assert certificate.state == "not exact"
    assert 0 < Fraction(certificate.findings[0].total_variation) <= 1
    assert "total variation" in certificate.reason


@pytest.mark.parametrize(
    "name", sorted(DECODE_MUTANTS.keys() - NEEDS_MORE_CONTEXT - NEEDS_STOP_TOKENS))
def test_a_wrong_loop_is_not_exact(name):
    assert first_not_exact(DECODE_MUTANTS[name]).state == "not exact"


@pytest.mark.parametrize("name", sorted(NEEDS_MORE_CONTEXT | NEEDS_STOP_TOKENS))
def test_what_these_models_cannot_see_is_known(name):
    assert certify(DECODE_MUTANTS[name]).state == "exact"


def test_code_that_raises_could_not_be_checked():
    def decode(*_):
        raise ZeroDivisionError("no residual")

    certificate = certify(decode)
    assert certificate.state == "could not check"
    assert "ZeroDivisionError: no residual" in certificate.reason
    assert small_models()[0].name in certificate.reason


def test_code_that_draws_what_cannot_be_enumerated_could_not_be_checked():
    def decode(target, draft, prompt, num_tokens, gamma, rng):
        rng.normal()

    certificate = certify(decode)
    assert certificate.state == "could not check"
    assert "normal" in certificate.reason


def test_combined_it_is_exact_only_when_every_part_is():
    first, second, third = ([model] for model in small_models())
    exact = certify(models=first)
    wrong = certify(with_verify(VERIFY_MUTANTS["resample_from_p"]), third)
    unknown = certify(lambda *_: 1 / 0, second)
    assert combine([exact, certify(models=second)]).state == "exact"
    assert combine([exact, unknown]).state == "could not check"
    assert combine([exact, unknown, wrong]).state == "not exact"
    assert combine([exact, wrong]).findings == exact.findings + wrong.findings


def test_the_models_hold_the_cases_that_hide_mistakes():
    models = small_models()
    tables = [model.target.table for model in models]
    assert all(len(table) >= 3 for table in tables)  # two words hide several mistakes
    assert all(model.num_tokens >= model.gamma + 2 for model in models)
    assert all(len({tuple(row) for row in table}) == len(table) for table in tables)
    assert any((table == 1).any() for table in tables)  # a certainty
    assert any(  # supports with no word in common
        not (np.minimum(row, other) > 0).any()
        for model in models
        for row, other in zip(model.target.table, model.draft.table, strict=True))


def test_as_dict_is_plain_data():
    data = certify(models=small_models()[:1]).as_dict()
    assert data["state"] == "exact"
    assert data["findings"][0]["paths"] > 0
