"""What the file on the page does besides keeping the law (see test_lossless.py)."""

import ast
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import speculative
from specdec.models import TableModel
from specdec.recording import InjectedRng
from specdec.speculative import (
    autoregressive_decode,
    residual,
    sample,
    speculative_decode,
    verify,
)
from tests.specdec.small_models import SPARSE_FOUR, THREE, TWO_BACK, exact_rows, in_floats

FILE = Path(speculative.__file__)
TARGET, DRAFT = in_floats(THREE[0]), in_floats(THREE[1])
CYCLE = TableModel(np.roll(np.eye(5), 1, axis=1))  # 0 1 2 3 4 0 1 ...


def steps_of(target=TARGET, draft=DRAFT, prompt=(0,), num_tokens=12, gamma=3, seed=0,
             **options):
    rng = np.random.default_rng(seed)
    return list(
        speculative_decode(target, draft, prompt, num_tokens, gamma, rng, **options))


def tokens_of(steps):
    return [token for step in steps for token in step.tokens]


# --- how much is emitted -----------------------------------------------------------------

@given(num_tokens=st.integers(0, 20), gamma=st.integers(0, 6), seed=st.integers(0, 99))
def test_exactly_the_tokens_asked_for_are_emitted(num_tokens, gamma, seed):
    steps = steps_of(num_tokens=num_tokens, gamma=gamma, seed=seed)
    assert len(tokens_of(steps)) == num_tokens
    wanted = num_tokens
    for step in steps:
        assert len(step.draft_tokens) == min(gamma, wanted - 1)
        wanted -= len(step.tokens)


def test_a_perfect_draft_emits_gamma_plus_one_tokens_a_step():
    steps = steps_of(CYCLE, CYCLE, num_tokens=12, gamma=3)
    assert [step.tokens for step in steps] == [[1, 2, 3, 4], [0, 1, 2, 3], [4, 0, 1, 2]]


def test_a_stop_token_inside_the_accepted_block_ends_the_output():
    [step] = steps_of(CYCLE, CYCLE, num_tokens=12, gamma=3, stop_tokens=[2, 3])
    assert step.tokens == [1, 2]
    assert (step.draft_tokens, step.num_accepted, step.next_token) == ([1, 2, 3], 3, 4)


@pytest.mark.parametrize(("stop", "blocks"), [
    (0, [[1, 2, 3, 4], [0]]), (4, [[1, 2, 3, 4]]), (9, [[1, 2, 3, 4], [0, 1]])])
def test_a_stop_token_anywhere_in_a_block_is_the_last_token(stop, blocks):
    steps = steps_of(CYCLE, CYCLE, num_tokens=6, gamma=3, stop_tokens=[stop])
    assert [step.tokens for step in steps] == blocks


def test_a_stop_token_in_the_prompt_does_not_end_the_output():
    assert len(tokens_of(steps_of(CYCLE, CYCLE, prompt=[2], stop_tokens=[2]))) == 5


def test_a_rejected_stop_token_does_not_end_the_output():
    always_two = TableModel(np.eye(5)[[2] * 5])
    steps = steps_of(CYCLE, always_two, prompt=[3], num_tokens=3, stop_tokens=[2])
    assert tokens_of(steps) == [4, 0, 1]


def test_without_guesses_the_draft_is_never_called():
    def draft(tokens):
        raise AssertionError("the draft was called")

    steps = steps_of(draft=draft, gamma=0, num_tokens=4)
    assert [len(step.tokens) for step in steps] == [1, 1, 1, 1]
    assert len(steps_of(draft=draft, gamma=3, num_tokens=1)) == 1


def test_no_tokens_wanted_means_no_step():
    assert steps_of(num_tokens=0) == []
    assert autoregressive_decode(TARGET, [0], 0, np.random.default_rng(0)) == []


# --- what a step holds -------------------------------------------------------------------

@pytest.mark.parametrize("gamma", [0, 1, 3])
def test_a_step_is_the_whole_trace_of_itself(gamma):
    target, draft = in_floats(TWO_BACK[0]), in_floats(TWO_BACK[1])
    context = [0, 2]
    for step in steps_of(target, draft, context, num_tokens=40, gamma=gamma):
        drafted = len(step.draft_tokens)
        assert step.target_probs.shape == (drafted + 1, 3)
        assert step.draft_probs.shape == (drafted, 3)
        assert step.tokens == step.draft_tokens[: step.num_accepted] + [step.next_token]
        for i in range(drafted + 1):
            prefix = context + step.draft_tokens[:i]
            assert np.array_equal(step.target_probs[i], target(prefix)[0])
        context = context + step.tokens


