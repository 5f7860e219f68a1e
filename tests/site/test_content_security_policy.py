"""Every page has the policy, and nothing in it that the policy would refuse."""

import pytest

from tests.site.html_pages import pages_of

META = "Content-Security-Policy"


@pytest.fixture(scope="module")
def pages(built_site):
    return pages_of(built_site)


def test_every_page_begins_with_the_same_policy_without_unsafe_scripts(pages):
    policies = set()
    for path, page in pages.items():
        names = [(element.tag, element.attributes) for element in page.elements]
        first, second = names[2:4]  # in <html><head>
        assert first == ("meta", {"charset": "utf-8"}), path
        assert second[0] == "meta" and second[1]["http-equiv"] == META, path
        policies.add(second[1]["content"])
    [policy] = policies
    assert "'unsafe-eval'" not in policy
    [scripts] = [part for part in policy.split("; ") if part.startswith("script-src ")]
    assert "'unsafe-inline'" not in scripts


def test_the_host_is_told_the_same_policy(pages, built_site):
    [meta] = pages["index.html"].find("meta", "http-equiv")
    assert f"{META}: {meta.attributes['content']}; " in (built_site / "_headers").read_text()


def test_no_element_holds_a_script_in_an_attribute(pages):
    for path, page in pages.items():
        for element in page.elements:
            handlers = [name for name in element.attributes if name.startswith("on")]
            assert handlers == [], (path, element.tag)
            assert not element.attributes.get("href", "").startswith("javascript:"), path
