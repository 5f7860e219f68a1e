"""Names in a page's head the scripts that are to come early.

On pages with a playground early.js: the theme's scripts stand at the end of the page and run
for as long as Python's first files take to come. On all pages the parts of lab.js that are
files of their own, because others need them too: a browser else hears of them from lab.js.
"""

import re
from html import escape
from pathlib import Path
from string import Template

from mkdocs.utils import get_relative_url

EVERYWHERE = Template(Path(__file__).with_name("early_scripts.html").read_text())
OF_PLAYGROUNDS = Template(
    Path(__file__).with_name("early_scripts_of_playgrounds.html").read_text())
OF_PLAYGROUND = 'class="md-container lab-page"'  # as lab_pages.py has marked it
STYLES = '<link rel="stylesheet"'  # behind them, the theme's inline scripts wait for them


def chunks_of(script: str) -> list[str]:
    """Returns the names of the files that a bundle imports at once, beside itself."""
    return re.findall(r'\bfrom\s*"\./([^"]+)"', script)


def with_early_scripts(page: str, early: str, chunks: list[str]) -> str:
    """Returns the page with the scripts named in its head.

    Args:
        page: all of its HTML.
        early: the address of early.js.
        chunks: those of what lab.js imports.
    """
    head = "".join(EVERYWHERE.substitute(chunk=escape(chunk)) for chunk in chunks)
    page = page.replace("</head>", f"{head}</head>", 1)
    if OF_PLAYGROUND in page:
        first = OF_PLAYGROUNDS.substitute(early=escape(early))
        page = page.replace(STYLES, f"{first}{STYLES}", 1)
    return page


addresses: list[str] = []


def on_env(env, config, files) -> None:
    # Late enough for their place in the folder of this build (versioned_paths.py).
    [lab] = [file for file in files if file.dest_uri.endswith("/widgets/lab.js")]
    folder = lab.dest_uri.removesuffix("lab.js")
    names = ["early.js", *chunks_of(lab.content_string)]
    addresses[:] = [f"{folder}{name}" for name in names]


def on_post_page(output, page, config):
    early, *chunks = (get_relative_url(address, page.url) for address in addresses)
    return with_early_scripts(output, early, chunks)
