"""The code in force: each file of specdec as it stands, or a reader's text in its place.

A text becomes a module of its own, beside the original, never over it. What goes wrong in
it, at whatever depth, is told as a `CodeProblem`: the file, the line and plain words.
"""

import functools
import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType

_EDITED, _END = "<edited ", ">"  # around the name of a file, in tracebacks and traces


class CodeProblem(Exception):
    """What is wrong with a reader's code.

    Attributes:
        message: one sentence.
        line: the line of the text, from 1; None when no line of it is to blame.
        file: "speculative.py", ...: the file whose text it is; None when that is not known.
    """

    def __init__(self, message: str, line: int | None = None, file: str | None = None):
        super().__init__(message if line is None else f"line {line}: {message}")
        self.message, self.line, self.file = message, line, file


@dataclass(frozen=True)
class Edition:
    """A text of a file and the module it makes.

    Attributes:
        file: the file's name within specdec: "speculative.py", ...
        text: the source.
        module: what it defines.
        filename: the `co_filename` of its code objects.
        edited: False for the package's own file.
    """

    file: str
    text: str
    module: ModuleType
    filename: str
    edited: bool

    @property
    def sha256(self) -> str:
        """The SHA-256 of the text in UTF-8, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def function(self, name: str) -> Callable:
        """Returns the function of this name, to be called within `problems_told`.

        Raises:
            CodeProblem: a reader's text does not define it.
        """
        function = getattr(self.module, name, None)
        if not callable(function):
            raise CodeProblem(f"There is no function {name} in it any more", file=self.file)
        return function


@functools.cache
def original(file: str) -> Edition:
    """Returns the package's own file, as imported.

    Args:
        file: the name of a module of specdec with its ending: "speculative.py", ...

    Raises:
        ValueError: the package has no such file.
    """
    name, ending, rest = file.partition(".py")
    try:
        if not ending or rest:
            raise ModuleNotFoundError
        module = importlib.import_module(f"specdec.{name}")
    except ModuleNotFoundError:
        raise ValueError(f"specdec has no file {file!r}") from None
    return Edition(file, inspect.getsource(module), module, module.__file__, False)


def load(file: str, text: str) -> Edition:
    """Returns the edition that this text of the file makes. It is run once, as a module.

    What the original defines under the file's own name, as speculative.py defines
    speculative_decode, has to be there. Anything else is missed when it is asked for.

    Raises:
        ValueError: the package has no such file.
        CodeProblem: no Python, an exception while it ran, no function of the file's name.
    """
    filename, stem = f"{_EDITED}{file}{_END}", file.removesuffix(".py")
    needed = [name for name, value in vars(original(file).module).items()
              if name.startswith(f"{stem}_") and inspect.isfunction(value)]
    try:
        code = compile(text, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        message = f"Python cannot read this: {error.msg}"
        raise CodeProblem(message, error.lineno, file) from None
    except ValueError as error:  # a null character
        raise CodeProblem(f"Python cannot read this: {error}", file=file) from None
    module = ModuleType(f"specdec_edited_{stem}")
    sys.modules[module.__name__] = module  # where dataclasses look their module up
    with problems_told(file):
        exec(code, module.__dict__)
    edition = Edition(file, text, module, filename, True)
    for name in needed:
        edition.function(name)
    return edition


_edited: dict[str, Edition] = {}


def current(file: str) -> Edition:
    """Returns the edition of a file in force; the original until `use` says otherwise.

    Raises:
        ValueError: the package has no such file.
    """
    return _edited.get(file) or original(file)


def use(file: str, text: str | None) -> Edition:
    """Puts a text of a file in force, or the original again (None); returns the edition.

    Raises:
        ValueError: the package has no such file.
        CodeProblem: as `load`; what was in force stays so.
    """
    if text is None:
        _edited.pop(file, None)
    else:
        _edited[file] = load(file, text)
    return current(file)


@contextmanager
def problems_told(file: str | None = None) -> Iterator[None]:
    """Turns whatever a reader's code raises within the block into a `CodeProblem`.

    Args:
        file: what is at work there; to blame unless the error comes from a line of another
            text of the reader's.
    """
    try:
        yield
    except CodeProblem:
        raise
    except BaseException as error:  # a reader's code may raise anything, SystemExit too
        blamed, line = place_of(error) or (file, None)
        raise CodeProblem(in_plain_words(error), line, blamed) from error


def place_of(error: BaseException) -> tuple[str, int] | None:
    """Returns (file, line): the innermost of a reader's texts that the error passed through."""
    place, traceback = None, error.__traceback__
    while traceback:
        filename = traceback.tb_frame.f_code.co_filename
        if filename.startswith(_EDITED):
            place = filename.removeprefix(_EDITED).removesuffix(_END), traceback.tb_lineno
        traceback = traceback.tb_next
    return place


def in_plain_words(error: BaseException) -> str:
    """Returns one sentence that names the error."""
    if isinstance(error, ModuleNotFoundError):
        return (f"There is no module {error.name!r} here: this Python has NumPy, "
                "matplotlib and the standard library")
    if isinstance(error, RecursionError):
        return "RecursionError: a function calls itself without end"
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
