"""The next deploy: a copy of the built site with a change, made by the hooks' own functions."""

import shutil
from pathlib import Path

from site_hooks.service_worker import inject_list
from site_hooks.versioned_paths import MANIFEST, build_folder
from site_hooks.widgets_bundle import bundle
from tests.built_files import build_folder_of

FOOTER, NEW_FOOTER = "MIT licence", "MIT licence, second build"


def second_build(first: Path, folder: Path, root: Path) -> Path:
    """Makes a site whose pages have another footer, and whose lab.js is another file.

    Args:
        first: the built site.
        folder: where the second one goes.
        root: the repository.
    """
    shutil.copytree(first, folder)
    old = build_folder_of(folder)
    lab = old / "widgets/lab.js"
    lab.write_bytes(lab.read_bytes() + b"// changed\n")
    new = folder / build_folder({
        path.relative_to(old).as_posix(): path.read_bytes()
        for path in old.rglob("*") if path.is_file()})
    old.rename(new)
    for path in [*folder.rglob("*.html"), new / MANIFEST]:
        text = path.read_text().replace(f"build/{old.name}/", f"build/{new.name}/")
        path.write_text(text.replace(FOOTER, NEW_FOOTER))
    (folder / "sw.js").write_bytes(bundle(root)["sw.js"])
    inject_list(folder)
    return folder
