"""The page "Sampling knobs": its bars, its wirings, its predictions, its reader's own knobs."""

from playwright.sync_api import expect

from specdec import edition
from tests.browser.scene_playground import ScenePlayground, path_of

NAME = "sampling_knobs"
SOURCE = edition.original("sampling.py").text


def opened(open_page, search: str = "") -> ScenePlayground:
    playground = ScenePlayground(open_page(path_of(NAME) + search), NAME)
    playground.wait_until_live()
    return playground


def rows(playground: ScenePlayground) -> dict[str, list[str]]:
    """Returns the table of the next word: before, after, what cut it."""
    return {row.get_attribute("data-word"): row.locator("td").all_inner_texts()[2:]
            for row in playground.view.locator("tr[data-word]").all()}


def test_the_table_says_what_the_scene_says_of_every_word(open_page):
    playground = opened(open_page, "?temperature=1.2&top_k=9&min_p=0.05&seed=2&steps=3")
    words = playground.data()["state"]["words"]
    shown = rows(playground)
    assert list(shown) == [word["word"] for word in words]
    assert {word["cut_by"] for word in words} >= {None, "min_p"}
    for word in words:
        before, after, cut = shown[word["word"]]
        assert before == f"{100 * word['before']:.1f}%"
        assert after == ("0" if word["cut_by"] else f"{100 * word['after']:.1f}%")
        assert bool(cut) == bool(word["cut_by"])
    expect(playground.view.locator('[data-stat="words-left"]')).to_have_text(
        str(sum(not word["cut_by"] for word in words)))


def test_at_temperature_0_the_likeliest_word_alone_is_left_and_argmax_cut_the_others(open_page):
    playground = opened(open_page)
    playground.slider.fill("0")
    playground.wait_until_shown()
    shown = list(rows(playground).values())
    assert shown[0][1] == "100.0%" and not shown[0][2]
    assert all(after == "0" and "argmax" in cut for _, after, cut in shown[1:])
    expect(playground.view.locator('[data-stat="entropy"]')).to_have_text("0.00 bits")


def test_the_badge_judges_each_wiring_and_the_table_marks_it(open_page):
    playground = opened(open_page)
    badge = playground.view.locator('[data-stat="exact"]')
    expect(badge).to_have_text("✓ exact")
    switch = playground.view.get_by_role("checkbox", name="Ratio uses the q drawn from")
    switch.uncheck()
    expect(badge).to_have_text("✗ not exact")
    expect(playground.view.get_by_text("What comes out: neither law.")).to_be_visible()
    marked = playground.view.locator("tr[aria-current]")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("raw q")
    switch.check()
    playground.view.get_by_role("checkbox", name="Knobs on the target").uncheck()
    expect(playground.view.get_by_text(
        "What comes out: the target's law without the knobs.")).to_be_visible()
    expect(playground.view.locator('[data-stat="distance-without"]')).to_have_text("0")
    playground.view.get_by_role("checkbox", name="Knobs on the target").check()
    playground.view.get_by_role("checkbox", name="Knobs on the draft").uncheck()
    expect(badge).to_have_text("✓ exact")
    playground.expect_as_in_cpython()


def test_the_text_itself_contradicts_a_forgotten_target(open_page):
    playground = opened(
        open_page, "?temperature=0.5&decoder=speculative&on_target=off&seed=7&steps=120")
    playground.expect_steps(120)
    expect(playground.view.locator('[data-stat="evidence-with"]')).to_contain_text("✗")
    expect(playground.view.locator('[data-stat="evidence-without"]')).not_to_contain_text("✗")
    rate = playground.data()["state"]["counted"]["rate"]
    expect(playground.view.locator('[data-stat="accept-rate"]')).to_have_text(f"{100 * rate:.1f}%")
    playground.expect_as_in_cpython()


def panel(playground: ScenePlayground):
    return playground.page.locator('spec-source[file="sampling.py"]')


def apply(playground: ScenePlayground, text: str) -> None:
    source = panel(playground)
    if not source.get_by_role("textbox", name="Code of sampling.py").is_visible():
        source.get_by_role("button", name="Edit").click()
    source.get_by_role("textbox", name="Code of sampling.py").fill(text)
    source.get_by_role("button", name="Apply").click()


def test_a_readers_own_knobs_are_what_runs_and_the_badge_finds_them_out(open_page):
    playground = opened(open_page)
    apply(playground, SOURCE.replace("return below / (value or 1)", "return below"))
    expect(playground.view.locator('[data-stat="exact"]')).to_have_text("✗ not exact")
    playground.slider.fill("2")
    playground.wait_until_shown()
    with_top_p_alone = playground.data()["state"]["law"]["after"]
    playground.slider.fill("0.5")
    playground.wait_until_shown()
    assert playground.data()["state"]["law"]["after"] == with_top_p_alone
    panel(playground).get_by_role("button", name="Restore").click()
    expect(playground.view.locator('[data-stat="exact"]')).to_have_text("✓ exact")
    playground.expect_as_in_cpython()


def test_knobs_that_give_nonsense_are_told_and_the_original_goes_on(open_page):
    playground = opened(open_page)
    apply(playground, SOURCE + "\n\ndef softmax(logits):\n    return logits * np.nan\n")
    state = panel(playground).locator(".source-state")
    expect(state).to_contain_text("softmax should give 16 numbers")
    playground.step.click()
    playground.expect_steps(playground.first_steps + 1)
    playground.expect_as_in_cpython()
