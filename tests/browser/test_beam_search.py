"""The page "Beam search": the tree by pointer and keyboard, its verdict, edits of beam.py."""

import re

import pytest
from playwright.sync_api import expect

from specdec import edition
from tests.browser.python_worker import (
    SILENT_MS,
    STARTED_MS,
    end_python,
    expect_started_anew,
    fail_python,
    keep_workers,
)
from tests.browser.scene_playground import ScenePlayground
from tests.browser.test_appearance import PHONE
from tests.browser.waiting import wait_until

NAME = "beam_search"
SOURCE = edition.original("beam.py").text
NOT_BEGUN = "?model=random&num_tokens=5&width=3&seed=12&steps=0"  # it takes four steps
BEST_FIRST = "key=lambda one: (-one.log_prob, one.tokens)"


def opened(open_page, search: str = "", **options) -> ScenePlayground:
    playground = ScenePlayground(open_page(f"beam-search/{search}", **options), NAME)
    playground.wait_until_live()
    return playground


def node(playground: ScenePlayground, tokens):
    return playground.view.locator(f'[data-path="{",".join(map(str, tokens))}"]')


def expect_verdict(playground: ScenePlayground) -> None:
    """The tile says what CPython finds of the same session."""
    playground.expect_as_in_cpython()
    found = playground.data()["state"]["found"]
    expect(playground.view.locator('[data-stat="verdict"]')).to_have_text(
        {None: "… searching", True: "✓ found the best", False: "✗ missed the best"}[found])


def test_step_by_step_the_tree_grows_and_back_shows_what_was(open_page):
    playground = opened(open_page)
    playground.reset.click()
    wait_until(playground.page, """() =>
        document.querySelector("[data-playground]").session.state.session.steps === 0""")
    nodes = playground.view.locator(".node")
    expect(nodes).to_have_count(0)
    for steps in range(1, 5):
        playground.step.click()
        playground.expect_steps(steps)
        columns = playground.data()["state"]["columns"]
        expect(nodes).to_have_count(sum(map(len, columns)))
        expect_verdict(playground)
    expect(playground.step).to_be_disabled()
    back = playground.view.get_by_role("button", name="Back")
    back.click()
    expect(nodes).to_have_count(sum(map(len, columns[:3])))
    playground.view.get_by_role("slider", name="Step shown").fill("1")
    expect(nodes).to_have_count(len(columns[0]))
    playground.step.click()
    expect(nodes).to_have_count(sum(map(len, columns[:2])))


def test_run_goes_to_the_end_of_the_search(open_page):
    playground = opened(open_page, NOT_BEGUN)
    playground.run.click()
    playground.expect_steps(1)
    wait_until(playground.page, """() =>
        document.querySelector("[data-playground]").session.state.finished""")
    expect_verdict(playground)


@pytest.mark.parametrize("search", [
    "?model=greedy&width=1&steps=4", "?model=greedy&width=2&steps=4", "?model=beam&steps=4",
    "?model=penalty&length_penalty=1&steps=4", "?model=random&seed=9&width=5&num_tokens=5&steps=2"])
def test_the_verdict_and_the_winners_are_those_of_cpython(open_page, search):
    playground = opened(open_page, search)
    expect_verdict(playground)
    state = playground.data()["state"]
    for name in ("greedy", "beam", "best"):
        row = playground.view.locator(f'tr[data-search="{name}"]')
        words = " ".join(state[name]["words"]).replace(" .", ".") if state[name] else "…"
        expect(row).to_contain_text(words)
        if state[name]:
            expect(row).to_contain_text(f"{state[name]['score']:.2f}".replace("-", "−"))


def test_a_selected_node_shows_its_hypothesis_and_what_became_of_it(open_page):
    playground = opened(open_page, "?width=3&length_penalty=1&model=penalty&steps=3")
    chosen = playground.view.get_by_role("region", name="Selected hypothesis")
    columns = playground.data()["state"]["columns"]
    assert {one["kind"] for column in columns for one in column} == {"live", "finished", "pruned"}
    for kind, word in (("live", "Kept"), ("finished", "Finished"), ("pruned", "Pruned")):
        one = next(one for column in reversed(columns) for one in column if one["kind"] == kind)
        node(playground, one["tokens"]).click()
        expect(node(playground, one["tokens"])).to_have_attribute("aria-pressed", "true")
        expect(chosen).to_contain_text(f"{word}: " if word != "Finished" else "Finished: it ends")
        expect(chosen).to_contain_text(f"number {one['rank']} of ")
        for name, value in (("log-prob", one["log_prob"]), ("score", one["score"])):
            expect(chosen.locator(f'[data-stat="node-{name}"]')).to_have_text(
                f"{value:.2f}".replace("-", "−"))
        expect(chosen.locator('[data-stat="node-length"]')).to_have_text(str(len(one["tokens"])))


