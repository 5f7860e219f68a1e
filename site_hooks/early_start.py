"""Lets a page with a playground load widgets/early.js ahead of all other scripts.

The theme's scripts stand at the end of the page and run for as long as Python's first files
take to come.
"""

from html import escape
from pathlib import Path
from string import Template

from mkdocs.utils import get_relative_url

HEAD = Template(Path(__file__).with_name("early_start.html").read_text())
NEEDS_PYTHON = "<spec-playground"


def with_early_start(page: str, early: str) -> str:
    """Returns the page with early.js in its head, if it has a playground.

    Args:
        page: all of its HTML.
        early: the address of early.js.
    """
    if NEEDS_PYTHON not in page:
        return page
    return page.replace("</head>", f"{HEAD.substitute(early=escape(early))}</head>", 1)


def on_post_page(output, page, config):
    # In the folder of this build, where versioned_paths.py has put lab.js.
    [lab] = [script.path for script in config.extra_javascript if script.path.endswith("/lab.js")]
    early = lab.removesuffix("lab.js") + "early.js"
    return with_early_start(output, get_relative_url(early, page.url))
