"""The norms about one verb: permitted, not forbidden, narrowed to preferred if any is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.core import Norm
from kbrules.lang.nodes import Node
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


class Norms:
    """The clauses about one verb by kind; unions and intersections, so order cannot matter.

    Unions and the preference are worked out once per view. Clauses that always apply are
    kept apart from those that must be asked whether they do: most are of the first sort.
    """

    __slots__ = (
        "_forbid",
        "_permit",
        "_prefer",
        "denies",
        "forbids",
        "permits",
        "prefers",
        "waives",
    )

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.permits, self.forbids, self.prefers, self.waives, self.denies = (
            tuple(c for c in clauses if c.norm.kind == kind) for kind in NORM_KINDS
        )
        self._permit = _Sorted(self.permits)
        self._forbid = _Sorted(self.forbids)
        self._prefer = _Sorted(self.prefers)

    def permitted(self, view: View) -> Mask:
        """The hexes that some clause permits."""
        return self._union(view, self._permit)

    def forbidden(self, view: View) -> Mask:
        """The hexes that some clause forbids."""
        return self._union(view, self._forbid)

    def _union(self, view: View, clauses: _Sorted) -> Mask:
        found = view.found.get(clauses)
        if found is None:
            only = clauses.only
            found = clauses.union(view) if only is None else only.value(view)
            view.found[clauses] = found
        return found

    def preferred(self, view: View) -> Mask:
        """The hexes that satisfy every preference."""
        found = view.found.get(self._prefer)
        if found is None:
            found = view.board.grid.full
            for node in self._prefer.always:
                found &= node.value(view)
            for clause in self._prefer.sometimes:
                if clause.holds(view):
                    found &= clause.extent(view)
            view.found[self._prefer] = found
        return found

    def denied(self, view: View) -> Mask:
        """The hexes that are taken away after preferences were judged."""
        found = 0
        for clause in self.denies:
            if clause.holds(view):
                found |= clause.extent(view)
        return found

    def is_waived(self, view: View) -> bool:
        """Whether preferences are set aside now."""
        return any(clause.holds(view) for clause in self.waives)

    def has_one_waiver(self, view: View) -> bool:
        """Whether preferences are set aside now, and by one rule alone."""
        return len({clause.owner.rule.id for clause in self.waives if clause.holds(view)}) == 1

    def unbarred(self, view: View, base: Mask | None) -> Mask:
        """The hexes permitted, or a step's own, that nothing forbids."""
        if base is not None:
            return base and base & ~self._union(view, self._forbid)
        found = view.found.get(self)
        if found is None:
            only = self._permit.only
            found = self._permit.union(view) if only is None else only.value(view)
            if found:
                found &= ~self._union(view, self._forbid)
            view.found[self] = found
        return found

    def narrowed(self, view: View, base: Mask | None) -> Mask:
        """Of those, the preferred ones if there is any."""
        legal = self.unbarred(view, base)
        return legal and (legal & self.preferred(view) or legal)

    def allowed(self, view: View, base: Mask | None, freely: object) -> Mask:
        """The legal hexes. `base` is a step's own set, which replaces the table's permits;
        `freely`, if not None, waives preferences."""
        legal = self.unbarred(view, base)
        if not legal:
            return 0
        if freely is None and not (self.waives and self.is_waived(view)):
            legal = legal & self.preferred(view) or legal
        return legal & ~self.denied(view) if self.denies else legal


class _Sorted:
    """Clauses of one kind: the nodes of those that always apply, and the others."""

    __slots__ = ("always", "only", "sometimes")

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        plain = [c for c in clauses if c.is_plain and c.on is not None]
        self.always = tuple(c.on for c in plain if c.on is not None)
        self.sometimes = tuple(c for c in clauses if c not in plain)
        self.only = self.always[0] if len(self.always) == 1 and not self.sometimes else None

    def union(self, view: View) -> Mask:
        """The hexes that some of them speaks of."""
        found = 0
        for node in self.always:
            found |= node.value(view)
        for clause in self.sometimes:
            if clause.holds(view):
                found |= clause.extent(view)
        return found
