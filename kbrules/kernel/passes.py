"""Passes from a function of a kernel to another that means the same.

They may count on the part of Python that `docs/architecture.md` describes.
"""

from __future__ import annotations

import ast
import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import is_
from typing import Any, ClassVar, TypeVar

# A walk through a function that leaves it as it was: what is changed is made anew around it.


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


# The functions of a kernel's text, parsed on demand, and its numbers.


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
            if found:
                marks = [] if name else lines
                name, lines = found[1], [*marks, line]
            else:
                name, lines = "", [line] if line.startswith("@") else []
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


# Constant folding: names in capitals become numbers, and what is known is worked out.


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.LShift: operator.lshift, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def fold_constants(code: ast.FunctionDef, unit: SourceUnit) -> ast.FunctionDef:
    """The function with every number written out, sums put together, dead branches left out."""
    return _Folding(unit.numbers).within(code)


class _Folding(Rewriter):
    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._numbers:
            return ast.Constant(self._numbers[node.id])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left: ast.expr = self.visit(node.left)
        right: ast.expr = self.visit(node.right)
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            work = BINARY.get(type(node.op))
            if work is not None:
                return ast.Constant(work(left.value, right.value))
        if isinstance(node.op, ast.Add | ast.Sub) and isinstance(right, ast.Constant):
            number: Any = right.value
            return _summed(left, number if isinstance(node.op, ast.Add) else -number)
        if isinstance(node.op, ast.Add) and isinstance(left, ast.Constant):
            return _summed(right, left.value)
        if isinstance(node.op, ast.Mult):
            for one, other in ((left, right), (right, left)):
                if isinstance(other, ast.Constant) and other.value == 1:
                    return one
        return ast.BinOp(left, node.op, right)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node = self.within(node)
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return ast.Constant(COMPARED[type(node.ops[0])](left.value, right.value))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        node = self.within(node)
        decides = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                if bool(value.value) is decides:
                    values.append(ast.Constant(decides))
                    break
                continue
            values.append(value)
        if not values:
            return ast.Constant(not decides)
        return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node = self.within(node)
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Constant(value=value)):
                return ast.Constant(not value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return ast.Constant(-value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node = self.within(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.listed(node.body if test.value else node.orelse)
        return self.within(node)


def _summed(value: ast.expr, number: Any) -> ast.expr:
    """A value and a number; a number that the value ends with is put together with it."""
    match value:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int(known))):
            return _summed(left, known + number)
        case ast.BinOp(left=left, op=ast.Sub(), right=ast.Constant(value=int(known))):
            return _summed(left, number - known)
    if number == 0:
        return value
    return ast.BinOp(value, ast.Add(), ast.Constant(number))


# Inlining: a call of a function that is one expression, or one statement, becomes that.


LARGEST = 40
"""So many nodes may stand in the place of a call."""


def inline_calls(code: ast.FunctionDef, unit: SourceUnit) -> ast.FunctionDef:
    """The function with the small ones that it calls written out."""
    return _Inlining(unit, (code.name,)).within(code)


class _Inlining(Rewriter):
    """under: the functions that are being written out; none of them is once more."""

    def __init__(self, unit: SourceUnit, under: tuple[str, ...]) -> None:
        self._unit, self._under = unit, under

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node = self.within(node)
        body = self._written_out(node)
        return body if isinstance(body, ast.expr) else node

    def visit_Expr(self, node: ast.Expr) -> Any:
        node = self.within(node)
        body = self._written_out(node.value)
        return body if isinstance(body, ast.stmt) else node

    def _written_out(self, call: ast.expr) -> Any:
        """What a call returns or does, written out; None if that is not to be."""
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return None
        name = call.func.id
        small = None
        if name in self._unit and name not in self._under:
            small = _small(self._unit, name, self._under)
        if small is None:
            return None
        arguments = dict(zip(small.names, call.args, strict=True))
        for name, value in arguments.items():
            if small.uses[name] > 1 and not isinstance(value, ast.Name | ast.Constant):
                return None
        return _Substitution(arguments).visit(small.code)


@dataclass(frozen=True, slots=True)
class InlineBody:
    """A function that is one expression, or one statement without names of its own."""

    code: ast.expr | ast.stmt
    names: tuple[str, ...]
    uses: Mapping[str, int]


def _small(unit: SourceUnit, name: str, under: tuple[str, ...]) -> InlineBody | None:
    """What is small of a function, with what that calls written out; None if it is not small."""
    if name not in unit.analyses:
        unit.analyses[name] = None  # a function that calls itself is not written out
        code = unit.after(fold_constants, name)
        body = _single_part(code)
        if body is not None:
            body = _Inlining(unit, (*under, name)).visit(body)
            names = tuple(each.arg for each in code.args.args)
            uses = Counter(node.id for node in ast.walk(body) if isinstance(node, ast.Name))
            unit.analyses[name] = InlineBody(body, names, uses)
    found: InlineBody | None = unit.analyses[name]
    return found


def _single_part(code: ast.FunctionDef) -> Any:
    """The one expression or statement of a function, if it is one and small."""
    body = code.body[1:] if ast.get_docstring(code) is not None else code.body
    if len(body) != 1 or sum(1 for _ in ast.walk(body[0])) > LARGEST:
        return None
    match body[0]:
        case ast.Return(value=ast.expr() as value):
            return value
        case ast.Assign() | ast.AugAssign() | ast.Expr() as statement:
            names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            # It may write to the memory, but bind no name of its own.
            return None if any(isinstance(name.ctx, ast.Store) for name in names) else statement
    return None


class _Substitution(Rewriter):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


# Dispatch: a function that calls one of many by a number takes it from a table.


DispatchTable = dict[int, str]


def dispatch_table(code: ast.FunctionDef) -> tuple[str, DispatchTable] | None:
    """The parameter by which a function calls others, and those by its number.

    That is said by its mark; None of other functions. A number for which no other is named does
    nothing, or answers 0.
    """
    if not any(getattr(mark, "id", "") == "dispatching" for mark in code.decorator_list):
        return None
    by, calls = "", DispatchTable()
    for statement in code.body:
        match statement:
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id=by), comparators=[ast.Constant(value=int(number))]
                ),
                body=[ast.Return(value=call) | ast.Expr(value=call), *_],
            ):
                calls[number] = call.func.id  # type: ignore[union-attr]
    return (by, calls) if calls else None
