"""The policy, served as a header as well, breaks nothing; what it forbids does not happen."""

import re

import pytest
from playwright.sync_api import Error, Route, expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.playground_page import PATH, PlaygroundPage

FIGURE = """
import matplotlib.pyplot as plt
plt.bar(["a", "b"], [1, 2])
plt.title("Two bars")
plt.show()
"""


@pytest.fixture
def policy(built_site) -> str:
    """What a host is told to send with every answer."""
    [line] = re.findall(r"^  Content-Security-Policy: (.*)$",
                        (built_site / "_headers").read_text(), re.M)
    return line


def under(policy: str):
    """Returns a `prepare` for `open_page`: every answer, workers' too, comes with the header."""
    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response,
                      headers=response.headers | {"content-security-policy": policy})
    return lambda page: page.context.route("**/*", answer)


def test_all_works_under_the_header(open_page, policy):
    page = open_page("", prepare=under(policy))
    page.evaluate("window.neverReloaded = true")
    page.get_by_role("main").get_by_role("link", name="Speculative decoding").click()
    playground, code = PlaygroundPage(page), CodePanel(page)
    playground.wait_until_live()
    playground.step_times(1, made=6)
    code.run(SOURCE + FIGURE)
    expect(page.get_by_role("img", name="Two bars")).to_be_visible()
    expect(page.get_by_role("img", name="Two bars")).to_have_js_property("complete", True)
    page.get_by_role("main").get_by_role("link", name="Reference").click()
    expect(page.get_by_role("heading", level=1, name="Reference")).to_be_visible()
    page.get_by_role("searchbox").fill("residual")
    expect(page.get_by_role("search").get_by_role("link").first).to_be_visible()
    assert page.evaluate("window.neverReloaded") is True


FORBIDDEN = {  # each is an error if it is refused
    "a text as code": "() => new Function('return 1')()",
    "an inline script": """() => {
        const script = document.createElement("script");
        script.textContent = "window.ranInline = true";
        document.body.append(script);
        if (!window.ranInline) throw new Error("refused");
    }""",
    "a request to another host": "() => fetch('https://elsewhere.test/')",
    "a picture of another host": """() => new Promise((done, fail) => {
        const image = new Image();
        image.onload = done;
        image.onerror = fail;
        image.src = "https://elsewhere.test/a.png";
    })""",
}


@pytest.mark.parametrize("attempt", FORBIDDEN.values(), ids=FORBIDDEN)
def test_without_the_header_the_page_itself_forbids(open_page, guard, attempt):
    guard.announce("Content Security Policy")
    page = open_page("")
    with pytest.raises(Error):
        page.evaluate(attempt)


def test_a_readers_code_reaches_no_other_host_under_the_header(open_page, guard, policy):
    guard.announce("Content Security Policy")
    page = open_page(PATH, prepare=under(policy))
    playground, code = PlaygroundPage(page), CodePanel(page)
    playground.wait_until_live()
    code.type(SOURCE + '''
import js
request = js.XMLHttpRequest.new()
request.open("GET", "https://elsewhere.test/", False)
request.send()
''')
    code.apply.click()
    code.expect_refused("NetworkError")
