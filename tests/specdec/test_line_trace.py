"""specdec.line_trace, held against tracers that share nothing with it."""

import json
import sys
import textwrap
import trace as stdlib_trace
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from specdec import edition, line_trace, speculative
from specdec.line_trace import LineTrace
from specdec.models import draft_of_quality, playground_target
from specdec.recording import InjectedRng, RecordingRng
from specdec.value_texts import TOKEN_NAMES, text_of

TARGET = playground_target()
NAME = "<a small file>"


def stream_of(seed, quality, gamma):
    """Returns an endless-looking run of speculative.py and its generator."""
    rng = RecordingRng(np.random.default_rng(seed))
    draft = draft_of_quality(TARGET, quality)
    return speculative.speculative_decode(TARGET, draft, [0], 10_000, gamma, rng), rng


def traced(source: str, call: str = "run()", rng=None):
    """Returns (what the call in this small file gives, its trace)."""
    source, space = textwrap.dedent(source), {"np": np}
    exec(compile(source, NAME, "exec"), space)
    rng = rng or InjectedRng([])
    space["rng"] = rng
    with LineTrace(NAME, source, rng, TARGET.words) as lines:
        result = eval(call, space)
    return result, lines


class HandTracer:
    """Notes (line, function, locals as texts) of one file, the plainest way."""

    def __init__(self, filename):
        self.filename, self.seen = filename, []

    def run(self, work):
        before = sys.gettrace()
        sys.settrace(self.trace)
        try:
            return work()
        finally:
            sys.settrace(before)

    def trace(self, frame, event, _argument):
        if frame.f_code.co_filename != self.filename:
            return None
        if event == "line":
            self.seen.append((frame.f_lineno, frame.f_code.co_name, {
                name: text_of(value, TARGET.words, are_tokens=name in TOKEN_NAMES)
                for name, value in frame.f_locals.items()}))
        return self.trace


settings_of_a_run = st.tuples(st.integers(0, 99), st.floats(0, 1), st.integers(0, 8))


@given(settings_of_a_run)
def test_its_lines_and_values_are_those_of_a_tracer_by_hand(run):
    steps, rng = stream_of(*run)
    by_hand, same_steps = HandTracer(speculative.__file__), stream_of(*run)[0]
    original = edition.original("speculative.py")
    for _ in range(3):
        with LineTrace(original.filename, original.text, rng, TARGET.words) as lines:
            step = next(steps)
        by_hand.seen = []
        same_step = by_hand.run(lambda: next(same_steps))
        assert step.tokens == same_step.tokens
        seen, locals_of = [], {}
        for line in lines.lines:
            known = locals_of.setdefault(line.call, {})
            known.update(line.changed)
            seen.append((line.line, lines.calls[line.call], dict(known)))
        assert seen == by_hand.seen
        assert lines.complete


def test_it_counts_each_line_as_the_standard_library_does():
    counter = stdlib_trace.Trace(count=1, trace=0)
    steps, same_steps = stream_of(5, 0.5, 4)[0], stream_of(5, 0.5, 4)
    counter.runfunc(next, steps)
    counts = {line: count for (file, line), count in counter.results().counts.items()
              if file == speculative.__file__}
    original = edition.original("speculative.py")
    with LineTrace(original.filename, original.text, same_steps[1]) as lines:
        next(same_steps[0])
    assert Counter(line.line for line in lines.lines) == counts


def test_an_edited_text_is_followed_like_the_file():
    text = edition.original("speculative.py").text.replace("rng.random() >=", "0.5 >=")
    edited = edition.load("speculative.py", text)
    rng = RecordingRng(np.random.default_rng(1))
    steps = edited.module.speculative_decode(
        TARGET, draft_of_quality(TARGET, 0.5), [0], 99, 3, rng)
    with LineTrace(edited.filename, text, rng, TARGET.words) as lines:
        next(steps)
    assert {draw.method for line in lines.lines for draw in line.draws} == {"choice"}
    rule = 1 + text.splitlines().index(
        next(line for line in text.splitlines() if "if 0.5 >=" in line))
    decided = next(line for line in lines.lines if line.line == rule)
    assert list(decided.parts) == [
        "p[token]", "q[token]", "p[token] / q[token]", "0.5 >= p[token] / q[token]"]


def test_each_draw_belongs_to_the_line_that_made_it():
    _, lines = traced("""
        def run():
            a = inner() + rng.random()
            return a

        def inner():
            rng.random()
            return rng.choice(2, p=[0.5, 0.5])
        """, rng=InjectedRng([0.25, 0.75, 0.125]))
    drawn = [(line.line, [draw.uniform for draw in line.draws]) for line in lines.lines]
    assert drawn == [(3, []), (7, [0.25]), (8, [0.75, 0.125]), (4, [])]


