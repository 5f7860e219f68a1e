"""site_hooks/early_scripts.py: a page's head names the scripts that are to come early."""

import pytest
from mkdocs.exceptions import PluginError

from site_hooks.early_scripts import the_one, with_early_scripts

PAGE = "<html><head><title>A</title></head><body>{}</body></html>"
PRELOAD = '<link rel="modulepreload" href="a&quot;b/shared.js">'
SCRIPT = '<script async src="a&quot;b/early.js"></script>'


def head_of(body: str) -> str:
    page = with_early_scripts(PAGE.format(body), 'a"b/early.js', 'a"b/shared.js')
    head, _, rest = page.partition("</head>")
    assert rest == f"<body>{body}</body></html>"
    return head


def test_a_page_with_a_playground_names_both():
    head = head_of("<spec-playground></spec-playground>")
    assert PRELOAD in head and SCRIPT in head


def test_a_page_without_one_needs_no_early_python():
    head = head_of("<p>Words</p>")
    assert PRELOAD in head and "early.js" not in head


@pytest.mark.parametrize("addresses", [[], ["a/early.js", "b/early.js"]])
def test_none_or_two_of_a_name_end_the_build(addresses):
    with pytest.raises(PluginError, match="one address should match"):
        the_one(r"/early\.js$", addresses)


def test_the_one_is_found():
    assert the_one(r"/early\.js$", ["a/early.js", "a/lab.js"]) == "a/early.js"
