"""Puts a first run into `<spec-playground></spec-playground>`, made by the scene at build.

It is there before Python is up: as JSON for the widget to show and go on from, and as a
picture with a caption for readers without JavaScript.
"""

import io
import json
import re
import runpy
from html import escape
from pathlib import Path
from string import Template

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

CONTENT = Template(Path(__file__).with_name("first_frame.html").read_text())

# Markdown wraps an element it does not know into a paragraph; a figure cannot stand in one.
ELEMENT = re.compile(
    r"(?P<open><p>)?<spec-playground(?P<attributes>[^>]*)></spec-playground>(?(open)</p>)")

# kind: mark, label, colour. In the SVG the colour gives way to the style sheet's, which
# follows the palette; the mark says the same without colour.
KINDS = {
    "accepted": ("✓", "accepted", "#009e73"),
    "rejected": ("✗", "rejected", "#d55e00"),
    "recovered": ("↺", "resampled", "#0072b2"),
    "discarded": ("–", "discarded", "#999999"),
    "bonus": ("+", "bonus", "#cc79a7"),
}
INK = "#010203"  # stands for the colour of the text around the picture

PLACE_WIDTH, LANE_HEIGHT, STEP_HEIGHT, LABEL_WIDTH = 1.0, 0.36, 0.88, 0.3  # inches


def emitted_words(frames: list[dict]) -> list[str]:
    """Returns the words that these steps put out, in order."""
    return [
        cell["word"]
        for frame in frames
        for cell in sorted(frame["cells"], key=lambda cell: cell["position"])
        if cell["kind"] in ("accepted", "recovered", "bonus")
    ]


def sentence(words: list[str]) -> str:
    """Joins words as they are read: no space before a full stop, a capital after it."""
    text = " ".join(words).replace(" .", ".")
    return re.sub(r"(?:^|(?<=\. ))\w", lambda first: first[0].upper(), text)


def description(frames: list[dict]) -> str:
    """Says in words what the picture of these steps shows."""
    return " ".join(
        f"Step {frame['step']}: "
        + ", ".join(f"{cell['word']} ({KINDS[cell['kind']][1]})" for cell in frame["cells"])
        + "."
        for frame in frames
    )


def picture(frames: list[dict]) -> str:
    """Draws the steps as an SVG whose colours follow the page's.

    One row a step: what the draft guessed, below it what the target put in place.
    """
    places = max(cell["position"] for frame in frames for cell in frame["cells"]) + 1
    width = LABEL_WIDTH + places * PLACE_WIDTH
    height = (len(frames) + 0.5) * STEP_HEIGHT
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for row, frame in enumerate(frames):
        top = row * STEP_HEIGHT + LANE_HEIGHT / 2
        _text(axes, 0.04, top, f"{frame['step']}", ha="left", size=12, weight="bold")
        for cell in frame["cells"]:
            lane = 1 if cell["kind"] in ("recovered", "bonus") else 0
            _chip(axes, LABEL_WIDTH + cell["position"] * PLACE_WIDTH,
                  top + lane * LANE_HEIGHT * 1.1, cell["word"], cell["kind"])
    for i, (kind, (_, label, _)) in enumerate(KINDS.items()):
        x = (i + 0.5) * width / len(KINDS) - PLACE_WIDTH / 2
        _chip(axes, x, height - LANE_HEIGHT / 2, label, kind, size=9.5)
    return _svg(figure, description(frames))


def _chip(axes, x: float, y: float, word: str, kind: str, size: float = 12) -> None:
    mark, _, colour = KINDS[kind]
    faint = kind == "discarded"
    axes.add_patch(FancyBboxPatch(
        (x + 0.04, y - LANE_HEIGHT * 0.36), PLACE_WIDTH - 0.08, LANE_HEIGHT * 0.72,
        boxstyle="round,pad=0,rounding_size=.08", edgecolor=colour, linewidth=1.6,
        facecolor=(colour, 0 if faint else 0.18),
        linestyle="dotted" if faint else "solid", clip_on=False))
    _text(axes, x + PLACE_WIDTH / 2, y, f"{mark} {word}", ha="center", size=size,
          alpha=0.75 if faint else 1)


def _text(axes, x: float, y: float, text: str, **style) -> None:
    axes.text(x, y, text, va="center_baseline", color=INK, **style)


def _svg(figure: Figure, label: str) -> str:
    file = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "first frame"}):
        figure.savefig(file, format="svg", transparent=True,
                       metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    svg = file.getvalue()
    svg = svg[svg.index("<svg"):]  # the prolog has no place in a page
    svg = re.sub(r"<style.*?</style>", "", svg, count=1)  # it would style the whole page
    svg = re.sub(r'(<svg[^>]*) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r' id="[^"]*"', "", svg)  # nothing refers to them
    svg = re.sub(r'(?<= d=")[^"]*', lambda path: _tenths(path[0]), svg)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)
    for kind, (_, _, colour) in KINDS.items():
        svg = svg.replace(colour, f"var(--spec-{kind}, {colour})")
    return svg.replace(INK, "currentColor")


def _tenths(path: str) -> str:
    """Returns the path in tenths of a pixel: finer digits only weigh."""
    return re.sub(r"(\.\d)\d+", r"\1", " ".join(path.split()))


def as_json(frame: dict) -> str:
    """Returns the frame as JSON, written as the text of an HTML element.

    It stands in a <template>: instant navigation runs a page's <script> elements anew,
    whatever their type.
    """
    text = json.dumps(frame, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return escape(text, quote=False)


def fill(html: str, frame: dict) -> str:
    """Returns html with every <spec-playground> filled from the frame."""
    settings, total = frame["defaults"], frame["state"]["run"]

    def content(element: re.Match) -> str:
        return CONTENT.substitute(
            attributes=element["attributes"],
            picture=picture(frame["frames"]),
            quality=settings["quality"],
            gamma=settings["gamma"],
            steps=total["steps"],
            tokens=total["tokens_emitted"],
            text=escape(sentence(emitted_words(frame["frames"]))),
            frame=as_json(frame),
        )

    return ELEMENT.sub(content, html)


def computed_frame(docs: Path) -> dict:
    """Runs the scene."""
    return runpy.run_path(str(docs / "scenes/playground.py"))["first_frame"]()


def on_page_content(html, page, config, files):
    if not ELEMENT.search(html):
        return html
    return fill(html, computed_frame(Path(config.docs_dir)))
