"""Lets Python find the whole standard library; it started with the modules the lab uses."""

import ast
import importlib
import sys

STARTED_WITH = "/lib/python314.zip"


def is_missed_by(code: str) -> bool:
    """Tells whether an import in code fails for want of the library's other modules.

    Each is tried, for a module that is there may import one that is not.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return False  # told when the code is taken in
    return any(_fails_for_want_of_it(node) for node in ast.walk(tree)
               if isinstance(node, ast.Import | ast.ImportFrom))


def mount(archive: str) -> None:
    """Adds an archive of the whole library, from which everything not yet imported comes.

    A package of which Python has some modules already finds the others there too.
    """
    sys.path.insert(sys.path.index(STARTED_WITH), archive)
    for module in list(sys.modules.values()):
        for folder in list(getattr(module, "__path__", ())):
            if folder.startswith(f"{STARTED_WITH}/"):
                module.__path__.append(folder.replace(STARTED_WITH, archive))
    importlib.invalidate_caches()


def _fails_for_want_of_it(statement) -> bool:
    try:
        exec(compile(ast.Module([statement], []), "<imports>", "exec"), {})
    except ImportError as error:
        return (error.name or "").partition(".")[0] in sys.stdlib_module_names
    except Exception:
        return False  # told when the code is taken in
    return False
