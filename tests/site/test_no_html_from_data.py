"""Widgets build no HTML, no code and no style sheet of text: Preact and the DOM's own methods do.

Biome refuses dangerouslySetInnerHTML as well; it does not know the DOM's ways to do the same.
"""

import re

import pytest

SINKS = re.compile(r"""
    \b(inner|outer)HTML\b | \binsertAdjacentHTML\b | \bdangerouslySetInnerHTML\b
    | \bdocument\.write(ln)?\b | \bDOMParser\b | \bcreateContextualFragment\b
    | \b(setHTML|parseHTML)(Unsafe)?\b | \bsrcdoc\b
    | \beval\( | \bnew\s+Function\b | \bset(Timeout|Interval)\(\s*["'`]
    | \bimportScripts\b | ["'`]javascript:
    """, re.VERBOSE)


def test_no_widget_turns_text_into_html_or_code(root):
    sources = [path for path in (root / "docs/widgets").rglob("*") if path.is_file()]
    assert len(sources) > 50
    found = {path.name: SINKS.search(path.read_text())[0]
             for path in sources if SINKS.search(path.read_text())}
    assert found == {}


@pytest.mark.parametrize("code", [
    "panel.innerHTML = text", "<p dangerouslySetInnerHTML={{ __html: text }} />",
    "box.insertAdjacentHTML('beforeend', text)", "new DOMParser().parseFromString(text)",
    "frame.srcdoc = text", "new Function(text)()", 'setTimeout("go()")',
    "panel.setHTMLUnsafe(text)",
])
def test_each_way_to_do_so_would_be_seen(code):
    assert SINKS.search(code)