def test_the_tree_is_walked_by_arrow_keys(open_page):
    playground = opened(open_page, "?steps=4")
    keyboard, columns = playground.page.keyboard, playground.data()["state"]["columns"]
    parent = next(one for one in columns[0] if one["kind"] == "live")
    node(playground, parent["tokens"]).click()
    keyboard.press("ArrowRight")
    child = [*parent["tokens"], 0]
    expect(node(playground, child)).to_be_focused()
    keyboard.press("ArrowDown")
    expect(node(playground, [*parent["tokens"], 1])).to_be_focused()
    expect(node(playground, [*parent["tokens"], 1])).to_have_attribute("aria-pressed", "true")
    keyboard.press("ArrowUp")
    expect(node(playground, child)).to_be_focused()
    keyboard.press("ArrowLeft")
    expect(node(playground, parent["tokens"])).to_be_focused()
    expect(playground.view.locator('.node[tabindex="0"]')).to_have_count(1)


def test_a_link_shows_the_same_search(open_page):
    sender = opened(open_page)
    sender.view.get_by_role("radio", name="random, by seed").check()
    sender.slider.fill("4")
    sender.wait_until_shown()
    sender.step.click()
    sender.expect_steps(4)
    wait_until(sender.page, "() => location.search.includes('steps=4')")
    seen = sender.data()["state"]
    receiver = opened(open_page, "?" + sender.page.url.split("?")[1])
    assert receiver.data()["state"] == seen
    receiver.expect_as_in_cpython()


def test_a_search_whose_worker_is_ended_on_the_way_goes_on_to_its_end(open_page):
    """The worker ends in the moment in which the run shows its second step of four."""
    playground = opened(open_page, NOT_BEGUN, prepare=keep_workers)
    playground.element.evaluate("""({session}) => {
        const {worker} = workersMade.findLast(({url}) => url.endsWith("widgets/worker.js"));
        session.addEventListener("change", () => {
            if (session.state.session.steps === 2) worker.terminate();
        });
    }""")
    playground.run.click()
    expect_started_anew(playground.page, "it gave no answer for 20 s", SILENT_MS)
    expect_finished(playground)


def test_a_search_whose_worker_fails_goes_on_to_its_end(open_page, guard):
    guard.announce("out of order")
    playground = opened(open_page, NOT_BEGUN, prepare=keep_workers)
    playground.step.click()
    playground.expect_steps(1)
    fail_python(playground.page)
    playground.run.click()
    expect_started_anew(playground.page, "its worker failed", STARTED_MS)
    expect_finished(playground)


def test_failures_are_counted_although_the_worker_ends_meanwhile(open_page):
    playground = opened(open_page, prepare=keep_workers)
    playground.view.get_by_role("slider", name="Tokens at most").fill("5")
    wait_until(playground.page, """() => {
        const {session} = document.querySelector("[data-playground]");
        return !session.stale && session.examinedIsOld;
    }""")
    end_python(playground.page)
    expect_started_anew(playground.page, "it gave no answer for 20 s", SILENT_MS)
    expect(playground.view.get_by_text("3 words, 5 tokens")).to_be_visible()
    playground.expect_as_in_cpython()


def expect_finished(playground: ScenePlayground) -> None:
    """The whole search is shown, all of it as CPython finds it."""
    wait_until(playground.page, """() =>
        document.querySelector("[data-playground]").session.state.finished""")
    expect_verdict(playground)


def apply(playground: ScenePlayground, text: str):
    source = playground.page.locator('spec-source[file="beam.py"]')
    source.get_by_role("button", name="Edit").click()
    source.get_by_role("textbox", name="Code of beam.py").fill(text)
    source.get_by_role("button", name="Apply").click()
    return source


def test_a_beam_that_prunes_the_best_turns_the_verdict(open_page):
    playground = opened(open_page, "?steps=4")
    verdict = playground.view.locator('[data-stat="verdict"]')
    expect(verdict).to_have_text("✓ found the best")
    assert BEST_FIRST in SOURCE
    source = apply(playground, SOURCE.replace(BEST_FIRST, BEST_FIRST.replace("-", "")))
    expect(verdict).to_have_text("✗ missed the best")
    source.get_by_role("button", name="Restore").click()
    expect(verdict).to_have_text("✓ found the best")
    expect_verdict(playground)


def test_a_search_that_gives_nonsense_is_told_and_the_original_goes_on(open_page):
    playground = opened(open_page)
    source = apply(playground, SOURCE + "\n\ndef beam_search(*_, **__):\n    return []\n")
    expect(source.locator(".source-state")).to_contain_text("at least one hypothesis")
    playground.step.click()
    playground.expect_steps(4)
    expect_verdict(playground)


def test_on_a_phone_the_tree_comes_first_and_scrolls_in_itself(open_page):
    playground = opened(open_page, "?num_tokens=5&width=5&steps=5", viewport=PHONE)
    tree, step = playground.view.locator(".tree"), playground.step
    assert tree.evaluate("tree => tree.scrollWidth > tree.clientWidth")
    chosen = playground.view.get_by_role("region", name="Selected hypothesis")
    tops = [one.bounding_box()["y"] for one in (tree, step, chosen)]
    assert tops == sorted(tops)
    last = playground.data()["state"]["columns"][-1][0]
    node(playground, last["tokens"]).click()
    expect(node(playground, last["tokens"])).to_have_attribute(
        "aria-label", re.compile("log-probability −"))
