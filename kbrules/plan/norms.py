"""The norms about one verb: permitted, not forbidden, narrowed to preferred if any is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

from kbrules.game.view import View
from kbrules.hex.sets import Mask
from kbrules.lang.evaluation import Node
from kbrules.lang.typed import Call, Conditional, Expr, Lit, Norm, Sort, Var
from kbrules.library.ruleset import OwnedRule
from kbrules.text import Span

# Builders of core expressions: unions, intersections, differences, conditionals, calls.


NOWHERE = Span.none("the norms")
BOARD = Call(Sort.HEXES, NOWHERE, "board()", (), fixed=True)
NOTHING = Lit(Sort.HEXES, NOWHERE, 0)
YES = Lit(Sort.TRUTH, NOWHERE, True)
NO = Lit(Sort.TRUTH, NOWHERE, False)


def _binary(word: str, a: Expr, b: Expr) -> Expr:
    return Call(a.sort, NOWHERE, word, (a, b))


def union(sets: Iterable[Expr]) -> Expr:
    """The hexes of all of them."""
    found = list(sets)
    return reduce(lambda a, b: _binary("|(hexes,hexes)", a, b), found) if found else NOTHING


def intersection(sets: Iterable[Expr]) -> Expr:
    """The hexes that are in each of them; all hexes if there is none."""
    found = list(sets)
    return reduce(lambda a, b: _binary("&(hexes,hexes)", a, b), found) if found else BOARD


def difference(a: Expr, b: Expr) -> Expr:
    """The hexes of one set that are not in another."""
    return _binary("-(hexes,hexes)", a, b)


def narrowed(a: Expr, b: Expr) -> Expr:
    """What of a set lies in another, or all of it if nothing does."""
    return _binary("narrowed", a, b)


def all_of(tests: Iterable[Expr]) -> Expr:
    """Whether all of them hold."""
    found = list(tests)
    return reduce(lambda a, b: _binary("and(truth,truth)", a, b), found) if found else YES


def any_of(tests: Iterable[Expr]) -> Expr:
    """Whether one of them holds."""
    found = list(tests)
    return reduce(lambda a, b: _binary("or(truth,truth)", a, b), found) if found else NO


def conditional(test: Expr, value: Expr, other: Expr) -> Expr:
    """One value or the other."""
    return Conditional(value.sort, NOWHERE, test, value, other)


def holds(tile: int, span: Span) -> Expr:
    """An expression: whether the player holds a tile of a kind; `span` is its place."""
    number = Call(Sort.NUMBER, NOWHERE, "held(tile)", (Lit(Sort.TILE, NOWHERE, tile),))
    return Call(Sort.TRUTH, span, ">(number,number)", (number, Lit(Sort.NUMBER, NOWHERE, 0)))


def counts(card: int, span: Span) -> Expr:
    """An expression: whether a card is in play; `span` is its place."""
    return Call(Sort.TRUTH, span, "in_play(card)", (Lit(Sort.CARD, NOWHERE, card),))


def call_word(key: str, sort: Sort, arguments: Iterable[Expr | None]) -> Expr:
    """A call of a word by its key; arguments that are None are left out."""
    values = [Lit(Sort.WORD, NOWHERE, None) if a is None else a for a in arguments]
    return Call(sort, NOWHERE, key, tuple(values))


NORM_KINDS = ("permit", "forbid", "prefer", "waive", "deny")
BASE_SET = "given"
"""The name under which a set is handed to `allowed_hexes`."""


@dataclass(frozen=True, slots=True, eq=False)
class NormClause:
    """A norm with its owner and its linked expressions. target_node: None if it means every hex.

    card: the card that must be in play for it to apply, if that changes in a game, else -1.
    """

    norm: Norm
    owner: OwnedRule
    target_node: Node | None
    guard: Node | None
    card: int = -1

    def holds(self, view: View) -> bool:
        """Whether it applies to `view.me`: their tile is there and the guard holds."""
        if self.card >= 0 and view.state.unscored >> self.card & 1:
            return False
        tile = self.owner.tile
        if tile >= 0 and not any(t.kind == tile for t in view.state.seats[view.me].tiles):
            return False
        return self.guard is None or bool(self.guard.value(view))

    def hexes_in(self, view: View) -> Mask:
        """The hexes it speaks of."""
        if self.target_node is None:
            return view.board.grid.full
        mask: Mask = self.target_node.value(view)
        return mask

    @property
    def test(self) -> Expr | None:
        """Whether it applies, as an expression; None if it always does."""
        tests = [holds(self.owner.tile, self.norm.span)] if self.owner.tile >= 0 else []
        if self.card >= 0:
            tests.append(counts(self.card, self.norm.span))
        if self.guard is not None and self.norm.guard is not None:
            tests.append(self.norm.guard)
        return all_of(tests) if tests else None

    def hexes(self, other: Expr) -> Expr:
        """The hexes it speaks of if it applies, and another set if not."""
        on = self.norm.target or BOARD
        return on if self.test is None else conditional(self.test, on, other)


class Norms:
    """The clauses about one verb by kind; unions and intersections, so order cannot matter.

    What they say together is put together as one expression, for the table's permits or for a
    step's own set, which replaces them.
    """

    def __init__(self, clauses: Sequence[NormClause], link: Callable[[Expr], Node]) -> None:
        self.permits, self.forbids, self.prefers, self.waives, self.denies = (
            tuple(c for c in clauses if c.norm.kind == kind) for kind in NORM_KINDS
        )
        self._link = link
        empty, board = NOTHING, BOARD
        self._permitted = union(c.hexes(empty) for c in self.permits)
        self.forbids_all = union(c.hexes(empty) for c in self.forbids)
        self._preferred = intersection(c.hexes(board) for c in self.prefers)
        self._denied = union(c.hexes(empty) for c in self.denies)
        self.waived = any_of(c.test or YES for c in self.waives)

    # what they say, as expressions

    def not_forbidden(self, base: Expr | None) -> Expr:
        """The hexes permitted, or a step's own, that nothing forbids."""
        own = self._permitted if base is None else base
        return difference(own, self.forbids_all) if self.forbids else own

    def narrowed(self, base: Expr | None) -> Expr:
        """Of those, the preferred ones if there is any."""
        legal = self.not_forbidden(base)
        return narrowed(legal, self._preferred) if self.prefers else legal

    def allowed(self, base: Expr | None, freely: bool) -> Expr:
        """The legal hexes; `freely`: whether preferences do not count."""
        legal = self.not_forbidden(base)
        if not freely:
            narrowed = self.narrowed(base)
            legal = conditional(self.waived, legal, narrowed) if self.waives else narrowed
        return difference(legal, self._denied) if self.denies else legal

    # what they say of a view

    def forbidden(self, view: View) -> Mask:
        """The hexes that some clause forbids."""
        mask: Mask = self.forbidden_node.value(view)
        return mask

    @cached_property
    def forbidden_node(self) -> Node:
        """The node of the hexes that some clause forbids."""
        return self._link(self.forbids_all)

    def allowed_hexes(self, view: View, base: Mask) -> Mask:
        """The hexes of a set that are legal."""
        mask: Mask = self._allowed_node.value(view.bound(BASE_SET, base))
        return mask

    @cached_property
    def _allowed_node(self) -> Node:
        return self._link(self.allowed(Var(Sort.HEXES, NOWHERE, BASE_SET), freely=False))

    def is_waived(self, view: View) -> bool:
        """Whether preferences are set aside now."""
        return any(clause.holds(view) for clause in self.waives)

    def has_one_waiver(self, view: View) -> bool:
        """Whether preferences are set aside now, and by one rule alone."""
        return len({clause.owner.rule.id for clause in self.waives if clause.holds(view)}) == 1
