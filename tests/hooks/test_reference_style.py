"""site_hooks/reference_style.py: only a page with a reference has its style sheet."""

from site_hooks.reference_style import without_unused_sheet
from tests.site.html_pages import pages_of

LINK = '<link rel="stylesheet" href="../assets/_mkdocstrings.css">'
PAGE = f'<head><link rel="stylesheet" href="a.css">\n  {LINK}\n</head><body>{{}}</body>'


def test_a_page_with_a_reference_keeps_it():
    page = PAGE.format('<div class="doc doc-object"></div>')
    assert without_unused_sheet(page) == page


def test_another_page_loses_that_sheet_alone():
    page = without_unused_sheet(PAGE.format("<p>Words</p>"))
    assert LINK not in page and 'href="a.css"' in page


def test_of_the_sites_pages_the_reference_alone_has_it(built_site):
    having = {name for name, page in pages_of(built_site).items() if name != "404.html"
              and any("_mkdocstrings.css" in (link.attributes.get("href") or "")
                      for link in page.find("link"))}
    assert having == {"reference/index.html"}
