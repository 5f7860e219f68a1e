"""The certificate: exact for right code, not exact for wrong code, honest otherwise."""

from fractions import Fraction

import numpy as np
import pytest

from specdec import edition
from specdec.certificate import certify, combine, small_models
from specdec.speculative import speculative_decode
from tests.specdec.mutants import DECODE_MUTANTS, VERIFY_MUTANTS


def with_verify(verify):
    """Returns speculative_decode with another acceptance rule."""
    def decode(*arguments, **options):
        return speculative_decode(*arguments, verify=verify, **options)
    return decode


def edited(line, other):
    """Returns speculative_decode of the file with one of its lines changed."""
    text = edition.original("speculative.py").text
    assert text.count(line) == 1
    return edition.load("speculative.py", text.replace(line, other)).module.speculative_decode


def first_not_exact(decode):
    """Returns the certificate of the first model that says so, quickest first."""
    certificates = (certify(decode, [model]) for model in small_models())
    return next(one for one in certificates if one.state != "exact")


def test_the_code_on_the_page_is_exact():
    certificate = certify()
    assert (certificate.state, certificate.reason) == ("exact", "")
    assert {finding.total_variation for finding in certificate.findings} == {"0"}
    assert [finding.name for finding in certificate.findings] == [
        model.name for model in small_models()]


@pytest.mark.parametrize("name", VERIFY_MUTANTS)
def test_a_wrong_verify_is_not_exact(name):
    certificate = first_not_exact(with_verify(VERIFY_MUTANTS[name]))
    assert certificate.state == "not exact"
    assert 0 < Fraction(certificate.findings[0].total_variation) <= 1
    assert "total variation" in certificate.reason


@pytest.mark.parametrize("name", DECODE_MUTANTS)
def test_a_wrong_loop_is_not_exact(name):
    assert first_not_exact(DECODE_MUTANTS[name]).state == "not exact"


@pytest.mark.parametrize("name", [
    "penalties_counted_once_a_step", "stop_token_inside_the_block_missed"])
def test_only_two_words_of_context_and_a_stop_word_show_some_mistakes(name):
    *others, last = small_models()
    assert certify(DECODE_MUTANTS[name], others).state == "exact"
    assert certify(DECODE_MUTANTS[name], [last]).state == "not exact"


def test_code_that_computes_in_floats_could_not_be_checked_exactly():
    decode = edited("rows = np.asarray(rows)\n", "rows = np.asarray(rows).astype(float)\n")
    certificate = certify(decode)
    assert certificate.state == "could not check"
    assert "computes in floats" in certificate.reason and "rounding" in certificate.reason
    assert 0 < Fraction(certificate.findings[0].total_variation) < 1e-12


def test_a_readers_code_that_raises_is_told_with_its_line():
    line = "        if rng.random() >= p[token] / q[token]:"
    number = edition.original("speculative.py").text.partition(line)[0].count("\n") + 1
    certificate = certify(edited(line, "        if rng.random() >= p[token] / no_such_name:"))
    assert certificate.state == "could not check"
    assert f"line {number}: NameError: name 'no_such_name'" in certificate.reason


def test_code_that_raises_could_not_be_checked():
    def decode(*_, **__):
        raise ZeroDivisionError("no residual")

    certificate = certify(decode)
    assert certificate.state == "could not check"
    assert "ZeroDivisionError: no residual" in certificate.reason
    assert small_models()[0].name in certificate.reason


def test_code_that_draws_what_cannot_be_enumerated_could_not_be_checked():
    def decode(target, draft, prompt, num_tokens, gamma, rng):
        yield rng.normal()

    certificate = certify(decode)
    assert certificate.state == "could not check"
    assert "normal" in certificate.reason


def test_combined_it_is_exact_only_when_every_part_is():
    first, second, third, _ = ([model] for model in small_models())
    exact = certify(models=first)
    wrong = certify(with_verify(VERIFY_MUTANTS["resample_from_p"]), third)
    unknown = certify(lambda *_: 1 / 0, second)
    assert combine([exact, certify(models=second)]).state == "exact"
    assert combine([exact, unknown]).state == "could not check"
    assert combine([exact, unknown, wrong]).state == "not exact"
    assert combine([exact, wrong]).findings == exact.findings + wrong.findings


def test_the_models_hold_the_cases_that_hide_mistakes():
    models = small_models()
    assert all(len(model.target.table) >= 3 for model in models)  # two words hide mistakes
    assert any(model.stop_tokens for model in models)
    assert any(model.target.table.ndim == 3 for model in models)  # two words of context
    tables = [model.target.table for model in models if not model.stop_tokens]
    assert all(model.num_tokens >= model.gamma + 2 for model in models)
    assert all(len({tuple(row) for row in table}) == len(table) for table in tables)
    assert any((table == 1).any() for table in tables)  # a certainty
    assert any(  # supports with no word in common
        not (np.minimum(row, other) > 0).any()
        for model in models if not model.stop_tokens
        for row, other in zip(model.target.table, model.draft.table, strict=True))


def test_as_dict_is_plain_data():
    data = certify(models=small_models()[:1]).as_dict()
    assert data["state"] == "exact"
    assert data["findings"][0]["paths"] > 0
