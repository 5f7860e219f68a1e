"""Fills `<spec-mistakes></spec-mistakes>` with the list of changes and what each one does.

The list is complete without JavaScript. Its laws are enumerated by docs/scenes/mistakes.py;
that takes a while, so what came out is kept until the package or the scene changes.
"""

import hashlib
import json
import re
import runpy
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from fractions import Fraction
from html import escape
from os.path import commonprefix
from pathlib import Path
from string import Template

from specdec import edition, sample_size

ITEM = Template(Path(__file__).with_name("mistakes.html").read_text())
CACHE = ".cache/mistakes.json"

# Markdown wraps an element it does not know into a paragraph; a list cannot stand in one.
ELEMENT = re.compile(r"(?P<open><p>)?<spec-mistakes></spec-mistakes>(?(open)</p>)")


def diff(before: str, after: str) -> str:
    """Returns the changed lines as HTML, hunk by hunk, each under the place where it is.

    A removed line is a <del> with a minus, an added one an <ins> with a plus; what differs
    within a pair of lines is a <mark>.
    """
    old, new = before.splitlines(), after.splitlines()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    hunks = [
        f"<p>line {start + 1}, in <code>{_function(old, start)}</code></p>"
        f"<pre><code>{''.join(_changed_lines(old[start:end], new[new_start:new_end]))}</code></pre>"
        for kind, start, end, new_start, new_end in matcher.get_opcodes() if kind != "equal"]
    return "".join(hunks)


def _changed_lines(old: list[str], new: list[str]) -> Iterator[str]:
    pairs = list(zip(old, new, strict=True)) if len(old) == len(new) else []
    for side, (tag, sign, word) in enumerate((("del", "−", "removed"), ("ins", "+", "added"))):
        for number, line in enumerate((old, new)[side]):
            text = _marked(line, pairs[number][1 - side]) if pairs else escape(line, quote=False)
            yield (f'<{tag}><span class="visually-hidden">{word}: </span>'
                   f'<span aria-hidden="true">{sign} </span>{text}</{tag}>\n')


def _marked(line: str, other: str) -> str:
    """Returns the line with what the other line does not have in a <mark>."""
    start = len(commonprefix([line, other]))
    end = len(commonprefix([line[start:][::-1], other[start:][::-1]]))
    parts = line[:start], line[start:len(line) - end], line[len(line) - end:]
    first, middle, last = (escape(part, quote=False) for part in parts)
    return f"{first}<mark>{middle}</mark>{last}" if middle else first + last


def _function(lines: list[str], index: int) -> str:
    """Returns the name of the function that this line stands in, or begins."""
    heads = [re.match(r"def (\w+)", line) for line in lines[index::-1]]
    return next(head[1] for head in heads if head)


def inline(text: str) -> str:
    """Returns a sentence as HTML: [text](address) is a link, `x` is code."""
    html = re.sub(r"\[([^]]+)\]\(([^)\s]+)\)", r'<a href="\2">\1</a>', escape(text, quote=False))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html)


def decimal(fraction: str) -> str:
    """Returns an exact fraction in text as a decimal number to read: three digits."""
    number = float(Fraction(fraction))
    if number and number < 1e-3:
        return f"{number:.6f}"
    return f"{number:.3f}" if number % 1 else f"{number:.0f}"


def item(entry: dict, original: str) -> str:
    """Returns one entry of the list as HTML."""
    found = entry["findings"]
    needed = found["needed"]
    fraction = found["total_variation"]
    return ITEM.substitute(
        {name: found[name] for name in ("model", "vocab", "gamma", "num_tokens")},
        name=entry["name"], title=escape(entry["title"]), seen=inline(entry["seen"]),
        why=inline(entry["why"]), hunks=diff(original, entry["text"]),
        changes=_yes_or_no(entry["changes"]), notices=_yes_or_no(entry["notices"]),
        variation=decimal(fraction), paths=f"{found['paths']:,}",
        fraction="" if fraction in ("0", "1") else f"= {fraction.replace('/', '&#8203;/')} ",
        first=decimal(found["first_token"]),
        first_note=_note(found["first_token"], entry, "exactly right, so no count of it can help",
                         "wrong from the start", "right, as all the others"),
        two_words=decimal(found["two_words"]),
        two_words_note=_note(found["two_words"], entry, "a vocabulary of two words cannot see it",
                             "visible there, too", "nothing to see there, either"),
        needed=f"after {needed:,}" if needed else "never",
        needed_note=f"tokens, in {sample_size.POWER:.0%} of all tries" if needed
        else "however many tokens it gets")


def _note(distance: str, entry: dict, hidden: str, visible: str, harmless: str) -> str:
    if not entry["changes"]:
        return harmless
    return hidden if distance == "0" else visible


def _yes_or_no(answer: bool) -> str:
    return "yes" if answer else "no"


def fill(html: str, catalogue: list[dict], original: str) -> str:
    """Returns html with every <spec-mistakes> filled from the catalogue."""
    items = "".join(item(entry, original) for entry in catalogue)
    tokens = sample_size.TOKENS
    return ELEMENT.sub(
        lambda _: f'<spec-mistakes data-test-tokens="{tokens}">{items}</spec-mistakes>', html)


def kept(cache: Path, key: str, compute: Callable[[], list]) -> list:
    """Returns what was computed under this key before, or computes and keeps it."""
    if cache.is_file():
        content = json.loads(cache.read_text())
        if content["key"] == key:
            return content["value"]
    value = compute()
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps({"key": key, "value": value}))
    return value


def computed_catalogue(root: Path) -> list[dict]:
    """Runs the scene, unless the package and the scene are those of the last time."""
    scene = root / "docs/scenes/mistakes.py"
    sources = [*sorted((root / "specdec").glob("*.py")), scene]
    key = hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()
    return kept(root / CACHE, key, lambda: runpy.run_path(str(scene))["judged_catalogue"]())


def on_page_content(html, page, config, files):
    if not ELEMENT.search(html):
        return html
    root = Path(config.config_file_path).parent
    return fill(html, computed_catalogue(root), edition.original("speculative.py").text)
