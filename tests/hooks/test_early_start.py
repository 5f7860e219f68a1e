"""site_hooks/early_start.py: a page with a playground loads early.js from its head."""

from site_hooks.early_start import with_early_start

PAGE = "<html><head><title>A</title></head><body>{}</body></html>"


def test_a_page_with_a_playground_names_it_in_its_head():
    page = with_early_start(PAGE.format("<spec-playground></spec-playground>"), 'a"b/early.js')
    head = page.partition("</head>")[0]
    assert '<script async src="a&quot;b/early.js"></script>' in head


def test_another_page_stays_as_it_is():
    page = PAGE.format("<p>No playground</p>")
    assert with_early_start(page, "early.js") == page
