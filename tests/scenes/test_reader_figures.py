"""docs/scenes/reader_figures.py: what a reader's code draws becomes pictures, in order."""

import base64
import importlib
import io
import sys
import warnings

import matplotlib
import pytest
from matplotlib import pyplot

from tests.scene_loading import SCENES


@pytest.fixture
def figures(monkeypatch):
    """The backend, imported anew and in use as in the tab."""
    before = matplotlib.get_backend()
    monkeypatch.syspath_prepend(SCENES)
    sys.modules.pop("reader_figures", None)
    pyplot.switch_backend("module://reader_figures")
    module = importlib.import_module("reader_figures")
    yield module
    module.take(wanted=False)
    pyplot.switch_backend(before)


def size_of(picture):
    """Returns the width and height of the PNG in the picture's address."""
    kind, _, data = picture["url"].partition(",")
    assert kind == "data:image/png;base64"
    height, width, _ = pyplot.imread(io.BytesIO(base64.b64decode(data))).shape
    return width, height


def draw(title, values=(1, 2)):
    pyplot.plot(values)
    pyplot.title(title)


def test_a_figure_left_open_is_taken_once_and_closed(figures):
    draw("left open")
    [picture] = figures.take()
    assert picture["alt"] == "left open"
    assert size_of(picture) == (640, 480)
    assert pyplot.get_fignums() == []
    assert figures.take() == []


def test_what_is_drawn_after_show_is_another_figure(figures):
    draw("first")
    pyplot.show()
    draw("second")
    assert [picture["alt"] for picture in figures.take()] == ["first", "second"]


def test_the_newest_four_are_kept_however_they_were_made(figures):
    for number in range(3):
        draw(f"shown {number}")
        pyplot.show(block=False)
    for number in range(3):
        pyplot.figure()
        draw(f"open {number}")
    assert [picture["alt"] for picture in figures.take()] == [
        "shown 2", "open 0", "open 1", "open 2"]


def test_figures_that_are_not_wanted_are_closed_all_the_same(figures):
    draw("shown")
    pyplot.show()
    draw("open")
    assert figures.take(wanted=False) == []
    assert (pyplot.get_fignums(), figures.take()) == ([], [])


def test_show_says_nothing_and_loses_nothing_with_the_backend_agg_either(figures, monkeypatch):
    monkeypatch.setattr("sys.platform", "emscripten")  # where agg warns of itself
    matplotlib.use("agg")
    draw("of agg")
    with warnings.catch_warnings(record=True) as said:
        pyplot.show()
    assert [str(warning.message) for warning in said] == []
    assert [picture["alt"] for picture in figures.take()] == ["of agg"]


def test_a_huge_figure_is_made_smaller(figures):
    pyplot.figure(figsize=(300, 30))
    [picture] = figures.take()
    assert size_of(picture) == (2000, 200)


def test_a_figure_that_cannot_be_drawn_is_told_and_the_others_come(figures, capsys):
    draw(r"$\frac{1$")
    pyplot.figure()
    draw("good")
    assert [picture["alt"] for picture in figures.take()] == ["good"]
    assert capsys.readouterr().err.startswith("A figure could not be drawn: ValueError: ")


def test_titles_and_labels_are_the_words_for_those_who_do_not_see_it(figures):
    assert figures.alt_text(pyplot.figure()) == "Figure without title or labels"
    figure, (left, right) = pyplot.subplots(1, 2)
    figure.suptitle("Two laws")
    left.set(title="Target", xlabel="token", ylabel="p")
    right.set(ylabel="q")
    assert figures.alt_text(figure) == "Two laws. Target. x: token. y: p. y: q"
