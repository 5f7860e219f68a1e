"""Gives every page a content security policy: what it may load, run and talk to.

The policy names the theme's inline scripts by their SHA-256, those of all pages in each:
instant navigation runs a page's scripts under the policy of the page that was loaded first.
`_headers` holds the same policy for hosts that send headers by such a file.
"""

import base64
import hashlib
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from string import Template

from mkdocs.exceptions import PluginError

META = Template(Path(__file__).with_name("content_security_policy.html").read_text())
HEADERS_FILE = "_headers"  # as Netlify, Cloudflare Pages and others read it

# Behind the character set, which browsers look for in the first 1024 bytes only.
PLACE = re.compile(r'<meta charset="utf-8">')

JAVASCRIPT_TYPES = {"", "module", "text/javascript", "application/javascript"}


class _InlineScripts(HTMLParser):
    """Collects the texts of a page's scripts that are not in files."""

    def __init__(self, html: str):
        super().__init__()
        self.texts: list[str] = []
        self._in_one = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self._in_one = (tag == "script" and "src" not in attributes
                        and (attributes.get("type") or "") in JAVASCRIPT_TYPES)
        if self._in_one:
            self.texts.append("")

    def handle_endtag(self, tag):
        self._in_one = False

    def handle_data(self, data):
        if self._in_one:
            self.texts[-1] += data


def inline_scripts(html: str) -> list[str]:
    """Returns the texts of the scripts that stand in the page itself, in order.

    What is no JavaScript, such as JSON for a script to read, is none.
    """
    return _InlineScripts(html).texts


def policy(scripts: set[str]) -> str:
    """Returns the policy of a site whose pages hold these inline scripts.

    Styles may be inline: the theme's and the editor's are. `wasm-unsafe-eval` lets Python
    be compiled, and no text be run as JavaScript.
    """
    hashes = sorted(
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    sources = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "'wasm-unsafe-eval'", *(f"'sha256-{hash_}'" for hash_ in hashes)],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:"],  # the theme's icons, a reader's figures
        "connect-src": ["'self'"],
        "worker-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
    }
    return "; ".join(f"{name} {' '.join(allowed)}" for name, allowed in sources.items())


def with_policy(html: str, policy: str) -> str:
    """Returns the page with the policy ahead of everything that it loads or runs.

    Raises:
        PluginError: the page does not say its character set where a page of the theme does.
    """
    place = PLACE.search(html)
    if not place or "<script" in html[:place.start()] or "<link" in html[:place.start()]:
        raise PluginError("a page's <head> does not begin with its character set")
    meta = META.substitute(policy=escape(policy, quote=False))
    return html[:place.end()] + meta.strip() + html[place.end():]


def headers(policy: str) -> str:
    """Returns a `_headers` file that sends the policy with every answer.

    A header can say what a page cannot: that no other site may show it in a frame.
    """
    return f"/*\n  Content-Security-Policy: {policy}; frame-ancestors 'self'\n"


_command = ""


def on_startup(command, dirty):
    global _command
    _command = command


def on_post_build(config):
    if _command == "serve":
        return  # the script by which it reloads pages is inline, and another one each time
    pages = {path: path.read_text() for path in Path(config.site_dir).rglob("*.html")}
    of_site = policy({script for html in pages.values() for script in inline_scripts(html)})
    for path, html in pages.items():
        path.write_text(with_policy(html, of_site))
    (Path(config.site_dir) / HEADERS_FILE).write_text(headers(of_site))
