"""The panel "Is it exact?" as a reader finds it."""

from playwright.sync_api import Locator, Page

from tests.browser.conftest import WAIT_MS
from tests.browser.waiting import wait_until
from tests.scene_loading import load_scene

scene = load_scene("exactness")


class ExactnessPage:
    """Wraps the <spec-exactness> of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("spec-exactness")
        self.badge = self.element.locator(".badge").get_by_role("status")
        self.distance = self.element.locator('[data-stat="total-variation"]')
        self.model = self.element.locator('[data-stat="model"]')
        self.words = self.element.get_by_role("combobox", name="Words")
        self.gamma = self.element.get_by_role("combobox", name="Guesses γ")
        self.depends = self.element.get_by_role("checkbox", name="depend on the last word")
        self.chart = self.element.get_by_role("img", name="Law of")
        self.enumerated = self.element.locator(".enumerated")
        self.finding = self.element.locator(".finding")

    def look(self) -> None:
        """Brings the panel into view: only there does it follow changes of the code."""
        self.element.scroll_into_view_if_needed()

    def bar(self, name: str) -> Locator:
        """The bar of a weight, as "target p of B after A"."""
        return self.element.get_by_role("slider", name=name, exact=True)

    def preset(self, name: str) -> Locator:
        return self.element.get_by_role("button", name=name, exact=True)

    def row(self, check: str) -> list[str]:
        """The texts of a check's row: tokens, paths, verdict."""
        return self.element.locator(f'[data-check="{check}"] td').all_inner_texts()

    def settle(self) -> dict:
        """Waits until both checks are of the model shown; returns model and results."""
        self.look()
        wait_until(self.page, """() => {
            const { check } = document.querySelector("spec-exactness") ?? {};
            return check?.checkedHere && !check.oneStepIsOld && !check.sequencesAreOld;
        }""", timeout=2 * WAIT_MS)
        return self.data()

    def data(self) -> dict:
        """Returns the model shown and the newest results, as Python sent them."""
        return self.element.evaluate("""({check: {model, oneStep, sequences}}) =>
            ({model, one_step: oneStep, sequences})""")


def in_cpython(model: dict) -> dict:
    """Returns what the scene says of the model, run here with the code in force here."""
    panel = scene.Exactness()
    part = panel.sequences(model=model)
    while not part["done"]:
        part = panel.sequences(model=model)
    return {"model": model, "one_step": panel.one_step(model=model), "sequences": part["result"]}
