"""The verdict is earned: with wrong code in the wheel, the page says so in the browser."""

import io
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.tampered_runtime import replaced

TEST = "if rng.random() >= p[token] / q[token]:"  # the line that accepts or rejects


def with_another_file(open_page, built_site, line: str) -> PlaygroundPage:
    """Opens the playground on a wheel whose acceptance test is this line, pins and all."""
    def change(wheel: bytes) -> bytes:
        changed = io.BytesIO()
        with (zipfile.ZipFile(io.BytesIO(wheel)) as original,
              zipfile.ZipFile(changed, "w") as other):
            for name in original.namelist():
                content = original.read(name)
                if name == "specdec/speculative.py":
                    assert TEST.encode() in content
                    content = content.replace(TEST.encode(), line.encode())
                other.writestr(name, content)
        return changed.getvalue()

    prepare = replaced(built_site, lambda file: file["role"] == "specdec", change)
    playground = PlaygroundPage(open_page(PATH, prepare=prepare))
    playground.wait_until_live()
    playground.wait_until_certified()
    return playground


@pytest.mark.parametrize(("line", "verdict", "reason"), [
    ("if rng.random() >= min(1, q[token] / p[token] if p[token] else 1):",
     "✗ not exact", "total variation"),
    ("if rng.normal() >= p[token] / q[token]:", "? could not check", "normal"),
])
def test_other_code_is_not_called_exact(open_page, built_site, line, verdict, reason):
    playground = with_another_file(open_page, built_site, line)
    expect(playground.stat("exact")).to_have_text(verdict)
    tile = playground.element.locator(".tile").filter(has_text="Output = target?")
    for width in (1280, 1210, 390):
        playground.page.set_viewport_size({"width": width, "height": 800})
        assert tile.evaluate("tile => tile.scrollWidth <= tile.clientWidth"), width
    playground.page.get_by_role("button", name="What the verdict rests on").click()
    expect(playground.page.get_by_role("note").filter(has_text="Every random outcome")
           ).to_contain_text(reason)
    expect(playground.page.locator(".source-match")).to_have_attribute("data-match", "false")


def test_the_running_evidence_finds_other_code_in_the_stream(open_page, built_site):
    playground = with_another_file(
        open_page, built_site, "if rng.random() >= 1.0:  # every guess is kept")
    playground.quality.fill("0.1")
    playground.page.get_by_role("combobox", name="Speed").select_option("max")
    playground.run.click()
    expect(playground.stage.get_by_role("heading")).to_contain_text("Step 3")
    playground.pause.click()
    data = playground.data()
    assert data["state"]["evidence"]["rejected"] is True
    assert data["state"]["distribution"]["outside"]
    expect(playground.stat("exact")).to_have_text("✗ not exact")
