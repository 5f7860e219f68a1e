"""site_hooks/mistakes.py: the list as HTML, from findings that are given or kept."""

import json

import pytest

from site_hooks.mistakes import decimal, diff, fill, inline, kept
from tests.site.html_pages import parse

BEFORE = "import a\n\n\ndef f(x):\n    y = x < 1\n    return y\n\n\ndef g():\n    pass\n"
AFTER = BEFORE.replace("x < 1", "x <= 1").replace("    pass\n", "    one()\n    two()\n")
FINDINGS = {
    "model": "few words", "vocab": 3, "gamma": 2, "num_tokens": 4, "paths": 1234,
    "total_variation": "3/40", "first_token": "0", "two_words": "1/20", "needed": None}


def entry(**changes):
    return {
        "name": "a-slip", "title": "x < y", "seen": "In [Lab](https://example.org/a?b=1&c) `u`.",
        "why": "Because p < q.", "text": AFTER, "changes": True, "notices": False,
        "findings": FINDINGS} | changes


def lines_of(html, tag):
    return [element.text for element in parse(html).find(tag)]


def test_the_diff_has_the_changed_lines_and_says_so_in_words():
    html = diff(BEFORE, AFTER)
    assert lines_of(html, "del") == ["removed: −     y = x < 1", "removed: −     pass"]
    assert lines_of(html, "ins") == [
        "added: +     y = x <= 1", "added: +     one()", "added: +     two()"]
    assert lines_of(html, "p") == ["line 5, in f", "line 10, in g"]


def test_within_a_pair_of_lines_the_difference_is_marked():
    assert lines_of(diff(BEFORE, AFTER), "mark") == ["="]
    html = diff("def f():\n    return a + b\n", "def f():\n    return a - b\n")
    assert lines_of(html, "mark") == ["+", "-"]


def test_no_diff_where_nothing_changed():
    assert diff(BEFORE, BEFORE) == ""


def test_links_and_code_within_a_sentence():
    assert inline("a < b in [Lab](https://example.org/x?y=1&z) and `u`") == (
        'a &lt; b in <a href="https://example.org/x?y=1&amp;z">Lab</a> and <code>u</code>')


@pytest.mark.parametrize(("fraction", "text"), [
    ("0", "0"), ("1", "1"), ("3/40", "0.075"), ("5221/50000", "0.104"),
    ("4779/41943040", "0.000114"), ("1/10240", "0.000098")])
def test_fractions_to_read(fraction, text):
    assert decimal(fraction) == text


def test_an_entry_says_all_that_was_found():
    html = fill("<p><spec-mistakes></spec-mistakes></p>", [entry()], BEFORE)
    [element] = parse(html).find("spec-mistakes")
    assert element.attributes == {"data-test-tokens": "10000"}
    assert not element.inside("p")
    [article] = parse(html).find("article")
    assert article.attributes["data-changes"] == "yes"
    assert article.attributes["data-notices"] == "no"
    assert article.attributes["id"] == "a-slip"
    assert lines_of(html, "h3") == ["x < y"]
    facts = " ".join(lines_of(html, "dd"))
    assert "0.075 = 3\u200b/40" in facts
    assert "a 3-word model with few words (γ = 2, 1,234 paths)" in facts
    assert "0 exactly right, so no count of it can help" in facts
    assert "0.050 visible there, too" in facts
    assert "never however many tokens it gets" in facts


def test_a_number_of_tokens_and_what_it_is_good_for():
    html = fill("<spec-mistakes></spec-mistakes>", [entry(
        notices=True, findings=FINDINGS | {"needed": 12345, "first_token": "1/40"})], BEFORE)
    facts = " ".join(lines_of(html, "dd"))
    assert "after 12,345 tokens, in 90% of all tries" in facts
    assert "0.025 wrong from the start" in facts


def test_a_harmless_change_is_called_so():
    found = FINDINGS | {"total_variation": "0", "two_words": "0"}
    html = fill("<spec-mistakes></spec-mistakes>", [entry(changes=False, findings=found)], BEFORE)
    facts = " ".join(lines_of(html, "dd"))
    assert "0 right, as all the others" in facts
    assert "nothing to see there, either" in facts
    assert "=" not in lines_of(html, "dd")[0].split("from")[0]


def test_other_html_is_left_alone():
    assert fill("<p>text</p>", [], BEFORE) == "<p>text</p>"


def test_what_was_computed_is_kept_until_the_key_changes(tmp_path):
    cache, computed = tmp_path / "folder" / "cache.json", []

    def compute():
        computed.append(1)
        return [len(computed)]

    assert [kept(cache, key, compute) for key in ("a", "a", "b", "b", "a")] == [
        [1], [1], [2], [2], [3]]
    assert json.loads(cache.read_text()) == {"key": "a", "value": [3]}
