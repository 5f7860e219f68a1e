"""The policy, served as a header as well, breaks nothing; what it forbids does not happen."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import ConsoleMessage, Error, expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.playground_page import PATH, PlaygroundPage

ELSEWHERE = "https://elsewhere.test/"
REFUSED = "Content Security Policy"
PHONE_HOME = f"""
import js
request = js.XMLHttpRequest.new()
request.open("GET", "{ELSEWHERE}", False)
request.send()
"""
FIGURE = """
import matplotlib.pyplot as plt
plt.bar(["a", "b"], [1, 2])
plt.title("Two bars")
plt.show()
"""


@pytest.fixture
def header(site_server, built_site) -> Iterator[None]:
    """Every answer comes with the header that a host is told to send, workers' scripts too."""
    [(name, value)] = re.findall(r"^  (\S+): (.+)$", (built_site / "_headers").read_text(), re.M)
    site_server.headers[name] = value
    yield
    del site_server.headers[name]


@pytest.mark.usefixtures("header")
def test_all_works_under_the_header(open_page):
    page = open_page("")
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
    page.get_by_role("textbox", name="Search").fill("residual")
    expect(page.get_by_role("search").get_by_role("link").first).to_be_visible()
    assert page.evaluate("window.neverReloaded") is True


def is_refusal(message: ConsoleMessage) -> bool:
    return REFUSED in message.text


FORBIDDEN = {  # each is an error if it is refused
    "a text as code": """() => new Promise((done, fail) => setTimeout(() => {
        try { done(new Function("return 1")()); } catch (error) { fail(error); }
    }))""",
    "an inline script": """() => {
        const script = document.createElement("script");
        script.textContent = "window.ranInline = true";
        document.body.append(script);
        if (!window.ranInline) throw new Error("refused");
    }""",
    "a request to another host": f"() => fetch('{ELSEWHERE}')",
}


@pytest.mark.parametrize("attempt", FORBIDDEN.values(), ids=FORBIDDEN)
def test_without_the_header_the_page_itself_forbids(open_page, guard, attempt):
    guard.announce(REFUSED)
    page = open_page("")
    with page.expect_console_message(is_refusal), pytest.raises(Error):
        page.evaluate(attempt)
    guard.forget_requests_to(ELSEWHERE)


@pytest.mark.usefixtures("header")
def test_a_readers_code_reaches_no_other_host_under_the_header(open_page, guard):
    guard.announce(REFUSED)
    page = open_page(PATH)
    playground, code = PlaygroundPage(page), CodePanel(page)
    playground.wait_until_live()
    code.type(SOURCE + PHONE_HOME)
    with page.expect_console_message(is_refusal):
        code.apply.click()
    code.expect_refused("NetworkError")
    guard.forget_requests_to(ELSEWHERE)
