"""A sentence traced, each part with its value; and gold taken apart into hexes that earn it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.scoring import Payment, RankPlace, evidence
from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.game.view import View
from kbrules.hex.sets import Mask, bits, lowest
from kbrules.lang import typed
from kbrules.lang.evaluation import INTERSECTION
from kbrules.plan.plan import Plan
from kbrules.text import Source, Span
from kbrules.tools import tracing

# A sentence traced: each part of it with the value the reference evaluator finds for it.
#
# Nothing is worked out beside the rules: a value is what the very expression answers in the very
# view in which the engine asks it.


MAX_ITEMS = 12
"""Rounds of a loop inside a sentence that are recorded."""
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_HIDDEN_SORTS = (typed.Sort.WORD, typed.Sort.VERB, typed.Sort.MEMORY, typed.Sort.RANGE)


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

    expr: typed.Expr
    view: View = field(repr=False, compare=False)
    value: Any
    holds: bool | None = None
    is_wrong: bool = False
    parts: tuple[EvaluatedClause, ...] = ()
    definition: DefinedWord | None = None
    is_taken_away: bool = False
    item: tuple[str, typed.Sort, Any] | None = None

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.expr.span

    @property
    def text(self) -> str:
        """How it is written, in one line."""
        return self.span.one_line


class _ValueTrace(tracing.Trace):
    """The last value of each expression, by its identity."""

    evaluates_all = True

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[int, Any] = {}

    def expression(self, expr: typed.Expr) -> tracing.EvaluationRecord:
        """What keeps the value of an expression."""
        return _Value(self.values, id(expr))


class _Value(tracing.EvaluationRecord):
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
    def texts(self) -> tracing.LinkedTexts:
        """The texts of the rules."""
        return tracing.LinkedTexts.of(self.plan.ruleset)

    def values(self, expr: typed.Expr, view: View) -> dict[int, Any]:
        """The values of an expression and its parts, by their identity."""
        nodes = self.plan.derived.setdefault(_ValueTrace, {})
        if id(expr) not in nodes:
            trace = _ValueTrace()
            linker = tracing.TracingLinker(self.plan.ruleset, trace)
            nodes[id(expr)] = expr, linker(expr, self.plan.known), trace.values
        _, node, values = nodes[id(expr)]
        values.clear()  # what another board decides alone is not evaluated again
        value = node.value(view)
        return {id(expr): value, **values}


def clause_of(
    expr: typed.Expr, view: View, evaluation: Evaluation, required: bool | None = None
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

    def value(self, expr: typed.Expr) -> Any:
        """The value of a part; of what was worked out beforehand it is evaluated again."""
        if id(expr) in self.values:
            return self.values[id(expr)]
        return self.evaluation.plan.evaluate(expr, self.view)

    def clause(self, expr: typed.Expr, hex: int, required: bool | None) -> EvaluatedClause:
        """A part of it as a clause; hex: the one in question, if this is about it."""
        value = self.value(expr)
        holds = _holds(expr, value, hex)
        is_wrong = required is not None and holds is not None and holds is not required
        parts = tuple(self._parts(expr, hex, required if is_wrong else None))
        return EvaluatedClause(expr, self.view, value, holds, is_wrong, parts, defined(expr))

    def _parts(
        self, expr: typed.Expr, hex: int, required: bool | None
    ) -> Iterator[EvaluatedClause]:
        match expr:
            case typed.Conditional(condition=condition, value=value, other=other):
                yield self.clause(condition, hex, None)
                chosen = value if self.value(condition) else other
                if not isinstance(chosen, typed.Lit):
                    yield self.clause(chosen, hex, required)
            case typed.Fold():
                yield from self._rounds(expr, hex)
            case typed.Call():
                for operand in self._operands(expr):
                    yield from self._argument(expr, operand, hex, required)

    def _operands(self, call: typed.Call) -> Iterator[tracing.Operand]:
        if tracing.operator_kind(call.word):
            yield from tracing.operands_of(call, self.evaluation.texts.operators)
        else:
            yield from (tracing.Operand(each, call.word == tracing.NOT) for each in call.arguments)

    def _argument(
        self, call: typed.Call, operand: tracing.Operand, hex: int, required: bool | None
    ) -> Iterator[EvaluatedClause]:
        """What a word is applied to, if that says more than the word itself.

        Only a part of set algebra is about the hex in question; what is inside a word is about
        others.
        """
        argument = operand.expr
        is_set_algebra = tracing.operator_kind(call.word) or call.word == tracing.NOT
        if argument.sort in _HIDDEN_SORTS or isinstance(argument, typed.Lit):
            return
        is_required = required is not None and is_set_algebra
        part_required = required is not operand.is_taken_away if is_required else None
        if argument.span == call.span:  # it is only turned into another sort
            yield from self._parts(argument, hex, part_required)
        else:
            clause = self.clause(argument, hex if is_set_algebra else -1, part_required)
            is_taken_away = operand.is_taken_away and call.word != tracing.NOT
            yield replace(clause, is_taken_away=is_taken_away)

    def _rounds(self, fold: typed.Fold, hex: int) -> Iterator[EvaluatedClause]:
        """The domain of a loop, and what its body is for each item that counts."""
        yield self.clause(fold.domain, -1, None)
        evaluate, shown = self.evaluation.plan.evaluate, 0
        sort = _item_sort(fold.domain)
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


def _holds(expr: typed.Expr, value: Any, hex: int) -> bool | None:
    if expr.sort is typed.Sort.HEXES:
        return bool(value >> hex & 1) if hex >= 0 else None
    return bool(value) if expr.sort is typed.Sort.TRUTH else None


# What a `define` stands for is put in its place when rules are read; here it is found again.


def defined(expr: typed.Expr) -> DefinedWord | None:
    """The `define` whose name stands where the expression is used, if one does."""
    name = _WORD.match(expr.span.text)
    if name is None or isinstance(expr, typed.Lit | typed.Var) or _is_own_word(expr, name[0]):
        return None
    if not _is_one_word(expr.span.text[name.end() :]):
        return None
    for source in _sources(expr):
        match = re.search(rf'^define {name[0]}\b[^"\n]*"([^"\n]*)"', source.text, re.MULTILINE)
        if match:
            return DefinedWord(name[0], match[1], source.span(match.start(), match.end()))
    return None


def _is_own_word(expr: typed.Expr, name: str) -> bool:
    """Whether a name is that of the expression's own word, and so of no `define`."""
    if isinstance(expr, typed.Call | typed.Fold) and expr.word.partition("(")[0] == name:
        return True
    return isinstance(expr, typed.Call) and expr.word in ("option", "memory", "quantity")


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


