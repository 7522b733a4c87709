"""Every expression of a rule set, and views in which each of them can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from kbrules.compile.late import Late
from kbrules.engine.game import Game
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.game.view import View
from kbrules.hex.masks import Mask, bits
from kbrules.lang.core import Expr, Fold, Step, Var, parts_of
from kbrules.lang.sorts import Sort
from kbrules.text import Span


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


def nodes(game: Game) -> list[Late]:
    """All that a game may ask and that is not known beforehand, ready to be generated."""
    program, choices = game.program, game.choices
    found = [program.link(expr) for rule in game.ruleset.rules for expr in said(rule)]
    steps = [s for block in game.ruleset.blocks.values() for s in block.steps]
    askings = [choices.asking(step) for step in steps if isinstance(step, Step)]
    found += [node for asking in askings for node in (asking.legal, asking.strict)]
    verbs = {asking.verb for asking in askings} - {""}
    for norms in map(program.norms, sorted(verbs)):
        found += [program.link(said) for said in (norms.unbarred(None), norms.allowed(None, None))]
    return [node for node in found if isinstance(node, Late)]


def open_names(expr: Expr, bound: frozenset[str] = frozenset()) -> Iterator[Var]:
    """The variables that are bound outside of an expression."""
    if isinstance(expr, Var) and expr.name not in bound:
        yield expr
    if isinstance(expr, Fold):
        yield from open_names(expr.domain, bound)
        bound |= {expr.variable}
    for part in parts_of(expr):
        yield from open_names(part, bound)


def a_view(game: Game, state: State, expr: Expr, random: Random) -> View:
    """Some player's view of a state with everything bound that the expression speaks of."""
    names = {var.name: var.sort for var in open_names(expr)}
    env = {name: _some(game, sort, random) for name, sort in sorted(names.items())}
    return game.view(state, random.below(len(state.seats)), env)


def _some(game: Game, sort: Sort, random: Random) -> Any:
    match sort:
        case Sort.HEXES:
            return _hexes(game, random)
        case Sort.PLAYER:
            return random.below(game.players)
        case Sort.TRUTH:
            return bool(random.below(2))
        case Sort.NUMBER:
            return random.below(5)
        case Sort.TERRAIN:
            kinds = enumerate(game.ruleset.catalog.hexes)
            return random.choice([index for index, kind in kinds if not kind.is_place])
    raise AssertionError(f"nothing binds a variable of sort {sort}")


def _hexes(game: Game, random: Random) -> Mask:
    """One hex, as `here` and `origin` mostly are, or any number of them."""
    hexes = list(bits(game.board.grid.full))
    return sum({1 << random.choice(hexes) for _ in range(1 + random.below(2) * random.below(60))})