def test_a_step_costs_one_pass_of_the_target():
    calls = []

    def target(tokens, num_rows=1):
        calls.append(num_rows)
        return TARGET(tokens, num_rows)

    steps = steps_of(target, gamma=3, num_tokens=30)
    assert calls == [len(step.draft_tokens) + 1 for step in steps]


def test_the_prompt_is_not_changed_and_may_be_any_sequence():
    prompt = [0, 1]
    steps = steps_of(prompt=prompt)
    assert prompt == [0, 1]
    assert tokens_of(steps) == tokens_of(steps_of(prompt=np.array(prompt)))


def test_steps_come_one_by_one():
    steps = speculative_decode(CYCLE, CYCLE, [0], 10**12, 3, np.random.default_rng(0))
    assert [step.tokens for step in islice(steps, 2)] == [[1, 2, 3, 4], [0, 1, 2, 3]]


def test_another_acceptance_rule_can_be_given():
    def reject_everything(target_probs, draft_probs, draft_tokens, rng):
        return 0, 2

    assert tokens_of(steps_of(verify=reject_everything, num_tokens=3)) == [2, 2, 2]


# --- acceptance --------------------------------------------------------------------------

P, Q = np.array([[0.25, 0.75], [1, 0]]), np.array([[0.5, 0.5]])


@pytest.mark.parametrize(("uniform", "kept"), [
    (0.0, 1), (np.nextafter(0.5, 0), 1), (0.5, 0), (np.nextafter(0.5, 1), 0)])
def test_a_guess_is_kept_when_u_is_strictly_below_p_over_q(uniform, kept):
    assert verify(P, Q, [0], InjectedRng([uniform, 0.5])) == (kept, 1 - kept)


def test_a_guess_that_the_target_excludes_is_never_kept():
    p = np.array([[0, 1], [0.5, 0.5]])
    assert verify(p, Q, [0], InjectedRng([0, 0])) == (0, 1)


def test_nothing_is_looked_at_after_the_first_rejection():
    p, q = np.array([[0, 1.0]] * 3), np.array([[0.5, 0.5]] * 2)
    rng = InjectedRng([0.9, 0.0, 0.3])
    assert verify(p, q, [0, 1], rng) == (0, 1)
    assert rng.remaining == 1


def test_one_hot_rows_reproduce_greedy_decoding_whatever_the_draft():
    likeliest = [1, 3, 1, 2]  # after each token, under SPARSE_FOUR's target
    greedy = TableModel(np.eye(4)[likeliest])
    uniform = TableModel(np.full((4, 4), 0.25))
    for draft in (greedy, uniform, in_floats(SPARSE_FOUR[1])):
        for seed in range(5):
            steps = steps_of(greedy, draft, seed=seed, num_tokens=7)
            assert tokens_of(steps) == [1, 3, 2, 1, 3, 2, 1]


def test_float32_rows_are_accepted_with_the_rounding_of_their_sums():
    tables = np.random.default_rng(0).dirichlet(np.ones(50), size=(2, 50))
    target, draft = (TableModel(table.astype(np.float32)) for table in tables)
    assert np.max(abs(target.table.sum(axis=1) - 1)) > 1e-8
    steps = steps_of(target, draft, num_tokens=200, gamma=4)
    assert steps[0].target_probs.dtype == np.float32
    assert len(tokens_of(steps)) == 200


def test_the_same_seed_gives_the_same_tokens_and_no_global_state_matters():
    first = tokens_of(steps_of(seed=5))
    np.random.seed(1)  # noqa: NPY002 - the legacy global generator is the point
    assert tokens_of(steps_of(seed=5)) == first
    assert tokens_of(steps_of(seed=6)) != first


# --- residual ----------------------------------------------------------------------------

whole_rows = st.integers(2, 5).flatmap(lambda vocab: st.lists(
    st.lists(st.integers(0, 6), min_size=vocab, max_size=vocab).filter(any),
    min_size=2, max_size=2))


@given(whole_rows)
def test_the_residual_is_what_acceptance_lacks(weights):
    """min(p, q) + (1 − Σ min(p, q)) · residual = p, exactly."""
    p, q = exact_rows(weights)
    overlap = np.minimum(p, q)
    recovered = residual(p, q)
    assert np.array_equal(overlap + (1 - overlap.sum()) * recovered, p)
    assert recovered.sum() == 1
    assert np.all(recovered >= 0)


def test_a_residual_without_mass_is_p():
    p = np.array([Fraction(1, 3), Fraction(2, 3)])
    assert np.array_equal(residual(p, p), p)
    short = np.array([0.3 - 1e-7, 0.7])  # a float32 row may sum to less than 1
    assert np.array_equal(residual(short, np.array([0.3, 0.7])), short)


