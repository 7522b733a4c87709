"""What the code of a word comes to where it is written in place of a call.

A word that is one `return` is as good as its expression. That is read from its own source,
so nothing is said twice; a word that does more is called.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

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


class _Joining(ast.NodeTransformer):
    """Puts what other such functions return in place of calls of them, as far as that is safe."""

    def __init__(self, known: dict[str, Any], parameters: Collection[str]) -> None:
        self.known = known
        self._parameters = parameters

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        code: Any = self.known.get(node.func.id) if isinstance(node.func, ast.Name) else None
        tree = _returned(code) if inspect.isfunction(code) else None
        if tree is None or node.keywords or not all(map(_is_plain, node.args)):
            return node
        known = _known(tree, code)
        if any(self._differs(name, value) for name, value in known.items()):
            return node
        self.known.update(known)
        places = dict(zip(inspect.signature(code).parameters, node.args, strict=True))
        return cast(ast.expr, self.visit(_Placing(places).visit(tree)))

    def _differs(self, name: str, value: Any) -> bool:
        """Whether a name of another module means something else here."""
        return name in self._parameters or self.known.get(name, value) is not value


class _Placing(ast.NodeTransformer):
    """Puts expressions in place of names."""

    def __init__(self, places: Mapping[str, ast.expr]) -> None:
        self._places = places

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._places.get(node.id, node)


def _is_plain(node: ast.expr) -> bool:
    """Whether it may be read more than once: names, numbers, attributes of them, `a or b`."""
    if isinstance(node, ast.Attribute):
        return _is_plain(node.value)
    if isinstance(node, ast.BoolOp):
        return all(map(_is_plain, node.values))
    return isinstance(node, ast.Name | ast.Constant)


class _Opening(ast.NodeTransformer):
    """Marks the names of an expression, so that its text can be cut there."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(f"{_MARK}{node.id}{_MARK}")


_NOTING = "view.notes is not None"
_MARK = "\N{MIDDLE DOT}"  # may stand in a name, and stands in none of ours


@lru_cache(maxsize=512)
def body_of(code: Callable[..., Any]) -> Body | None:
    """The body of a function that only returns an expression; None for any other."""
    return _body(code, _returned(code))


@lru_cache(maxsize=512)
def quiet_body_of(code: Callable[..., Any]) -> Body | None:
    """The same where nobody takes notes: what a function does for who does is left out."""
    function = _function(code)
    if function is None:
        return None
    statements = [each for each in _statements(function) if not _is_noting(each)]
    return _body(code, _only_returned(statements))


def _is_noting(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == _NOTING


def _body(code: Callable[..., Any], tree: ast.expr | None) -> Body | None:
    if tree is None:
        return None
    known, parameters = _known(tree, code), inspect.signature(code).parameters
    tree = _Joining(known, parameters).visit(tree)
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    taken = {name: names.count(name) for name in parameters}
    known = {name: known[name] for name in names if name not in taken}
    asks = any(isinstance(node, ast.Call) for node in ast.walk(tree))
    parts = ast.unparse(_Opening().visit(tree)).split(_MARK)
    return Body(tuple(parts), taken, known, asks)


def _known(tree: ast.expr, code: Callable[..., Any]) -> dict[str, Any]:
    """The values of the names that an expression uses of the module of its function."""
    module: Any = code
    around = {**module.__builtins__, **module.__globals__}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return {name: around[name] for name in names - set(inspect.signature(code).parameters)}


def _returned(code: Callable[..., Any]) -> ast.expr | None:
    """The expression after `return`, if that is all a function does and it binds no names."""
    function = _function(code)
    return None if function is None else _only_returned(_statements(function))


def _function(code: Callable[..., Any]) -> ast.FunctionDef | None:
    """The source of a function, if it is one and was shipped with it."""
    try:
        source = textwrap.dedent(inspect.getsource(code))
    except (OSError, TypeError):  # a builtin, or a program that was shipped without its source
        return None
    function = ast.parse(source).body[0]
    return function if isinstance(function, ast.FunctionDef) else None


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function) else function.body


def _only_returned(statements: list[ast.stmt]) -> ast.expr | None:
    only = statements[0] if len(statements) == 1 else None
    tree = only.value if isinstance(only, ast.Return) else None
    foreign = tree is None or any(isinstance(node, _FOREIGN) for node in ast.walk(tree))
    return None if foreign else tree
