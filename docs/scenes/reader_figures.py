"""A matplotlib backend for a reader's code: what it draws becomes pictures for the page.

As in a notebook, a figure is done when it is shown, or when the code comes to an end.
Imported in the tab only, and only once a reader's code has asked for matplotlib.
"""

import base64
import io
import sys
import warnings
from collections import deque

from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas
from matplotlib.figure import Figure

__all__ = ["FigureCanvas", "alt_text", "show", "take"]

NEWEST = 4  # of the figures shown, so many are kept
MAX_PIXELS = 2000  # of a picture's longer side

_shown: deque[Figure] = deque(maxlen=NEWEST)

# For those who choose the backend "agg" themselves: the page shows their figures all the same.
warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")


def show(block: bool | None = None) -> None:
    """Does `pyplot.show()`: all open figures are done, the next one is new."""
    _shown.extend(pyplot.figure(number) for number in pyplot.get_fignums())
    pyplot.close("all")


def take(wanted: bool = True) -> list[dict]:
    """Returns the newest figures since the last call, as pictures; closes all figures.

    Returns:
        {"url": a PNG as data URL, "alt": what it shows} for each, in order; none of them if
        they are not wanted.
    """
    show()
    figures = list(_shown) if wanted else []
    _shown.clear()
    return [picture for figure in figures for picture in _pictures(figure)]


def alt_text(figure: Figure) -> str:
    """Returns what its titles and labels say, for readers who do not see it."""
    parts = [figure.get_suptitle()]
    for axes in figure.axes:
        parts += [axes.get_title(), *(
            f"{name}: {label}" for name, label in (
                ("x", axes.get_xlabel()), ("y", axes.get_ylabel())) if label)]
    return ". ".join(filter(None, parts)) or "Figure without title or labels"


def _pictures(figure):
    """Returns a list of its picture, or an empty one if it cannot be drawn."""
    longer = max(figure.get_size_inches())
    png = io.BytesIO()
    try:
        figure.savefig(png, format="png", dpi=min(figure.dpi, MAX_PIXELS / longer))
    except Exception as error:  # mathtext with a mistake in it, an artist of the reader's
        print(f"A figure could not be drawn: {type(error).__name__}: {error}", file=sys.stderr)
        return []
    data = base64.b64encode(png.getvalue()).decode()
    return [{"url": f"data:image/png;base64,{data}", "alt": alt_text(figure)}]
