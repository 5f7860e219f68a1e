"""Runs in Pyodide, at build time: archives of what the lab starts with, as bytecode.

Only the interpreter that will import the modules can compile them: bytecode is of one
version of Python. The archives are zips whose entries are stored; they are compressed as a
whole, which is smaller, and quicker to undo than entry by entry in WebAssembly.
"""

import gzip
import io
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash

DATE = (1980, 1, 1, 0, 0, 0)  # the same bytes from every build
STDLIB, SITE_PACKAGES = "/lib/python314.zip", "/lib/python3.14/site-packages"

# In NumPy's wheel, of no use to who runs it: tests, C and Cython headers, the compiler
# of Fortran, stubs, documents.
UNWANTED = ("/tests/", "/f2py/", "/include/", "/_pyinstaller/", "/doc/", "/licenses/")
UNWANTED_ENDINGS = (".pyi", ".pxd", ".pyx", ".a", ".md", ".rst", ".txt", "conftest.py", "RECORD")


def of_standard_library(archive: bytes, in_use) -> bytes:
    """Returns the modules in use, as bytecode.

    Args:
        archive: Pyodide's python_stdlib.zip.
        in_use: their paths.
    """
    wanted = set(in_use)
    return _compiled(archive, STDLIB, lambda name: name in wanted)


def of_wheel(archive: bytes, _in_use) -> bytes:
    """Returns a wheel without what nobody imports, its modules as bytecode; no binary ones."""
    return _compiled(archive, SITE_PACKAGES, lambda name: _is_wanted(name) and not _is_binary(name))


def binaries_of_wheel(archive: bytes, _in_use) -> bytes:
    """Returns the binary modules of a wheel."""
    return _compiled(archive, SITE_PACKAGES, lambda name: _is_wanted(name) and _is_binary(name))


def _is_wanted(name):
    return not (any(part in f"/{name}" for part in UNWANTED) or name.endswith(UNWANTED_ENDINGS))


def _is_binary(name):
    return name.endswith(".so")


def _compiled(archive, folder, is_wanted):
    out = io.BytesIO()
    with (zipfile.ZipFile(io.BytesIO(archive)) as whole,
          zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as boot):
        for name in sorted(whole.namelist()):
            if name.endswith("/") or not is_wanted(name):
                continue
            content = whole.read(name)
            if name.endswith(".py"):
                content = _bytecode(content, f"{folder}/{name}")
                name += "c"
            boot.writestr(zipfile.ZipInfo(name, DATE), content)
    return gzip.compress(out.getvalue(), 9, mtime=0)


def _bytecode(source, path):
    code = compile(source, path, "exec", dont_inherit=True)
    return bytes(_code_to_hash_pyc(code, source_hash(source), checked=False))
