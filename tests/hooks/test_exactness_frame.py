"""site_hooks/exactness_frame.py: what was enumerated at build, as JSON and as a table."""

import json

from site_hooks.exactness_frame import computed_frame, fill, row
from tests.site.html_pages import parse


def result(state="exact", reason="", law=True):
    number = {"value": 0.0, "exact": "0"}
    return {"model": "3 words <&>", "tokens": 3, "state": state, "reason": reason,
            "law": {"paths": 1234, "distance": number} if law else None}


FRAME = {"model": {"preset": "</template>"}, "one_step": result(),
         "sequences": result() | {"tokens": 4}}


def test_the_element_is_filled_and_keeps_its_attributes():
    html = fill('<p>a</p>\n<p><spec-exactness class="x"></spec-exactness></p>\n', FRAME)
    [element] = parse(html).find("spec-exactness")
    assert element.attributes == {"class": "x"}
    assert not element.inside("p")
    [template] = parse(html).find("template", "data-frame")
    assert json.loads(template.text) == FRAME
    assert "a model of 3 words <&>." in element.text
    cells = [cell.text for cell in parse(html).find("td")]
    assert cells == ["one step, then the target", "3", "1,234", "0", "exact",
                     "step after step", "4", "1,234", "0", "exact"]


def test_a_check_that_could_not_be_made_is_said():
    html = row("step after step", result("could not check", "more than <9> paths", law=False))
    assert [cell.text for cell in parse(html).find("td")] == [
        "step after step", "3", "–", "–", "could not check: more than <9> paths"]


def test_other_pages_stay_as_they_are():
    assert fill("<p>spec-exactness</p>", FRAME) == "<p>spec-exactness</p>"


def test_the_scene_gives_the_same_frame_each_time(root):
    frame = computed_frame(root / "docs")
    assert json.dumps(frame) == json.dumps(computed_frame(root / "docs"))
    assert frame["sequences"]["state"] == "exact"
