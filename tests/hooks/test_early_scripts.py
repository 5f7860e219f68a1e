"""site_hooks/early_scripts.py: a page's head names the scripts that are to come early."""

from site_hooks.early_scripts import chunks_of, with_early_scripts
from site_hooks.lab_pages import marked

STYLES = '<link rel="stylesheet" href="a.css">'
PAGE = f"<html><head><title>A</title>{STYLES}{STYLES}</head><body>{{}}</body></html>"
CHUNKS = ['a"b/one.js', "a/two.js"]
PRELOADS = ('<link rel="modulepreload" href="a&quot;b/one.js">\n'
            '<link rel="modulepreload" href="a/two.js">')
SCRIPT = '<script async src="a&quot;b/early.js"></script>'


def head_of(body: str) -> str:
    page = with_early_scripts(PAGE.format(body), 'a"b/early.js', CHUNKS)
    head, _, rest = page.partition("</head>")
    assert rest == f"<body>{body}</body></html>"
    return head


def test_a_page_with_a_playground_names_both():
    head = head_of(marked('<div class="md-container"><spec-playground></spec-playground></div>'))
    assert PRELOADS in head
    assert head.partition(STYLES)[0].endswith(f"{SCRIPT}\n")


def test_a_page_without_one_needs_no_early_python():
    head = head_of("<p>Words</p>")
    assert PRELOADS in head and "early.js" not in head


def test_what_a_bundle_imports_at_once_are_its_chunks_and_nothing_else():
    script = 'import{a as b}from"./chunk-A.js";import c from "./chunk-B.js";import("./later-C.js")'
    assert chunks_of(script) == ["chunk-A.js", "chunk-B.js"]
