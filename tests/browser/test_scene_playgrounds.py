"""What every playground with a scene of its own does: each new one is tested by being there."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.browser.prediction_card import card_of, expect_judged
from tests.browser.python_worker import end_python, expect_started_anew, fail_python, keep_workers
from tests.browser.scene_playground import (
    LONG,
    NAMES,
    ScenePlayground,
    path_of,
    session_of,
    slider_of,
)
from tests.browser.test_appearance import (
    LAPTOP,
    MATERIALS_OWN,
    PHONE,
    WIDE,
    WIDTH_BEYOND_THE_SCREEN,
)
from tests.browser.test_first_frame import LARGEST_SHIFT, WATCH_SHIFTS
from tests.browser.waiting import wait_until
from tests.scene_loading import load_scene

SIZES = {"phone": PHONE, "laptop": LAPTOP}
every_playground = pytest.mark.parametrize("name", NAMES)
every_long_playground = pytest.mark.parametrize("name", LONG)


def questions_of(name: str):
    """Returns the scene of the page's questions."""
    return load_scene(f"{name}_questions").SCENE


def opened(open_page, name: str, search: str = "", **options) -> ScenePlayground:
    playground = ScenePlayground(open_page(path_of(name) + search, **options), name)
    playground.wait_until_live()
    return playground


class Python:
    """Holds back Python's files until it is released."""

    def __init__(self) -> None:
        self.held: list[Route] | None = []

    def hold(self, page: Page) -> None:
        page.route("**/runtime/**", self._route)

    def release(self) -> None:
        held, self.held = self.held, None
        for route in held:
            route.continue_()

    def _route(self, route: Route) -> None:
        if self.held is None:
            route.continue_()
        else:
            self.held.append(route)


@every_playground
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_first_frame_is_the_widget_and_nothing_moves(open_page, name, size):
    page = open_page(path_of(name), java_script_enabled=False, viewport=size)
    painted = text_of(ScenePlayground(page, name), "[data-view] :is(dd, td, h2)")
    assert painted
    page = open_page(path_of(name), viewport=size,
                     prepare=lambda page: page.add_init_script(WATCH_SHIFTS))
    playground = ScenePlayground(page, name)
    playground.wait_until_live()
    assert text_of(playground, "[data-view] :is(dd, td, h2)") == painted
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < LARGEST_SHIFT, shifts


def text_of(playground: ScenePlayground, selector: str) -> list[str]:
    """Returns the texts that the elements have, without the help that is hidden in them."""
    return [re.sub(r"\s+", " ", text.partition("?")[0]).strip()
            for text in playground.element.locator(selector).all_text_contents()]


