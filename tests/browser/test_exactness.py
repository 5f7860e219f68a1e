"""The panel "Is it exact?": dragged, typed at, with wrong code in force, with Python gone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from specdec import edition
from tests.browser.code_panel import CodePanel, line_number, with_lines
from tests.browser.conftest import WAIT_MS
from tests.browser.exactness_page import ExactnessPage, in_cpython, scene
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.python_worker import expect_started_anew, fail_python
from tests.browser.tampered_runtime import replaced
from tests.browser.test_appearance import LAPTOP, PHONE, WIDTH_BEYOND_THE_SCREEN

DEFAULT = scene.preset(**scene.DEFAULT)
TEST = "        if rng.random() >= p[token] / q[token]:"
ACCEPT_WITH_P = with_lines(TEST, "        if rng.random() >= p[token]:")

# Counts the questions put to Python, by the scene's action.
COUNT_QUESTIONS = """
    window.questions = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        const [, scene, action] = (message.argumentList ?? []).map(({value}) => value);
        if (scene === "exactness") window.questions.push(action);
        return post.call(this, message, ...rest);
    };"""


@pytest.fixture
def panel(open_page):
    """The panel of a page with Python up, its first checks done in the tab."""
    panel = ExactnessPage(open_page(PATH))
    panel.settle()
    return panel


@pytest.fixture
def in_force():
    """Puts a text in force in CPython, for one test."""
    yield lambda text: edition.use("speculative.py", text)
    edition.use("speculative.py", None)


def drag(panel, bar, by):
    """Presses on a bar's end and moves it by a share of the bar's length; holds it."""
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    x = box["x"] + box["width"] * int(bar.input_value()) / scene.MAX_WEIGHT
    y = box["y"] + box["height"] / 2
    panel.page.mouse.move(x, y)
    panel.page.mouse.down()
    panel.page.mouse.move(x + box["width"] * by, y, steps=8)


def test_what_was_found_at_build_is_there_before_python(open_page):
    held = []
    panel = ExactnessPage(open_page(PATH, prepare=lambda page: page.route(
        "**/pyodide.asm.wasm", lambda route: held.append(route))))
    panel.look()
    expect(panel.badge).to_have_text("✓ exact")
    expect(panel.distance).to_have_text("0")
    expect(panel.model).to_have_text(scene.name_of(DEFAULT))
    expect(panel.enumerated).to_contain_text("when this page was built")
    assert panel.data() == in_cpython(DEFAULT)
    panel.bar("target p of B after A").press("ArrowRight")  # it waits for Python
    expect(panel.bar("target p of B after A")).to_have_attribute("aria-valuetext", "4/11")
    expect(panel.element.get_by_text("to come")).to_be_visible()
    for route in held:
        route.continue_()
    panel.settle()
    expect(panel.model).to_contain_text("changed by you")


def test_without_javascript_there_is_a_table(open_page):
    page = open_page(PATH, java_script_enabled=False)
    table = page.locator("spec-exactness table")
    found = in_cpython(DEFAULT)
    expect(table).to_contain_text(f"{found['sequences']['law']['paths']}")
    assert table.locator("td").all_inner_texts()[-2:] == ["0", "exact"]
    assert any("Changing the model needs JavaScript" in text
               for text in page.locator("noscript").all_inner_texts())


def test_a_bar_dragged_is_followed_and_the_joint_law_comes_when_it_is_let_go(panel):
    bar = panel.bar("target p of B after A")
    drag(panel, bar, 0.4)
    weight = 3 + round(0.4 * scene.MAX_WEIGHT)
    expect(bar).to_have_attribute("aria-valuetext", f"{weight}/{7 + weight}")
    model = DEFAULT | {"target": [[5, weight, 2], *DEFAULT["target"][1:]]}
    expect(panel.model).to_have_text(scene.name_of(model))  # one step, while it is held
    expect(panel.element.get_by_text("when you let go")).to_be_visible()
    expected = in_cpython(model)
    assert panel.data()["model"] == model
    assert panel.data()["one_step"] == expected["one_step"]
    expect(panel.distance).to_have_text("0")
    panel.page.mouse.up()
    assert panel.settle() == expected
    assert panel.row("sequences") == ["4", f"{expected['sequences']['law']['paths']:,}", "✓ exact"]
    expect(panel.distance).to_have_text("0")
    expect(panel.finding).to_contain_text("No sequence differs")


def test_nothing_moves_while_a_bar_is_dragged(panel):
    parts = [panel.badge, panel.element.locator(".checks"), panel.chart,
             panel.element.locator(".bars"), panel.page.get_by_role("heading", name="Break it")]
    panel.bar("draft q of A after A").scroll_into_view_if_needed()

    def places():
        return [part.evaluate("e => e.getBoundingClientRect().top + scrollY") for part in parts]

    before = places()
    drag(panel, panel.bar("draft q of A after A"), 0.5)
    expect(panel.element.get_by_text("when you let go")).to_be_visible()
    assert places() == before
    panel.page.mouse.up()
    panel.settle()
    assert places() == before


def test_bars_are_moved_by_keyboard_and_the_last_cannot_vanish(panel):
    bar = panel.bar("draft q of C after A")
    bar.focus()
    for key, share in [("ArrowRight", "7/11"), ("ArrowLeft", "6/10"), ("End", "20/24"),
                       ("Home", "0/4"), ("ArrowUp", "1/5"), ("ArrowDown", "0/4")]:
        panel.page.keyboard.press(key)
        expect(bar).to_have_attribute("aria-valuetext", share)
    panel.bar("draft q of A after A").press("Home")
    last = panel.bar("draft q of B after A")
    last.press("Home")
    expect(panel.element.get_by_text("the last bar cannot go to 0")).to_be_visible()
    expect(last).to_have_value("2")
    expect(last).to_have_attribute("aria-valuetext", "2/2")
    data = panel.settle()
    assert data["model"]["draft"][0] == [0, 2, 0]
    assert data == in_cpython(data["model"])
    expect(panel.badge).to_have_text("✓ exact")


@pytest.mark.parametrize("name", scene.Exactness().presets())
def test_every_preset_gives_cpythons_numbers(panel, name):
    panel.preset(name).click()
    expect(panel.preset(name)).to_have_attribute("aria-pressed", "true")
    panel.words.select_option("4")
    panel.gamma.select_option("1")
    model = scene.preset(name, 4, 1)
    assert panel.settle() == in_cpython(model)
    expect(panel.model).to_have_text(scene.name_of(model))
    expect(panel.badge).to_have_text("✓ exact")


def test_the_law_may_depend_on_the_last_word_or_not(panel):
    panel.element.get_by_role("radio", name="B").check()
    panel.depends.uncheck()
    assert panel.settle()["model"]["target"] == [DEFAULT["target"][1]]
    expect(panel.bar("target p of C")).to_have_attribute("aria-valuetext", "6/10")
    panel.depends.check()
    expect(panel.bar("target p of C after B")).to_be_visible()
    assert panel.settle()["model"]["target"] == [DEFAULT["target"][1]] * 3


def test_only_the_newest_model_waits(open_page):
    page = open_page(PATH, prepare=lambda page: page.add_init_script(COUNT_QUESTIONS))
    panel = ExactnessPage(page)
    panel.settle()
    page.evaluate("window.questions = []")
    panel.bar("target p of A after A").evaluate("""bar => {
        for (let weight = 1; weight <= 20; weight += 1) {
            bar.value = weight;
            bar.dispatchEvent(new Event("input", {bubbles: true}));
        }
        bar.dispatchEvent(new Event("change", {bubbles: true}));
    }""")
    data = panel.settle()
    assert data["model"]["target"][0][0] == 20
    questions = page.evaluate("window.questions")
    assert questions.count("one_step") <= 2
    assert set(questions[questions.index("sequences"):]) == {"sequences"}


def test_a_model_that_comes_in_the_moment_of_an_answer_is_answered_too(panel):
    other = DEFAULT | {"target": [[1, 1, 1]] * 3}
    panel.element.evaluate("""async ({check}, other) => {
        check.use({...other, gamma: 1}, true);
        await new Promise((resolve) => check.addEventListener("change", () => {
            if (!check.oneStepIsOld) resolve();
        }));
        check.use(other);
    }""", other)
    assert panel.settle() == in_cpython(other)


def test_wrong_code_turns_the_badge_and_its_numbers_are_cpythons(panel, in_force):
    code = CodePanel(panel.page)
    code.run(ACCEPT_WITH_P)
    panel.look()
    expect(panel.badge).to_have_text("✗ not exact")
    in_force(ACCEPT_WITH_P)
    expected = in_cpython(DEFAULT)
    assert panel.settle() == expected
    law = expected["sequences"]["law"]
    assert law["distance"]["value"] > 0.01
    expect(panel.distance).to_have_text(law["distance"]["exact"])
    expect(panel.finding).to_contain_text("Worst: " + " ".join(law["worst"]["words"]))
    expect(panel.finding).to_contain_text(law["worst"]["emitted"]["exact"])
    expect(panel.finding).to_contain_text(law["worst"]["target"]["exact"])
    expect(panel.enumerated).to_contain_text("the code as you edited it, in this tab")
    expect(panel.chart.locator(".worst .words")).to_have_text(law["worst"]["words"])
    panel.element.get_by_text("The numbers", exact=True).click()
    numbers = panel.element.get_by_role("region", name="The numbers")
    expect(numbers.get_by_role("row")).to_have_count(1 + law["total"])
    panel.preset("equal").click()  # accepting with p is wrong there too
    expect(panel.badge).to_have_text("✗ not exact")
    code.restore.click()
    panel.look()
    expect(panel.badge).to_have_text("✓ exact")
    expect(panel.distance).to_have_text("0")


def test_a_mistake_of_the_joint_law_alone_is_told_from_others(panel, in_force):
    text = with_lines("        tokens = tokens + emitted\n",
                      "        tokens = tokens + (guesses + [next_token])[: len(emitted)]\n")
    CodePanel(panel.page).run(text)  # a rejected guess stays in the context
    panel.look()
    expect(panel.badge).to_have_text("✗ not exact")
    in_force(text)
    assert panel.settle() == in_cpython(DEFAULT)
    assert [panel.row(check)[-1] for check in ("one-step", "sequences")] == [
        "✓ exact", "✗ not exact"]
    expect(panel.finding).to_contain_text("a test of single tokens could not see this")


def test_code_that_cannot_be_checked_is_said_with_its_line(panel):
    text = with_lines(TEST, TEST.replace("if rng", "if len(p) == 3 and p.nope or rng"))
    CodePanel(panel.page).run(text)
    panel.look()
    expect(panel.badge).to_have_text("? could not check")
    expect(panel.finding).to_contain_text(
        f"Line {line_number(text, 'p.nope')}: AttributeError")
    panel.words.select_option("4")  # where that code is right
    expect(panel.badge).to_have_text("✓ exact")
    CodePanel(panel.page).run(with_lines(
        "rows = np.asarray(rows)\n", "rows = np.asarray(rows).astype(float)\n"))
    panel.look()
    expect(panel.badge).to_have_text("? could not check")
    expect(panel.finding).to_contain_text("The code computes in floats; what is left")


def test_the_path_budget_is_said_and_the_one_step_check_stands(open_page, built_site):
    prepare = replaced(
        built_site, lambda file: file["name"] == "exactness.py" and file["role"] == "scene",
        lambda scene: re.sub(rb"MAX_PATHS = \w+", b"MAX_PATHS = 250", scene))

    panel = ExactnessPage(open_page(PATH, prepare=prepare))
    panel.settle()
    expect(panel.badge).to_have_text("? could not check")
    expect(panel.finding).to_have_text(
        "More than 250 paths, which is the budget. The check of one step stands: exact.")
    assert [panel.row(check)[-1] for check in ("one-step", "sequences")] == [
        "✓ exact", "? could not check"]
    expect(panel.chart).to_be_visible()  # of one step


def test_python_that_dies_under_a_drag_is_told_and_comes_back(panel):
    page = panel.page
    drag(panel, panel.bar("target p of A after A"), 0.3)
    fail_python(page)
    expect_started_anew(page, "its worker failed", WAIT_MS)
    page.mouse.up()
    panel.settle()
    panel.bar("target p of A after A").press("End")
    data = panel.settle()
    assert data["model"]["target"][0][0] == 20
    assert data == in_cpython(data["model"])


def test_leaving_under_way_and_coming_back(panel):
    page = panel.page
    panel.gamma.select_option("3")
    expect(panel.element.get_by_text("% of all")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Reference").click()
    expect(page.get_by_role("heading", name="Reference", level=1)).to_be_visible()
    page.go_back()
    assert panel.settle() == in_cpython(DEFAULT)
    panel.bar("draft q of A after A").press("ArrowRight")
    data = panel.settle()
    assert data == in_cpython(data["model"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_found_wrong_it_is_readable_everywhere(open_page, size, scheme):
    page = open_page(PATH, viewport=size, color_scheme=scheme)
    panel = ExactnessPage(page)
    PlaygroundPage(page).wait_until_live()
    CodePanel(page).run(ACCEPT_WITH_P)
    panel.words.select_option("5")
    panel.gamma.select_option("1")
    panel.settle()
    panel.element.get_by_text("The numbers", exact=True).click()
    found = Axe().run(page, context="spec-exactness").response
    assert found["passes"]
    assert [(rule["id"], rule["nodes"]) for rule in found["violations"]] == []
    assert page.evaluate(WIDTH_BEYOND_THE_SCREEN) == 0
    panel_box = panel.element.bounding_box()
    for part in panel.element.locator(".exactness > *, .model-editor > *, .badge").all():
        box = part.bounding_box()
        assert box["x"] >= panel_box["x"]
        assert box["x"] + box["width"] <= panel_box["x"] + panel_box["width"]
