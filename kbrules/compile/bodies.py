"""What the code of a word comes to where it is written in place of a call.

A word that is one `return` is as good as its expression. That is read from its own source,
so nothing is said twice; a word that does more is called.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_FOREIGN = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.NamedExpr,
    ast.JoinedStr,
    ast.Starred,
)
"""What brings names of its own or cannot stand in the middle of another expression."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """An expression in which parameters and what the code's module knows are open.

    parts: its text cut at the open names, every other part being one of them. taken: how often
    each parameter is used, by its name. known: the values of the other names. asks: whether it
    calls anything.
    """

    parts: tuple[str, ...]
    taken: Mapping[str, int]
    known: Mapping[str, Any]
    asks: bool

    def written(self, texts: Mapping[str, str]) -> str:
        """The expression with a text put for each open name."""
        found = [part if i % 2 == 0 else texts[part] for i, part in enumerate(self.parts)]
        return "".join(found)


class _Opening(ast.NodeTransformer):
    """Marks the names of an expression, so that its text can be cut there."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(f"{_MARK}{node.id}{_MARK}")


_MARK = "\N{MIDDLE DOT}"  # may stand in a name, and stands in none of ours


@lru_cache(maxsize=512)
def body_of(code: Callable[..., Any]) -> Body | None:
    """The body of a function that only returns an expression; None for any other."""
    tree = _returned(code)
    if tree is None or any(isinstance(node, _FOREIGN) for node in ast.walk(tree)):
        return None
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    taken = {name: names.count(name) for name in inspect.signature(code).parameters}
    around = {**code.__builtins__, **code.__globals__}  # type: ignore[attr-defined]
    known = {name: around[name] for name in names if name not in taken}
    asks = any(isinstance(node, ast.Call) for node in ast.walk(tree))
    parts = ast.unparse(_Opening().visit(tree)).split(_MARK)
    return Body(tuple(parts), taken, known, asks)


def _returned(code: Callable[..., Any]) -> ast.expr | None:
    """The expression after `return`, if that is all a function does."""
    try:
        source = textwrap.dedent(inspect.getsource(code))
    except (OSError, TypeError):  # a builtin, or a program that was shipped without its source
        return None
    function = ast.parse(source).body[0]
    if not isinstance(function, ast.FunctionDef):
        return None
    statements = function.body[1:] if ast.get_docstring(function) else function.body
    only = statements[0] if len(statements) == 1 else None
    return only.value if isinstance(only, ast.Return) else None
