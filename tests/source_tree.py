"""The repository seen as text: its modules, what they import, how long their functions are."""

from __future__ import annotations

import ast
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DALE = ROOT / "tests" / "house" / "dale"
HEX = ROOT / "tests" / "house" / "hex"
ROOMS_OF_CODE = ("kbrules", "cli", "benchmarks")


@dataclass(frozen=True)
class Module:
    """A Python file by its path from the root, with `/`; it need not exist on disk."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @property
    def package(self) -> tuple[str, ...]:
        """The package in which its relative imports begin."""
        return tuple(self.path.split("/")[:-1])

    @property
    def stem(self) -> str:
        return Path(self.path).stem

    @property
    def name(self) -> str:
        """As it is imported: `kbrules.text`, and a package by its door."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def room(self) -> str:
        """`lang` for everything under kbrules/lang, `text` for kbrules/text.py, `cli` for cli/."""
        parts = self.path.removesuffix(".py").split("/")
        return parts[1] if parts[0] == "kbrules" else parts[0]


@dataclass(frozen=True)
class Import:
    """One imported name in full, `kbrules.text.Span`; `level` is the number of leading dots."""

    name: str
    level: int
    line: int

    @property
    def top(self) -> str:
        return self.name.partition(".")[0]


def text_files(suffixes: frozenset[str]) -> list[tuple[str, str]]:
    """Path and text of every file of those kinds in the rooms of code."""
    return [
        (path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for room in ROOMS_OF_CODE
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in suffixes
    ]


@cache
def modules() -> list[Module]:
    """All of them, each parsed once."""
    return [Module(path, text) for path, text in text_files(frozenset({".py"}))]


def imports(module: Module) -> Iterator[Import]:
    """Every import statement wherever it stands: at the top, in a function, for the types only."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, 0, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(module, node)
            yield from (
                Import(".".join((*base, alias.name)), node.level, node.lineno)
                for alias in node.names
            )


def _base(module: Module, node: ast.ImportFrom) -> tuple[str, ...]:
    named = tuple(node.module.split(".")) if node.module else ()
    if not node.level:
        return named
    outside = node.level > len(module.package)
    anchor = ("<outside>",) if outside else module.package[: len(module.package) - node.level + 1]
    return anchor + named


def functions(module: Module) -> Iterator[tuple[str, int]]:
    """Each function, nested ones too, with its lines from `def` to the end, but for its docstring.

    What a command says of itself is help for its user, not code to be read.
    """
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            first = node.body[0]
            said = ast.get_docstring(node) is not None and first.end_lineno is not None
            told = (first.end_lineno or 0) - first.lineno + 1 if said else 0
            yield node.name, node.end_lineno - node.lineno + 1 - told


def files_of_git(*folders: str) -> list[str] | None:
    """What git tracks or would track there, and still exists; None where there is no git."""
    if not (ROOT / ".git").exists():
        return None
    # A container often owns the checkout as somebody else; reading a list of names is harmless.
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others"]
    listed = subprocess.run(
        [*command, "--exclude-standard", "--", *folders],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        check=True,
        capture_output=True,
        text=True,
    )
    names = sorted(set(listed.stdout.split("\0")) - {""})
    return [name for name in names if (ROOT / name).is_file()]
