"""The text of a kernel as one module of LLVM, for numba to compile.

numba would type and optimise each small function by itself, which takes minutes for rules of
this size. A kernel's text is a small part of Python: numbers, truths, sets of hexes and pairs of
numbers; names, `if`, `while`, `for` over a range; calls of its own functions and of intrinsics.
That is written down here as it stands, and optimised once.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from typing import Any

from llvmlite import ir

from kbrules.kernel.native.values import TranslatedFunction, TranslationUnit, ValueWriter
from kbrules.kernel.native.vectors import I1, I64, number

PREFIX = "kbrules."


def translate_function(unit: TranslationUnit, module: Any, name: str) -> Any:
    """The code of a function, its arguments annotated, with all it calls, put into a module."""
    node = unit.functions[name].node
    kinds = [unit.type_of(argument.annotation) for argument in node.args.args]
    return _function(unit, module, name, kinds)


def _function(unit: TranslationUnit, module: Any, name: str, kinds: Sequence[Any]) -> Any:
    written = unit.functions[name]
    if written.code is None:
        annotated = [unit.type_of(a.annotation) for a in written.node.args.args]
        argument_kinds = [one or other for one, other in zip(annotated, kinds, strict=True)]
        returns = written.node.returns
        written.result = unit.type_of(returns) or ir.VoidType()
        if returns is None:
            written.result = _ReturnTypeProbe(unit, module, written.node, argument_kinds).result()
        kind = ir.FunctionType(written.result, argument_kinds)
        written.code = ir.Function(module, kind, f"{PREFIX}{name}")
        written.code.linkage = "internal"
        written.code.attributes.add("nounwind")
        if any(getattr(d, "id", "") == "inlined" for d in written.node.decorator_list):
            written.code.attributes.add("alwaysinline")
        _BodyWriter(unit, module, written).write()
    return written.code


class _ReturnTypeProbe:
    """Finds what a function without annotations returns, by its `return`s."""

    def __init__(
        self, unit: TranslationUnit, module: Any, node: ast.FunctionDef, given: list[Any]
    ) -> None:
        self._unit, self._module, self._node, self._given = unit, module, node, given

    def result(self) -> Any:
        """The type of the first value returned; of no value if there is none."""
        values = [n.value for n in ast.walk(self._node) if isinstance(n, ast.Return) and n.value]
        if not values:
            return ir.VoidType()
        plain = [v for v in values if isinstance(v, ast.Constant)]
        if plain:
            return I1 if isinstance(plain[0].value, bool) else I64
        # What it returns is worked out in a function that is thrown away.
        module = ir.Module("trial")
        written = TranslatedFunction(self._node)
        kind = ir.FunctionType(ir.VoidType(), self._given)
        written.code = ir.Function(module, kind, "trial")
        written.result = None
        body = _BodyWriter(self._unit, self._module, written)
        body.write()
        return body.returned


class _BodyWriter(ValueWriter):
    """Writes the statements of one function."""

    def __init__(self, unit: TranslationUnit, module: Any, written: TranslatedFunction) -> None:
        called = partial(_function, unit, module)
        super().__init__(unit, module, written.code, written.node.name, called)
        self._written = written
        self._loops: list[tuple[Any, Any]] = []
        self.returned: Any = None

    def write(self) -> None:
        """All of it."""
        names = [n for n in ast.walk(self._written.node) if isinstance(n, ast.Name)]
        assigned = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        for argument, node in zip(self._code.args, self._written.node.args.args, strict=True):
            if node.arg in assigned:
                self._assign(node.arg, argument)
            else:
                self._values[node.arg] = argument
        self._block(self._written.node.body)
        if not self._builder.block.is_terminated:
            self._return(None)
        ir.IRBuilder(self._entry).branch(self._start)

    # statements

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self._builder.block.is_terminated:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value=value):
                self._value(value)
            case ast.Assign(targets=targets, value=value):
                found = self._value(value)
                for target in targets:
                    self._put(target, found)
            case ast.AugAssign(target=target, op=op, value=value):
                now = self._value(_read(target))
                self._put(target, self._binary(op, now, self._value(value), node))
            case ast.Return(value=value):
                self._return(None if value is None else self._value(value))
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(test, body, orelse)
            case ast.While(test=test, body=body):
                self._while(test, body)
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=items), body=body):
                for item in items:
                    self._assign(name, self._value(item))
                    self._block(body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args), body=body):
                self._for(name, args, body)
            case ast.Break():
                self._builder.branch(self._loops[-1][1])
            case ast.Continue():
                self._builder.branch(self._loops[-1][0])
            case _:
                raise self._wrong(node, "no such statement")

    def _put(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self._assign(name, value)
            case ast.Tuple(elts=elts):
                for i, each in enumerate(elts):
                    part = value[i] if isinstance(value, list) else None
                    part = self._builder.extract_value(value, i) if part is None else part
                    self._put(each, part)
            case ast.Subscript(value=memory, slice=at):
                place = self._builder.gep(self._value(memory), [self._number(at)])
                self._builder.store(self._as(value, I64), place)
            case _:
                raise self._wrong(target, "nothing to assign to")

    def _assign(self, name: str, value: Any) -> None:
        value = self._joined(value)
        place = self._variables.get(name)
        if place is None:
            place = ir.IRBuilder(self._entry).alloca(value.type)
            self._variables[name] = place
        self._builder.store(self._as(value, place.type.pointee), place)

    def _return(self, value: Any) -> None:
        if value is not None:
            value = self._joined(value)
            self.returned = self.returned or value.type
        if self._written.result is None:
            self._builder.unreachable()
        elif isinstance(self._written.result, ir.VoidType):
            self._builder.ret_void()
        elif value is None:
            self._builder.unreachable()
        else:
            self._builder.ret(self._as(value, self._written.result))

    def _if(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> None:
        if isinstance(test, ast.Constant):
            self._block(body if test.value else other)
            return
        then, end = self._new("then"), self._new("end")
        otherwise = self._new("else") if other else end
        self._branch(test, then, otherwise)
        for block, statements in ((then, body), (otherwise, other)):
            if block is not end:
                self._builder.position_at_end(block)
                self._block(statements)
                if not self._builder.block.is_terminated:
                    self._builder.branch(end)
        self._builder.position_at_end(end)

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        again, inside, end = self._new("while"), self._new("body"), self._new("end")
        self._builder.branch(again)
        self._builder.position_at_end(again)
        self._branch(test, inside, end)
        self._loop(inside, body, again, end)

    def _loop(self, inside: Any, body: list[ast.stmt], again: Any, end: Any) -> None:
        self._builder.position_at_end(inside)
        self._loops.append((again, end))
        self._block(body)
        self._loops.pop()
        if not self._builder.block.is_terminated:
            self._builder.branch(again)
        self._builder.position_at_end(end)

    def _for(self, name: str, args: list[ast.expr], body: list[ast.stmt]) -> None:
        start, stop, step = self._range(args)
        counter = ir.IRBuilder(self._entry).alloca(I64)
        self._builder.store(start, counter)
        again, inside, end = self._new("for"), self._new("body"), self._new("end")
        next_block = self._new("next")
        self._builder.branch(again)
        self._builder.position_at_end(again)
        now = self._builder.load(counter)
        comparison = "<" if step > 0 else ">"
        self._builder.cbranch(self._builder.icmp_signed(comparison, now, stop), inside, end)
        self._builder.position_at_end(next_block)
        self._builder.store(self._builder.add(self._builder.load(counter), number(step)), counter)
        self._builder.branch(again)
        self._builder.position_at_end(inside)
        self._assign(name, self._builder.load(counter))
        self._loop(self._builder.block, body, next_block, end)

    def _range(self, args: list[ast.expr]) -> tuple[Any, Any, int]:
        values = [self._number(arg) for arg in args]
        if len(values) == 1:
            return number(0), values[0], 1
        return values[0], values[1], values[2].constant if len(values) > 2 else 1


def _read(target: ast.expr) -> ast.expr:
    """The value of what is assigned to."""
    return ast.parse(ast.unparse(target), mode="eval").body
