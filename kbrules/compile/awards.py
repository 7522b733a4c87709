"""Awards: what they ask, what makes two of them alike, and what is paid by rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from kbrules.compile.writing import identity
from kbrules.game.board import Board
from kbrules.game.view import Rules, View
from kbrules.hex.masks import bits
from kbrules.lang.core import Award, Expr, Fold, Var, parts_of

Lists = Sequence[Sequence[int]]
"""A list of numbers for each player."""
NO_NAMES: Mapping[str, Any] = {}


def by_rank(rank: int, values: Lists, gains: Lists) -> list[int]:
    """What each player gets who is at a rank, given a list of rounds for each.

    Those with equal values share a rank, and do not use up the one below (rulebook.md 2.17).
    """
    paid = [0] * len(values)
    for number, round in enumerate(zip(*values, strict=True)):
        wanted = max(round) if rank == 1 else _at_rank(rank, round)
        for player, value in enumerate(round):
            if value == wanted:
                paid[player] += gains[player][number]
    return paid


def _at_rank(rank: int, values: Sequence[int]) -> int | None:
    """The value that has a rank; None if there are not as many values."""
    order = sorted({*values}, reverse=True)
    return order[rank - 1] if len(order) >= rank else None


def by_ranks(pays: Sequence[tuple[int, int]], values: Lists) -> list[int]:
    """The same where each rank pays the same to all and in every round: pairs of rank and gain."""
    paid = [0] * len(values)
    for round in zip(*values, strict=True):
        order = sorted({*round}, reverse=True)
        for rank, gain in pays:
            if rank <= len(order):
                for player in _having(order[rank - 1], round):
                    paid[player] += gain
    return paid


def _having(value: int, round: tuple[int, ...]) -> Sequence[int]:
    """The players with a value in a round; mostly that is one."""
    first = round.index(value)
    if round.count(value) == 1:
        return (first,)
    return [player for player, found in enumerate(round) if found == value]


def singles(mask: int) -> tuple[int, ...]:
    """The hexes of a set, each as a set of its own."""
    return tuple(1 << hex for hex in bits(mask))


def by_board(board: Board, rules: Rules) -> View:
    """A view of a board on which nothing has happened, for what boards alone decide."""
    return View(board, None, 0, rules, NO_NAMES)  # type: ignore[arg-type]


def asked(award: Award) -> list[Expr]:
    """All that an award asks."""
    loops = [expr for _, *exprs in award.loops for expr in exprs]
    found = [*loops, award.domain, award.guard, award.amount, award.by]
    return [expr for expr in found if expr is not None]


def ranked_in(award: Award) -> Any:
    """What makes awards rank the same values in the same rounds."""
    return identity(by(award)), *((name, identity(domain)) for name, domain, _ in award.loops)


def by(award: Award) -> Expr:
    """What an award that goes by rank ranks players by."""
    assert award.by is not None
    return award.by


def open_names(expr: Expr) -> Set[str]:
    """The names an expression speaks of that are bound outside of it."""
    if isinstance(expr, Var):
        return {expr.name}
    if isinstance(expr, Fold):
        inside = [expr.body] if expr.condition is None else [expr.body, expr.condition]
        names = {name for part in inside for name in open_names(part)} - {expr.variable}
        return names | open_names(expr.domain)
    return {name for part in parts_of(expr) for name in open_names(part)}