@every_playground
def test_without_javascript_it_is_read_and_offers_nothing_that_does_nothing(open_page, name):
    page = open_page(path_of(name), java_script_enabled=False)
    playground = ScenePlayground(page, name)
    expect(playground.view).to_be_visible()
    for role in ("button", "slider", "combobox", "spinbutton", "radio", "switch", "checkbox"):
        assert playground.view.get_by_role(role).count() == 0, role
    for heading in ("What to look for", "Where this fits", "The code that's actually running",
                    "Predict, then test", "The takeaway", "Onward"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert all(answer.strip() for answer in
               page.locator("spec-prediction noscript").all_text_contents())


@every_playground
def test_before_python_is_up_the_first_run_is_there_and_a_press_is_kept(open_page, name):
    python = Python()
    page = open_page(path_of(name), prepare=python.hold)
    playground = ScenePlayground(page, name)
    expect(playground.element).to_have_attribute("data-python", "booting")
    assert playground.data()["state"] == playground.element.locator("template").evaluate(
        "template => JSON.parse(template.content.textContent).state")
    playground.step.click()
    expect(playground.view.get_by_text("As soon as Python is up")).to_be_visible()
    python.release()
    playground.expect_steps(playground.first_steps + 1)
    playground.expect_as_in_cpython()


@every_long_playground
def test_all_that_is_shown_is_what_cpython_computes(open_page, name):
    playground = opened(open_page, name)
    slider = slider_of(name)
    playground.step.click()
    playground.expect_as_in_cpython()
    playground.slider.fill(str(slider["least"]))
    playground.expect_as_in_cpython()  # the picture alone is new
    playground.run.click()
    playground.expect_steps(playground.first_steps + 4)
    playground.slider.fill(str(slider["most"]))
    playground.expect_steps(playground.data()["state"]["session"]["steps"] + 2)
    playground.pause.click()
    playground.expect_as_in_cpython()
    assert len(playground.data()["state"]["session"]["log"]) >= 2
    playground.reset.click()
    playground.expect_as_in_cpython()
    assert playground.data()["state"]["session"]["steps"] == 0


@every_playground
def test_of_many_movements_of_a_slider_the_last_is_shown(open_page, name, guard):
    playground = opened(open_page, name)
    slider = slider_of(name)
    asked = playground.element.evaluate("""({session}, {name, least, most, step}) => {
        let pictures = 0;
        let state = session.state;
        session.addEventListener("change", () => {
            if (session.state !== state) pictures += 1;
            state = session.state;
        });
        for (let value = least; value < most; value += step) session.set({[name]: value});
        return new Promise((resolve) => {
            const look = () => session.stale ? setTimeout(look) : resolve(pictures);
            look();
        });
    }""", slider)
    assert 1 <= asked <= 2
    playground.expect_as_in_cpython()


@every_playground
def test_it_is_used_by_keyboard_alone(open_page, name):
    playground = opened(open_page, name)
    slider, page = slider_of(name), playground.page
    playground.slider.focus()
    page.keyboard.press("Home")
    expect(playground.slider).to_have_value(str(slider["least"]))
    page.keyboard.press("ArrowRight")
    playground.expect_as_in_cpython()
    playground.step.focus()
    page.keyboard.press("Enter")
    playground.expect_steps(playground.first_steps + 1)
    playground.expect_as_in_cpython()


@every_playground
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_axe_finds_nothing_of_ours(open_page, name, size, scheme):
    playground = opened(open_page, name, viewport=size, color_scheme=scheme)
    violations = [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in Axe().run(playground.page).response["violations"] for node in rule["nodes"]
        if not any(own in str(node["target"]) for own in MATERIALS_OWN)]
    assert violations == []


@every_playground
@pytest.mark.parametrize("size", [PHONE, LAPTOP, WIDE], ids=["phone", "laptop", "wide"])
def test_the_page_does_not_scroll_sideways(open_page, name, size):
    before = open_page(path_of(name), viewport=size, java_script_enabled=False)
    assert before.evaluate(WIDTH_BEYOND_THE_SCREEN) == 0
    playground = opened(open_page, name, session_of(name), viewport=size)
    assert playground.page.evaluate(WIDTH_BEYOND_THE_SCREEN) == 0


@every_long_playground
def test_a_link_reproduces_what_its_sender_saw_and_so_does_a_reload(open_page, name):
    sender = opened(open_page, name, session_of(name))
    sender.expect_steps(5)
    sender.expect_as_in_cpython()
    sender.step.click()
    sender.expect_steps(6)
    sender.slider.fill(str(slider_of(name)["most"]))  # moved, not run yet
    sender.wait_until_shown()
    wait_until(sender.page, "() => location.search.includes('steps=6')")
    wait_until(sender.page, "() => location.search.includes(',6:')")
    seen = sender.data()
    receiver = opened(open_page, name, "?" + sender.page.url.split("?")[1])
    assert receiver.data() == seen
    sender.page.reload()
    sender.wait_until_live()
    assert sender.data() == seen


@every_playground
@pytest.mark.parametrize("search", [
    "?seed=-4&steps=-3&{slider}=1e99", "?seed=1e99&steps=NaN&{slider}=", "?{slider}=%3Cscript%3E",
    "?seed=&moves=3:{slider}:x,x,2:{slider},99999:{slider}:1,::,5:nothing:2,4:{slider}:-1e9&steps=5",
])
def test_what_makes_no_sense_in_an_address_is_clamped_or_left_out(open_page, name, search):
    playground = opened(open_page, name, search.format(slider=slider_of(name)["name"]))
    data = playground.data()
    assert 0 <= data["state"]["session"]["seed"] <= playground.first["max_seed"]
    playground.expect_as_in_cpython()  # whose scene refuses settings out of range


@every_long_playground
def test_a_run_whose_worker_fails_goes_on_token_for_token(open_page, name, guard):
    guard.announce("out of order")
    playground = opened(open_page, name, session_of(name), prepare=keep_workers)
    playground.run.click()
    playground.expect_steps(7)
    fail_python(playground.page)
    expect_started_anew(playground.page, "its worker failed", 30_000)
    playground.expect_steps(playground.data()["state"]["session"]["steps"] + 1)
    playground.pause.click()
    playground.expect_as_in_cpython()


@every_long_playground
def test_a_worker_that_was_ended_unseen_is_followed_by_another(open_page, name):
    playground = opened(open_page, name, session_of(name), prepare=keep_workers)
    end_python(playground.page)
    playground.step.click()
    expect_started_anew(playground.page, "it gave no answer for 20 s", 50_000)
    playground.expect_steps(6)
    playground.expect_as_in_cpython()


@every_playground
def test_the_session_ends_with_the_page_and_python_stays(open_page, name):
    playground = opened(open_page, name)
    playground.run.click()
    playground.expect_steps(playground.first_steps + 1)
    playground.page.get_by_role("link", name="All playgrounds").first.click()
    expect(playground.element).to_have_count(0)
    playground.page.go_back()
    playground.wait_until_live()
    playground.expect_as_in_cpython()
    expect(playground.run).to_be_visible()


@pytest.mark.parametrize(("name", "question"), [
    (name, question) for name in NAMES for question in questions_of(name).questions])
def test_an_answer_meets_the_figures_of_the_run_just_made(open_page, name, question):
    playground = opened(open_page, name)
    asked = questions_of(name)()
    states = states_of(playground, asked.plan(question=question))
    expect_judged(
        card_of(playground.page, question), asked.questions[question].choices,
        lambda answer: asked.judge(question=question, answer=answer, states=states))
    playground.expect_as_in_cpython()


def states_of(playground: ScenePlayground, plan: dict) -> list[dict]:
    """Returns the states at the ends of a plan's segments, from CPython."""
    scene = playground.scene()
    scene.open(seed=plan["seed"])
    start = {control["name"]: control["default"] for control in playground.first["controls"]}
    return [scene.advance(settings=start | segment["settings"], count=segment["steps"])
            for segment in plan["segments"]]
