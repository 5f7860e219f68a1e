"""The glossary: every term has its anchor and its definition, every name its source."""

import re

import pytest

from tests.site.html_pages import pages_of, parse

PAGE = "glossary/index.html"
TERMS = {
    "target", "draft", "gamma", "step", "kv-cache", "verification", "one-hot", "residual",
    "recovered", "bonus", "discarded", "exact", "draft-model", "n-gram", "eagle", "medusa",
    "acceptance-rate", "draft-acceptance-rate", "per-position", "mean-acceptance-length",
    "cost-ratio", "speed-up", "total-variation", "e-value", "entropy", "perplexity",
    "temperature", "top-k", "top-p", "min-p", "typical-p", "repetition-penalty",
    "frequency-penalty", "presence-penalty", "order",
    "hypothesis", "beam-width", "length-penalty", "stop-token",
}
ENGINES = ("vLLM", "SGLang", "TensorRT-LLM", "llama.cpp", "Transformers")
# Where a name stands: a file at a commit, a released version's pages, a thread, a paper.
SOURCES = re.compile(
    r"https://(github\.com/(vllm-project/vllm|sgl-project/sglang|NVIDIA/TensorRT-LLM"
    r"|ggml-org/llama\.cpp|huggingface/transformers)/(blob/[0-9a-f]{40}/.+|(pull|issues)/\d+)"
    r"|docs\.vllm\.ai/en/v\d[\w.]+/.+|nvidia\.github\.io/TensorRT-LLM/\d[\w.]+/.+"
    r"|arxiv\.org/abs/\d{4}\.\d{5})")


def entries(html: str) -> dict[str, str]:
    """Returns the HTML between each term's heading and the next heading, by anchor."""
    article = re.search(r"<article.*?</article>", html, re.S)[0]
    pieces = re.split(r"<h[23] id=\"([^\"]+)\".*?</h[23]>", article, flags=re.S)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


@pytest.fixture(scope="module")
def glossary(built_site) -> dict[str, str]:
    return entries((built_site / PAGE).read_text())


def test_every_term_has_its_anchor_and_its_definition(glossary):
    groups = {"speculation", "measures", "sampling-knobs", "search"}
    assert glossary.keys() == TERMS | groups
    for term in TERMS:
        definition = parse(re.search(r"\s*(<p>.*?</p>)", glossary[term], re.S)[1])
        assert len(definition.elements[0].text.split()) >= 5, term


def test_rows_name_engines_in_order_and_say_where_the_name_stands(glossary):
    for term, html in glossary.items():
        rows = re.findall(r"<li>(.*?)</li>", html, re.S)
        engines = [row.split(":")[0].split(", ") for row in rows]
        for row in rows:
            assert '<a href="https:' in row or "—" in row, (term, row)
        for names in [*engines, [first for first, *_ in engines]]:
            assert names == [engine for engine in ENGINES if engine in names], (term, names)
        assert len(sum(engines, [])) == len(set(sum(engines, []))), term


def test_every_source_is_at_a_version_or_of_the_maintainers(built_site):
    [article] = re.findall(r"<article.*?</article>", (built_site / PAGE).read_text(), re.S)
    addresses = [link.attributes["href"] for link in parse(article).find("a", "href")]
    outside = [address for address in addresses if re.match(r"[a-z]+:|//", address)]
    assert outside
    assert [address for address in outside if not SOURCES.fullmatch(address)] == []


def test_other_pages_link_to_terms(built_site):
    asked_for = {
        link.attributes["href"].split("#")[1] for path, page in pages_of(built_site).items()
        for link in page.find("a", "href")
        if path != PAGE and "glossary/#" in link.attributes["href"]}
    assert asked_for and asked_for <= TERMS


@pytest.mark.parametrize("address", [
    "http://arxiv.org/abs/2211.17192",
    "https://github.com/vllm-project/vllm/blob/main/vllm/v1/sample/sampler.py",
    "https://github.com/someone/vllm/pull/1",
    "https://docs.vllm.ai/en/latest/api/",
])
def test_an_address_that_moves_would_be_seen(address):
    assert not SOURCES.fullmatch(address)
