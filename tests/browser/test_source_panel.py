"""The code on the page is the code that runs, and it runs elsewhere as copied."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.playground_page import PATH, PlaygroundPage

PACKAGE = Path(__file__).parents[2] / "specdec"
SOURCE = PACKAGE / "speculative.py"
SISTERS = {"sampling-knobs/": "sampling.py", "beam-search/": "beam.py"}


def test_copied_from_the_page_it_runs_in_cpython(open_page, tmp_path):
    page = open_page(PATH, permissions=["clipboard-read", "clipboard-write"])
    page.locator("spec-source").get_by_role("button", name="Copy").click()
    expect(page.locator("spec-source").get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == SOURCE.read_text()
    pasted = tmp_path / "pasted.py"
    pasted.write_text(copied)
    run = subprocess.run(
        [sys.executable, "-I", pasted], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.count("drafted") >= 4
    assert run.stderr == ""


@pytest.mark.parametrize(("path", "file"), SISTERS.items())
def test_the_sister_pages_show_copy_and_run_their_own_file(open_page, tmp_path, path, file):
    page = open_page(path, permissions=["clipboard-read", "clipboard-write"])
    panel = page.locator(f'spec-source[file="{file}"]')
    panel.get_by_role("button", name="Copy").click()
    expect(panel.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == (PACKAGE / file).read_text()
    pasted = tmp_path / file
    pasted.write_text(copied)
    subprocess.run([sys.executable, "-I", pasted], cwd=tmp_path, check=True)
    expect(page.locator("[data-python]")).to_have_attribute("data-python", "live")
    expect(panel.locator(".source-match")).to_have_attribute("data-match", "true")


def test_downloaded_it_is_the_file(open_page):
    page = open_page(PATH)
    with page.expect_download() as download:
        page.locator("spec-source").get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "speculative.py"
    assert Path(download.value.path()).read_bytes() == SOURCE.read_bytes()


def test_its_hash_is_that_of_the_module_in_the_worker(open_page):
    playground = PlaygroundPage(open_page(PATH))
    panel = playground.page.locator("spec-source")
    playground.wait_until_live()
    expect(panel.locator(".source-match")).to_have_attribute("data-match", "true")
    expect(panel.locator(".source-match")).to_contain_text("same SHA-256")


def test_a_module_that_differs_is_said(open_page, built_site):
    html = (built_site / PATH / "index.html").read_text()

    def tamper(page):
        page.route("**/speculative-decoding/", lambda route: route.fulfill(
            content_type="text/html",
            body=html.replace('data-sha256="', 'data-sha256="0')))

    playground = PlaygroundPage(open_page(PATH, prepare=tamper))
    playground.wait_until_live()
    match = playground.page.locator(".source-match")
    expect(match).to_have_attribute("data-match", "false")
    expect(match).to_contain_text("Python imported another file")
