"""specdec/controls.py: what a setting may be."""

import json

import pytest

from specdec.controls import Choice, Slider, Switch, checked, declared, defaults

CONTROLS = (
    Slider("warmth", "Warmth", 0.5, 0, 2, 0.25, off=1, ends=("cold", "hot")),
    Slider("width", "Width", 3, 1, 8, 1),
    Choice("order", "Order", "b", (("a", "first a"), ("b", "first b"))),
    Switch("wired", "Wired", True),
)
START = {"warmth": 0.5, "width": 3, "order": "b", "wired": True}


def test_the_settings_at_the_start_are_allowed():
    assert defaults(CONTROLS) == START == checked(CONTROLS, START)


def test_the_page_is_told_all_of_it_as_json():
    told = json.loads(json.dumps(declared(CONTROLS)))
    assert [control["kind"] for control in told] == ["slider", "slider", "choice", "switch"]
    assert told[0] == {
        "name": "warmth", "label": "Warmth", "default": 0.5, "least": 0, "most": 2,
        "step": 0.25, "off": 1, "ends": ["cold", "hot"], "kind": "slider"}


@pytest.mark.parametrize(("name", "value"), [
    ("warmth", 0), ("warmth", 2), ("warmth", 1.1), ("width", 8), ("order", "a"),
    ("wired", False)])
def test_what_a_field_can_set_is_allowed(name, value):
    assert checked(CONTROLS, START | {name: value})[name] == value


@pytest.mark.parametrize(("name", "value"), [
    ("warmth", -0.1), ("warmth", 2.1), ("warmth", float("nan")), ("warmth", "1"),
    ("warmth", True), ("warmth", None), ("width", 2.5), ("width", 9), ("order", "c"),
    ("order", ["a"]), ("wired", 1), ("wired", "on")])
def test_anything_else_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"{name} = "):
        checked(CONTROLS, START | {name: value})


@pytest.mark.parametrize("settings", [
    {}, {**START, "more": 1}, {name: START[name] for name in ("warmth", "width", "order")}])
def test_each_control_has_one_value(settings):
    with pytest.raises(ValueError, match="settings must be"):
        checked(CONTROLS, settings)
