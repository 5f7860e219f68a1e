"""A reader's code: edited, run in place of the file, refused at its line, stopped, restored."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.code_panel import SOURCE, CodePanel, line_number, with_lines
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.python_worker import expect_one_python

TEST = "if rng.random() >= p[token] / q[token]:  # keep with probability min(1, p/q)"
EVERY_GUESS_KEPT = with_lines(TEST, "if rng.random() >= 1:  # all are kept")


@pytest.fixture
def lab(open_page):
    """A page with Python up: (the playground, the code panel)."""
    page = open_page(PATH, permissions=["clipboard-read", "clipboard-write"])
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    return playground, CodePanel(page)


def expect_it_goes_on(playground):
    """The playground makes another step."""
    playground.wait_until_live()
    steps = playground.data()["state"]["run"]["steps"]
    playground.step.click()
    playground.expect_steps(steps + 1)


def test_the_editor_is_no_part_of_the_first_load(open_page, guard):
    page = open_page(PATH)
    PlaygroundPage(page).wait_until_live()
    assert not any("editor" in url for url in guard.requests)
    CodePanel(page).edit.click()
    expect(CodePanel(page).editor).to_be_focused()
    assert sum("editor.js" in url for url in guard.requests) == 1


def test_applied_code_runs_everywhere_and_restore_brings_the_file_back(lab):
    playground, code = lab
    playground.wait_until_certified()
    before = playground.data()
    code.run(EVERY_GUESS_KEPT)
    expect(playground.stat("exact")).to_have_text("✗ not exact")
    expect(playground.element.get_by_text("It runs your edited code")).to_be_visible()
    after = playground.data()  # the same seed and settings, by the other code
    assert after["state"]["session"] == before["state"]["session"]
    assert after["state"]["run"]["draft_accept_rate"] == 1
    code.close.click()
    assert code.listing.inner_text() == EVERY_GUESS_KEPT
    expect(code.listing.locator("[data-changed]")).to_have_count(1)
    expect(code.listing.locator("[data-changed]")).to_contain_text("all are kept")
    code.restore.click()
    expect(code.match).to_have_attribute("data-match", "true")
    expect(playground.stat("exact")).to_have_text("✓ exact")
    assert code.listing.inner_text() == SOURCE
    expect(code.listing.locator("[data-changed]")).to_have_count(0)
    assert playground.data() == before


def test_typing_alone_runs_nothing_and_is_not_lost(lab):
    playground, code = lab
    code.type(EVERY_GUESS_KEPT)
    expect(code.match).to_contain_text("What you typed runs only when you press Apply.")
    code.close.click()
    expect(code.match).to_have_attribute("data-match", "true")
    playground.page.get_by_role("link", name="Reference of the package").click()
    expect(playground.page).to_have_url(re.compile("/reference/$"))
    playground.page.go_back()
    playground.wait_until_live()
    code.edit.click()
    code.expect_text(EVERY_GUESS_KEPT)
    assert playground.data()["state"]["run"]["draft_accept_rate"] < 1


def test_code_in_force_stays_so_on_the_way_to_another_page_and_back(lab):
    playground, code = lab
    code.run(EVERY_GUESS_KEPT)
    playground.page.get_by_role("link", name="Reference of the package").click()
    expect(playground.page).to_have_url(re.compile("/reference/$"))
    playground.page.go_back()
    playground.wait_until_live()
    expect(code.match).to_have_attribute("data-match", "edited")
    expect(code.listing.locator("[data-changed]")).to_have_count(1)
    assert playground.data()["state"]["run"]["draft_accept_rate"] == 1
    playground.page.reload()  # no code comes from an address, or is run without a press
    playground.wait_until_live()
    expect(code.match).to_have_attribute("data-match", "true")


CANNOT_RUN = [  # the text, a part of the line at fault, what is said of it
    (with_lines("excess = np.maximum(p - q, 0)", "excess = np.maximum(p - q, 0"),
     "excess =", "Python cannot read this: '(' was never closed"),
    ("import numpy as np\nimport scipy_of_mine\n" + SOURCE,
     "scipy_of_mine", "There is no module 'scipy_of_mine' here"),
    (SOURCE + "\n1 / 0\n", "1 / 0", "ZeroDivisionError: division by zero"),
]


def test_code_that_cannot_run_is_refused_at_its_line(lab):
    playground, code = lab
    for text, part, message in CANNOT_RUN:
        code.type(text)
        code.apply.click()
        line = line_number(text, part)
        code.expect_refused(f"Line {line}: {message}")
        code.element.get_by_role("button", name=f"Go to line {line}").click()
        expect(code.editor).to_be_focused()
        expect(code.element.locator(".cm-lintRange-error")).not_to_have_count(0)
        expect(code.match).to_have_attribute("data-match", "true")
        expect_it_goes_on(playground)


BONUS = "return len(draft_tokens), sample(target_probs[-1], rng)"
STEP = "yield Step(guesses, target_probs, draft_probs, num_accepted, next_token, emitted)"
GOES_WRONG = [  # what is replaced, by what, and what is said of it
    (TEST, "if rng.random() >= p[token] / q[[]][0]:", "IndexError"),
    (BONUS, "return float('nan'), sample(target_probs[-1], rng)", "TypeError: slice indices"),
    (BONUS, "return 'kept'", "ValueError: too many values to unpack"),
    (STEP, "yield Step(guesses, target_probs[:-1], draft_probs, 0, guesses[0], guesses[:1])",
     "target_probs should be 5 rows of 16 numbers, but has shape [4, 16]"),
    (STEP, "yield Step(guesses, target_probs, draft_probs, 1, float('nan'), guesses)",
     "next_token should be a token id from 0 to 15, but is nan"),
    (STEP, "yield 'a step'", "speculative_decode should yield steps with draft_tokens"),
]


def test_what_goes_wrong_in_a_step_is_told_and_the_last_good_code_goes_on(lab):
    playground, code = lab
    for old, new, message in GOES_WRONG:
        before = playground.data()
        code.type(with_lines(old, new))
        code.apply.click()
        code.expect_refused(message)
        if "should" not in message:
            expect(code.state).to_contain_text("Line ")
        code.expect_text(with_lines(old, new))  # nothing of it is lost
        expect(playground.element.get_by_text("Your code is not in force.")).to_be_visible()
        playground.wait_until_live()
        assert playground.data() == before
        expect_it_goes_on(playground)


def test_the_last_good_code_may_be_the_readers_own(lab):
    playground, code = lab
    code.run(EVERY_GUESS_KEPT)
    code.type(EVERY_GUESS_KEPT + "\nnonsense(\n")
    code.apply.click()
    code.expect_refused("Python cannot read this")
    expect(code.state).to_contain_text("The playground goes on with your code from before.")
    expect_it_goes_on(playground)
    assert playground.data()["state"]["run"]["draft_accept_rate"] == 1


def test_code_that_never_ends_is_stopped_by_the_reader(lab):
    playground, code = lab
    before = playground.data()
    endless = with_lines(TEST, "while True: pass\n        " + TEST)
    code.type(endless)
    code.apply.click()
    code.stop.click()
    code.expect_refused("You stopped it.")
    playground.wait_until_live()
    expect_one_python(playground.page)
    assert playground.data() == before
    code.expect_text(endless)
    expect_it_goes_on(playground)


def test_code_that_never_ends_by_itself_is_stopped_by_the_clock(lab):
    playground, code = lab
    code.type("while True: pass\n" + SOURCE)
    code.apply.click()
    begun = time.monotonic()
    code.expect_refused("It did not finish within 10 seconds and was stopped.")
    assert time.monotonic() - begun < 25
    expect_it_goes_on(playground)
    expect_one_python(playground.page)


def test_copy_and_download_give_what_is_on_the_screen_and_say_that_it_was_edited(lab):
    playground, code = lab
    code.type(EVERY_GUESS_KEPT)  # on the screen, though not applied
    code.copy.click()
    expect(code.element.get_by_text("Copied")).to_be_visible()
    copied = playground.page.evaluate("navigator.clipboard.readText()")
    first, _, rest = copied.partition("\n")
    assert first.startswith("# Edited from specdec/speculative.py (SHA-256 ")
    assert rest == EVERY_GUESS_KEPT
    with playground.page.expect_download() as download:
        code.download.click()
    assert Path(download.value.path()).read_text() == copied
    code.editor.fill(SOURCE)
    code.copy.click()
    expect(code.element.get_by_text("Copied")).to_be_visible()
    assert playground.page.evaluate("navigator.clipboard.readText()") == SOURCE


def test_everything_by_keyboard(lab):
    playground, code = lab
    keys = playground.page.keyboard
    code.edit.focus()
    keys.press("Enter")
    expect(code.editor).to_be_focused()
    keys.press("Control+A")
    keys.insert_text(EVERY_GUESS_KEPT)
    keys.press("Control+Enter")
    code.expect_in_force()
    keys.press("Shift+Tab")
    expect(code.editor).not_to_be_focused()
    code.restore.focus()
    keys.press("Enter")
    expect(code.match).to_have_attribute("data-match", "true")
