"""The text of a kernel as one module of LLVM, for numba to compile.

numba would type and optimise each small function by itself, which takes minutes for rules of
this size. A kernel's text is a small part of Python: numbers, truths, sets of hexes and pairs of
numbers; names, `if`, `while`, `for` over a range; calls of its own functions and of intrinsics.
That is written down here as it stands, its numbers written out, and optimised once.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from kbrules.kernel.native.vectors import I1, I64, MEMORY, emitters, number, vector
from kbrules.kernel.passes import SourceUnit, fold_constants

PAIR = ir.LiteralStructType([I64, I64])
SIGNED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
JOINED = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and_", ast.BitOr: "or_",
    ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
PREFIX = "kbrules."


class Untranslatable(Exception):
    """Our own fault: a kernel's text says what is no part of its language."""


class Translation:
    """The functions of a text, each put into a module of LLVM when it is first asked for.

    features: of the processor, as LLVM says them.
    """

    def __init__(self, text: str, module: Any, features: str) -> None:
        self.module, self.emitters = module, emitters(features)
        self._unit = SourceUnit(text)
        self.width = self._unit.numbers["W"]
        numbers = self._unit.numbers
        self.steady = range(numbers.get("FULL", 0), numbers.get("STATE", 0))
        """Where nothing is written: what a board decides."""
        self._functions: dict[str, Any] = {}

    def function(self, name: str, given: Sequence[Any] = ()) -> Any:
        """The code of a function. given: types of the arguments that are not annotated."""
        if name not in self._functions:
            node = self._unit.after(fold_constants, name)
            annotated = [self._type_of(argument.annotation) for argument in node.args.args]
            kinds = [kind or given[at] for at, kind in enumerate(annotated)]
            kind = ir.FunctionType(self._returned(node), kinds)
            code = self._functions[name] = ir.Function(self.module, kind, f"{PREFIX}{name}")
            code.linkage = "internal"
            code.attributes.add("nounwind")
            if any(getattr(d, "id", "") == "inlined" for d in node.decorator_list):
                code.attributes.add("alwaysinline")
            _FunctionWriter(self, code, node).write()
        return self._functions[name]

    def __contains__(self, name: str) -> bool:
        return name in self._unit

    def _type_of(self, annotation: ast.expr | None) -> Any:
        """The type that an annotation names; None for no annotation and for no value."""
        name = annotation.id if isinstance(annotation, ast.Name) else ""
        types = {
            "int": I64, "bool": I1, "Hexes": vector(self.width), "Groups": PAIR, "Memory": MEMORY,
        }  # fmt: skip
        return types.get(name)

    def _returned(self, node: ast.FunctionDef) -> Any:
        """The type of what a function returns: if it does not say which, a number or nothing."""
        returns = (each for each in ast.walk(node) if isinstance(each, ast.Return) and each.value)
        otherwise = I64 if node.returns is None and any(returns) else ir.VoidType()
        return self._type_of(node.returns) or otherwise


