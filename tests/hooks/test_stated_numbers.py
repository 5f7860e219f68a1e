"""site_hooks/stated_numbers.py: numbers in prose are the package's."""

import pytest
from mkdocs.exceptions import PluginError

from site_hooks.stated_numbers import computed_numbers, fill, names_in


def test_a_name_becomes_its_number():
    assert fill("α is {{ alpha }}, c is {{c}}.", {"alpha": ".59", "c": ".05"}, "a.md") == (
        "α is .59, c is .05.")


def test_text_without_names_is_left_alone():
    assert fill("a {b} and {{ not a name }}", {}, "a.md") == "a {b} and {{ not a name }}"


def test_an_unknown_name_fails_the_build_naming_page_and_name():
    with pytest.raises(PluginError, match=r"guide\.md: \{\{ alhpa \}\}"):
        fill("{{ alhpa }}", {"alpha": ".59"}, "guide.md")


def test_the_scene_computes_strings(root):
    numbers = computed_numbers(root / "docs")
    assert numbers and all(isinstance(number, str) for number in numbers.values())


def test_every_number_stands_on_a_page(root):
    asked_for = set().union(
        *(names_in(page.read_text()) for page in (root / "docs").rglob("*.md")))
    assert computed_numbers(root / "docs").keys() - asked_for == set()
