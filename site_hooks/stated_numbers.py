"""Puts computed numbers into prose: `{{ name }}` becomes what the package says.

The names and numbers are those of `stated_numbers()` in docs/scenes/stated_numbers.py, and
on the page some-name.md those of docs/scenes/some_name.py, if it has any, as well.
"""

import re
import runpy
from pathlib import Path

from mkdocs.exceptions import PluginError

PLACEHOLDER = re.compile(r"\{\{ *(?P<name>\w+) *\}\}")


def names_in(markdown: str) -> set[str]:
    """Returns the names that the text asks for."""
    return {placeholder["name"] for placeholder in PLACEHOLDER.finditer(markdown)}


def fill(markdown: str, numbers: dict[str, str], page: str) -> str:
    """Returns the text with every number in its place.

    Raises:
        PluginError: no number has the name; the message says page and name.
    """
    for name in sorted(names_in(markdown) - numbers.keys()):
        raise PluginError(f"{page}: {{{{ {name} }}}} is not in stated_numbers()")
    return PLACEHOLDER.sub(lambda placeholder: numbers[placeholder["name"]], markdown)


def computed_numbers(docs: Path, page: str = "") -> dict[str, str]:
    """Runs the scenes that compute the numbers of a page, "some-name.md"."""
    own = docs / "scenes" / f"{page.removesuffix('.md').replace('-', '_')}.py"
    numbers = {}
    for scene in (docs / "scenes/stated_numbers.py", own):
        if scene.is_file():
            numbers |= runpy.run_path(str(scene)).get("stated_numbers", dict)()
    return numbers


def on_page_markdown(markdown, page, config, files):
    if not names_in(markdown):
        return markdown
    name = page.file.src_uri
    return fill(markdown, computed_numbers(Path(config.docs_dir), name), name)
