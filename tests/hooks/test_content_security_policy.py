"""site_hooks/content_security_policy.py: a policy in each page that allows what is in all."""

import base64
import hashlib
from types import SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError

from site_hooks import content_security_policy as hook
from site_hooks.content_security_policy import headers, inline_scripts, policy, with_policy

HEAD = '<html><head>\n<meta charset="utf-8">\n<link rel="icon" href="a.png">'


def sha256_source(script: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"


def directives(policy: str) -> dict[str, list[str]]:
    return {name: sources for name, *sources in (part.split() for part in policy.split("; "))}


def test_scripts_in_the_page_are_found_to_the_letter():
    assert inline_scripts(
        "<script>a = '<b>' && 1;\n</script><p>no script</p><SCRIPT type=module>γ()</SCRIPT>"
    ) == ["a = '<b>' && 1;\n", "γ()"]


@pytest.mark.parametrize("html", [
    '<script src="a.js"></script>',
    '<script type="application/json">{"a": 1}</script>',
    "<style>b {}</style><template>c</template>",
])
def test_what_is_in_a_file_or_no_javascript_is_none(html):
    assert inline_scripts(html) == []


def test_the_policy_allows_these_scripts_and_no_other():
    allowed = directives(policy({"a()", "b()"}))
    assert set(allowed["script-src"]) == {
        "'self'", "'wasm-unsafe-eval'", sha256_source("a()"), sha256_source("b()")}
    assert allowed["default-src"] == allowed["connect-src"] == allowed["worker-src"] == ["'self'"]
    assert allowed["object-src"] == ["'none'"]


def test_the_policy_does_not_depend_on_the_order_of_pages():
    assert policy({"a()", "b()", "c()"}) == policy({"c()", "b()", "a()"})


def test_the_policy_stands_before_all_that_a_page_loads_and_early_enough_for_the_charset():
    page = with_policy(f"{HEAD}<script>a()</script>", "default-src 'self'")
    meta = """<meta http-equiv="Content-Security-Policy" content="default-src 'self'">"""
    assert page.index("charset") < page.index(meta) < page.index("<link") < page.index("<script")


@pytest.mark.parametrize("html", [
    "<html><head><title>no character set</title></head></html>",
    f"<head><script>a()</script></head>{HEAD}",
])
def test_a_page_where_something_comes_first_ends_the_build(html):
    with pytest.raises(PluginError, match="character set"):
        with_policy(html, "default-src 'self'")


def test_the_header_says_the_same_and_who_may_frame_a_page():
    assert headers("default-src 'self'") == (
        "/*\n  Content-Security-Policy: default-src 'self'; frame-ancestors 'self'\n")


@pytest.fixture
def site(tmp_path):
    for name, script in (("index.html", "a()"), ("lab/index.html", "b()"), ("404.html", "c()")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{HEAD}<script>{script}</script></head></html>")
    return tmp_path


def test_every_page_gets_the_policy_of_all(site, monkeypatch):
    monkeypatch.setattr(hook, "_command", "build")
    hook.on_post_build(SimpleNamespace(site_dir=str(site)))
    expected = policy({"a()", "b()", "c()"})
    for page in site.rglob("*.html"):
        assert page.read_text().count(f'content="{expected}"') == 1
    assert expected in (site / "_headers").read_text()


def test_mkdocs_serve_is_left_alone(site, monkeypatch):
    monkeypatch.setattr(hook, "_command", "serve")
    before = (site / "index.html").read_text()
    hook.on_post_build(SimpleNamespace(site_dir=str(site)))
    assert (site / "index.html").read_text() == before
