"""The canonical text of expressions: no more parentheses than the grammar needs."""

from __future__ import annotations

from kbrules.lang.formatting.pretty import Doc, Group, IfBreak, Indent, SoftLine, enclosed, flat
from kbrules.lang.syntax.tree import (
    Call,
    Choice,
    Expression,
    Fold,
    Hole,
    Name,
    Number,
    Operator,
    Truth,
)

_COMPARISON, _UNARY, _ATOM = 4, 7, 8
_LEVELS = {
    "or": 1,
    "and": 2,
    "not": 3,
    "=": _COMPARISON,
    "!=": _COMPARISON,
    "<": _COMPARISON,
    "<=": _COMPARISON,
    ">": _COMPARISON,
    ">=": _COMPARISON,
    "+": 5,
    "-": 5,
    "|": 5,
    "*": 6,
    "/": 6,
    "&": 6,
    "at least": _UNARY,
    "at most": _UNARY,
    "exactly": _UNARY,
}
_CROWDED = 60  # parentheses of an expression to which layout adds none: the language counts them


def slot(node: Expression) -> Doc:
    """The text of an expression in a sentence, where no bracket stands around it.

    One that is too long for its line gets parentheses of its own, since only they let it break.
    Raises ValueError for a hole.
    """
    body = _written(node)
    if not isinstance(node, Operator):
        return body
    text = flat(body)
    if text.count("(") >= _CROWDED:
        return text
    return Group((IfBreak("("), Indent((SoftLine(""), body)), SoftLine(""), IfBreak(")")))


def _level(node: Expression) -> int:
    """How tightly an expression holds together."""
    if not isinstance(node, Operator):
        return _ATOM
    if node.symbol == "-" and len(node.operands) == 1:
        return _UNARY
    return _LEVELS[node.symbol]


def _part(node: Expression, least: int = 0) -> Doc:
    """An operand, in parentheses if it holds less tightly than `least`."""
    body = _written(node)
    if _level(node) < least:
        return enclosed("(", body, ")")
    return Indent(body) if isinstance(node, Operator) else body


def _written(node: Expression) -> Doc:
    match node:
        case Number():
            return str(node.value)
        case Truth():
            return "yes" if node.value else "no"
        case Name():
            return node.text
        case Call():
            return _call(node)
        case Fold():
            return _fold(node)
        case Choice():
            return _choice(node)
        case Operator():
            return _unary(node) if len(node.operands) == 1 else _chain(node)
        case Hole():
            raise ValueError("what could not be read cannot be written")


def _call(node: Call) -> Doc:
    if not node.arguments:
        return f"{node.name}()"
    first, *others = (_written(argument) for argument in node.arguments)
    more = tuple((",", SoftLine(" "), other) for other in others)
    return enclosed(f"{node.name}(", (first, *more), ")")


def _fold(node: Fold) -> Doc:
    over = (SoftLine(" "), f"for {node.variable.text} in ", _part(node.domain))
    only = () if node.condition is None else (SoftLine(" "), "if ", _part(node.condition))
    return enclosed(f"{node.name}(", (_part(node.body), over, only), ")")


def _choice(node: Choice) -> Doc:
    when = (SoftLine(" "), "if ", _part(node.condition))
    other = () if node.other is None else (SoftLine(" "), "otherwise ", _part(node.other))
    return enclosed("(", (_part(node.value), when, other), ")")


def _unary(node: Operator) -> Doc:
    sign = "-" if node.symbol == "-" else f"{node.symbol} "
    return (sign, _part(node.operands[0], _level(node)))


def _chain(node: Operator) -> Doc:
    """Operators of one level from left to right; a line breaks before each of them or none."""
    level = _level(node)
    links: list[Doc] = []
    left: Expression = node
    while isinstance(left, Operator) and _level(left) == level:
        links.append((SoftLine(" "), f"{left.symbol} ", _part(left.operands[1], level + 1)))
        left = left.operands[0]
        if level == _COMPARISON:
            break
    first = _part(left, level + 1)
    return Group((first, *links[::-1]))
