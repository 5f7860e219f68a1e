"""Work done in parts, so that whoever waits for something else is not kept long."""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def completed(ask: Callable[[], Result | None]) -> Result:
    """Returns what the work comes to, having all of its parts done.

    Args:
        ask: does the next part; gives None while there are more.
    """
    while (result := ask()) is None:
        pass
    return result