class _FunctionWriter:
    """Writes the body of one function: its statements, and in them values."""

    def __init__(self, translation: Translation, code: Any, node: ast.FunctionDef) -> None:
        self._translation, self._code, self._node = translation, code, node
        self._entry = code.append_basic_block("entry")
        self._start = code.append_basic_block("start")
        self._builder = ir.IRBuilder(self._start)
        self._variables: dict[str, Any] = {}
        self._values: dict[str, Any] = {}
        self._loops: list[tuple[Any, Any]] = []

    def write(self) -> None:
        """All of it."""
        names = [n for n in ast.walk(self._node) if isinstance(n, ast.Name)]
        assigned = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        for argument, node in zip(self._code.args, self._node.args.args, strict=True):
            if node.arg in assigned:
                self._assign(node.arg, argument)
            else:
                self._values[node.arg] = argument
        self._block(self._node.body)
        if not self._builder.block.is_terminated:
            self._return(None)
        ir.IRBuilder(self._entry).branch(self._start)

    def _wrong(self, node: ast.AST, why: str) -> Untranslatable:
        return Untranslatable(f"{self._node.name}: {why}: {ast.unparse(node)}")

    def _new(self, name: str) -> Any:
        return self._code.append_basic_block(name)

    def _joined(self, value: Any) -> Any:
        """A pair as one value."""
        if not isinstance(value, list):
            return value
        pair = ir.Constant(PAIR, ir.Undefined)
        for i, part in enumerate(value):
            pair = self._builder.insert_value(pair, self._as(part, I64), i)
        return pair

    # conditions

    def _branch(self, test: ast.expr, then: Any, otherwise: Any) -> None:
        """Go one way or the other; what need not be evaluated is not evaluated."""
        match test:
            case ast.BoolOp(op=op, values=[*values, last]):
                for value in values:
                    further = self._new("further")
                    if isinstance(op, ast.And):
                        self._branch(value, further, otherwise)
                    else:
                        self._branch(value, then, further)
                    self._builder.position_at_end(further)
                self._branch(last, then, otherwise)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._branch(operand, otherwise, then)
            case _:
                self._builder.cbranch(self._truth(test), then, otherwise)

    def _chosen(self, test: ast.expr, value: ast.expr, other: ast.expr) -> Any:
        then, otherwise, end = self._new("then"), self._new("else"), self._new("end")
        self._branch(test, then, otherwise)
        found: list[tuple[Any, Any]] = []
        for block, expr in ((then, value), (otherwise, other)):
            self._builder.position_at_end(block)
            got = self._joined(self._value(expr))
            got = self._as(got, found[0][0].type) if found else got
            found.append((got, self._builder.block))
            self._builder.branch(end)
        self._builder.position_at_end(end)
        phi = self._builder.phi(found[0][0].type)
        for got, block in found:
            phi.add_incoming(got, block)
        return phi

    def _truth(self, node: ast.expr) -> Any:
        return self._as(self._value(node), I1)

    def _number(self, node: ast.expr) -> Any:
        return self._as(self._value(node), I64)

    def _as(self, value: Any, kind: Any) -> Any:
        """A value as one of a type: truths are 0 and 1."""
        if value.type == kind:
            return value
        if value.type == I1 and kind == I64:
            return self._builder.zext(value, I64)
        if value.type == I64 and kind == I1:
            return self._builder.icmp_signed("!=", value, number(0))
        raise Untranslatable(f"{self._node.name}: {value.type} is no {kind}")

    # values

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() as value):
                return ir.Constant(I1, int(value))
            case ast.Constant(value=int() as value):
                return number(value)
            case ast.Name(id=name):
                return self._named(name, node)
            case ast.Tuple(elts=elts):
                return [self._value(each) for each in elts]
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._value(left), self._value(right), node)
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(op, operand)
            case ast.BoolOp():
                yes, no = ast.Constant(True), ast.Constant(False)
                return self._chosen(node, yes, no)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._chosen(test, body, orelse)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self._compared(left, ops, comparators)
            case ast.Subscript(value=value, slice=at):
                return self._item(value, at)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(name, args, node)
        raise self._wrong(node, "no such expression")

    def _named(self, name: str, node: ast.expr) -> Any:
        if name in self._variables:
            return self._builder.load(self._variables[name])
        if name in self._values:
            return self._values[name]
        raise self._wrong(node, "nothing of that name")

    def _binary(self, op: ast.operator, one: Any, other: Any, node: ast.AST) -> Any:
        if isinstance(one.type, ir.VectorType):
            return getattr(self._builder, JOINED[type(op)])(one, other)
        one, other = self._as(one, I64), self._as(other, I64)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self._divided(one, other, isinstance(op, ast.Mod))
        if type(op) not in JOINED:
            raise self._wrong(node, "no such operator")
        return getattr(self._builder, JOINED[type(op)])(one, other)

    def _divided(self, one: Any, other: Any, is_rest: bool) -> Any:
        """Division that rounds down, as in Python."""
        builder = self._builder
        quotient, remainder = builder.sdiv(one, other), builder.srem(one, other)
        differs = builder.icmp_signed("<", builder.xor(remainder, other), number(0))
        is_off = builder.and_(differs, builder.icmp_signed("!=", remainder, number(0)))
        if is_rest:
            return builder.select(is_off, builder.add(remainder, other), remainder)
        return builder.select(is_off, builder.sub(quotient, number(1)), quotient)

    def _unary(self, op: ast.unaryop, operand: ast.expr) -> Any:
        if isinstance(op, ast.Not):
            return self._builder.not_(self._truth(operand))
        value = self._value(operand)
        if isinstance(op, ast.Invert):
            return self._builder.not_(value)
        return self._builder.neg(self._as(value, I64))

    def _compared(
        self, left: ast.expr, ops: Sequence[ast.cmpop], others: Sequence[ast.expr]
    ) -> Any:
        found, one = None, self._number(left)
        for op, each in zip(ops, others, strict=True):
            other = self._number(each)
            test = self._builder.icmp_signed(SIGNED[type(op)], one, other)
            found = test if found is None else self._builder.and_(found, test)
            one = other
        return found

    def _item(self, value: ast.expr, at: ast.expr) -> Any:
        memory = self._value(value)
        if isinstance(memory, list) or memory.type == PAIR:
            place = ast.literal_eval(at)
            pair = self._joined(memory)
            return self._builder.extract_value(pair, place)
        index = self._number(at)
        return self._marked(self._builder.load(self._builder.gep(memory, [index])), index)

    def _marked(self, loaded: Any, at: Any) -> Any:
        """What the board fixes stays the same, whatever is written elsewhere."""
        if isinstance(at, ir.Constant) and at.constant in self._translation.steady:
            loaded.set_metadata("invariant.load", self._translation.module.add_metadata([]))
        return loaded

    def _call(self, name: str, args: list[ast.expr], node: ast.expr) -> Any:
        values = [self._joined(self._value(arg)) for arg in args]
        if name in ("min", "max"):
            one, other = (self._as(value, I64) for value in values)
            comparison = "<" if name == "min" else ">"
            is_first = self._builder.icmp_signed(comparison, one, other)
            return self._builder.select(is_first, one, other)
        if name == "int":
            return self._as(values[0], I64)
        translation = self._translation
        if name in translation.emitters:
            found = translation.emitters[name](self._builder, translation.width, *values)
            return self._marked(found, values[1]) if name == "load" else found
        if name not in translation:
            raise self._wrong(node, "no such function")
        code = translation.function(name, [value.type for value in values])
        kinds = code.function_type.args
        values = [self._as(v, kind) for v, kind in zip(values, kinds, strict=True)]
        return self._builder.call(code, values)

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
                now = self._value(target)
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
        result = self._code.function_type.return_type
        if isinstance(result, ir.VoidType):
            self._builder.ret_void()
        elif value is None:
            self._builder.unreachable()
        else:
            self._builder.ret(self._as(self._joined(value), result))

    def _if(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> None:
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
