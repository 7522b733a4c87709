"""A sentence traced: each part of it with the value the reference evaluator finds for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Board
from kbrules.game.view import View
from kbrules.hex.sets import Mask, bits, lowest
from kbrules.lang.typed import ELEMENT, Call, Conditional, Expr, Fold, Lit, Sort, Var, parts_of
from kbrules.plan.plan import Plan
from kbrules.text import Source, Span
from kbrules.tools.tracing import (
    NOT,
    EvaluationRecord,
    LinkedTexts,
    Operand,
    Trace,
    TracingLinker,
    operands_of,
    operator_kind,
)

# A sentence traced: each part of it with the value the reference evaluator finds for it.
#
# Nothing is worked out beside the rules: a value is what the very expression answers in the very
# view in which the engine asks it.


MAX_ITEMS = 12
"""Rounds of a loop inside a sentence that are recorded."""
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_HIDDEN_SORTS = (Sort.WORD, Sort.VERB, Sort.MEMORY, Sort.RANGE)


@dataclass(frozen=True, slots=True)
class DefinedWord:
    """The `define` that a word stands for: its name, its wording and where it is written."""

    name: str
    wording: str
    span: Span


@dataclass(frozen=True, slots=True)
class EvaluatedClause:
    """A part of a sentence and its value.

    `holds`: of a set whether the hex in question is in it, of a condition whether it holds, else
    None. `is_wrong` says that it is what stands against the move; `expr` and `view` are what
    was evaluated. `item` is the name, sort and value that a loop has in this round, if it is one.
    `is_taken_away`: whether it is what stands behind a `-`.
    """

    expr: Expr
    view: View = field(repr=False, compare=False)
    value: Any
    holds: bool | None = None
    is_wrong: bool = False
    parts: tuple[EvaluatedClause, ...] = ()
    definition: DefinedWord | None = None
    is_taken_away: bool = False
    item: tuple[str, Sort, Any] | None = None

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.expr.span

    @property
    def text(self) -> str:
        """How it is written, in one line."""
        return self.span.one_line

    def all(self) -> Iterator[EvaluatedClause]:
        """It and all its parts, outer ones first."""
        yield self
        for part in self.parts:
            yield from part.all()


class _ValueTrace(Trace):
    """The last value of each expression, by its identity."""

    evaluates_all = True

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[int, Any] = {}

    def expression(self, expr: Expr) -> EvaluationRecord:
        """What keeps the value of an expression."""
        return _Value(self.values, id(expr))


class _Value(EvaluationRecord):
    __slots__ = ("_id", "_values")

    def __init__(self, values: dict[int, Any], id: int) -> None:
        self._values, self._id = values, id

    def add(self, value: Any, counts: bool = True) -> None:
        """Keep a value."""
        self._values[self._id] = value


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Where a sentence is traced: the rules in force, and the hex in question (or -1)."""

    plan: Plan
    hex: int = -1

    @property
    def texts(self) -> LinkedTexts:
        """The texts of the rules."""
        return LinkedTexts.of(self.plan.ruleset)

    def values(self, expr: Expr, view: View) -> dict[int, Any]:
        """The values of an expression and its parts, by their identity."""
        nodes = self.plan.derived.setdefault(_ValueTrace, {})
        if id(expr) not in nodes:
            trace = _ValueTrace()
            linker = TracingLinker(self.plan.ruleset, trace)
            nodes[id(expr)] = expr, linker(expr, self.plan.known), trace.values
        _, node, values = nodes[id(expr)]
        value = node.value(view)
        return {id(expr): value, **values}


def clause_of(
    expr: Expr, view: View, evaluation: Evaluation, required: bool | None = None
) -> EvaluatedClause:
    """An expression with its value and those of its parts.

    `wanted` is what it would have to be, the hex in or out, the condition true or false, for what
    is required; None if either will do.
    """
    return _EvaluatedSentence(evaluation, view, evaluation.values(expr, view)).clause(
        expr, evaluation.hex, required
    )


