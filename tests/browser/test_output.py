"""What a reader's code prints and draws appears below it; matplotlib comes when it is asked for."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.browser.code_panel import SOURCE, CodePanel, with_lines
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.test_appearance import WIDTH_BEYOND_THE_SCREEN

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}

FIGURE = """
import matplotlib.pyplot as plt

print("drawing")
plt.bar(["target", "draft"], [0.7, 0.3])
plt.title("Two bars")
plt.ylabel("share")
plt.show()
plt.plot([1, 2])
"""
SMALL = """
import cycler  # which depends on six

print("cycler is here")
"""
ENDLESS = """
line = 0
while True:
    print("line", line)
    line += 1
"""
CHECKED = "    target_probs, draft_probs = _checked(target_probs, draft_probs, draft_tokens)\n"
TELLING = with_lines(CHECKED, CHECKED + '    print(len(draft_tokens), "<img src=x> at once")\n')
TOLD = "4 <img src=x> at once\n"


class Output:
    """Wraps the region below the code."""

    def __init__(self, page: Page) -> None:
        self.region = page.get_by_role("region", name="Output of your code")
        self.text = self.region.locator("pre")
        self.figures = self.region.get_by_role("img")
        self.clear = self.region.get_by_role("button", name="Clear")

    def expect_figures(self, *names: str) -> None:
        """Waits until these figures are there, drawn, in this order."""
        expect(self.figures).to_have_count(len(names))
        for figure, name in zip(self.figures.all(), names, strict=True):
            expect(figure).to_have_accessible_name(name)
            assert figure.evaluate("image => image.decode().then(() => image.naturalWidth)") == 640


@pytest.fixture
def lab(open_page):
    """A page with Python up: (the playground, the code panel, the output)."""
    page = open_page(PATH)
    playground = PlaygroundPage(page)
    playground.wait_until_live()
    return playground, CodePanel(page), Output(page)


def fetched_on_demand(guard) -> list[str]:
    """Returns the packages fetched so far, without their versions, in alphabetical order."""
    return sorted(url.rpartition("/")[2].split("-")[0]
                  for url in guard.requests if "/on-demand/" in url)


def test_matplotlib_just_works_and_comes_only_when_it_is_imported(lab, guard):
    playground, code, output = lab
    playground.wait_until_certified()
    assert fetched_on_demand(guard) == []
    expect(output.region).to_have_count(0)
    code.run(SOURCE + FIGURE)
    expect(output.text).to_have_text("drawing\n")
    output.expect_figures("Two bars. y: share", "Figure without title or labels")
    packages = fetched_on_demand(guard)
    assert {"matplotlib", "kiwisolver", "contourpy", "pillow"} < set(packages)
    assert len(packages) == len(set(packages))
    code.run(SOURCE + FIGURE.replace("Two bars", "Again"))  # what is here is not fetched again
    output.expect_figures("Again. y: share", "Figure without title or labels")
    assert fetched_on_demand(guard) == packages
    output.clear.click()
    expect(output.region).to_have_count(0)


def test_the_rest_of_the_standard_library_comes_when_it_is_imported(lab, guard):
    _, code, output = lab
    code.run(SOURCE + "\nprint('nothing new')\n")
    expect(output.text).to_have_text("nothing new\n")
    assert fetched_on_demand(guard) == []
    code.run(SOURCE + "\nimport importlib.metadata\nfrom numpy.testing import assert_equal\n"
             "assert_equal(1, 1)\nprint(importlib.metadata.__name__)\n")
    expect(output.text).to_contain_text("importlib.metadata\n")
    assert fetched_on_demand(guard) == ["python_stdlib.zip"]


def test_what_the_playgrounds_steps_print_appears_and_what_the_check_prints_does_not(lab):
    playground, code, output = lab
    code.run(TELLING)
    playground.wait_until_certified()
    playground.wait_until_live()
    expect(output.text).to_have_text(6 * TOLD)  # the session so far, by the new code
    expect(output.figures).to_have_count(0)  # what is printed is text and nothing else
    playground.step.click()
    expect(output.text).to_have_text(7 * TOLD)
    output.clear.click()
    playground.step.click()
    expect(output.text).to_have_text(TOLD)
    code.restore.click()
    expect(output.region).to_have_count(0)


def test_a_flood_is_shown_while_it_runs_and_the_page_stays_light(lab):
    playground, code, output = lab
    code.type(SOURCE + ENDLESS)
    code.apply.click()
    expect(output.text).to_contain_text("…\nline ")
    code.stop.click()
    code.expect_refused("You stopped it")
    lines = output.text.inner_text().splitlines()
    assert lines[0] == "…" and len(lines) <= 201
    playground.wait_until_live()
    playground.step.click()
    playground.expect_steps(7)


def test_after_a_stop_the_code_before_has_its_packages_again(lab, guard):
    playground, code, output = lab
    code.run(SOURCE + SMALL)
    expect(output.text).to_have_text("cycler is here\n")
    assert fetched_on_demand(guard) == ["cycler", "python_stdlib.zip", "six"]
    playground.wait_until_certified()
    playground.wait_until_live()
    code.type(SOURCE + ENDLESS)
    code.apply.click()
    code.stop.click()
    code.expect_refused("You stopped it. The playground goes on with your code from before.")
    playground.wait_until_live()
    expect(output.text).to_contain_text("cycler is here\n")


def missing(route: Route) -> None:
    route.fulfill(status=404, body="not here")


def damaged(route: Route) -> None:
    route.fulfill(body=b"not a wheel", content_type="application/octet-stream")


def never_answered(route: Route) -> None:
    """Leaves the request open, as a stalled connection does."""


@pytest.mark.parametrize(("fault", "message"), [
    (missing, "could not be fetched: the server said 404"),
    (damaged, "is damaged: 11 bytes came"),
    (never_answered, "no data for 8 s")])
def test_a_package_that_cannot_be_had_is_named_and_the_page_goes_on(lab, guard, fault, message):
    playground, code, output = lab
    guard.announce(r"Failed to load resource")
    playground.page.route("**/six-*.whl", fault)
    code.type(SOURCE + SMALL)
    code.apply.click()
    code.expect_refused(message)
    expect(code.state).to_contain_text("six-1.17.0-py2.py3-none-any.whl")
    playground.step.click()
    playground.expect_steps(7)
    playground.page.unroute("**/six-*.whl")
    code.apply.click()
    code.expect_in_force()
    expect(output.text).to_have_text("cycler is here\n")


def test_a_package_that_takes_its_time_is_said(lab, site_server, built_site):
    _, code, output = lab
    [pillow] = built_site.rglob("pillow-*.whl")
    with site_server.slowed(pillow.name, bytes_per_second=400_000):
        code.type(SOURCE + "\nfrom PIL import Image\nprint(Image.__name__)\n")
        code.apply.click()
        expect(code.state).to_contain_text("Fetching what your code imports")
        expect(code.state).to_contain_text("of 3.6 MB")  # with the whole standard library
        code.expect_in_force()
    expect(output.text).to_have_text("PIL.Image\n")


def test_the_caches_are_out_of_its_reach(lab):
    _, code, output = lab
    code.run(SOURCE + "\nimport js\n"
             "print([hasattr(js, name) for name in ('caches', 'Worker', 'fetch')])\n")
    expect(output.text).to_have_text("[False, False, True]\n")


def test_it_fits_every_screen_and_every_reader(open_page):
    page = open_page(PATH)
    PlaygroundPage(page).wait_until_live()
    code, output = CodePanel(page), Output(page)
    code.run(SOURCE + FIGURE + 'print("wide " * 90)\nprint("long\\n" * 300)')
    output.expect_figures("Two bars. y: share", "Figure without title or labels")
    for size in (LAPTOP, PHONE):
        for scheme in ("light", "dark"):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(WIDTH_BEYOND_THE_SCREEN) == 0
            violations = Axe().run(page, context=".code-output").response["violations"]
            assert [(rule["id"], rule["nodes"][0]["failureSummary"])
                    for rule in violations] == [], (size, scheme)
