"""Expressions that say less than they seem to, or say it the long way, as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, Edit, quoted
from kbrules.lang import typed as core
from kbrules.lang.evaluation import DIFFERENCE, INTERSECTION, UNION
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Sort
from kbrules.tools.lint.subject import Subject, lint, sorts

# How two expressions are related, by what is written alone: equal, one inside the other, disjoint.
#
# An intersection is split into what a hex must be in and what it must not be in.

Key = tuple[object, ...]


def key(expr: core.Expr | None) -> Key:
    """The key of a typed expression; those of equal keys have equal values everywhere."""
    match expr:
        case None:
            return ()
        case core.Lit(sort=sort, value=value):
            return "lit", sort, value
        case core.Var(name=name):
            return "var", name
        case core.Call(word=word, arguments=arguments):
            keys = map(key, arguments)
            return word, *(sorted(keys, key=repr) if word in _COMMUTATIVE_WORDS else keys)
        case core.Conditional(condition=condition, value=value, other=other):
            return "choice", key(condition), key(value), key(other)
        case core.Fold(word=word, variable=variable, domain=domain, condition=tested, body=body):
            return "fold", word, variable, key(domain), key(tested), key(body)


_COMMUTATIVE_WORDS = {
    INTERSECTION, UNION, "+(number,number)", "*(number,number)", "and(truth,truth)",
    "or(truth,truth)", "=(number,number)", "!=(number,number)",
}  # fmt: skip


_COMMUTATIVE = {"&", "|", "+", "*", "=", "!=", "and", "or"}


def tree_key(part: object) -> Key:
    """What a part of a tree says: equal keys were written alike, but for blanks and brackets."""
    match part:
        case tree.Operator(symbol=symbol, operands=operands):
            keys = tuple(map(tree_key, operands))
            return symbol, *(sorted(keys, key=repr) if symbol in _COMMUTATIVE else keys)
        case tree.Word(text=text) | tree.Name(text=text):
            return "name", text
        case tree.Number(value=value) | tree.Truth(value=value):
            return "value", value
        case tuple():
            return tuple(map(tree_key, part))
        case str() | int() | None:
            return (part,)
        case _:
            fields = part.__dataclass_fields__  # type: ignore[attr-defined]
            skipped = ("span", "head")
            values = (getattr(part, name) for name in fields if name not in skipped)
            return type(part).__name__, *map(tree_key, values)


# Sets of hexes

Conditions = tuple[list[core.Expr], list[core.Expr]]

_KINDS = {"terrain(terrain)", "place(place)"}
# Sets that lie in another one by the meaning of the words.
_SUPERSETS = {
    "mine()": "occupied()",
    "mine(piece)": "mine()",
    "pieces(player)": "occupied()",
    "pieces(piece)": "occupied()",
    "neutral()": "occupied()",
}


def necessary_conditions(expr: core.Expr) -> Conditions:
    """What a hex of a set must be in, and what it must not be in."""
    if isinstance(expr, core.Call) and expr.word == INTERSECTION:
        (first_in, first_out), (second_in, second_out) = map(necessary_conditions, expr.arguments)
        return first_in + second_in, first_out + second_out
    if isinstance(expr, core.Call) and expr.word == DIFFERENCE:
        inside, outside = necessary_conditions(expr.arguments[0])
        return inside, [*outside, *_alternatives(expr.arguments[1])]
    return [expr], []


def _alternatives(expr: core.Expr) -> list[core.Expr]:
    if isinstance(expr, core.Call) and expr.word == UNION:
        return [part for argument in expr.arguments for part in _alternatives(argument)]
    return [expr]


def why_disjoint(call: core.Call) -> str:
    """Why an intersection or difference has no hex; empty if it may have one."""
    if call.word not in (INTERSECTION, DIFFERENCE):
        return ""
    inside, outside = necessary_conditions(call)
    for required in inside:
        if any(is_subset(required, other) for other in outside):
            return "all that is in the set is taken away"
    calls = [each for each in inside if isinstance(each, core.Call) and each.word in _KINDS]
    known = (each for each in calls if isinstance(each.arguments[0], core.Lit))
    return "a hex is of one kind only" if len({*map(key, known)}) > 1 else ""


def is_subset(expr: core.Expr, other: core.Expr) -> bool:
    """Whether every hex of a set is in another one, by what is written alone."""
    if key(expr) == key(other) or (isinstance(other, core.Call) and other.word == "board()"):
        return True
    if isinstance(other, core.Call) and other.word == UNION:
        return any(is_subset(expr, part) for part in other.arguments)
    if isinstance(other, core.Call) and other.word == INTERSECTION:
        return all(is_subset(expr, part) for part in other.arguments)
    if not isinstance(expr, core.Call):
        return False
    if expr.word == UNION:
        return all(is_subset(part, other) for part in expr.arguments)
    if expr.word == INTERSECTION:
        return any(is_subset(part, other) for part in expr.arguments)
    if expr.word == DIFFERENCE:
        return is_subset(expr.arguments[0], other)
    superset = _SUPERSETS.get(expr.word)
    return (
        superset is not None
        and isinstance(other, core.Call)
        and _is_subset_word(superset, other.word)
    )


def _is_subset_word(word: str, target: str) -> bool:
    return word == target or (word in _SUPERSETS and _is_subset_word(_SUPERSETS[word], target))


_CONNECTIVES = {"&", "|", "and", "or"}
_COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}
_DUALS = {"&": "|", "|": "&", "and": "or", "or": "and"}


def operands(node: tree.Expression, symbol: str) -> list[tree.Expression]:
    """What a chain of one operator joins, from left to right."""
    if isinstance(node, tree.Operator) and node.symbol == symbol:
        return [part for operand in node.operands for part in operands(operand, symbol)]
    return [node]


def _chains(subject: Subject) -> Iterator[tuple[tree.Operator, list[tree.Expression]]]:
    """Every longest chain of `&`, `|`, `and` or `or`, with what it joins."""
    inner: set[int] = set()
    for node in subject.nodes(tree.Operator):
        if node.symbol not in _CONNECTIVES:
            continue
        parts = (each for each in node.operands if isinstance(each, tree.Operator))
        inner |= {id(part) for part in parts if part.symbol == node.symbol}
        if id(node) not in inner:
            yield node, operands(node, node.symbol)


@lint("KB716")
def repeated_operand(subject: Subject) -> Iterator[Diagnostic]:
    """The same part twice in a chain: the second one changes nothing."""
    for node, parts in _chains(subject):
        seen: dict[object, tree.Expression] = {}
        for previous, part in zip([None, *parts], parts, strict=False):
            if seen.setdefault(tree_key(part), part) is not part and previous is not None:
                text = quoted(part.span.one_line)
                message = f"{text} stands here twice, joined by `{node.symbol}`"
                with_operator = part.span.source.span(previous.span.end, part.span.end)
                fix = _safe_edits(Edit(with_operator, ""))
                yield Diagnostic("KB716", part.span, message, "leave it out", fix=fix)


@lint("KB719")
def absorbed_operand(subject: Subject) -> Iterator[Diagnostic]:
    """A part of a chain that another part makes idle: `a & (a | b)` is `a`."""
    for node, parts in _chains(subject):
        by_key = {tree_key(part): part for part in parts}
        for part in parts:
            inner_parts = operands(part, _DUALS[node.symbol])
            for inner in inner_parts if len(inner_parts) > 1 else ():
                other = by_key.get(tree_key(inner))
                if other is not None and other is not part:
                    absorbed, absorbing = quoted(part.span.one_line), quoted(other.span.one_line)
                    message = f"{absorbed} changes nothing beside {absorbing}"
                    yield Diagnostic("KB719", part.span, message, "leave it out")
                    break


@lint("KB717")
def compared_with_itself(subject: Subject) -> Iterator[Diagnostic]:
    """Something compared with itself, or taken away from itself."""
    for node in subject.nodes(tree.Operator):
        if node.symbol not in _COMPARISONS | {"-"} or len(node.operands) != 2:
            continue
        left, right = node.operands
        if tree_key(left) == tree_key(right):
            verb = "taken away from" if node.symbol == "-" else "compared with"
            message = f"{quoted(left.span.one_line)} is {verb} itself"
            yield Diagnostic("KB717", node.span, message, "one of the two should be something else")


@lint("KB718")
def double_negation(subject: Subject) -> Iterator[Diagnostic]:
    """`not not`, and `not` before `any` or `none`, which are each other's opposite."""
    for node in subject.nodes(tree.Operator):
        if node.symbol != "not":
            continue
        inner = node.operands[0]
        if isinstance(inner, tree.Operator) and inner.symbol == "not":
            left = inner.operands[0].span
            fix = _safe_edits(Edit(left.source.span(node.span.start, left.start), ""))
            message, help_ = "this negates twice", f"write {quoted(left.one_line)}"
            yield Diagnostic("KB718", node.span, message, help_, fix=fix)
        elif isinstance(inner, tree.Call) and inner.name in _NEGATIONS:
            of, word = inner.arguments[0].span, _NEGATIONS[inner.name]
            if subject.shared(sorts).get(of) is Sort.HEXES:
                fix = _safe_edits(Edit(of.source.span(node.span.start, inner.head.end), word))
                message = f"`not {inner.name}(...)` is `{word}(...)`"
                help_ = f"write `{word}({of.one_line})`"
                yield Diagnostic("KB718", node.span, message, help_, fix=fix)


