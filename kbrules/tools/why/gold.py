"""What a rule or card pays a player, taken apart until every piece of gold has its hexes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.scoring import Payment
from kbrules.game.state import State
from kbrules.game.view import View
from kbrules.hex.sets import Mask, bits
from kbrules.lang.evaluation import INTERSECTION
from kbrules.lang.typed import ELEMENT, Award, Call, Expr, Rule, Sort
from kbrules.tools.tracing import Operand, operands_of, operator_kind, place_of
from kbrules.tools.why.evaluation import EvaluatedClause, Evaluation, clause_of


@dataclass(frozen=True, slots=True)
class AwardPart:
    """Some gold and what earned it: one hex, or as many items as earn gold together."""

    gold: int
    hexes: Mask
    items: tuple[Any, ...] = ()
    sort: Sort = Sort.HEXES


@dataclass(frozen=True, slots=True)
class RankPlace:
    """What a player has of what is ranked, and which place that is, 1 for the most."""

    player: int
    value: int
    place: int
    hexes: Mask


@dataclass(frozen=True, slots=True)
class Round:
    """An award paid once: the names its loops bound, its parts, and its clauses.

    `items` are those of the loops, each with its name and sort. `excluded` are hexes that only one
    clause of the counted set keeps out, with that clause. `failed_conditions` has the condition of
    each counted item in which one has a piece, but for which it does not hold.
    """

    award: Award
    items: tuple[tuple[str, Sort, Any], ...]
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

    rule: Rule
    player: int
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


def points_of(game: Game, state: State, player: int, rule: Rule) -> Points:
    """What a rule or card pays a player."""
    rounds = tuple(_round(game, each) for each in game.scoring.payments(rule, state, player))
    return Points(rule, player, sum(each.gold for each in rounds), rounds)


def _round(game: Game, payment: Payment) -> Round:
    award, view = payment.award, payment.view
    evaluation = Evaluation(game.plan)
    items = tuple((name, _item_sort(domain), view.env[name]) for name, domain, _ in award.loops)
    return Round(
        award,
        items,
        payment.gold,
        payment.hexes if payment.gold else 0,
        tuple(_parts(game, payment)),
        tuple(_places(game, payment)),
        tuple(_clauses(award, view, evaluation)),
        tuple(_excluded_hexes(award, view, evaluation)),
        tuple(_failed_conditions(award, view, evaluation)),
    )


def _item_sort(domain: Expr) -> Sort:
    """What one item of a domain is."""
    return ELEMENT.get(domain.sort, domain.sort)


def _clauses(
    award: Award, view: View, evaluation: Evaluation
) -> Iterator[tuple[str, EvaluatedClause]]:
    """The parts of the sentence by what they are for."""
    named = (("if", award.guard), ("per", award.domain), ("by", award.by), ("gold", award.amount))
    for name, expr in named:
        if expr is not None and not (name == "if" and _filters_items(award)):
            yield name, clause_of(expr, view, evaluation)


def _filters_items(award: Award) -> bool:
    """Whether the condition is about each item that may count, not about the whole."""
    return award.domain is not None and award.domain.sort is not Sort.HEXES


# Parts


def _parts(game: Game, payment: Payment) -> Iterator[AwardPart]:
    """The gold shared out among what was counted."""
    award, view = payment.award, payment.view
    if award.domain is None:
        if payment.gold:
            yield AwardPart(payment.gold, payment.hexes)
        return
    if not payment.gold:
        return
    items = list(_counted_items(game, award, view))
    amount = payment.gold // (len(items) // award.every)
    for start in range(0, len(items), award.every):
        chunk = tuple(items[start : start + award.every])
        gold = amount if len(chunk) == award.every else 0
        sort = _item_sort(award.domain)
        hexes = reduce(or_, chunk, 0) if sort is Sort.HEXES else 0
        yield AwardPart(gold, hexes & view.mine or hexes, chunk, sort)


def _counted_items(game: Game, award: Award, view: View) -> Iterator[Any]:
    """The items of what is counted, hexes one by one, for which the condition holds."""
    assert award.domain is not None
    items = game.plan.evaluate(award.domain, view)
    if award.domain.sort is Sort.HEXES:
        yield from (1 << hex for hex in bits(items))
        return
    for item in items:
        bound_view = view.bound(award.variable, item)
        if award.guard is None or game.plan.evaluate(award.guard, bound_view):
            yield item


def _failed_conditions(
    award: Award, view: View, evaluation: Evaluation
) -> Iterator[EvaluatedClause]:
    """The condition, for items that did not count though one has pieces in them."""
    if award.domain is None or award.domain.sort is not Sort.GROUPS or award.guard is None:
        return
    for item in evaluation.plan.evaluate(award.domain, view):
        bound_view = view.bound(award.variable, item)
        if item & view.mine and not evaluation.plan.evaluate(award.guard, bound_view):
            clause = clause_of(award.guard, bound_view, evaluation)
            yield replace(clause, item=(award.variable, Sort.HEXES, item))


def _places(game: Game, payment: Payment) -> Iterator[RankPlace]:
    """What everybody has of what is ranked, the most first."""
    award, view = payment.award, payment.view
    if award.by is None:
        return
    players = range(len(view.state.seats))
    views = [view.of(player) for player in players]
    for bound_view in views:
        bound_view.counted_sets = []
    values = [game.plan.evaluate(award.by, bound_view) for bound_view in views]
    order = sorted(set(values), reverse=True)
    for player in sorted(players, key=lambda player: -values[player]):
        counted = views[player].counted_sets or []
        hexes = reduce(or_, counted, 0)
        yield RankPlace(player, values[player], order.index(values[player]) + 1, hexes)


# What would have counted but for one clause


def _excluded_hexes(
    award: Award, view: View, evaluation: Evaluation
) -> Iterator[tuple[EvaluatedClause, Mask]]:
    """For each clause of the counted set the hexes of one's own that it alone keeps out."""
    if award.domain is None or award.domain.sort is not Sort.HEXES:
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


def _terms(expr: Expr, evaluation: Evaluation) -> list[Operand]:
    """The clauses of a set written with `&` and `-`; a word that is defined so is one clause."""
    written = evaluation.texts.operators
    if (
        isinstance(expr, Call)
        and operator_kind(expr.word) == INTERSECTION
        and place_of(expr.span) in written
    ):
        return list(operands_of(expr, written))
    return [Operand(expr)]