def test_draws_made_before_it_belong_to_no_line():
    rng = InjectedRng([0.5, 0.25])
    rng.random()
    _, lines = traced("def run():\n    return rng.random()\n", rng=rng)
    assert [draw.uniform for line in lines.lines for draw in line.draws] == [0.25]


def test_a_value_is_told_as_it_was_before_the_line():
    _, lines = traced("""
        def run():
            row = np.zeros(2)
            row[0] = 7
            row += 1
            del row
            return None
        """)
    assert [(line.line, line.changed) for line in lines.lines] == [
        (3, {}), (4, {"row": "[0, 0]"}), (5, {"row": "[7, 0]"}),
        (6, {"row": "[8, 1]"}), (7, {"row": None})]


def test_parts_are_plain_and_wanted_whichever_way_the_line_goes():
    _, lines = traced("""
        def run():
            p, k, f, none = [0.5, 0.25], 1, len, 0
            a = f(p) + p[k] * 2 + (p[0] / none if none else none)
            b = none and p[0] / none
            c = [p[k] for k in (0, 1)] + p[k:]
            return p[
                k] + p.index(0.5) + p[0]
        """)
    parts = {line.line: line.parts for line in lines.lines if "b" not in line.changed}
    assert parts[4] == {"p[k]": "0.25", "p[k] * 2": "0.5"}
    assert parts[5] == {"none and p[0] / none": "0"}
    assert parts[6] == {"p[k:]": "[0.25]"}


def test_a_part_that_cannot_be_had_is_left_out_and_warns_nobody():
    _, lines = traced("""
        def run():
            p, q = np.ones(2), np.zeros(2)
            with np.errstate(divide="ignore"):
                p = p / q[0]
            try:
                return p[7]
            except IndexError:
                return 0
        """)
    parts = {line.line: line.parts for line in lines.lines}
    assert parts[5] == {"q[0]": "0", "p / q[0]": "[inf, inf]"}
    assert parts[7] == {}


def test_an_expression_of_great_depth_is_followed_without_its_parts():
    deep = "+".join(["i"] * 2000)
    result, lines = traced(f"def run():\n    i = 1\n    return {deep}\n")
    assert result == 2000
    assert [line.line for line in lines.lines] == [2, 3]


def test_what_a_call_returns_stands_at_its_last_line():
    _, lines = traced("""
        def run():
            try:
                fails()
            except KeyError:
                pass
            return list(yields())

        def fails():
            raise KeyError

        def yields():
            yield 5
            yield 6
        """)
    returned = [(line.line, line.returned) for line in lines.lines if line.returned]
    assert returned == [(7, "[5, 6]"), (13, "5"), (14, "6")]
    assert lines.calls == ["run", "fails", "yields", "yields", "yields"]


def test_token_ids_are_told_with_their_words():
    _, lines = traced("def run():\n    token, i = 4, 4\n    return [token][0] + [i][0]\n")
    assert lines.lines[-1].changed == {"token": "4 “cat”", "i": "4"}
    assert lines.lines[-1].parts["[token][0]"] == "4 “cat”"


def test_the_trace_function_from_before_is_back_also_after_an_exception():
    by_hand = HandTracer(NAME)

    def work():
        for source in ("def run(): return 1", "def run(): return 1 / 0"):
            try:
                traced(source)
            except ZeroDivisionError:
                assert sys.gettrace() == by_hand.trace
        return sys.gettrace()

    assert by_hand.run(work) == by_hand.trace


def test_a_run_that_is_too_long_to_follow_is_cut_and_goes_on(monkeypatch):
    monkeypatch.setattr(line_trace, "MAX_LINES", 50)
    result, lines = traced("""
        def run():
            total = 0
            for i in range(1000):
                total += i
                rng.random()
            return total
        """, rng=RecordingRng(np.random.default_rng(1)))
    assert result == sum(range(1000))
    assert len(lines.lines) == 50 and not lines.complete
    assert sum(len(line.draws) for line in lines.lines) == 16


def test_it_is_small_enough_to_send_at_every_step():
    for run in ((1, 0.9, 8), (2, 0, 8), (3, 1, 1)):
        steps, rng = stream_of(*run)
        original = edition.original("speculative.py")
        with LineTrace(original.filename, original.text, rng, TARGET.words) as lines:
            next(steps)
        assert len(json.dumps([line.as_dict() for line in lines.lines])) < 30_000


def test_nothing_empty_is_sent():
    _, lines = traced("def run():\n    rng.random()\n    return 0\n", rng=InjectedRng([0.5]))
    assert [line.as_dict() for line in lines.lines] == [
        {"line": 2, "call": 0, "draws": [{"method": "random", "uniform": "0.5"}]},
        {"line": 3, "call": 0, "returned": "0"}]
