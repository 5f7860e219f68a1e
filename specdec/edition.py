"""The code in force: `speculative.py` as it stands, or a reader's text in its place.

A text becomes a module of its own, beside the original, never over it. What goes wrong in
it, at whatever depth, is told as a `CodeProblem`: the line of the text and plain words.
"""

import functools
import hashlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from specdec import speculative

FILENAME = "<edited speculative.py>"  # what tracebacks and traces call a reader's text
_MODULE_NAME = "specdec_edited_speculative"


class CodeProblem(Exception):
    """What is wrong with a reader's code.

    Attributes:
        message: one sentence.
        line: the line of the text, from 1; None when no line of it is to blame.
    """

    def __init__(self, message: str, line: int | None = None):
        super().__init__(message if line is None else f"line {line}: {message}")
        self.message, self.line = message, line


@dataclass(frozen=True)
class Edition:
    """A text of `speculative.py` and the module it makes.

    Attributes:
        text: the source.
        module: what it defines: speculative_decode, verify, residual, ...
        filename: the `co_filename` of its code objects.
        edited: False for the package's own file.
    """

    text: str
    module: ModuleType
    filename: str
    edited: bool

    @property
    def sha256(self) -> str:
        """The SHA-256 of the text in UTF-8, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def steps(self, target, draft, prompt, num_tokens, gamma, rng) -> Iterator:
        """Returns what its speculative_decode makes, to be asked for by `next_step`.

        Raises:
            CodeProblem: it raised, or returned what cannot be gone through.
        """
        with problems_told():  # the prompt is a copy: a reader's code may change it
            return iter(self.module.speculative_decode(
                target, draft, list(prompt), num_tokens, gamma, rng))


@functools.cache
def original() -> Edition:
    """Returns the package's own file, as imported."""
    return Edition(inspect.getsource(speculative), speculative, speculative.__file__, False)


def load(text: str) -> Edition:
    """Returns the edition that this text makes. It is run once, as a module.

    Raises:
        CodeProblem: no Python, an exception while it ran, no speculative_decode in it.
    """
    try:
        code = compile(text, FILENAME, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise CodeProblem(f"Python cannot read this: {error.msg}", error.lineno) from None
    except ValueError as error:  # a null character
        raise CodeProblem(f"Python cannot read this: {error}") from None
    module = ModuleType(_MODULE_NAME)
    sys.modules[_MODULE_NAME] = module  # where dataclasses look their module up
    with problems_told():
        exec(code, module.__dict__)
    if not callable(getattr(module, "speculative_decode", None)):
        raise CodeProblem("There is no function speculative_decode in it any more")
    return Edition(text, module, FILENAME, True)


_current: Edition | None = None


def current() -> Edition:
    """Returns the edition in force; the original until `use` says otherwise."""
    return _current or original()


def use(text: str | None) -> Edition:
    """Puts a text in force, or the original again (None); returns the edition.

    Raises:
        CodeProblem: as `load`; what was in force stays so.
    """
    global _current
    _current = None if text is None else load(text)
    return current()


@contextmanager
def problems_told() -> Iterator[None]:
    """Turns whatever a reader's code raises within the block into a `CodeProblem`."""
    try:
        yield
    except CodeProblem:
        raise
    except BaseException as error:  # a reader's code may raise anything, SystemExit too
        raise CodeProblem(in_plain_words(error), line_of(error)) from error


def line_of(error: BaseException) -> int | None:
    """Returns the innermost line of a reader's text that the error passed through."""
    line, traceback = None, error.__traceback__
    while traceback:
        if traceback.tb_frame.f_code.co_filename == FILENAME:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def in_plain_words(error: BaseException) -> str:
    """Returns one sentence that names the error."""
    if isinstance(error, ModuleNotFoundError):
        return (f"There is no module {error.name!r} here: this Python has NumPy, "
                "matplotlib and the standard library")
    if isinstance(error, RecursionError):
        return "RecursionError: a function calls itself without end"
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


_ENDED = object()


def next_step(steps: Iterator, vocab: int, *, ended: str):
    """Returns the next step that a reader's code makes.

    Args:
        steps: from `Edition.steps`.
        vocab: ids lie in [0, vocab).
        ended: what to say if there is none.

    Raises:
        CodeProblem: it raised, made what is no step, or ended.
    """
    with problems_told():
        step = next(steps, _ENDED)
    if step is _ENDED:
        raise CodeProblem(ended)
    check_step(step, vocab)
    return step


def check_step(step, vocab: int) -> None:
    """Refuses what is no step, so that no nonsense is drawn or counted.

    Args:
        step: what the code yielded.
        vocab: ids lie in [0, vocab).

    Raises:
        CodeProblem: the message names the attribute and says what it should have been.
    """
    guesses = _ids(step, "draft_tokens", vocab)
    emitted = _ids(step, "tokens", vocab)
    accepted, next_token = _of(step, "num_accepted"), _of(step, "next_token")
    if not (_is_whole(accepted) and 0 <= accepted <= len(guesses)):
        raise CodeProblem(f"num_accepted should be a whole number from 0 to {len(guesses)}, "
                          f"the guesses made, but is {accepted!r}")
    if not (_is_whole(next_token) and 0 <= next_token < vocab):
        raise CodeProblem(f"next_token should be a token id from 0 to {vocab - 1}, "
                          f"but is {next_token!r}")
    if not emitted or emitted != [*guesses[:accepted], next_token][: len(emitted)]:
        raise CodeProblem(f"tokens should be the guesses accepted, then next_token: "
                          f"{[*guesses[:accepted], next_token]}, but is {emitted}")
    for name, rows in (("target_probs", len(guesses) + 1), ("draft_probs", len(guesses))):
        try:
            probs = np.asarray(_of(step, name)).astype(float)
        except (TypeError, ValueError):
            raise CodeProblem(f"{name} should hold numbers") from None
        if probs.shape != (rows, vocab):
            raise CodeProblem(f"{name} should be {rows} rows of {vocab} numbers, "
                              f"but has shape {list(probs.shape)}")
        if not np.all(np.isfinite(probs)):
            raise CodeProblem(f"{name} should hold finite numbers, but a row is "
                              f"{probs[~np.isfinite(probs).all(axis=1)][0]}")


def _of(step, name):
    try:
        return getattr(step, name)
    except AttributeError:
        raise CodeProblem(f"speculative_decode should yield steps with {name}, "
                          f"but yielded {step!r:.80}") from None


def _ids(step, name, vocab):
    ids = _of(step, name)
    if not (isinstance(ids, list | tuple | np.ndarray)
            and all(_is_whole(i) and 0 <= i < vocab for i in ids)):
        raise CodeProblem(f"{name} should be a list of token ids from 0 to {vocab - 1}, "
                          f"but is {ids!r:.80}")
    return list(ids)


def _is_whole(number):
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
