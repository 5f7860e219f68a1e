"""Marks the pages that are about a playground: `lab-page` on the element around all content.

Style sheets set such a page out differently. They must know before the playground itself has
come: a page that is painted as far as it is there would move when it does.
"""

import re

PLAYGROUND = re.compile(r"<spec-playground|<spec-[a-z-]+ data-playground=")
CONTAINER = 'class="md-container"'  # which instant navigation replaces with the page


def marked(page: str) -> str:
    """Returns all of a page's HTML, marked if it holds a playground."""
    if not PLAYGROUND.search(page):
        return page
    return page.replace(CONTAINER, f'{CONTAINER[:-1]} lab-page"', 1)


def on_post_page(output, page, config):
    return marked(output)
