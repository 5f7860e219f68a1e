"""Reads HTML as the tests ask about it: elements with attributes, text and ancestors."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
        "source", "track", "wbr"}


@dataclass
class Element:
    """One element: its tag, attributes, all text in it, and the tags around it."""

    tag: str
    attributes: dict[str, str]
    ancestors: tuple[str, ...]
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def inside(self, tag: str) -> bool:
        return tag in self.ancestors


class Page(HTMLParser):
    """The elements of a page, in order."""

    def __init__(self, html: str):
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()

    def find(self, tag: str, *with_attributes: str) -> list[Element]:
        """Returns the elements of that tag that have all these attributes."""
        return [element for element in self.elements
                if element.tag == tag and element.attributes.keys() >= set(with_attributes)]

    def handle_starttag(self, tag, attrs):
        ancestors = tuple(element.tag for element in self._open)
        element = Element(tag, {name: value or "" for name, value in attrs}, ancestors)
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag):
        for i in reversed(range(len(self._open))):
            if self._open[i].tag == tag:
                del self._open[i:]
                break

    def handle_data(self, data):
        for element in self._open:
            element.pieces.append(data)


def parse(html: str) -> Page:
    """Reads a page or a piece of one."""
    return Page(html)


def pages_of(site: Path) -> dict[str, Page]:
    """Returns every page of a built site by its path in it."""
    return {path.relative_to(site).as_posix(): parse(path.read_text())
            for path in sorted(site.rglob("*.html"))}