@dataclass(frozen=True, slots=True)
class _EvaluatedSentence:
    """A sentence whose values are known, as clauses."""

    evaluation: Evaluation
    view: View
    values: dict[int, Any]

    def value(self, expr: Expr) -> Any:
        """The value of a part; of what was worked out beforehand it is evaluated again."""
        if id(expr) in self.values:
            return self.values[id(expr)]
        return self.evaluation.plan.evaluate(expr, self.view)

    def clause(self, expr: Expr, hex: int, required: bool | None) -> EvaluatedClause:
        """A part of it as a clause; hex: the one in question, if this is about it."""
        value = self.value(expr)
        holds = _holds(expr, value, hex)
        is_wrong = required is not None and holds is not None and holds is not required
        parts = tuple(self._parts(expr, hex, required if is_wrong else None))
        return EvaluatedClause(expr, self.view, value, holds, is_wrong, parts, defined(expr))

    def _parts(self, expr: Expr, hex: int, required: bool | None) -> Iterator[EvaluatedClause]:
        match expr:
            case Conditional(condition=condition, value=value, other=other):
                yield self.clause(condition, hex, None)
                chosen = value if self.value(condition) else other
                if not isinstance(chosen, Lit):
                    yield self.clause(chosen, hex, required)
            case Fold():
                yield from self._rounds(expr, hex)
            case Call():
                for operand in self._operands(expr):
                    yield from self._argument(expr, operand, hex, required)

    def _operands(self, call: Call) -> Iterator[Operand]:
        if operator_kind(call.word):
            yield from operands_of(call, self.evaluation.texts.operators)
        else:
            yield from (Operand(each, call.word == NOT) for each in call.arguments)

    def _argument(
        self, call: Call, operand: Operand, hex: int, required: bool | None
    ) -> Iterator[EvaluatedClause]:
        """What a word is applied to, if that says more than the word itself.

        Only a part of set algebra is about the hex in question; what is inside a word is about
        others.
        """
        argument, is_set_algebra = operand.expr, operator_kind(call.word) or call.word == NOT
        if argument.sort in _HIDDEN_SORTS or isinstance(argument, Lit):
            return
        part_required = (
            None
            if required is None or not is_set_algebra
            else required is not operand.is_taken_away
        )
        if argument.span == call.span:  # it is only turned into another sort
            yield from self._parts(argument, hex, part_required)
        else:
            clause = self.clause(argument, hex if is_set_algebra else -1, part_required)
            is_taken_away = operand.is_taken_away and call.word != NOT
            yield replace(clause, is_taken_away=is_taken_away)

    def _rounds(self, fold: Fold, hex: int) -> Iterator[EvaluatedClause]:
        """The domain of a loop, and what its body is for each item that counts."""
        yield self.clause(fold.domain, -1, None)
        evaluate, shown = self.evaluation.plan.evaluate, 0
        sort = ELEMENT.get(fold.domain.sort, fold.domain.sort)
        for item in self.value(fold.domain):
            bound_view = self.view.bound(fold.variable, item)
            if fold.condition is not None and not evaluate(fold.condition, bound_view):
                continue
            value = evaluate(fold.body, bound_view)
            if value and shown < MAX_ITEMS:
                shown += 1
                holds = _holds(fold.body, value, hex)
                yield EvaluatedClause(
                    fold.body, bound_view, value, holds, item=(fold.variable, sort, item)
                )


def _holds(expr: Expr, value: Any, hex: int) -> bool | None:
    if expr.sort is Sort.HEXES:
        return bool(value >> hex & 1) if hex >= 0 else None
    return bool(value) if expr.sort is Sort.TRUTH else None


# What a `define` stands for is put in its place when rules are read; here it is found again.


def defined(expr: Expr) -> DefinedWord | None:
    """The `define` whose name stands where the expression is used, if one does."""
    name = _WORD.match(expr.span.text)
    if name is None or isinstance(expr, Lit | Var) or _is_own_word(expr, name[0]):
        return None
    if not _is_one_word(expr.span.text[name.end() :]):
        return None
    for source in _sources(expr):
        match = re.search(rf'^define {name[0]}\b[^"\n]*"([^"\n]*)"', source.text, re.MULTILINE)
        if match:
            return DefinedWord(name[0], match[1], source.span(match.start(), match.end()))
    return None


def _is_own_word(expr: Expr, name: str) -> bool:
    """Whether a name is that of the expression's own word, and so of no `define`."""
    if isinstance(expr, Call | Fold) and expr.word.partition("(")[0] == name:
        return True
    return isinstance(expr, Call) and expr.word in ("option", "memory", "quantity")


def _is_one_word(rest: str) -> bool:
    """Whether what follows a name is nothing, or one pair of brackets with its arguments."""
    if not rest:
        return True
    depth = 0
    for at, character in enumerate(rest):
        depth += (character == "(") - (character == ")")
        if depth <= 0:
            return at == len(rest) - 1 and character == ")"
    return False


def _sources(expr: Expr) -> Iterable[Source]:
    """The texts that the expression and its parts are written in."""
    sources = {expr.span.source: None}
    for part in parts_of(expr):
        sources.update(dict.fromkeys(_sources(part)))
    return sources


# Values in words: hexes by name, groups, numbers, terrains, players.


