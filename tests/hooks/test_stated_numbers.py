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


def test_a_page_may_state_what_the_scene_of_its_name_computes(tmp_path):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes/a_game.py").write_text("def stated_numbers(): return {'won': '3'}")
    assert computed_numbers(tmp_path, "a-game.md") == {"won": "3"}
    assert computed_numbers(tmp_path, "another.md") == {}


def test_every_number_stands_on_a_page(root):
    docs = root / "docs"
    asked_for = {page.name: names_in(page.read_text()) for page in docs.rglob("*.md")}
    everywhere = computed_numbers(docs)
    assert everywhere.keys() <= set().union(*asked_for.values())
    for page, names in asked_for.items():
        assert computed_numbers(docs, page).keys() - everywhere.keys() <= names, page
