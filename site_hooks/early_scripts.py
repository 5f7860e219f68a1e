"""Names in a page's head the scripts that are to come early.

On pages with a playground early.js: the theme's scripts stand at the end of the page and run
for as long as Python's first files take to come. On all pages the part of lab.js that is a
file of its own, because later.js needs it too: a browser else hears of it from lab.js.
"""

import re
from html import escape
from pathlib import Path
from string import Template

from mkdocs.exceptions import PluginError
from mkdocs.utils import get_relative_url

EVERYWHERE = Template(Path(__file__).with_name("early_scripts.html").read_text())
OF_PLAYGROUNDS = Template(
    Path(__file__).with_name("early_scripts_of_playgrounds.html").read_text())
PLAYGROUND = "<spec-playground"


def with_early_scripts(page: str, early: str, shared: str) -> str:
    """Returns the page with the scripts named in its head.

    Args:
        page: all of its HTML.
        early, shared: the addresses of early.js and of what lab.js and later.js share.
    """
    head = EVERYWHERE.substitute(shared=escape(shared))
    if PLAYGROUND in page:
        head += OF_PLAYGROUNDS.substitute(early=escape(early))
    return page.replace("</head>", f"{head}</head>", 1)


def the_one(pattern: str, addresses: list[str]) -> str:
    """Returns the only address with that ending.

    Raises:
        PluginError: there is none, or more than one.
    """
    found = [address for address in addresses if re.search(pattern, address)]
    if len(found) != 1:
        raise PluginError(f"one address should match {pattern}, there are {found}")
    return found[0]


scripts: list[str] = []


def on_env(env, config, files) -> None:
    # Late enough for their place in the folder of this build (versioned_paths.py).
    scripts[:] = [the_one(pattern, [file.dest_uri for file in files])
                  for pattern in (r"/widgets/early\.js$", r"/widgets/chunk-[^/]+\.js$")]


def on_post_page(output, page, config):
    return with_early_scripts(output, *(get_relative_url(script, page.url) for script in scripts))
