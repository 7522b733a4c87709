"""Imports that are put off until something of the module is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from kbrules.hooks import lazily
from tests.source_tree import ROOT, Module, modules

AT_NEED = {"resource", "prompt_toolkit", "rich", "kbrules.tools.language_server"}
"""What a platform or an installation may lack, and rich, of whose classes we make one."""


def printed(folder: Path, code: str) -> str:
    """What a program prints that imports a module `slow`, which says when it is loaded."""
    (folder / "slow.py").write_text("print('loaded')\nvalue = 7\n")
    program = f"from kbrules.hooks import lazily\nwith lazily():\n    import slow\n{code}"
    return subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{ROOT}:{folder}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_module_is_loaded_once_and_when_it_is_used(tmp_path: Path) -> None:
    assert printed(tmp_path, "print('begun')") == "begun\n"
    used = "print('begun')\nprint(slow.value, slow.value)"
    assert printed(tmp_path, used) == "begun\nloaded\n7 7\n"


def test_others_import_it_as_ever(tmp_path: Path) -> None:
    assert printed(tmp_path, "from slow import value\nprint(value)") == "loaded\n7\n"
    (tmp_path / "other.py").write_text("import slow, colorsys\n")
    later = "import other, sys\nprint(type(sys.modules['colorsys']).__name__)"
    assert printed(tmp_path, later) == "loaded\nmodule\n"


def test_a_slip_in_a_name_is_found_at_once() -> None:
    with pytest.raises(ImportError), lazily():
        from kbrules import nonsense  # type: ignore[attr-defined]  # noqa: F401


def imported_in_functions(module: Module) -> set[str]:
    """What functions import, but for what may be missing."""
    functions = [node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef)]
    found = {node for function in functions for node in ast.walk(function)}
    names = {each.module or "" for each in found if isinstance(each, ast.ImportFrom)}
    names |= {a.name for each in found if isinstance(each, ast.Import) for a in each.names}
    return {name for name in names if not any(f"{name}.".startswith(f"{x}.") for x in AT_NEED)}


def test_imports_of_commands_stand_at_the_top() -> None:
    assert imported_in_functions(Module("cli/x.py", "def f():\n    from . import app")) == {""}
    assert imported_in_functions(Module("cli/x.py", "def f():\n    import json")) == {"json"}
    found = {each.path: imported_in_functions(each) for each in modules() if each.room == "cli"}
    assert {path: names for path, names in found.items() if names} == {}
