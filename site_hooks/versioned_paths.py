"""Publishes what a page of ours loads under build/<version>/, a folder for each deploy.

The version is a hash over all these files, Python's own among them through the manifest that
lists their hashes: a file of one deploy is never taken for a file of another, whatever a
browser or a proxy has kept. The manifest stands in worker.js as well, which so need not wait
for it. Stands after the hooks that publish these files in mkdocs.yml.
"""

import hashlib
import json

from mkdocs.exceptions import PluginError

MANIFEST = "runtime/manifest.json"
WORKER = "widgets/worker.js"
VERSIONED = ("widgets/", "scenes/", "stylesheets/", "runtime/specdec-", MANIFEST)


def is_versioned(uri: str) -> bool:
    """Tells whether the file at this address belongs to the build."""
    return uri.startswith(VERSIONED)


def build_folder(contents: dict[str, bytes]) -> str:
    """Returns the folder of the build with these files: another one after any change.

    Args:
        contents: by address under the site.
    """
    listing = hashlib.sha256()
    for uri, data in sorted(contents.items()):
        listing.update(f"{hashlib.sha256(data).hexdigest()} {uri}\n".encode())
    return f"build/{listing.hexdigest()[:12]}"


def versioned(uri: str, folder: str) -> str:
    """Returns where the file at this address is published."""
    return f"{folder}/{uri}" if is_versioned(uri) else uri


def versioned_manifest(text: str, folder: str) -> str:
    """Returns the manifest with the addresses at which its files are published."""
    manifest = json.loads(text)
    for file in manifest["files"]:
        file["url"] = versioned(file["url"], folder)
    return json.dumps(manifest, indent=1)


def with_manifest(script: str, manifest: str) -> str:
    """Returns worker.js with the manifest, a constant of its own, before it."""
    return f"globalThis.specdecManifest={json.dumps(json.loads(manifest))};\n{script}"


def on_files(files, config):
    ours = {file.dest_uri: file for file in files if is_versioned(file.dest_uri)}
    if MANIFEST not in ours:
        raise PluginError("site_hooks/versioned_paths.py stands before the hooks it is for")
    folder = build_folder({uri: file.content_bytes for uri, file in ours.items()})
    ours[MANIFEST].content_string = versioned_manifest(ours[MANIFEST].content_string, folder)
    ours[WORKER].content_string = with_manifest(
        ours[WORKER].content_string, ours[MANIFEST].content_string)
    for uri, file in ours.items():
        file.dest_uri = versioned(uri, folder)
    config.extra_css = [versioned(path, folder) for path in config.extra_css]
    for script in config.extra_javascript:
        script.path = versioned(script.path, folder)
    return files
