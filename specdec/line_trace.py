"""Which lines of a file the interpreter runs, and what its variables held before each.

The file itself carries no instrumentation: Python's own trace hook tells, in the very run
whose results are used. `LineTrace` listens to one file and leaves all others alone.
"""

import ast
import functools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import CodeType, FrameType
from typing import Self

import numpy as np

from specdec.recording import Draw, RecordingRng
from specdec.value_texts import TOKEN_NAMES, text_of

MAX_LINES = 2000  # then a trace is cut: nobody steps through more, and memory stays small

_LONGEST_PART = 60  # characters: there is no room for more

# Parts of a line that can be evaluated without running anything of a reader's: operators on
# plain values. A call, an attribute or a function within is none.
_SHOWN_PARTS = (ast.Subscript, ast.BinOp, ast.BoolOp, ast.Compare)
_PURE = (*_SHOWN_PARTS, ast.Name, ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Slice,
         ast.Load, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_OTHER_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PLAIN = frozenset((bool, int, float, str, Fraction, np.ndarray, list, tuple, type(None)))


@dataclass
class Line:
    """One line about to run, and what came of it.

    Attributes:
        line: its number, from 1.
        call: which call it belongs to: an index into `LineTrace.calls`.
        changed: {variable: text} the locals that are new or other than at the line before
            in this call; None for one that is gone.
        parts: {source: text} values of parts of the line that hold no call.
        draws_before: how many random numbers the run had drawn before it.
        draws: what was drawn while it ran, functions that it called apart.
        returned: text of what its call returned or yielded by it.
    """

    line: int
    call: int
    changed: dict[str, str | None]
    parts: dict[str, str]
    draws_before: int
    draws: list[Draw] = field(default_factory=list)
    returned: str | None = None

    def as_dict(self) -> dict:
        """Returns it as JSON-able data; what is empty is left out."""
        draws = [{"method": draw.method, "uniform": text_of(draw.uniform)} for draw in self.draws]
        optional = {"changed": self.changed, "parts": self.parts, "draws": draws,
                    "returned": self.returned}
        return {"line": self.line, "call": self.call,
                **{name: value for name, value in optional.items() if value}}


class LineTrace:
    """Records the lines that run within its `with` block.

    Attributes:
        calls: the name of the function of each call, in order; a generator that goes on
            is a call.
        lines: the lines in the order in which they ran.
        complete: False if more than MAX_LINES ran: the first are kept.
    """

    def __init__(self, filename: str, source: str, rng: RecordingRng,
                 words: Sequence[str] = ()):
        """Listens to nothing yet.

        Args:
            filename: the `co_filename` of the code to follow.
            source: its text.
            rng: what the code draws from.
            words: [vocab] what token ids stand for, see `text_of`.
        """
        self.calls: list[str] = []
        self.lines: list[Line] = []
        self.complete = True
        self._filename, self._rng, self._words = filename, rng, words
        self._parts = _parts_by_line(source)

    def __enter__(self) -> Self:
        self._other_trace = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *_) -> None:
        sys.settrace(self._other_trace)
        if self.complete:
            self._note_draws()

    def _note_draws(self) -> None:
        """Gives the newest line what was drawn since it began."""
        if self.lines:
            self.lines[-1].draws = self._rng.draws[self.lines[-1].draws_before:]

    def _called(self, frame: FrameType, _event, _argument):
        if frame.f_code.co_filename != self._filename:
            return None
        call = len(self.calls)
        self.calls.append(frame.f_code.co_name)
        texts: dict[str, str] = {}
        last: Line | None = None
        raised = False

        def happened(frame, event, argument):
            nonlocal last, raised
            if not self.complete:
                return None
            if event == "line":
                last, raised = self._ran(frame, call, texts), False
            elif event == "exception":
                raised = True
            elif event == "return" and last and not raised:
                last.returned = self._told(frame.f_code.co_name, argument)
            return happened

        return happened

    def _ran(self, frame: FrameType, call: int, texts: dict[str, str]) -> Line | None:
        self._note_draws()
        if len(self.lines) == MAX_LINES:
            self.complete = False
            sys.settrace(self._other_trace)
            return None
        values = {name: value for name, value in frame.f_locals.items() if name.isidentifier()}
        now = {name: self._told(name, value) for name, value in values.items()}
        changed = {name: text for name, text in now.items() if texts.get(name) != text}
        changed |= dict.fromkeys(texts.keys() - now.keys())
        texts.clear()
        texts.update(now)
        parts = {
            source: self._told(name, value) for source, name, value
            in _evaluated(self._parts.get(frame.f_lineno, ()), values)}
        line = Line(frame.f_lineno, call, changed, parts, len(self._rng.draws))
        self.lines.append(line)
        return line

    def _told(self, name: str, value) -> str:
        return text_of(value, self._words, are_tokens=name in TOKEN_NAMES)


@dataclass(frozen=True)
class _Part:
    source: str
    code: CodeType
    names: frozenset[str]
    named_after: str  # the first variable in it: guesses[:2] holds what guesses holds


@functools.lru_cache(maxsize=4)
def _parts_by_line(source: str) -> dict[int, list[_Part]]:
    """Returns the parts of each line that can be shown, inner ones first."""
    parts: dict[int, list[_Part]] = {}
    try:
        nodes = list(_shown_parts(ast.parse(source)))
    except RecursionError:  # an expression too deep to look into
        nodes = []
    for node in nodes:
        names = [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
        if names:
            parts.setdefault(node.lineno, []).append(_Part(
                ast.get_source_segment(source, node),
                compile(ast.Expression(node), "<part of a line>", "eval"),
                frozenset(names), names[0]))
    return parts


def _shown_parts(node: ast.AST) -> Iterator[ast.expr]:
    """Yields the parts within a node whose value is wanted whenever the node runs."""
    if isinstance(node, _OTHER_SCOPES):
        return
    if isinstance(node, ast.IfExp):
        within = [node.test]
    elif isinstance(node, ast.BoolOp):
        within = node.values[:1]
    else:
        within = ast.iter_child_nodes(node)
    for inner in within:
        yield from _shown_parts(inner)
    if (isinstance(node, _SHOWN_PARTS) and node.lineno == node.end_lineno
            and node.end_col_offset - node.col_offset <= _LONGEST_PART
            and all(isinstance(inner, _PURE) for inner in ast.walk(node))):
        yield node


def _evaluated(parts, values) -> Iterator[tuple[str, str, object]]:
    """Yields (source, variable it is named after, value) where the values are plain."""
    for part in parts:
        if all(name in values and _is_plain(values[name]) for name in part.names):
            try:
                with np.errstate(all="ignore"):
                    value = eval(part.code, {"__builtins__": {}}, values)
            except Exception:
                continue  # the line itself will say what is wrong
            yield part.source, part.named_after, value


def _is_plain(value) -> bool:
    return type(value) in _PLAIN or isinstance(value, np.generic)
