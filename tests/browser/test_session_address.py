"""The address carries the session: a link shows what its sender saw."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.playground_page import PATH, PlaygroundPage


def opened(open_page, search: str) -> PlaygroundPage:
    playground = PlaygroundPage(open_page(PATH + search))
    playground.wait_until_live()
    return playground


def test_a_link_reproduces_a_run_with_sliders_moved_in_it(open_page):
    sender = opened(open_page, "?seed=3&quality=.9&gamma=3&steps=4")
    sender.expect_steps(4)
    sender.quality.fill("0.2")
    sender.step_times(3, made=4)
    sender.gamma.fill("7")
    sender.step_times(2, made=7)
    sender.quality.fill("0.33")  # moved, not run yet
    expect(sender.page).to_have_url(re.compile(r"moves=4:0\.2:3,7:0\.2:7,9:0\.33:7&steps=9"))
    receiver = opened(open_page, "?" + sender.page.url.split("?")[1])
    receiver.expect_steps(9)
    expect(receiver.quality).to_have_value("0.33")
    assert receiver.data() == sender.data()
    assert receiver.shown_statistics() == sender.shown_statistics()
    sender.step_times(1, made=9)
    receiver.step_times(1, made=9)
    assert receiver.data() == sender.data()


def test_the_short_form_sets_sliders_and_seed(open_page):
    playground = opened(open_page, "?quality=.6&gamma=6&seed=7")
    playground.expect_steps(6)
    expect(playground.quality).to_have_value("0.6")
    expect(playground.gamma).to_have_value("6")
    assert playground.data()["state"]["session"] == {
        "seed": 7, "steps": 6, "log": [[0, {"quality": 0.6, "gamma": 6}]]}


@pytest.mark.parametrize(("search", "quality", "gamma", "seed"), [
    ("?quality=7&gamma=99&seed=-4", "1", "8", "0"),
    ("?quality=-1&gamma=0&seed=1e99", "0", "1", "999999"),
    ("?quality=NaN&gamma=four&seed=", "0.85", "4", "81"),
    ("?quality=.5&moves=3:2:50,x,2:1:1,99999:1:1,::,5:Infinity:2,4:.1&steps=5", "1", "8", "81"),
    ("?quality=%3Cscript%3E&steps=-3&cost=-1", "0.85", "4", "81"),
])
def test_what_is_out_of_range_in_an_address_is_clamped(open_page, search, quality, gamma, seed):
    playground = opened(open_page, search)
    expect(playground.quality).to_have_value(quality)
    expect(playground.gamma).to_have_value(gamma)
    expect(playground.page.get_by_role("spinbutton", name="Seed")).to_have_value(seed)
    steps = playground.data()["state"]["session"]["steps"]
    playground.step_times(1, made=steps)
    playground.wait_until_certified()
    expect(playground.stat("exact")).to_have_text("✓ exact")


@pytest.mark.parametrize("fragment", ["#%", "#%E0%A4%A", "#__proto__", "#<img src=x onerror=x>"])
def test_no_fragment_of_an_address_harms_the_page(open_page, fragment):
    page = open_page(PATH + fragment)
    expect(page.get_by_role("navigation", name="Changes of the code")).to_be_visible()
    PlaygroundPage(page).wait_until_live()
