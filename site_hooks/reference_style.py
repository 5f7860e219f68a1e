"""Leaves the style sheet of the reference to the pages that have one.

mkdocstrings names its sheet on every page. The theme's instant navigation brings a page's
own sheets along.
"""

import re

SHEET = re.compile(r'\s*<link rel="stylesheet" href="[^"]*assets/_mkdocstrings\.css">')
REFERENCE = 'class="doc '


def without_unused_sheet(page: str) -> str:
    """Returns the page without the sheet if nothing on it is of a reference."""
    return page if REFERENCE in page else SHEET.sub("", page, count=1)


def on_post_page(output, page, config):
    return without_unused_sheet(output)
