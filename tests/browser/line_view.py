"""The "Line by line" mode as a reader finds it, and CPython's own account of the same step."""

import sys

import numpy as np
from playwright.sync_api import Page, expect

from specdec import speculative
from specdec.models import draft_of_quality, playground_target
from tests.browser.playground_page import PlaygroundPage

CHECKS = ("_rows", "_checked")  # passed over until the reader asks for them


class LineView:
    """Wraps a playground in the mode."""

    def __init__(self, page: Page) -> None:
        self.playground = PlaygroundPage(page)
        self.page = page
        self.toggle = page.get_by_role("button", name="Line by line")
        self.element = page.get_by_role("region", name="Line by line")
        self.code = self.element.get_by_role("region", name="Code")
        self.values = self.element.get_by_role("region", name="Values at this line")
        self.heading = self.element.get_by_role("heading")
        self.next = self.element.get_by_role("button", name="Next line")
        self.previous = self.element.get_by_role("button", name="Previous line")
        self.replay = self.element.get_by_role("button", name="Replay step")
        self.to_the_end = self.element.get_by_role("button", name="To the end of the step")
        self.into_checks = self.element.get_by_role("checkbox", name="Step into the argument")
        self.lit = self.code.locator("[data-lit]")

    def turn_on(self) -> None:
        """Turns the mode on; the newest step's lines are known then."""
        self.toggle.click()
        expect(self.lit).to_have_count(1)

    def begin_a_step(self, number: int) -> None:
        """Goes on from the end of a step to the first line of this one."""
        self.next.click()
        self.playground.expect_steps(number)

    def where(self) -> tuple[int, str]:
        """Returns the number of the lit line, and the function that the heading names."""
        function = self.heading.locator("span").inner_text().removeprefix("in ")
        return int(self.lit.get_attribute("data-line")), function

    def place(self) -> tuple[int, int]:
        """Returns which line of how many of the step it is."""
        at, of = self.element.locator(".line-place").inner_text().split(" in ")[0].split(" of ")
        return int(at), int(of)

    def shown_values(self) -> dict[str, str]:
        """Returns the values at the line, by name."""
        return dict(self.values.locator("dl > div:not([hidden])").evaluate_all(
            "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"))

    def chips(self) -> list[tuple[str, str]]:
        """Returns (kind, text) of the tokens on the stage."""
        return self.playground.stage.locator("[data-token]").evaluate_all(
            "chips => chips.map(chip => [chip.dataset.token, chip.textContent])")

    def walk(self) -> list[tuple[int, str]]:
        """Goes to the step's last line by the arrow key; returns all places it stood at."""
        at, of = self.place()
        places = [self.where()]
        self.code.focus()
        while at < of:
            self.page.keyboard.press("ArrowRight")
            at += 1
            expect(self.element.locator(".line-place")).to_contain_text(f"{at} of {of} in")
            places.append(self.where())
        return places


def executed_lines(
        session: dict, module=speculative, passed_over=CHECKS) -> list[list[tuple[int, str]]]:
    """Returns (line, function) of each line that CPython runs for each step of a session."""
    target, seen = playground_target(), []

    def trace(frame, event, _argument):
        if frame.f_code.co_filename != module.speculative_decode.__code__.co_filename:
            return None
        if event == "line" and frame.f_code.co_name not in passed_over:
            seen.append((frame.f_lineno, frame.f_code.co_name))
        return trace

    rng, tokens, steps = np.random.default_rng(session["seed"]), [0], []
    ends = [step for step, _ in session["log"][1:]] + [session["steps"]]
    for (start, settings), end in zip(session["log"], ends, strict=True):
        draft = draft_of_quality(target, settings["quality"])
        stream = module.speculative_decode(
            target, draft, tokens, 10_000, settings["gamma"], rng)
        for _ in range(end - start):
            seen.clear()
            before = sys.gettrace()
            sys.settrace(trace)
            try:
                step = next(stream)
            finally:
                sys.settrace(before)
            steps.append(list(seen))
            tokens = tokens + step.tokens
    return steps
