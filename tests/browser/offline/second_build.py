"""The next deploy: a copy of the built site with a change, made by the hooks' own functions."""

import re
import shutil
from pathlib import Path

from site_hooks.service_worker import inject_list
from site_hooks.versioned_paths import MANIFEST, WORKER, build_folder
from tests.built_files import build_folder_of

LIST = re.compile(r'\[\{"integrity":.*?\}\]')  # where injectManifest has put it
FOOTER, NEW_FOOTER = "MIT licence", "MIT licence, second build"


def second_build(first: Path, folder: Path) -> Path:
    """Makes a site in the folder: its pages have another footer, its lab.js is another file."""
    shutil.copytree(first, folder)
    old = build_folder_of(folder)
    lab = old / "widgets/lab.js"
    lab.write_bytes(lab.read_bytes() + b"// changed\n")
    new = folder / build_folder({
        path.relative_to(old).as_posix(): path.read_bytes()
        for path in old.rglob("*") if path.is_file()})
    old.rename(new)
    for path in [*folder.rglob("*.html"), new / MANIFEST, new / WORKER]:
        text = path.read_text().replace(f"build/{old.name}/", f"build/{new.name}/")
        path.write_text(text.replace(FOOTER, NEW_FOOTER))
    worker = folder / "sw.js"
    bundled, lists = LIST.subn("self.__WB_MANIFEST", worker.read_text())
    assert lists == 1
    worker.write_text(bundled)
    inject_list(folder)
    return folder
