"""What a playground's page costs before Python's files come: at most 120 KB, compressed.

One with files of its own may cost 8 KB more: lab.js brings the first playground along.
"""

import gzip
from urllib.parse import urljoin

import pytest

from site_hooks.early_scripts import chunks_of
from site_hooks.rendered_frames import names_of
from tests.built_files import build_folder_of
from tests.conftest import ROOT, SITE_URL
from tests.site.html_pages import pages_of

BUDGET_BYTES = 122_880  # 120 KB
BUDGET_WITH_FILES_OF_ITS_OWN = 131_072  # 128 KB
WITH_FILES_OF_THEIR_OWN = sorted(names_of(ROOT / "docs"))


def named_by(page: str, built_site) -> list[str]:
    """Returns the page and all files that it names, by their places in the site."""
    html = pages_of(built_site)[page]
    links = [link.attributes for link in html.find("link")]
    named = [link["href"] for link in links if link["rel"] in ("stylesheet", "modulepreload")]
    named += [script.attributes["src"] for script in html.find("script")
              if "src" in script.attributes]
    assert any("lab.js" in address for address in named)
    assert any("bundle" in address for address in named)  # the theme's
    return [page] + [
        urljoin(SITE_URL + page, address).removeprefix(SITE_URL) for address in named]


def assert_within(budget: int, files: list[str], built_site) -> None:
    weights = {file: len(gzip.compress((built_site / file).read_bytes(), 6)) for file in files}
    for file, weight in weights.items():
        print(f"{weight:7,} {file}")
    print(f"{sum(weights.values()):7,} in all")
    assert sum(weights.values()) <= budget, weights


def test_the_page_with_all_that_it_names_is_within_its_budget(built_site):
    files = named_by("speculative-decoding/index.html", built_site)
    assert_within(BUDGET_BYTES, files, built_site)


@pytest.mark.parametrize("name", WITH_FILES_OF_THEIR_OWN)
def test_so_is_that_of_a_playground_with_files_of_its_own(built_site, name):
    widgets = build_folder_of(built_site) / "widgets"
    [widget] = widgets.glob(f"{name}-*.js")  # lab.js asks for it at once
    imported = [widget, *(widgets / chunk for chunk in chunks_of(widget.read_text()))]
    files = named_by(f"{name.replace('_', '-')}/index.html", built_site)
    files += [str(file.relative_to(built_site)) for file in imported]
    assert any(file.endswith(f"playgrounds/{name}.css") for file in files)
    assert_within(BUDGET_WITH_FILES_OF_ITS_OWN, sorted(set(files)), built_site)
