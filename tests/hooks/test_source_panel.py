"""site_hooks/source_panel.py: the panel's text is the file, byte for byte."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mkdocs.exceptions import PluginError

from site_hooks.source_panel import fill, highlighted_lines, panel
from tests.site.html_pages import parse

SOURCES = [
    "x = 1\n",
    "no newline at the end",
    "\n\n# blank lines first\n\n\n",
    'text = """two\nlines"""\n',
    "a = b < c > d & 'quoted' + \"both\"\n",
    "# γ, ≤ and a form\x0cfeed\n",
    "",
]


def text_of(html):
    [code] = parse(html).find("code", "data-source")
    return code.text


@pytest.mark.parametrize("source", SOURCES)
def test_the_text_of_the_panel_is_the_file(source):
    assert text_of(panel("a.py", source.encode())) == source


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\0")))
def test_any_text_survives(source):
    assert text_of(panel("a.py", source.encode())) == source


def test_the_panel_states_hash_and_number_of_lines():
    content = b"x = 1\ny = 2\n"
    [element] = parse(panel("a.py", content)).find("spec-source")
    sha256 = hashlib.sha256(content).hexdigest()
    assert element.attributes == {"file": "a.py", "data-sha256": sha256, "data-lines": "2"}
    assert f"2 lines · SHA-256 {sha256}" in element.text


def test_each_line_is_an_element_with_its_number():
    lines = highlighted_lines('"""Two\nlines."""\nx = 1\n')
    assert [parse(line).find("span", "data-line")[0].attributes for line in lines] == [
        {"data-line": "1"}, {"data-line": "2"}, {"data-line": "3"}]


def test_the_element_is_filled_and_leaves_its_paragraph(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    html = fill('<p>before</p>\n<p><spec-source file="a.py"></spec-source></p>', tmp_path)
    assert html.startswith("<p>before</p>\n<spec-source")
    assert html.rstrip().endswith("</spec-source>")


@pytest.mark.parametrize("name", ["missing.py", "../secret.py", "", "/etc/hostname"])
def test_a_file_outside_the_package_fails_the_build(tmp_path, name):
    package = tmp_path / "specdec"
    package.mkdir()
    (tmp_path / "secret.py").touch()
    with pytest.raises(PluginError, match=f'file="{name}".*not in specdec/'):
        fill(f'<spec-source file="{name}"></spec-source>', package)


def test_other_html_is_left_alone(tmp_path):
    assert fill("<p>text</p>", tmp_path) == "<p>text</p>"