_NEGATIONS = {"any": "none", "none": "any"}


@lint("KB720")
def longer_than_needed(subject: Subject) -> Iterator[Diagnostic]:
    """A form for which the language has a shorter one of the same meaning."""
    for node in subject.nodes(tree.Operator):
        if len(node.operands) == 2:
            yield from _count_comparison(node, subject)
            yield from _neutral_operation(node)
    for call in subject.nodes(tree.Call):
        yield from _touching_one(call)
    for loop in subject.nodes(tree.Repeat):
        if loop.kind in _ONCE and _is_number(loop.times, 1):
            yield Diagnostic("KB720", loop.times.span, *_ONCE[loop.kind])


_ONCE = {
    "repeat": ("once is what is done anyway", "leave `repeat` out"),
    "up to": ("once or not at all has a word of its own", "write `may:`"),
}


_COUNT_COMPARISONS: dict[tuple[str, int | None], str] = {
    (">", 0): "any",
    (">=", 1): "any",
    ("!=", 0): "any",
    ("=", 0): "none",
    ("<", 1): "none",
}


def _count_comparison(node: tree.Operator, subject: Subject) -> Iterator[Diagnostic]:
    """`count(a) > 0` of hexes."""
    left, right = node.operands
    if not isinstance(left, tree.Call) or left.name != "count" or len(left.arguments) != 1:
        return
    value = right.value if isinstance(right, tree.Number) else None
    word = _COUNT_COMPARISONS.get((node.symbol, value))
    if word is None or subject.shared(sorts).get(left.arguments[0].span) is not Sort.HEXES:
        return
    source = node.span.source
    end = source.whole_text.rfind(")", left.head.end, left.span.end)
    fix = _safe_edits(
        Edit(source.span(left.span.start, left.head.end), word),
        Edit(source.span(end + 1, node.span.end), ""),
    )
    what = "one" if word == "any" else "none"
    message = f"{quoted(node.span.one_line)} asks whether there is {what}"
    help_ = f"write `{word}({left.arguments[0].span.one_line})`"
    yield Diagnostic("KB720", node.span, message, help_, fix=fix)


