"""site_hooks/playground_cards.py: cards, from pages that are given."""

from html import escape
from types import SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError

from site_hooks.playground_cards import card, first_frame, minutes_to_read

FRAME = {"words": ["a<b", "&"]}
CONTENT = ('<p>Before</p><template data-frame>{"words":["a&lt;b","&amp;"]}</template>'
           "<template>another</template>")


def page(**meta):
    meta = {"playground": "some_name", "description": "What & why", "needs": "a <b>"} | meta
    return SimpleNamespace(
        meta={key: value for key, value in meta.items() if value is not None}, title="T & U",
        content=CONTENT, markdown="word " * 400, file=SimpleNamespace(src_uri="some-name.md"))


def test_a_card_says_what_the_page_says_of_itself():
    asked = []

    def draw(name, frame):
        asked.append((name, frame))
        return "<svg></svg>"

    html = card(page(), "some-name/", draw)
    assert asked == [("some_name", FRAME)]
    for part in ('<a href="some-name/">', "<svg></svg>", "<h2>T &amp; U</h2>", "What &amp; why",
                 "2 minutes to read · needs: a &lt;b&gt;"):
        assert part in html


@pytest.mark.parametrize("key", ["description", "needs"])
def test_a_playground_that_does_not_say_it_is_named(key):
    with pytest.raises(PluginError, match=f"some-name.md is a playground without '{key}'"):
        card(page(**{key: None}), "some-name/", lambda name, frame: "")


def test_the_first_frame_is_the_one_that_the_page_carries():
    assert first_frame(CONTENT, "a.md") == FRAME
    with pytest.raises(PluginError, match="a.md is a playground without a first frame"):
        first_frame(escape(CONTENT), "a.md")


@pytest.mark.parametrize(("markdown", "minutes"), [
    ("", "1 minute"),
    ("word " * 299, "1 minute"),
    ("word " * 301, "2 minutes"),
    ("---\ntitle: " + "word " * 900 + "\n---\n" + "word " * 600, "3 minutes"),
    ('<a href="' + "word " * 900 + '">reader’s</a> ' + "word " * 800, "4 minutes"),
])
def test_the_time_to_read_counts_words_of_prose(markdown, minutes):
    assert minutes_to_read(markdown) == minutes
