"""The functions of a kernel's text, parsed on demand, and its numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

NUMBER = re.compile(r"([A-Z]\w*) = (-?\d+)")
FUNCTION = re.compile(r"def (\w+)\(")


class SourceUnit:
    """A text's functions by name, and the numbers that names in capitals stand for.

    analyses: what a pass has found out about functions. Of two functions of one name the last one
    counts. Nobody changes a function in place.
    """

    def __init__(self, text: str) -> None:
        self.numbers: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        self.analyses: dict[str, Any] = {}
        self._after: dict[tuple[Pass, str], ast.FunctionDef] = {}
        name, lines = "", list[str]()
        for line in text.splitlines():
            if line[:1] in ("", " ", ")"):
                lines.append(line)
                continue
            self._add(name, lines)
            found = FUNCTION.match(line)
            name, lines = (found[1], [line]) if found else ("", [])
            number = NUMBER.fullmatch(line)
            if number:
                self.numbers[number[1]] = int(number[2])
        self._add(name, lines)

    def _add(self, name: str, lines: list[str]) -> None:
        if name:
            self._texts[name] = "\n".join(lines)

    def __contains__(self, name: object) -> bool:
        return name in self._texts

    @property
    def names(self) -> list[str]:
        """The names of all functions."""
        return [*self._texts]

    def parsed(self, name: str) -> ast.FunctionDef:
        """A function as it is written."""
        return _parsed(self._texts[name])

    def after(self, change: Pass, name: str) -> ast.FunctionDef:
        """A function as a pass leaves it, worked out once."""
        found = self._after.get((change, name))
        if found is None:
            found = self._after[change, name] = change(self.parsed(name), self)
        return found


@lru_cache(maxsize=2048)
def _parsed(text: str) -> ast.FunctionDef:
    """The function of a text; all kernels have most of theirs in common."""
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


Pass = Callable[[ast.FunctionDef, SourceUnit], ast.FunctionDef]
"""From a function of a unit to another that means the same."""
