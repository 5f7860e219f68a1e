"""The playground as a reader finds it: by role and name, and by the marks design promises."""

import re
from decimal import ROUND_HALF_UP, Decimal

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import WAIT_MS
from tests.scene_loading import load_scene, replay

PATH = "speculative-decoding/"
FIRST = load_scene("playground").first_frame()  # the run made at build, made again
FIRST_TOKENS = str(FIRST["state"]["run"]["tokens_emitted"])

expect.set_options(timeout=WAIT_MS)


class PlaygroundPage:
    """Wraps a page that holds a <spec-playground>."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("spec-playground")
        self.quality = page.get_by_role("slider", name="Draft quality")
        self.gamma = page.get_by_role("slider", name="Speculation length γ")
        self.run = page.get_by_role("button", name="Run", exact=True)
        self.pause = page.get_by_role("button", name="Pause")
        self.step = page.get_by_role("button", name="Step", exact=True)
        self.reset = page.get_by_role("button", name="Reset")
        self.stage = page.get_by_role("region", name="Current step")
        self.emitted = page.get_by_role("region", name="Emitted text")
        self.inspector = page.get_by_role("region", name="Selected token")

    def wait_until_live(self) -> None:
        """Waits for Python, and for the replay of what the page shows."""
        expect(self.element).to_have_attribute("data-python", "live")
        expect(self.page.get_by_text("Python is running in this tab")).to_be_visible()

    def wait_until_certified(self) -> None:
        """Waits until the code has been enumerated in the tab, and not only when built."""
        expect(self.page.get_by_text("checked in this tab")).to_be_visible()

    def expect_steps(self, steps: int) -> None:
        """Waits until this many steps are on the stage."""
        expect(self.stage.get_by_role("heading")).to_contain_text(
            re.compile(rf"Step {steps}\b" if steps else "No step yet"))

    def expect_steps_beyond(self, steps: int) -> None:
        """Waits until a run has come this far: a power of ten."""
        expect(self.stage.get_by_role("heading")).to_contain_text(
            re.compile(rf"Step \d{{{len(str(steps))},}}"))

    def step_times(self, times: int, made: int) -> int:
        """Presses Step, a step at a time; returns the steps made then."""
        for number in range(made + 1, made + times + 1):
            self.step.click()
            self.expect_steps(number)
        return made + times

    def stat(self, name: str) -> Locator:
        """The statistic since the last change of a slider."""
        return self.element.locator(f'[data-stat="{name}"]')

    def shown_statistics(self) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the tiles' texts: since the last change, and of the whole run."""
        return tuple(
            {item.get_attribute(attribute): item.inner_text()
             for item in self.element.locator(f"[{attribute}]").all()
             if item.get_attribute(attribute) != "exact"}
            for attribute in ("data-stat", "data-run-stat"))

    def data(self) -> dict:
        """Returns what the worker's Python sent: {"frames": the last ones, "state"}."""
        return self.element.evaluate("""async ({session}) => {
            await session.settled;
            return {frames: session.frames, state: session.state};
        }""")

    def expect_as_in_cpython(self) -> None:
        """Compares the session with the same one in CPython, token for token."""
        data = self.data()
        run = replay(data["state"]["session"])
        assert data["state"]["run"]["tokens_emitted"] == run["state"]["run"]["tokens_emitted"]
        assert emitted(data["frames"]) == emitted(run["frames"][-len(data["frames"]):])

    def tokens(self, region: Locator) -> list[str]:
        """Returns the kinds of the region's tokens, in order."""
        return [token.get_attribute("data-token")
                for token in region.locator("[data-token]").all()]


def emitted(frames: list[dict]) -> list[list[tuple[str, int]]]:
    """Returns each step's tokens, with what became of them."""
    return [[(cell["kind"], cell["token"]) for cell in frame["cells"]] for frame in frames]


def as_fixed(number: float, places: int) -> str:
    """Rounds as JavaScript's toFixed does: the number's exact value, ties upwards."""
    return str(Decimal(number).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def as_tiles(figures: dict) -> dict[str, str]:
    """Returns the statistics of a scene as the tiles write them."""
    def with_unit(value, places: int, unit: str) -> str:
        return "–" if value is None else as_fixed(value, places) + unit

    rate = figures["draft_accept_rate"]
    return {
        "draft-accept-rate": with_unit(rate and 100 * rate, 1, "%"),
        "tokens-per-pass": with_unit(figures["tokens_per_pass"], 2, ""),
        "speedup": with_unit(figures["speedup"], 2, "×"),
        "thrown-away": f"{figures['thrown_away']:,}",
        "tokens-emitted": f"{figures['tokens_emitted']:,}"}
