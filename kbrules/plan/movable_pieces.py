"""Which pieces have somewhere to go: computed for all at once where that is exact.

A piece is a source if, once lifted, it has a target. Lifting each piece in turn is the
definition and always right. Where the target set is `F & R(origin)` with F untouched by
lifting and R symmetric (`straight(origin, 2)`), the pieces with a target are R(F).
"""

from __future__ import annotations

from typing import Protocol

from kbrules.game.draft_changes import take_piece
from kbrules.game.state import Draft, draft_of
from kbrules.game.view import View
from kbrules.hex.masks import Mask, bits
from kbrules.lang.evaluation.nodes import WORK, Node
from kbrules.lang.typed.core import Call, Expr, Lit, Var, parts_of
from kbrules.plan.crossing import ORIGIN, is_origin, mentions_origin
from kbrules.plan.linked_step import LinkedStep
from kbrules.plan.plan import Plan
from kbrules.primitives.registry import is_steady, is_symmetric

BOTH = "&(hexes,hexes)"  # an intersection
_LIFTING_WORK = 10  # steps of expressions that take as long as lifting a piece


class Targets(Protocol):
    """The definition: the targets of a step after its source was chosen."""

    def targets_in(self, linked: LinkedStep, lifted_view: View) -> Mask:
        """The hexes where the lifted piece may be put."""


def lifted(view: View, draft: Draft, hex: int) -> View:
    """Take up the piece on a hex of the draft; the view of that, with `origin` bound."""
    for player, seat in enumerate(draft.seats):
        if seat.all >> hex & 1:
            piece = next(i for i, mask in enumerate(seat.pieces) if mask >> hex & 1)
            take_piece(draft, player, piece, hex)
            break
    return View(view.board, draft, view.me, view.rules, {**view.env, ORIGIN: 1 << hex})


class SplitTarget:
    """A target set in two parts: what does not depend on the origin, and the relation to it."""

    __slots__ = ("free", "relation")

    def __init__(self, free: list[Node], relation: Node | None) -> None:
        self.free = free
        self.relation = relation


class MovablePieces:
    """Finds the pieces that a step may move."""

    def __init__(self, plan: Plan, targets: Targets) -> None:
        self._plan = plan
        self._targets = targets
        self._splits: dict[int, SplitTarget | None] = {}

    def with_targets(self, linked: LinkedStep, view: View) -> Mask:
        """The pieces of a step's `from` phrase that have somewhere to go."""
        pieces = linked.pieces(view)
        if id(linked) not in self._splits:
            self._splits[id(linked)] = self._split(linked)
        split = self._splits[id(linked)]
        if split is None or not self._only_origin_is_denied(linked, view):
            return self.one_by_one(linked, view, pieces)
        return self._all_at_once(linked, view, pieces, split)

    def one_by_one(self, linked: LinkedStep, view: View, pieces: Mask) -> Mask:
        """The pieces that have a target once chosen; one draft serves for all that are lifted."""
        found = 0
        draft = draft_of(view.state)
        seats, occupied, neutral = draft.seats, draft.occupied, draft.neutral
        for hex in bits(pieces):
            WORK.steps += _LIFTING_WORK
            draft.seats, draft.occupied, draft.neutral = seats, occupied, neutral
            lifted_view = (
                lifted(view, draft, hex) if linked.word.lifts else view.bound(ORIGIN, 1 << hex)
            )
            if self._targets.targets_in(linked, lifted_view):
                found |= 1 << hex
        return found

    def _all_at_once(
        self, linked: LinkedStep, view: View, pieces: Mask, split: SplitTarget
    ) -> Mask:
        own = view.board.grid.full
        for node in split.free:
            own &= node.value(view)
        free = own & ~linked.norms.forbidden(view)
        if not free:
            return 0
        if split.relation is not None:
            pieces &= split.relation.value(view.bound(ORIGIN, free))
        if linked.freely:
            return pieces
        # Where a piece stands is free for it once lifted, may be preferred to every other
        # hex, and then be denied: those pieces are computed one by one.
        doubtful = pieces & own
        return pieces & ~doubtful | self.one_by_one(linked, view, doubtful)

    def _only_origin_is_denied(self, linked: LinkedStep, view: View) -> bool:
        denies = [c for c in linked.norms.denies if c.holds(view)]
        return len(denies) == 1 and is_origin(denies[0].norm.target)

    def _split(self, linked: LinkedStep) -> SplitTarget | None:
        split = split_target(linked)
        if split is None:
            return None
        link, (free, related) = self._plan.link, split
        return SplitTarget(
            [link(term) for term in free], None if related is None else link(related)
        )


def split_target(linked: LinkedStep) -> tuple[list[Expr], Expr | None] | None:
    """The target of a step: what does not depend on the origin, and the relation to it if any.

    None where that does not tell which pieces have somewhere to go.
    """
    target = linked.target
    steady = all(
        c.norm.target is not None and _is_settled(c.norm.target) and _is_settled(c.norm.guard)
        for c in linked.norms.forbids
    )
    if not linked.word.lifts or target is None or not steady or linked.norms.waives:
        return None
    terms = list(_terms(target))
    related = [term for term in terms if mentions_origin(term)]
    free = [term for term in terms if not mentions_origin(term)]
    if len(related) > 1 or not all(_ignores_origin(term) for term in free):
        return None
    if related and not (_is_relation(related[0]) and linked.freely):
        return None
    return free, related[0] if related else None


def _terms(expr: Expr) -> list[Expr]:
    """The parts of an intersection."""
    if isinstance(expr, Call) and expr.word == BOTH:
        return [term for part in expr.arguments for term in _terms(part)]
    return [expr]


def _is_relation(expr: Expr) -> bool:
    """Whether it is a symmetric word of the origin and otherwise of what no piece changes."""
    if not isinstance(expr, Call) or not is_symmetric(expr.word):
        return False
    first, *rest = expr.arguments
    return is_origin(first) and all(_ignores_origin(part) for part in rest)


def _ignores_origin(expr: Expr | None) -> bool:
    """Whether lifting a piece cannot change the value at all."""
    if expr is None or isinstance(expr, Lit):
        return True
    if isinstance(expr, Var):
        return expr.name != ORIGIN
    own = not isinstance(expr, Call) or expr.fixed or is_steady(expr.word)
    return own and all(_ignores_origin(part) for part in parts_of(expr))


def _is_settled(expr: Expr | None) -> bool:
    """Whether lifting a piece can change the value at the piece's own hex only."""
    if isinstance(expr, Call) and expr.word == "|(hexes,hexes)":
        return all(_is_settled(part) for part in expr.arguments)
    if isinstance(expr, Call) and expr.word == "occupied()":
        return True
    return _ignores_origin(expr)
