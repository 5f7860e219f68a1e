"""The policy, served as a header as well, breaks nothing; what it forbids does not happen."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.playground_page import PATH, PlaygroundPage

REFUSED = "Content Security Policy"  # in what the browser then says
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
    site_server.headers |= {name: value, "Access-Control-Allow-Origin": "*"}
    yield
    site_server.headers.clear()


@pytest.mark.usefixtures("header")
def test_all_works_under_the_header(open_page):
    page = open_page("")
    page.evaluate("window.neverReloaded = true")
    page.get_by_role("main").get_by_role("heading", name="Speculative decoding").click()
    playground, code = PlaygroundPage(page), CodePanel(page)
    playground.wait_until_live()
    playground.step_times(1, made=6)
    code.run(SOURCE + FIGURE)
    expect(page.get_by_role("img", name="Two bars")).to_be_visible()
    expect(page.get_by_role("img", name="Two bars")).to_have_js_property("complete", True)
    page.get_by_role("main").get_by_role("link", name="Reference").click()
    expect(page.get_by_role("heading", level=1, name="Reference")).to_be_visible()
    page.get_by_role("textbox", name="Search").press_sequentially("residual")  # it reads on keyup
    expect(page.get_by_role("search").get_by_role("link").first).to_be_visible()
    assert page.evaluate("window.neverReloaded") is True


FORBIDDEN = {  # by which part of the policy
    "script-src": """setTimeout(() => { try { new Function("return 1"); } catch {} });""",
    "script-src-elem": """
        const script = document.createElement("script");
        script.textContent = "window.ranInline = true";
        document.body.append(script);
    """,
    "connect-src": """fetch("https://elsewhere.test/").catch(() => {});""",
}


@pytest.mark.parametrize("directive", FORBIDDEN)
def test_without_the_header_the_page_itself_forbids(open_page, guard, directive):
    guard.announce(REFUSED)
    page = open_page("")
    refused = page.evaluate(f"""() => new Promise(done => {{
        document.addEventListener("securitypolicyviolation", done);
        {FORBIDDEN[directive]}
    }}).then(({{effectiveDirective}}) => effectiveDirective)""")
    assert refused == directive
    guard.forget_requests_to("https://elsewhere.test/")


@pytest.mark.usefixtures("header")
def test_under_the_header_a_readers_code_reaches_no_other_host(open_page, guard, site_server):
    elsewhere = f"http://127.0.0.1:{site_server.server_port}/specdec/"  # answers, and is not ours
    guard.announce(REFUSED)
    page = open_page(PATH)
    playground, code = PlaygroundPage(page), CodePanel(page)
    playground.wait_until_live()
    code.type(SOURCE + f"""
import js
request = js.XMLHttpRequest.new()
request.open("GET", "{elsewhere}", False)
request.send()
""")
    code.apply.click()
    code.expect_refused("NetworkError")
    guard.forget_requests_to(elsewhere)
