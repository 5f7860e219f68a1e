"""The original and the edited code side by side, on the same random draws."""

import pytest
from playwright.sync_api import expect

from specdec import edition
from tests.browser.code_panel import SOURCE, CodePanel, with_lines
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.scene_loading import load_scene

EVERY_GUESS_KEPT = with_lines(">= p[token] / q[token]:", ">= 1:")


@pytest.fixture
def in_force():
    """Puts a text in force in this process, where the tab's answer is computed once more."""
    yield lambda text: edition.use("speculative.py", text)
    edition.use("speculative.py", None)


def test_they_part_where_cpython_says(open_page, in_force):
    playground = PlaygroundPage(open_page(PATH))
    playground.wait_until_live()
    region = playground.page.get_by_role("region", name="Same draws, two codes")
    expect(region).to_contain_text("Apply an edit")
    code = CodePanel(playground.page)
    code.run(EVERY_GUESS_KEPT)

    in_force(EVERY_GUESS_KEPT)
    session = playground.data()["state"]["session"]
    made = load_scene("same_draws").SameDraws().compare(seed=session["seed"], log=session["log"])
    parted = made["parted"]
    expect(region).to_contain_text(f"They part at token {parted['token']}, in step")
    words = [parted[side]["words"][parted[side]["at"]]["word"] for side in ("original", "edited")]
    assert words[0] != words[1]
    for shown, word in zip(region.locator("[data-parted=here]").all(), words, strict=True):
        expect(shown).to_contain_text(word)
    region.get_by_text("The draws of that step").click()
    rows = region.get_by_role("row").all()[1:]
    assert [row.get_by_role("cell").all_inner_texts() for row in rows] == [
        [str(draw["number"]), f"{draw['uniform']:.3f}", draw["original"],
         draw["edited"] + (" ≠" if draw["differs"] else "")] for draw in parted["draws"]]

    code.run(SOURCE + "\n# the same, but for this line\n")
    expect(region).to_contain_text("They do not part.")
    code.restore.click()
    expect(region).to_contain_text("Apply an edit")
