"""Every expression of a rule set, whole and in parts, and what the names in it may stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from kbrules.engine.game import Game
from kbrules.game.random import Random
from kbrules.hex.sets import Mask, bits
from kbrules.lang.typed import Expr, Fold, Sort, Step, Var, identity, parts_of
from kbrules.text import Span

VALUES = (Sort.HEXES, Sort.GROUPS, Sort.NUMBER, Sort.TRUTH, Sort.PLAYER, Sort.TERRAIN)
"""What an answer may be; the others are said within expressions only."""


def said(item: Any) -> Iterator[Expr]:
    """The expressions of a rule, or of a part of one, each with all that it is made of."""
    if isinstance(item, Expr):
        yield item
        for part in parts_of(item):
            yield from said(part)
    elif isinstance(item, tuple):
        for part in item:
            yield from said(part)
    elif is_dataclass(item) and not isinstance(item, Span):
        for field in fields(item):
            if field.name != "examples":
                yield from said(getattr(item, field.name))


def expressions(game: Game) -> list[Expr]:
    """All that a game may ask and that is not known beforehand, each once."""
    program, choices = game.plan, game.choices
    found = [expr for rule in game.ruleset.rules for expr in said(rule)]
    steps = [s for block in game.ruleset.blocks.values() for s in block.steps]
    askings = [choices.linked(step) for step in steps if isinstance(step, Step)]
    found += [e for linked in askings for e in (linked.legal_expr, linked.expr_without_waivers)]
    verbs = {linked.verb for linked in askings} - {""}
    for norms in map(program.norms, sorted(verbs)):
        found += [norms.not_forbidden(None), norms.allowed(None, None)]
    asked = (expr for expr in found if expr.sort in VALUES and not program.link(expr).is_constant)
    return list({(expr.sort, identity(expr)): expr for expr in asked}.values())


def open_names(expr: Expr) -> Mapping[str, Sort]:
    """The variables that are bound outside of an expression."""
    return {var.name: var.sort for var in _open(expr, frozenset())}


def _open(expr: Expr, bound: frozenset[str]) -> Iterator[Var]:
    if isinstance(expr, Var) and expr.name not in bound:
        yield expr
    if isinstance(expr, Fold):
        yield from _open(expr.domain, bound)
        bound |= {expr.variable}
    for part in parts_of(expr):
        yield from _open(part, bound)


class Values:
    """What names may stand for at one table: values of any sort, drawn by chance."""

    def __init__(self, game: Game, random: Random) -> None:
        catalog = game.ruleset.catalog
        kinds = range(len(catalog.hexes))
        self._things = {
            Sort.TERRAIN: [kind for kind in kinds if not catalog.hexes[kind].is_place],
            Sort.PLACE: [kind for kind in kinds if catalog.hexes[kind].is_place],
            Sort.PIECE: range(len(catalog.pieces)),
            Sort.TILE: range(len(catalog.tiles)),
            Sort.CARD: range(len(catalog.cards)),
        }
        self._hexes = list(bits(game.board.grid.full))
        self._players = game.players
        self._random = random

    def of(self, sort: Sort) -> Any:
        """A value of a sort."""
        random = self._random
        match sort:
            case Sort.HEXES:
                return self._set()
            case Sort.PLAYER:
                return random.below(self._players)
            case Sort.TRUTH:
                return bool(random.below(2))
            case Sort.NUMBER:
                return random.below(5)
            case sort if sort in self._things:
                return random.choice(self._things[sort])
        raise AssertionError(f"nothing binds a variable of sort {sort}")

    def _set(self) -> Mask:
        """One hex, as `here` and `origin` mostly are, or any number of them, or none."""
        random = self._random
        number = random.choice((1, 1, 1, 0, 2, 5, 20, 60))
        found = 0
        for _ in range(number):
            found |= 1 << random.choice(self._hexes)
        return found
