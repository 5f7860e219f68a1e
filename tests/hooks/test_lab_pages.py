"""site_hooks/lab_pages.py: pages about a playground say so before it comes."""

import pytest

from site_hooks.lab_pages import marked

PAGE = '<body><div class="md-container" data-md-component="container">{}</div></body>'


@pytest.mark.parametrize("playground", [
    "<spec-playground></spec-playground>",
    '<spec-playground id="a"></spec-playground>',
    '<spec-some-name data-playground="some_name"></spec-some-name>',
])
def test_a_page_with_a_playground_is_marked_around_its_content(playground):
    page = PAGE.format(playground)
    assert marked(page) == page.replace('"md-container"', '"md-container lab-page"')


@pytest.mark.parametrize("content", [
    "", "<p>a spec-playground</p>", "<spec-offline></spec-offline>"])
def test_any_other_page_stays_as_it_is(content):
    assert marked(PAGE.format(content)) == PAGE.format(content)


def test_no_style_sheet_waits_for_the_playground(root):
    sheets = list((root / "docs/stylesheets").rglob("*.css"))
    assert sheets
    for sheet in sheets:
        assert "body:has(" not in sheet.read_text(), sheet
