"""A playground with a scene of its own, as a reader finds it; and the same session in CPython."""

import math

from playwright.sync_api import Page, expect

from site_hooks.rendered_frames import names_of
from specdec.in_parts import completed
from tests.browser.conftest import WAIT_MS
from tests.browser.waiting import wait_until
from tests.conftest import ROOT
from tests.scene_loading import load_scene

NAMES = sorted(names_of(ROOT / "docs"))

# Those whose sessions are long enough to be run for a while; the others have tests of their own.
LONG = [name for name in NAMES if load_scene(name).first_frame()["max_steps"] >= 50]

expect.set_options(timeout=WAIT_MS)


class ScenePlayground:
    """Wraps a page that holds the playground of docs/scenes/<name>.py."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.scene = load_scene(name).SCENE
        self.first = load_scene(name).first_frame()
        self.first_steps = self.first["state"]["session"]["steps"]
        self.element = page.locator(f"[data-playground='{name}']")
        self.view = self.element.locator("[data-view]")
        slider = slider_of(name)
        self.slider = self.view.get_by_role("slider", name=slider["label"], exact=True)
        self.run = self.view.get_by_role("button", name="Run", exact=True)
        self.pause = self.view.get_by_role("button", name="Pause")
        self.step = self.view.get_by_role("button", name="Step", exact=True)
        self.reset = self.view.get_by_role("button", name="Reset")

    def wait_until_live(self) -> None:
        """Waits for Python, for the replay of what the page shows, and for what is slow."""
        expect(self.element).to_have_attribute("data-python", "live")
        self.wait_until_shown()

    def wait_until_shown(self) -> None:
        """Waits until the picture, and what is slow to find, are of the newest settings."""
        wait_until(self.page, """async () => {
            const {session} = document.querySelector("[data-playground]");
            await session.settled;
            return !session.stale && !session.examinedIsOld;
        }""")

    def expect_steps(self, steps: int) -> None:
        """Waits until so many steps, or more, are on the screen."""
        wait_until(self.page, """steps =>
            document.querySelector("[data-playground]").session.state.session.steps >= steps""",
            steps)

    def data(self) -> dict:
        """Returns what is on the screen, and the settings it is of."""
        return self.element.evaluate("""async ({session}) => {
            await session.settled;
            const {state, settings, examined} = session;
            return {state, settings, examined};
        }""")

    def expect_as_in_cpython(self) -> None:
        """Compares all that is shown with the same session in CPython."""
        self.wait_until_shown()
        data = self.data()
        assert_equal(data["state"], replay(self.scene(), data["state"]["session"],
                                           data["settings"]))
        if data["examined"] is not None:
            scene = self.scene()
            assert_equal(data["examined"],
                         completed(lambda: scene.examine(settings=data["settings"])))


def path_of(name: str) -> str:
    """Returns the page's address under the site."""
    return name.replace("_", "-") + "/"


def slider_of(name: str) -> dict:
    """Returns the playground's first slider, as its scene declares it."""
    controls = load_scene(name).first_frame()["controls"]
    return next(control for control in controls if control["kind"] == "slider")


def session_of(name: str) -> str:
    """Returns an address with a session in which the first slider is moved."""
    slider = slider_of(name)
    return (f"?seed=3&{slider['name']}={slider['most']}&steps=5"
            f"&moves=2:{slider['name']}:{slider['least']}")


def replay(scene, session: dict, settings: dict) -> dict:
    """Returns the state of a session run in CPython, with the picture under the settings."""
    scene.open(seed=session["seed"])
    ends = [step for step, _ in session["log"][1:]] + [session["steps"]]
    for (start, then), end in zip(session["log"], ends, strict=False):  # an empty log: no end
        scene.advance(settings=then, count=end - start)
    return scene.advance(settings=settings, count=0)


def assert_equal(shown, computed, at: str = "") -> None:
    """Compares data: floats to 1e-12, everything else exactly."""
    if isinstance(computed, dict):
        assert shown.keys() == computed.keys(), at
        for key in computed:
            assert_equal(shown[key], computed[key], f"{at}.{key}")
    elif isinstance(computed, list | tuple):
        assert len(shown) == len(computed), at
        for i, (one, other) in enumerate(zip(shown, computed, strict=True)):
            assert_equal(one, other, f"{at}[{i}]")
    elif isinstance(computed, float):
        assert math.isclose(shown, computed, rel_tol=1e-12, abs_tol=1e-12), at
    else:
        assert shown == computed, at
