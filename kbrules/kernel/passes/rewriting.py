"""A walk through a function that leaves it as it was: what is changed is made anew around it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from operator import is_
from typing import Any, ClassVar, TypeVar

Tree = TypeVar("Tree", bound=ast.AST)
PLAIN = {"ctx", "op", "ops", "id", "attr", "kind", "type_comment"}
"""The fields in which no part of a function stands that a pass would change."""


class _Parts(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of node in which values and statements stand."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        self[kind] = found = tuple(name for name in kind._fields if name not in PLAIN)
        return found


PARTS = _Parts({ast.FunctionDef: ("body",), ast.Constant: ()})


class Rewriter:
    """Asks `visit_Name` and its like what is to stand in the place of a node.

    That is another node; in the place of a statement it may be several, in a list, or None. What
    does not change is the same in both functions, so nothing may be changed in place.
    """

    _changes: ClassVar[Mapping[type[ast.AST], Callable[..., Any]]] = {}

    def __init_subclass__(cls) -> None:
        changes = {name: getattr(cls, name) for name in dir(cls) if name.startswith("visit_")}
        cls._changes = {getattr(ast, name[6:]): change for name, change in changes.items()}

    def visit(self, node: ast.AST) -> Any:
        """What stands in the place of a node."""
        change = self._changes.get(type(node))
        return self.within(node) if change is None else change(self, node)

    def within(self, node: Tree) -> Tree:
        """A node whose parts are changed; the very node if none of them is."""
        changed: dict[str, Any] = {}
        for name in PARTS[type(node)]:
            part = getattr(node, name)
            if part is None:
                continue
            found = self.listed(part) if isinstance(part, list) else self.visit(part)
            if found is not part:
                changed[name] = found
        return _with(node, changed) if changed else node

    def listed(self, parts: list[Any]) -> list[Any]:
        """What stands in the places of some; the very list if none of them is changed."""
        found: list[Any] = []
        for part in parts:
            new = self.visit(part)
            if isinstance(new, list):
                found += new
            elif new is not None:
                found.append(new)
        same = len(found) == len(parts) and all(map(is_, found, parts))
        return parts if same else found


def _with(node: Tree, changed: Mapping[str, Any]) -> Tree:
    """A node like another, some of its fields changed; a body that is empty does nothing."""
    found = type(node).__new__(type(node))
    found.__dict__.update(node.__dict__)
    found.__dict__.update(changed)
    if changed.get("body") == []:
        found.__dict__["body"] = [ast.Pass()]
    return found