def test_sample_evens_out_the_rounding_of_a_row():
    short = np.array([0.5, 0.5 - 1e-7])  # which Generator.choice alone would refuse
    assert sample(short, np.random.default_rng(0)) in (0, 1)


# --- bad input ---------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["gamma", "num_tokens"])
@pytest.mark.parametrize("value", [
    -1, np.int64(-1), 2.5, 2.0, np.float64(2), float("nan"), float("inf"), "2", None,
    Fraction(2)], ids=repr)
def test_a_number_of_tokens_that_is_none_is_refused_at_the_call(name, value):
    call = {"num_tokens": 3, "gamma": 2} | {name: value}
    message = f"{name} must be a whole number of at least 0, got {value!r}"
    with pytest.raises(ValueError, match=re.escape(message)):
        speculative_decode(
            TARGET, DRAFT, [0], rng=np.random.default_rng(0), **call)


@pytest.mark.parametrize("whole", [int, np.int64, np.uint8])
def test_a_number_of_tokens_may_be_any_whole_number(whole):
    steps = steps_of(CYCLE, CYCLE, num_tokens=whole(6), gamma=whole(3))
    assert [step.tokens for step in steps] == [[1, 2, 3, 4], [0, 1]]


def test_plain_decoding_refuses_a_negative_length():
    with pytest.raises(ValueError, match="num_tokens"):
        autoregressive_decode(TARGET, [0], -1, np.random.default_rng(0))


GOOD_P, GOOD_Q = [[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1]]


@pytest.mark.parametrize(("target_probs", "draft_probs", "draft_tokens", "named"), [
    ([[1.5, -0.5], [0.5, 0.5]], GOOD_Q, [0], "target_probs"),
    ([[0.5, 0.5], [0.5, 0.6]], GOOD_Q, [0], "target_probs"),
    ([[np.nan, 0.5], [0.5, 0.5]], GOOD_Q, [0], "target_probs"),
    ([[np.inf, 0.5], [0.5, 0.5]], GOOD_Q, [0], "target_probs"),
    ([0.5, 0.5], GOOD_Q, [0], "target_probs"),
    ([[0.5, 0.5]], GOOD_Q, [0], r"target_probs \(1, 2\)"),
    (GOOD_P, [[0.9, 0.2]], [0], "draft_probs"),
    (GOOD_P, [[1.1, -0.1]], [0], "draft_probs"),
    (GOOD_P, [[np.nan, np.nan]], [0], "draft_probs"),
    (GOOD_P, [[0.5, 0.3, 0.2]], [0], r"draft_probs \(1, 3\)"),
    (GOOD_P, [[0.9, 0.1]] * 2, [0], r"draft_probs \(2, 2\)"),
    (GOOD_P, [], [0], "draft_probs"),
    (GOOD_P, GOOD_Q, [2], r"draft_tokens\[0\] = 2"),
    (GOOD_P, GOOD_Q, [-1], r"draft_tokens\[0\] = -1"),
    (GOOD_P, [[0.0, 1.0]], [0], r"draft_tokens\[0\] = 0"),
])
def test_verify_refuses_bad_input_by_name(target_probs, draft_probs, draft_tokens, named):
    with pytest.raises(ValueError, match=named):
        verify(np.array(target_probs), np.array(draft_probs), draft_tokens,
               np.random.default_rng(0))


@pytest.mark.parametrize(("target", "draft", "named"), [
    (lambda tokens, num_rows=1: np.full((num_rows, 3), 0.5), DRAFT, "target_probs"),
    (TARGET, lambda tokens: np.array([[0.5, 0.6, 0.1]]), "draft_probs"),
    (TARGET, lambda tokens: np.array([0.5, 0.4, 0.1]), "draft_probs"),
    (TARGET, lambda tokens: np.array([[0.5, 0.5]]), "draft_probs"),
])
def test_a_model_with_bad_rows_is_named(target, draft, named):
    with pytest.raises(ValueError, match=named):
        steps_of(target, draft)


# --- the file itself ---------------------------------------------------------------------

def test_the_file_is_short_and_imports_numpy_alone():
    source = FILE.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 150
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module] if isinstance(node, ast.ImportFrom) else [])}
    assert imported - set(sys.stdlib_module_names) == {"numpy"}


def test_a_copy_of_the_file_alone_runs(tmp_path):
    copy = shutil.copy(FILE, tmp_path / "pasted.py")
    run = subprocess.run([sys.executable, "-I", copy], cwd=tmp_path, check=True,
                         capture_output=True, text=True)
    emitted = [ast.literal_eval(line.split(": ")[1]) for line in run.stdout.splitlines()]
    assert sum(map(len, emitted)) == 20
