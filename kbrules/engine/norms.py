"""The norms about one verb: permitted, not forbidden, narrowed to preferred if any is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.core import Norm
from kbrules.lang.evaluate import Node
from kbrules.library.ruleset import Owned

NORM_KINDS = ("permit", "forbid", "prefer", "waive", "deny")


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A norm with its owner and its linked expressions; without `on` it speaks of every hex."""

    norm: Norm
    owner: Owned
    on: Node | None
    guard: Node | None

    @property
    def is_plain(self) -> bool:
        """Whether it applies to everybody at any time."""
        return self.owner.tile < 0 and self.guard is None

    def holds(self, view: View) -> bool:
        """Whether it applies to `view.me`: their tile is there and the guard holds."""
        tile = self.owner.tile
        if tile >= 0 and not any(t.kind == tile for t in view.state.seats[view.me].tiles):
            return False
        return self.guard is None or bool(self.guard.value(view))

    def extent(self, view: View) -> Mask:
        """The hexes it speaks of."""
        if self.on is None:
            return view.board.grid.full
        mask: Mask = self.on.value(view)
        return mask


@dataclass(frozen=True, slots=True, eq=False)
class Norms:
    """The clauses about one verb by kind; unions and intersections, so order cannot matter."""

    permits: tuple[Clause, ...]
    forbids: tuple[Clause, ...]
    prefers: tuple[Clause, ...]
    waives: tuple[Clause, ...]
    denies: tuple[Clause, ...]
    full: Mask

    @staticmethod
    def of(clauses: Sequence[Clause], full: Mask) -> Norms:
        """The clauses sorted by kind."""
        permits, forbids, prefers, waives, denies = (
            tuple(c for c in clauses if c.norm.kind == kind) for kind in NORM_KINDS
        )
        return Norms(permits, forbids, prefers, waives, denies, full)

    def permitted(self, view: View) -> Mask:
        """The hexes that some clause permits."""
        return self._remembered(view, self.permits)

    def forbidden(self, view: View) -> Mask:
        """The hexes that some clause forbids."""
        return self._remembered(view, self.forbids)

    def _remembered(self, view: View, clauses: tuple[Clause, ...]) -> Mask:
        """The union of clauses, worked out once per view."""
        found = view.found.get(clauses)
        if found is None:
            view.found[clauses] = found = _union(clauses, view)
        return found

    def preferred(self, view: View) -> Mask:
        """The hexes that satisfy every preference."""
        found = view.found.get(self)
        if found is None:
            found = self.full
            for clause in self.prefers:
                if clause.holds(view):
                    found &= clause.extent(view)
            view.found[self] = found
        return found

    def is_waived(self, view: View) -> bool:
        """Whether preferences are set aside now."""
        return any(clause.holds(view) for clause in self.waives)

    def unbarred(self, view: View, base: Mask | None) -> Mask:
        """The hexes permitted, or a step's own, that nothing forbids."""
        permitted = self.permitted(view) if base is None else base
        return permitted & ~self.forbidden(view)

    def narrowed(self, view: View, base: Mask | None) -> Mask:
        """Of those, the preferred ones if there is any."""
        legal = self.unbarred(view, base)
        return legal and (legal & self.preferred(view) or legal)

    def allowed(self, view: View, base: Mask | None, freely: object) -> Mask:
        """The legal hexes. `base` is a step's own set, which replaces the table's permits;
        `freely`, if not None, waives preferences."""
        if freely is not None or (self.waives and self.is_waived(view)):
            legal = self.unbarred(view, base)
        else:
            legal = self.narrowed(view, base)
        return legal & ~_union(self.denies, view) if legal and self.denies else legal


def _union(clauses: tuple[Clause, ...], view: View) -> Mask:
    found = 0
    for clause in clauses:
        if clause.is_plain or clause.holds(view):
            found |= clause.extent(view)
    return found
