"""`python -m benchmarks.structure [FOLDER] [--names]`: measure the structure of the source code.

It prints how many files a reader opens and how much of them is not code, with the floor and the
aim of each figure. Nothing is imported: everything is counted in the syntax trees and tokens of
`kbrules` and `cli`, so that FOLDER can be any checkout, also one that does not run.
"""

from __future__ import annotations

import argparse
import ast
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from statistics import median
from typing import NamedTuple

PACKAGES = "kbrules", "cli"
LONGEST_FUNCTION, LONGEST_MODULE, SHORTEST_MODULE = 40, 900, 60
COMMAND = "command"
"""The name of typer's functions in `cli`, whose parameters are the options."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class SourceFile:
    """A Python file by its path from the root."""

    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text, str(self.path))

    @property
    def is_door(self) -> bool:
        """Whether it is the `__init__` of a package."""
        return self.path.stem == "__init__"

    @property
    def name(self) -> str:
        """The name it is imported by."""
        return ".".join(self.path.parent.parts if self.is_door else self.path.with_suffix("").parts)

    @property
    def lines(self) -> int:
        """The number of its lines, blank ones too."""
        return self.text.count("\n")

    @property
    def is_module(self) -> bool:
        """Whether it contains more than a docstring and names imported from elsewhere."""
        return not all(map(_only_passes_on, self.tree.body))


class Figure(NamedTuple):
    """A figure of the table; floor and aim are upper limits. names: what was counted."""

    what: str
    value: float
    floor: float | None = None
    aim: float | None = None
    names: Sequence[str] = ()


def source_files(root: Path) -> list[SourceFile]:
    """Return the Python files of both packages below a folder."""
    paths = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
    return [SourceFile(path.relative_to(root), path.read_text("utf-8")) for path in paths]


def figures(files: Sequence[SourceFile]) -> list[Figure]:
    """Return the rows of the table."""
    return [*_sizes(files), *_connections(files), *_extremes(files)]


def _sizes(files: Sequence[SourceFile]) -> Iterator[Figure]:
    yield Figure("lines", sum(file.lines for file in files), 83_000, 80_000)
    yield Figure("modules: more than a docstring and re-exports",
                 sum(file.is_module for file in files), 280, 210)  # fmt: skip
    yield Figure("files", len(files))
    yield Figure("folders", len({file.path.parent for file in files}), 45, 35)
    yield Figure("comment lines", sum(map(_comment_lines, files)))


def _connections(files: Sequence[SourceFile]) -> Iterator[Figure]:
    importing, lines = sum(map(_importing_lines, files)), sum(file.lines for file in files)
    yield Figure("lines that import, %", 100 * importing / lines, 5, 3)
    listing = [str(file.path) for file in files if any(map(_is_list_of_names, file.tree.body))]
    yield Figure("lists `__all__`", len(listing), 12, 5, listing)
    loaded = loaded_by(files)
    counts = [len(loaded[file.name]) for file in files if file.is_module]
    yield Figure("files that a median module loads", median(counts), 65, 50)


def _extremes(files: Sequence[SourceFile]) -> Iterator[Figure]:
    functions = [text for file in files for text in _long_functions(file)]
    yield Figure(f"functions over {LONGEST_FUNCTION} lines", len(functions), 0, 0, functions)
    sizes = {f"{file.path}: {file.lines}": file for file in files}
    large = [text for text, file in sizes.items() if file.lines > LONGEST_MODULE]
    yield Figure(f"modules over {LONGEST_MODULE} lines", len(large), 0, 0, large)
    small = [text for text, file in sizes.items()
             if file.lines < SHORTEST_MODULE and not file.is_door]  # fmt: skip
    yield Figure(f"modules under {SHORTEST_MODULE} lines, doors aside", len(small), 0, 0, small)


def _only_passes_on(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Import | ast.ImportFrom) or _is_list_of_names(node)


def _is_list_of_names(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _comment_lines(file: SourceFile) -> int:
    tokens = tokenize.generate_tokens(StringIO(file.text).readline)
    comments = (token for token in tokens if token.type == tokenize.COMMENT)
    return sum(not token.line[: token.start[1]].strip() for token in comments)


def _importing_lines(file: SourceFile) -> int:
    nodes = ast.walk(file.tree)
    return sum(_length(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def _long_functions(file: SourceFile) -> Iterator[str]:
    """Yield functions over the limit; a docstring is not counted, as for commands it is help."""
    for node in ast.walk(file.tree):
        if not isinstance(node, Function) or _is_command(file, node):
            continue
        said = 0 if ast.get_docstring(node) is None else _length(node.body[0])
        if (length := _length(node) - said) > LONGEST_FUNCTION:
            yield f"{file.path}:{node.lineno}: {node.name}: {length}"


def _is_command(file: SourceFile, node: Function) -> bool:
    return file.path.parts[0] == "cli" and node.name == COMMAND


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


# What a module loads: Python runs the statements outside of functions, and first the `__init__` of
# every package on the way. Imports in functions wait, and those for types are never run.


def loaded_by(files: Sequence[SourceFile]) -> dict[str, set[str]]:
    """Return the other files that each file loads when it is imported, by name."""
    known = {file.name for file in files}
    needs = {file.name: _needed(file, known) for file in files}
    return {name: _reachable(name, needs) - {name} for name in known}


def _needed(file: SourceFile, known: set[str]) -> set[str]:
    found = {_file_of(name, known) for name in _imported_names(file)} - {""}
    return {each for name in (file.name, *found) for each in _with_packages(name)} & known


def _imported_names(file: SourceFile) -> Iterator[str]:
    package = file.name.split(".") if file.is_door else file.name.split(".")[:-1]
    for node in _statements_run(file.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = [*above, *([node.module] if node.module else [])]
            yield from (".".join((*base, alias.name)) for alias in node.names)


def _statements_run(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function) and not _is_for_types(child):
            yield child
            yield from _statements_run(child)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _file_of(name: str, known: set[str]) -> str:
    """Return the file that an imported name is in; empty if it is none of ours."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def _with_packages(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


def _reachable(name: str, needs: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        if (one := waiting.pop()) not in seen:
            seen.add(one)
            waiting += needs.get(one, ())
    return seen


def table(rows: Iterable[Figure]) -> str:
    """Return the figures as lines of text, with a head."""
    cells: list[tuple[str, ...]] = [("", "now", "floor", "aim")]
    cells += [(row.what, *map(_number, (row.value, row.floor, row.aim))) for row in rows]
    width = max(len(what) for what, *_ in cells)
    return "\n".join(
        f"{what:{width}}" + "".join(f"{number:>9}" for number in numbers).rstrip()
        for what, *numbers in cells
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}".removesuffix(".0")


def main() -> None:
    """Print the table, with `--names` also the files and functions that were counted."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="FOLDER",
                        help="a checkout [default: the current folder]")  # fmt: skip
    parser.add_argument("--names", action="store_true",
                        help="also list what is too long, too short or has `__all__`")  # fmt: skip
    arguments = parser.parse_args()
    rows = figures(source_files(arguments.folder))
    print(table(rows))
    for row in rows:
        if arguments.names and row.names:
            print(f"\n{row.what}:", *row.names, sep="\n  ")


if __name__ == "__main__":
    main()
