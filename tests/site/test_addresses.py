"""What pages link to exists; what they load is the site's own, under any sub-path."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from tests.built_files import build_folder_of
from tests.conftest import SITE_URL
from tests.site.html_pages import Element, Page, pages_of

# What a browser loads by itself: (tag, attribute). Links that a reader follows are not.
LOADED = {
    ("script", "src"), ("img", "src"), ("img", "srcset"), ("iframe", "src"),
    ("audio", "src"), ("video", "src"), ("video", "poster"), ("source", "src"),
    ("source", "srcset"), ("object", "data"), ("embed", "src"), ("use", "href"),
    ("use", "xlink:href"), ("image", "href"), ("image", "xlink:href"), ("input", "src"),
}
NOT_LOADED_LINKS = {"canonical", "next", "prev", "author", "license"}
BASE_PATH = urlsplit(SITE_URL).path
CSS_ADDRESS = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")


def css_addresses(css: str) -> list[str]:
    """Returns what a style sheet loads."""
    return [url or imported for url, imported in CSS_ADDRESS.findall(css)]


def addresses_loaded_by(element: Element) -> Iterator[str]:
    """Yields the addresses that an element makes the browser load."""
    for name, value in element.attributes.items():
        if (element.tag, name) in LOADED:
            yield from (part.split()[0] for part in value.split(","))
        elif name == "style":
            yield from css_addresses(value)
    if element.tag == "style":
        yield from css_addresses(element.text)
    relations = set(element.attributes.get("rel", "").split())
    if element.tag == "link" and not relations & NOT_LOADED_LINKS:
        yield element.attributes["href"]


def is_own_and_relative(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "data" or not (
        parts.scheme or parts.netloc or parts.path.startswith("/"))


def target_of(page_path: str, address: str) -> str:
    """Returns the path in the site of the file at an address on a page."""
    path = urlsplit(urljoin(SITE_URL + page_path, address)).path
    assert path.startswith(BASE_PATH), f"{address} on {page_path} leaves the site"
    return unquote(path.removeprefix(BASE_PATH)) + "index.html" * path.endswith("/")


def anchors_of(page: Page) -> set[str]:
    return {element.attributes[name] for element in page.elements
            for name in ("id", "name") if name in element.attributes}


@pytest.fixture(scope="module")
def pages(built_site):
    return pages_of(built_site)


def test_pages_load_nothing_from_another_host_and_nothing_from_the_hosts_root(pages):
    for path, page in pages.items():
        loaded = [address for element in page.elements
                  for address in addresses_loaded_by(element)]
        assert loaded, path
        if path == "404.html":
            loaded = [address.removeprefix(BASE_PATH) for address in loaded]
        foreign = [address for address in loaded if not is_own_and_relative(address)]
        assert foreign == [], path


def test_style_sheets_load_nothing_from_another_host(built_site):
    sheets = list(built_site.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        foreign = [address for address in css_addresses(sheet.read_text())
                   if not is_own_and_relative(address)]
        assert foreign == [], sheet.name


def test_the_widgets_name_no_other_host(built_site):
    for name in ("lab.js", "worker.js"):
        code = (build_folder_of(built_site) / "widgets" / name).read_text()
        hosts = re.findall(r"https?://([\w.-]+)", code)
        assert set(hosts) <= {"www.w3.org"}, name  # the names of SVG and the like


def test_everything_pages_load_exists(pages, built_site):
    for path, page in pages.items():
        for element in page.elements:
            for address in addresses_loaded_by(element):
                if not address.startswith("data:"):
                    file = built_site / target_of(path, address)
                    assert file.is_file(), (path, address)


def test_internal_links_and_their_anchors_resolve(pages, built_site):
    anchors = {path: anchors_of(page) for path, page in pages.items()}
    for path, page in pages.items():
        for link in page.find("a", "href"):
            address = link.attributes["href"]
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = target_of(path, address)
            assert (built_site / target).is_file(), (path, address)
            if parts.fragment and target in anchors:
                assert unquote(parts.fragment) in anchors[target], (path, address)


@pytest.mark.parametrize("html", [
    '<script src="https://cdn.test/a.js"></script>',
    '<link rel="stylesheet" href="//fonts.test/css">',
    '<img srcset="a.png 1x, https://img.test/b.png 2x">',
    '<p style="background: url(https://img.test/c.png)"></p>',
    "<style>@import 'https://fonts.test/css';</style>",
    '<svg><use href="/icons.svg#a"/></svg>',
])
def test_a_foreign_or_rooted_address_would_be_seen(html):
    loaded = [address for element in Page(html).elements
              for address in addresses_loaded_by(element)]
    assert not all(map(is_own_and_relative, loaded))
