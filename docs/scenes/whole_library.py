"""Lets Python find the whole standard library; it started with the modules the lab uses."""

import importlib
import sys

STARTED_WITH = "/lib/python314.zip"


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