MAX_NAMES = 8
UNBOUNDED = 1_000_000


def short_list(board: Board, hexes: Mask, most: int = MAX_NAMES) -> str:
    """The names of hexes; of many the first and how many more, of none a dash."""
    names = [board.grid.name(hex) for hex in bits(hexes)]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return " ".join(names[:most]) + rest if names else "-"


def value_text(clause: EvaluatedClause) -> str:
    """What a clause comes to."""
    board, value = clause.view.board, clause.value
    match clause.expr.sort:
        case Sort.HEXES:
            return _count_text(value.bit_count(), "hex", "hexes") + _hex_list(board, value)
        case Sort.GROUPS:
            sizes = f", the largest of {max(g.bit_count() for g in value)}" if value else ""
            return _count_text(len(value), "group", "groups") + sizes
        case Sort.TRUTH:
            return "yes" if value else "no"
        case Sort.RANGE:
            return _range(*value)
        case sort:
            return _value_name(board, sort, value)


def _count_text(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}" if count else f"no {singular}"


def _hex_list(board: Board, hexes: Mask) -> str:
    return f": {short_list(board, hexes)}" if 0 < hexes.bit_count() <= MAX_NAMES else ""


def _range(low: int, high: int) -> str:
    if low == high:
        return f"exactly {low}"
    return f"at most {high}" if high < UNBOUNDED else f"at least {low}"


def _value_name(board: Board, sort: Sort, value: Any) -> str:
    catalog = board.catalog
    if sort in ELEMENT:
        element = ELEMENT[sort]
        return ", ".join(_value_name(board, element, each) for each in value) or "none"
    if sort is Sort.PLAYER:
        return player_name(value)
    tables: Mapping[Sort, Sequence[Any]] = {
        Sort.TERRAIN: catalog.hexes, Sort.PLACE: catalog.hexes,
        Sort.PIECE: catalog.pieces, Sort.TILE: catalog.tiles,
    }  # fmt: skip
    if sort in tables:
        return str(tables[sort][value].id) if value >= 0 else "none"
    return catalog.cards[value] if sort is Sort.CARD else str(value)


def bound_text(board: Board, name: str, sort: Sort, item: Any) -> str:
    """A name and what it is bound to in a round of a loop."""
    text = item_text(board, sort, item)
    return text if text.startswith(f"{name} ") else f"{name} {text}"


def item_text(board: Board, sort: Sort, item: Any) -> str:
    """One item of a loop: a group by where it lies, anything else by its name."""
    if sort is not Sort.HEXES:
        return _value_name(board, sort, item)
    if item and item == board.grid.full:
        return "the whole board"
    if item.bit_count() == 1:
        return board.grid.name(lowest(item))
    for number, row in enumerate(board.grid.rows(), 1):
        if item == row:
            return f"row {number}"
    for number, sector in enumerate(board.sectors, 1):
        if item == sector:
            return f"sector {number}"
    if item.bit_count() <= MAX_NAMES:
        return short_list(board, item)
    first, last = lowest(item), item.bit_length() - 1
    return f"{board.grid.name(first)}..{board.grid.name(last)} ({item.bit_count()})"


# What of its argument a word sees from one hex.

_ADJACENCY_WORDS = ("adjacent(hexes)", "touching(hexes,range)")
_WITHIN = "within(hexes,number)"


def nearest_text(clause: EvaluatedClause, hex: int) -> str:
    """For a word of nearness what of its argument lies near a hex; else an empty text."""
    expr = clause.expr
    if hex < 0 or not isinstance(expr, Call) or expr.word not in (*_ADJACENCY_WORDS, _WITHIN):
        return ""
    argument = next((part for part in clause.parts if part.expr.sort is Sort.HEXES), None)
    if argument is None:
        return ""
    board = clause.view.board
    adjacent: Mask = board.grid.neighbours(1 << hex) & argument.value
    if expr.word == _WITHIN:
        return _nearest(board, argument.value, hex)
    if adjacent:
        return (
            f"{adjacent.bit_count()} beside {board.grid.name(hex)}: {short_list(board, adjacent)}"
        )
    return f"none beside {board.grid.name(hex)}" + _appended(_nearest(board, argument.value, hex))


def _appended(text: str) -> str:
    return f", {text}" if text else ""


def _nearest(board: Board, argument: Mask, hex: int) -> str:
    distances = [(d, h) for h in bits(argument) if (d := board.grid.distance(hex, h)) is not None]
    if not distances:
        return ""
    distance, at = min(distances)
    steps = "1 step" if distance == 1 else f"{distance} steps"
    return f"the nearest is {board.grid.name(at)}, {steps} away"