def _sources(expr: typed.Expr) -> Iterable[Source]:
    """The texts that the expression and its parts are written in."""
    sources = {expr.span.source: None}
    for part in typed.parts_of(expr):
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
        case typed.Sort.HEXES:
            count = value.bit_count()
            names = f": {short_list(board, value)}" if 0 < count <= MAX_NAMES else ""
            return _count_text(count, "hex", "hexes") + names
        case typed.Sort.GROUPS:
            sizes = f", the largest of {max(g.bit_count() for g in value)}" if value else ""
            return _count_text(len(value), "group", "groups") + sizes
        case typed.Sort.TRUTH:
            return "yes" if value else "no"
        case typed.Sort.RANGE:
            return _range(*value)
        case sort:
            return _value_name(board, sort, value)


def _count_text(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}" if count else f"no {singular}"


def _range(low: int, high: int) -> str:
    if low == high:
        return f"exactly {low}"
    return f"at most {high}" if high < UNBOUNDED else f"at least {low}"


def _value_name(board: Board, sort: typed.Sort, value: Any) -> str:
    catalog = board.catalog
    if sort in typed.ELEMENT:
        element = typed.ELEMENT[sort]
        return ", ".join(_value_name(board, element, each) for each in value) or "none"
    if sort is typed.Sort.PLAYER:
        return player_name(value)
    tables: Mapping[typed.Sort, Sequence[Any]] = {
        typed.Sort.TERRAIN: catalog.hexes, typed.Sort.PLACE: catalog.hexes,
        typed.Sort.PIECE: catalog.pieces, typed.Sort.TILE: catalog.tiles,
    }  # fmt: skip
    if sort in tables:
        return str(tables[sort][value].id) if value >= 0 else "none"
    return catalog.cards[value] if sort is typed.Sort.CARD else str(value)


