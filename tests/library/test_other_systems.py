"""What must hold on systems that this one is not: no POSIX module, Windows paths and names."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from kbrules.tools.new import CannotCreate, refuse_name
from kbrules.tools.reports.tested import ROOT as SOURCES
from kbrules.tools.reports.tested import artifact
from tests.source_tree import ROOT, modules

POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
GUARDED = {"cli/app.py": {"resource"}, "kbrules/engine/logs/writing.py": {"fcntl"}}
"""Imports that stand behind a look at `sys.platform`."""

IMPORT_ALL = """
import importlib, pkgutil, sys
for name in {blocked}:
    sys.modules[name] = None
missing = []
import cli, kbrules
for package in (cli, kbrules):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            if error.name in {blocked}:
                missing.append((module.name, error.name))
print(missing)
"""


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of the modules that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_no_module_names_what_only_posix_has() -> None:
    named = {
        str(module.path): names for module in modules() if (names := imported(module.tree) & POSIX)
    }
    assert named == GUARDED


def test_every_module_loads_without_it() -> None:
    blocked = sorted(POSIX - {"posix"})  # this Python itself needs that one
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORT_ALL.format(blocked=blocked)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"C:\rules\far.kb", "file:///C:/rules/far.kb"),
        (r"\\desk\share\far away.kb", "file://desk/share/far%20away.kb"),
    ],
)
def test_a_windows_path_elsewhere_is_a_whole_uri(path: str, uri: str) -> None:
    assert artifact(PureWindowsPath(path), PureWindowsPath(r"C:\desk")) == {"uri": uri}


@pytest.mark.parametrize("path", [r"box\rules\a b.kb", r"C:\desk\box\rules\a b.kb"])
def test_a_windows_path_below_is_relative_and_has_slashes(path: str) -> None:
    place = artifact(PureWindowsPath(path), PureWindowsPath(r"c:\Desk"))
    assert place == {"uri": "box/rules/a%20b.kb", "uriBaseId": SOURCES}


def test_a_backslash_in_a_name_of_posix_is_no_folder() -> None:
    place = artifact(PurePosixPath("a\\b.kb"), PurePosixPath("/desk"))
    assert place["uri"] == "a%5Cb.kb"


@pytest.mark.parametrize("name", ["con", "nul", "prn", "aux", "com1", "lpt9"])
def test_a_box_cannot_have_the_name_of_a_device(name: str) -> None:
    with pytest.raises(CannotCreate, match="on Windows"):
        refuse_name(name, "an expansion")
    refuse_name(f"{name}_box", "an expansion")
