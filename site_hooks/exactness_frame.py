"""Puts what was enumerated at build into `<spec-exactness></spec-exactness>`.

It is there before Python is up: as JSON for the panel, and as a sentence and a table for
readers without JavaScript.
"""

import json
import re
import runpy
from html import escape
from pathlib import Path
from string import Template

CONTENT = Template(Path(__file__).with_name("exactness_frame.html").read_text())
ROW = Template("<tr><td>$name</td><td>$tokens</td><td>$paths</td>"
               "<td>$distance</td><td>$verdict</td></tr>")

# Markdown wraps an element it does not know into a paragraph; a table cannot stand in one.
ELEMENT = re.compile(
    r"(?P<open><p>)?<spec-exactness(?P<attributes>[^>]*)></spec-exactness>(?(open)</p>)")


def row(name: str, result: dict) -> str:
    """Returns a table row that says what a check came to."""
    law = result["law"]
    return ROW.substitute(
        name=name, tokens=result["tokens"], paths=f"{law['paths']:,}" if law else "–",
        distance=law["distance"]["exact"] if law else "–",
        verdict=escape(": ".join(filter(None, (result["state"], result["reason"])))))


def fill(html: str, frame: dict) -> str:
    """Returns html with every <spec-exactness> filled from the frame."""

    def content(element: re.Match) -> str:
        text = json.dumps(frame, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return CONTENT.substitute(
            attributes=element["attributes"], model=escape(frame["sequences"]["model"]),
            rows="\n".join([row("one step, then the target", frame["one_step"]),
                            row("step after step", frame["sequences"])]),
            frame=escape(text, quote=False))

    return ELEMENT.sub(content, html)


def computed_frame(docs: Path) -> dict:
    """Runs the scene."""
    return runpy.run_path(str(docs / "scenes/exactness.py"))["first_frame"]()


def on_page_content(html, page, config, files):
    if not ELEMENT.search(html):
        return html
    return fill(html, computed_frame(Path(config.docs_dir)))