def bound_text(board: Board, name: str, sort: typed.Sort, item: Any) -> str:
    """A name and what it is bound to in a round of a loop."""
    text = item_text(board, sort, item)
    return text if text.startswith(f"{name} ") else f"{name} {text}"


def item_text(board: Board, sort: typed.Sort, item: Any) -> str:
    """One item of a loop: a group by where it lies, anything else by its name."""
    if sort is not typed.Sort.HEXES:
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
    if hex < 0 or not isinstance(expr, typed.Call) or expr.word not in (*_ADJACENCY_WORDS, _WITHIN):
        return ""
    argument = next((part for part in clause.parts if part.expr.sort is typed.Sort.HEXES), None)
    if argument is None:
        return ""
    board = clause.view.board
    nearest, name = _nearest(board, argument.value, hex), board.grid.name(hex)
    if expr.word == _WITHIN:
        return nearest
    if adjacent := board.grid.neighbours(1 << hex) & argument.value:
        return f"{adjacent.bit_count()} beside {name}: {short_list(board, adjacent)}"
    return ", ".join(filter(None, [f"none beside {name}", nearest]))


def _nearest(board: Board, argument: Mask, hex: int) -> str:
    distances = [(d, h) for h in bits(argument) if (d := board.grid.distance(hex, h)) is not None]
    if not distances:
        return ""
    distance, at = min(distances)
    steps = "1 step" if distance == 1 else f"{distance} steps"
    return f"the nearest is {board.grid.name(at)}, {steps} away"


# What a rule or card pays a player, taken apart until every piece of gold has its hexes.


@dataclass(frozen=True, slots=True)
class AwardPart:
    """Some gold and what earned it: one hex, or as many items as earn gold together."""

    gold: int
    hexes: Mask
    items: tuple[Any, ...] = ()
    sort: typed.Sort = typed.Sort.HEXES


@dataclass(frozen=True, slots=True)
class Round:
    """An award paid once: the names its loops bound, its parts, and its clauses.

    `items` are those of the loops, each with its name and sort. `excluded` are hexes that only one
    clause of the counted set keeps out, with that clause. `failed_conditions` has the condition of
    each counted item in which one has a piece, but for which it does not hold.
    """

    award: typed.Award
    items: tuple[tuple[str, typed.Sort, Any], ...]
    gold: int
    hexes: Mask
    parts: tuple[AwardPart, ...]
    places: tuple[RankPlace, ...]
    clauses: tuple[tuple[str, EvaluatedClause], ...]
    excluded: tuple[tuple[EvaluatedClause, Mask], ...]
    failed_conditions: tuple[EvaluatedClause, ...]


@dataclass(frozen=True, slots=True)
class Points:
    """What one rule or card pays one player, round by round."""

    rule: typed.Rule
    gold: int
    rounds: tuple[Round, ...]

    @property
    def hexes(self) -> Mask:
        """The hexes that earned it."""
        return reduce(or_, (each.hexes for each in self.rounds if each.gold), 0)


def sheet_of(game: Game, state: State, player: int) -> list[Points]:
    """What every rule and card pays a player, in the order of the score sheet."""
    lines = (lines[player] for lines in game.score(state).rows)
    rules = (game.ruleset.rule(line.rule) for line in lines)
    return [points_of(game, state, player, rule) for rule in rules if rule is not None]


def points_of(game: Game, state: State, player: int, rule: typed.Rule) -> Points:
    """What a rule or card pays a player."""
    rounds = tuple(_round(game, each) for each in game.scoring.payments(rule, state, player))
    return Points(rule, sum(each.gold for each in rounds), rounds)


