"""Fills `<spec-source file="speculative.py"></spec-source>` with that file of specdec.

The file is highlighted at build. The text content of the panel's <code> is the file,
byte for byte; each line is an element with its number in `data-line`.
"""

import hashlib
import io
import re
from html import escape
from pathlib import Path
from string import Template

from mkdocs.exceptions import PluginError
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

PANEL = Template(Path(__file__).with_name("source_panel.html").read_text())

# Markdown wraps an element it does not know into a paragraph; a panel cannot stand in one.
ELEMENT = re.compile(
    r'(?P<open><p>)?<spec-source file="(?P<file>[^"]*)"></spec-source>(?(open)</p>)')


def highlighted_lines(source: str) -> list[str]:
    """Returns the lines of the source as HTML elements, nothing added to their text."""
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    html = highlight(source, lexer, HtmlFormatter(nowrap=True))
    if not source.endswith("\n"):
        html = html.removesuffix("\n")  # the formatter ends every line
    return [
        f'<span data-line="{number}">{line}</span>'
        for number, line in enumerate(io.StringIO(html), start=1)
    ]


def panel(name: str, content: bytes) -> str:
    """Returns the panel of the file with this name and content."""
    lines = highlighted_lines(content.decode())
    return PANEL.substitute(
        name=escape(name),
        sha256=hashlib.sha256(content).hexdigest(),
        lines=len(lines),
        code="".join(lines),
    )


def fill(html: str, package: Path) -> str:
    """Returns html with every <spec-source> filled from the folder of the package.

    Raises:
        PluginError: the file is not there, or outside the folder.
    """

    def panel_of(element: re.Match) -> str:
        name = element["file"]
        path = (package / name).resolve()
        if not (path.is_relative_to(package.resolve()) and path.is_file()):
            raise PluginError(f'<spec-source file="{name}">: not in {package.name}/')
        return panel(name, path.read_bytes())

    return ELEMENT.sub(panel_of, html)


def on_page_content(html, page, config, files):
    return fill(html, Path(config.config_file_path).parent / "specdec")
