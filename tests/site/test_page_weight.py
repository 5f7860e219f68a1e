"""What a playground's page costs before Python's files come: at most 120 KB, compressed."""

import gzip
from urllib.parse import urljoin

from tests.conftest import SITE_URL
from tests.site.html_pages import pages_of

PAGE = "speculative-decoding/index.html"
BUDGET_BYTES = 122_880  # 120 KB


def test_the_page_with_all_that_it_names_is_within_its_budget(built_site):
    page = pages_of(built_site)[PAGE]
    links = [link.attributes for link in page.find("link")]
    named = [link["href"] for link in links if link["rel"] in ("stylesheet", "modulepreload")]
    named += [script.attributes["src"] for script in page.find("script")
              if "src" in script.attributes]
    assert any("lab.js" in address for address in named)
    assert any("bundle" in address for address in named)  # the theme's
    files = [PAGE] + [
        urljoin(SITE_URL + PAGE, address).removeprefix(SITE_URL) for address in named]
    weights = {file: len(gzip.compress((built_site / file).read_bytes(), 6)) for file in files}
    for file, weight in weights.items():
        print(f"{weight:7,} {file}")
    print(f"{sum(weights.values()):7,} in all")
    assert sum(weights.values()) <= BUDGET_BYTES, weights