def _round(game: Game, payment: Payment) -> Round:
    award, view = payment.award, payment.view
    evaluation = Evaluation(game.plan)
    items = tuple((name, _item_sort(domain), view.env[name]) for name, domain, _ in award.loops)
    return Round(
        award,
        items,
        payment.gold,
        payment.hexes if payment.gold else 0,
        tuple(_parts(payment)),
        payment.places,
        tuple(_clauses(award, view, evaluation)),
        tuple(_excluded_hexes(award, view, evaluation)),
        tuple(_failed_conditions(award, view, evaluation)),
    )


def _item_sort(domain: typed.Expr) -> typed.Sort:
    """What one item of a domain is."""
    return typed.ELEMENT.get(domain.sort, domain.sort)


def _clauses(
    award: typed.Award, view: View, evaluation: Evaluation
) -> Iterator[tuple[str, EvaluatedClause]]:
    """The parts of the sentence by what they are for."""
    named = (("if", award.guard), ("per", award.domain), ("by", award.by), ("gold", award.amount))
    # Where items are counted, the condition is about each of them, not about the whole.
    counts_items = award.domain is not None and award.domain.sort is not typed.Sort.HEXES
    for name, expr in named:
        if expr is not None and not (name == "if" and counts_items):
            yield name, clause_of(expr, view, evaluation)


# Parts


def _parts(payment: Payment) -> Iterator[AwardPart]:
    """The gold shared out among what was counted."""
    award, view = payment.award, payment.view
    if not payment.gold:
        return
    if award.domain is None:
        yield AwardPart(payment.gold, payment.hexes)
        return
    sort, items = _item_sort(award.domain), payment.counted
    amount = payment.gold // (len(items) // award.every)
    for start in range(0, len(items), award.every):
        chunk = items[start : start + award.every]
        gold = amount if len(chunk) == award.every else 0
        is_of_hexes = sort is typed.Sort.HEXES
        hexes = reduce(or_, (evidence(each, view) for each in chunk), 0) if is_of_hexes else 0
        yield AwardPart(gold, hexes, chunk, sort)


def _failed_conditions(
    award: typed.Award, view: View, evaluation: Evaluation
) -> Iterator[EvaluatedClause]:
    """The condition, for items that did not count though one has pieces in them."""
    if award.domain is None or award.domain.sort is not typed.Sort.GROUPS or award.guard is None:
        return
    for item in evaluation.plan.evaluate(award.domain, view):
        bound_view = view.bound(award.variable, item)
        if item & view.mine and not evaluation.plan.evaluate(award.guard, bound_view):
            clause = clause_of(award.guard, bound_view, evaluation)
            yield replace(clause, item=(award.variable, typed.Sort.HEXES, item))


# What would have counted but for one clause


def _excluded_hexes(
    award: typed.Award, view: View, evaluation: Evaluation
) -> Iterator[tuple[EvaluatedClause, Mask]]:
    """For each clause of the counted set the hexes of one's own that it alone keeps out."""
    if award.domain is None or award.domain.sort is not typed.Sort.HEXES:
        return
    operands = _terms(award.domain, evaluation)
    terms = [clause_of(each.expr, view, evaluation) for each in operands]
    pairs = list(zip(operands, terms, strict=True))
    if all(part.is_taken_away or clause.value & ~view.mine for part, clause in pairs):
        return  # it does not count pieces of one's own
    full = view.board.grid.full
    masks = [full & ~c.value if part.is_taken_away else c.value for part, c in pairs]
    for at, clause in enumerate(terms):
        others = reduce(lambda a, b: a & b, (m for i, m in enumerate(masks) if i != at), full)
        excluded = others & ~masks[at] & view.mine
        if excluded:
            yield clause, excluded


def _terms(expr: typed.Expr, evaluation: Evaluation) -> list[tracing.Operand]:
    """The clauses of a set written with `&` and `-`; a word that is defined so is one clause."""
    written = evaluation.texts.operators
    if tracing.continues(expr, INTERSECTION, written):
        return list(tracing.operands_of(expr, written))
    return [tracing.Operand(expr)]
