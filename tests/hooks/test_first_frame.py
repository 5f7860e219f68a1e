"""site_hooks/first_frame.py: the run made at build, as JSON and as a picture."""

import json
import re
from html import unescape
from xml.etree import ElementTree

import pytest

from site_hooks.first_frame import (
    KINDS,
    as_json,
    computed_frame,
    description,
    emitted_words,
    fill,
    picture,
    sentence,
)
from tests.site.html_pages import parse


def cell(kind, position, word):
    return {"kind": kind, "position": position, "word": word, "context": "the"}


STEPS = [
    {"step": 1, "cells": [cell("accepted", 0, "old"), cell("rejected", 1, "fox"),
                          cell("discarded", 2, "saw"), cell("recovered", 1, "dog")]},
    {"step": 2, "cells": [cell("accepted", 0, "slept"), cell("bonus", 1, ".")]},
]
FRAME = {
    "frames": STEPS,
    "defaults": {"quality": 0.85, "gamma": 3},
    "state": {"run": {"steps": 2, "tokens_emitted": 4}},
}


def test_the_words_emitted_read_as_a_sentence():
    assert sentence([*emitted_words(STEPS), "then", "the"]) == "Old dog slept. Then the"


def test_the_description_says_what_became_of_each_token():
    assert description(STEPS) == (
        "Step 1: old (accepted), fox (rejected), saw (discarded), dog (resampled). "
        "Step 2: slept (accepted), . (bonus).")


def test_the_picture_is_one_svg_with_every_token_marked_by_more_than_colour():
    svg = ElementTree.fromstring(picture(STEPS))
    texts = ["".join(text.itertext()).strip() for text in svg.findall(".//{*}text")]
    for step in STEPS:
        for token in step["cells"]:
            assert f"{KINDS[token['kind']][0]} {token['word']}" in texts
    assert svg.get("role") == "img" and svg.get("aria-label") == description(STEPS)
    assert svg.get("width") is None and svg.get("viewBox")


def test_the_picture_takes_its_colours_from_the_page():
    svg = picture(STEPS)
    assert "currentColor" in svg
    for kind, (_, _, colour) in KINDS.items():
        assert f"var(--spec-{kind}, {colour})" in svg
    outside = re.sub(r"var\([^)]*\)", "", svg)
    assert set(re.findall(r"#[0-9a-f]{6}", outside)) == set()


def test_the_picture_brings_no_style_for_the_rest_of_the_page_and_no_id_twice():
    svg = picture(STEPS)
    assert "<style" not in svg
    ids = re.findall(r' id="([^"]*)"', svg)
    assert len(ids) == len(set(ids))


def test_the_picture_is_reproducible():
    assert picture(STEPS) == picture(STEPS)


def test_the_json_is_plain_text_of_an_element():
    text = as_json({"word": "</template><b>", "γ": 4})
    assert "<" not in text
    assert json.loads(unescape(text)) == {"word": "</template><b>", "γ": 4}


def test_a_number_that_json_lacks_is_refused():
    with pytest.raises(ValueError):
        as_json({"e": float("inf")})


def test_the_element_is_filled_and_keeps_its_attributes():
    html = fill('<p>a</p>\n<p><spec-playground class="x"></spec-playground></p>\n', FRAME)
    [element] = parse(html).find("spec-playground")
    assert element.attributes == {"class": "x"}
    assert not element.inside("p")
    [template] = parse(html).find("template", "data-frame")
    assert json.loads(template.text) == FRAME
    [caption] = parse(html).find("figcaption")
    assert "4 tokens came out of 2 passes" in caption.text
    assert "“Old dog slept.”" in caption.text


def test_words_are_escaped():
    steps = [{"step": 1, "cells": [cell("bonus", 0, '<b>"&')]}]
    html = fill("<spec-playground></spec-playground>", FRAME | {"frames": steps})
    assert parse(html).find("b") == []


def test_the_scene_gives_the_same_frame_each_time(root):
    assert as_json(computed_frame(root / "docs")) == as_json(computed_frame(root / "docs"))
