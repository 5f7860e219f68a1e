"""site_hooks/rendered_frames.py: the first frame, drawn by the widget's own view."""

import json

import pytest
from mkdocs.exceptions import PluginError

from site_hooks.rendered_frames import as_json, computed_frame, drawn, fill, names_of
from tests.site.html_pages import parse

FIRST = {
    "controls": [], "state": {"session": {"seed": 5, "log": [[0, {"heat": 2}]]}, "word": "<b>&"}}
WIDGET = """
import { definePlayground } from "../playground_element.jsx";
export const View = ({ session: { settings, state, running }, note }) => (
  <p class="view" data-running={running}>
    {settings.heat} {state.word}
    <svg viewBox="0 0 1 1"><rect width={settings.heat} /></svg>
    {note}
  </p>
);
definePlayground("a_game", "game.py", View);
"""


@pytest.fixture
def project(tmp_path, root, built_site):  # the build brings node_modules up to date
    (tmp_path / "node_modules").symlink_to(root / "node_modules")
    widgets = tmp_path / "docs/widgets"
    (widgets / "playgrounds").mkdir(parents=True)
    (tmp_path / "docs/scenes").mkdir()
    for name in ("still_session.js", "scene_address.js", "session_address.js", "pacing.js"):
        (widgets / name).write_text((root / "docs/widgets" / name).read_text())
    (widgets / "playground_element.jsx").write_text("customElements.define('no', Node);")
    (widgets / "playgrounds/a_game.jsx").write_text(WIDGET)
    (tmp_path / "docs/scenes/a_game.py").write_text(
        f"def first_frame(): return {FIRST!r}")
    return tmp_path


def content(name):
    return {"frame": {"name": name, "end": "</template>"}, "view": "<p>drawn</p>", "styles": None}


def test_a_playground_has_a_scene_and_a_widget(project):
    docs = project / "docs"
    (docs / "widgets/playgrounds/no_scene.jsx").touch()
    (docs / "scenes/no_widget.py").touch()
    assert names_of(docs) == {"a_game"}


def test_the_view_is_drawn_without_a_browser(project):
    html = parse(drawn(project, "a_game", computed_frame(project / "docs", "a_game")))
    [view] = html.find("p")
    assert view.attributes == {"class": "view", "data-running": "false"}
    assert view.text.strip() == "2 <b>&"
    assert html.find("b") == []
    [bar] = html.find("rect")
    assert bar.attributes["width"] == "2"


def test_a_view_that_fails_fails_the_build_by_name(project):
    (project / "docs/widgets/playgrounds/a_game.jsx").write_text(
        "export const View = ({ session }) => session.state.nothing.there;")
    with pytest.raises(PluginError, match=r"(?s)a_game.*reading 'there'"):
        drawn(project, "a_game", FIRST)


def test_a_widget_that_cannot_be_bundled_is_named(project):
    (project / "docs/widgets/playgrounds/a_game.jsx").write_text("export const View = () => <p>;")
    with pytest.raises(PluginError, match=r"(?s)a_game\.jsx"):
        drawn(project, "a_game", FIRST)


def test_the_element_is_filled_and_keeps_its_attributes():
    html = fill('<p>a</p>\n<p><spec-a-game class="x"></spec-a-game></p>\n', {"a_game"}, content)
    [element] = parse(html).find("spec-a-game")
    assert element.attributes == {
        "class": "x", "data-playground": "a_game", "data-search-exclude": ""}
    assert not element.inside("p")
    [view] = parse(html).find("div", "data-view")
    assert view.text == "drawn"
    [template] = parse(html).find("template", "data-frame")
    assert json.loads(template.text) == content("a_game")["frame"]
    assert parse(html).find("link") == []


def test_its_style_sheet_comes_with_it():
    html = fill("<spec-a-game></spec-a-game>", {"a_game"},
                lambda name: content(name) | {"styles": "../a&b.css"})
    [link] = parse(html).find("link")
    assert link.attributes == {"rel": "stylesheet", "href": "../a&b.css"}


def test_elements_that_are_no_such_playground_are_left_alone():
    html = '<spec-playground></spec-playground><p><spec-source file="a.py"></spec-source></p>'
    assert fill(html, {"a_game"}, content) == html


def test_the_json_is_plain_text_of_an_element():
    assert "<" not in as_json({"word": "</template>"})
    with pytest.raises(ValueError):
        as_json({"e": float("inf")})


def test_every_playground_of_the_lab_is_drawn_the_same_each_time(root):
    names = names_of(root / "docs")
    assert "sampling_knobs" in names
    for name in names:
        frames = [computed_frame(root / "docs", name) for _ in range(2)]
        assert drawn(root, name, frames[0]) == drawn(root, name, frames[1])
