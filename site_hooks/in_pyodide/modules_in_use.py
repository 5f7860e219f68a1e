"""Runs in Pyodide, at build time: what the lab imports of the standard library."""

import importlib
import sys
from pathlib import Path
from pkgutil import iter_modules


def modules_in_use(folder: str) -> list[str]:
    """Returns the paths of the modules within the folder, after all scenes were at work.

    Imports come late too: inside functions, and when something goes wrong. What is
    missed here fails in the page, where no browser test may need another module.
    """
    import numpy as np

    import specdec

    np.random.default_rng(0).choice(2, p=[0.5, 0.5])
    for module in iter_modules(specdec.__path__):
        importlib.import_module(f"specdec.{module.name}")
    scenes = {path.stem: importlib.import_module(path.stem)
              for path in Path(sys.path[-1]).glob("*.py")
              if path.stem != "reader_figures"}  # which imports matplotlib
    for scene in scenes.values():
        if hasattr(scene, "first_frame"):
            scene.first_frame()
    _make_mistakes()
    return sorted(
        module.__file__.removeprefix(f"{folder}/").removesuffix("c")
        for module in list(sys.modules.values())
        if (getattr(module, "__file__", None) or "").startswith(f"{folder}/"))


def _make_mistakes():
    """Makes those of a reader's code, which are told in plain words."""
    from pyodide.code import find_imports

    from specdec import edition

    for text in ("def", "import no_such_module", "raise ValueError(1)"):
        find_imports("import json")
        try:
            edition.use("speculative.py", text)
        except edition.CodeProblem as problem:
            str(problem)
    edition.use("speculative.py", None)
