"""Files and names of code that the pages on the architecture name are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_tree import ROOT, modules

PAGES = ("docs/architecture.md", "docs/paths.md", "CONTRIBUTING.md")
FENCED = re.compile(r"^```.*?^```", re.S | re.M)
FILE = re.compile(r"[\w./]+\.(?:py|md|json|lark|txt|csv)")
NAME = re.compile(r"(?:([A-Za-z_]\w*)\.)?([A-Za-z_]\w*)(?:\(.*\))?")
PLACED = re.compile(r"`(?:\w+\.)?(\w+)(?:\([^`\n]*\))?`\s+\(`([\w./]+\.py)`")  # `name` (`file`)


def quoted(page: str) -> Iterator[str]:
    """What stands between backticks, outside of blocks of code."""
    text = (ROOT / page).read_text(encoding="utf-8")
    yield from re.findall(r"`([^`\n]+)`", FENCED.sub("", text))


def names_of_code() -> set[str]:
    """What modules define or assign, their own names, and what they call parameters."""
    found: set[str] = set()
    for module in modules():
        found |= set(module.name.split("."))
        for node in ast.walk(module.tree):
            match node:
                case ast.FunctionDef() | ast.ClassDef():
                    found.add(node.name)
                case ast.Name() | ast.arg():
                    found.add(node.id if isinstance(node, ast.Name) else node.arg)
                case ast.Attribute():
                    found.add(node.attr)
    return found


def places_of(file: str) -> list[Path]:
    """Where a file may be: from the root, the package or docs, or by its name alone."""
    fixed = [ROOT / start / file for start in ("", "kbrules", "docs")]
    by_name = [] if "/" in file else [*(ROOT / "kbrules").rglob(file)]
    return [path for path in [*fixed, *by_name] if path.is_file()]


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    named = [text for text in quoted(page) if FILE.fullmatch(text)]
    assert named
    assert not [file for file in named if not places_of(file)]


def test_functions_that_are_named_are_there() -> None:
    known = names_of_code()
    parts = [NAME.fullmatch(text) for text in quoted("docs/paths.md") if not FILE.fullmatch(text)]
    named = {name for part in parts if part for name in part.groups() if name}
    assert len(named) > 30
    assert sorted(named - known) == []


def test_a_name_with_a_file_behind_it_is_in_that_file() -> None:
    placed = PLACED.findall((ROOT / "docs/paths.md").read_text(encoding="utf-8"))
    assert len(placed) > 20
    for name, file in placed:
        texts = [path.read_text(encoding="utf-8") for path in places_of(file)]
        assert any(re.search(rf"(?:def|class) {name}\b", text) for text in texts), (name, file)