def _safe_edits(*edits: Edit) -> tuple[Edit, ...]:
    """The edits, unless they would take a comment away, or one of two brackets."""
    return edits if all(_is_safe(edit.span.text) for edit in edits) else ()


def _is_safe(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0 or sign == "#":
            return False
    return depth == 0


_NEUTRAL = {("*", 1), ("/", 1), ("+", 0), ("-", 0)}


def _neutral_operation(node: tree.Operator) -> Iterator[Diagnostic]:
    """`a * 1`, `a + 0` and the like."""
    left, right = node.operands
    if isinstance(right, tree.Number) and (node.symbol, right.value) in _NEUTRAL:
        neutral = node.span.source.span(left.span.end, right.span.end)
        fix = _safe_edits(Edit(neutral, ""))
        message = f"`{node.symbol} {right.value}` changes nothing"
        yield Diagnostic("KB720", node.span, message, "leave it out", fix=fix)


def _touching_one(call: tree.Call) -> Iterator[Diagnostic]:
    """`touching(a, at least 1)` is `adjacent(a)`; `at least 0` is every hex."""
    if call.name != "touching" or len(call.arguments) != 2:
        return
    of, amount = call.arguments
    if not isinstance(amount, tree.Operator) or amount.symbol != "at least":
        return
    source = call.span.source
    if _is_number(amount.operands[0], 1):
        end = source.whole_text.rfind(")", amount.span.end, call.span.end)
        fix = _safe_edits(
            Edit(source.span(call.span.start, call.head.end), "adjacent"),
            Edit(source.span(of.span.end, end), ""),
        )
        message = "to touch at least one is to be adjacent"
        help_ = f"write `adjacent({of.span.one_line})`"
        yield Diagnostic("KB720", call.span, message, help_, fix=fix)
    elif _is_number(amount.operands[0], 0):
        yield Diagnostic("KB720", call.span, "every hex touches at least none", "write `board`")


def _is_number(node: tree.Expression, value: int) -> bool:
    return isinstance(node, tree.Number) and node.value == value
