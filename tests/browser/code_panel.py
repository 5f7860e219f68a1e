"""The panel of the code that runs, as a reader finds it."""

import re
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

SOURCE = (Path(__file__).parents[2] / "specdec" / "speculative.py").read_text()


class CodePanel:
    """Wraps the <spec-source> of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("spec-source")
        self.listing = self.element.locator("code[data-source]")
        self.editor = page.get_by_role("textbox", name="Code of speculative.py")
        self.edit = self.element.get_by_role("button", name="Edit")
        self.apply = self.element.get_by_role("button", name="Apply")
        self.restore = self.element.get_by_role("button", name="Restore")
        self.close = self.element.get_by_role("button", name="Close the editor")
        self.stop = self.element.get_by_role("button", name="Stop it")
        self.copy = self.element.get_by_role("button", name="Copy")
        self.download = self.element.get_by_role("link", name="Download")
        self.match = self.element.locator(".source-match")
        self.state = self.element.locator(".source-state")

    def type(self, text: str) -> None:
        """Opens the editor if need be and puts the text in place of what is there."""
        if not self.editor.is_visible():
            self.edit.click()
        self.editor.fill(text)

    def run(self, text: str) -> None:
        """Applies a text; it is in force then."""
        self.type(text)
        self.apply.click()
        self.expect_in_force()

    def expect_in_force(self) -> None:
        """Waits until the text applied last runs."""
        expect(self.element.get_by_text("In force: the playground")).to_be_visible()
        expect(self.match).to_have_attribute("data-match", "edited")

    def expect_refused(self, message: str) -> None:
        """Waits until the page says why the text applied last does not run."""
        expect(self.state).to_contain_text("Your code is not in force.")
        expect(self.state).to_contain_text(message)

    def expect_text(self, text: str) -> None:
        """Waits until this text, whole, is on the screen: that is what Download gives."""
        encoded = re.escape(quote(text, safe="-_.!~*'()"))
        expect(self.download).to_have_attribute("href", re.compile(f"(,|%0A){encoded}$"))


def with_lines(old: str, new: str) -> str:
    """Returns the file with these lines, which stand in it once, replaced."""
    assert SOURCE.count(old) == 1, old
    return SOURCE.replace(old, new)


def line_number(text: str, part: str) -> int:
    """Returns the number, from 1, of the only line of the text that holds the part."""
    [number] = [i for i, line in enumerate(text.splitlines(), 1) if part in line]
    return number
