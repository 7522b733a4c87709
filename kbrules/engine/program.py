"""The rules in force at one table: which statements apply, what options and quantities are.

This is what words such as `open(build)` ask; it implements `kbrules.game.view.Rules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kbrules.game.state import State
from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.core import Change, Norm, Standing, Trigger
from kbrules.library.ruleset import Offer, Owned, Ruleset

NORM_KINDS = ("permit", "forbid", "prefer", "waive", "deny")


@dataclass(frozen=True, slots=True)
class Clause:
    """A norm with its owner, and whether it applies to a player at a table."""

    norm: Norm
    owner: Owned


class Program:
    """The statements of a rule set that apply at a table with these cards and options."""

    def __init__(
        self, ruleset: Ruleset, cards: tuple[int, ...], options: Mapping[str, bool | int]
    ) -> None:
        self.ruleset = ruleset
        self.evaluate = ruleset.evaluate
        self.cards = cards
        self.options = {**ruleset.options, **options}
        verbs = {v for o in ruleset.owners.values() for n in o.rule.norms for v in n.verbs}
        self._clauses = {
            (verb, kind): self._in_force(ruleset.norms(verb, kind))
            for verb in sorted(verbs)
            for kind in NORM_KINDS
        }
        self._changes = self._quantity_changes()
        self.triggers = self._by_event()
        self.standings = tuple(
            (s, o) for s, o in ruleset.standings() if self.applies_at_all(o)
        )
        offers = [o for o in ruleset.offers() if self.applies_at_all(o.owner)]
        self.table_offers = tuple(o for o in offers if o.owner.tile < 0)
        self.tile_offers: dict[int, tuple[Offer, ...]] = {}
        for offer in offers:
            if offer.owner.tile >= 0:
                earlier = self.tile_offers.get(offer.owner.tile, ())
                self.tile_offers[offer.owner.tile] = (*earlier, offer)
        self.offers = {offer.path: offer for offer in offers}
        self.reactions = {
            t.body.path: o for t, o in ruleset.triggers() if t.offered and self.applies_at_all(o)
        }

    def applies_at_all(self, owner: Owned) -> bool:
        """Whether a statement's card, if it hangs on one, is in play."""
        return owner.card < 0 or owner.card in self.cards

    def applies_to(self, owner: Owned, state: State, player: int) -> bool:
        """Whether a statement's tile, if it hangs on one, is held by the player."""
        if owner.tile < 0:
            return True
        return any(tile.kind == owner.tile for tile in state.seats[player].tiles)

    def _in_force(self, norms: tuple[tuple[Norm, Owned], ...]) -> tuple[Clause, ...]:
        return tuple(Clause(n, o) for n, o in norms if self.applies_at_all(o))

    def _quantity_changes(self) -> dict[str, tuple[tuple[Change, Owned], ...]]:
        found: dict[str, tuple[tuple[Change, Owned], ...]] = {}
        for owner in self.ruleset.owners.values():
            for change in owner.rule.changes if self.applies_at_all(owner) else ():
                earlier = found.get(change.quantity, ())
                found[change.quantity] = (*earlier, (change, owner))
        return found

    def _by_event(self) -> dict[str, tuple[tuple[Trigger, Owned], ...]]:
        found: dict[str, tuple[tuple[Trigger, Owned], ...]] = {}
        for trigger, owner in self.ruleset.triggers():
            for event in trigger.events if self.applies_at_all(owner) else ():
                found[event] = (*found.get(event, ()), (trigger, owner))
        return found

    # what words ask

    def option(self, name: str) -> bool | int:
        """The value of an option at this table."""
        return self.options[name]

    def quantity(self, view: View, name: str) -> int:
        """A set-up number and all that increases or decreases it now; never below 0."""
        value = self.ruleset.catalog.numbers[name]
        for change, owner in self._changes.get(name, ()):
            applies = self.applies_to(owner, view.state, view.me)
            if applies and (change.guard is None or self.evaluate(change.guard, view)):
                value += self.evaluate(change.amount, view)
        return max(0, value)

    def remembered(self, view: View, name: str) -> int:
        """The value of a memory, as `view.me` has it."""
        scope, slot = self.ruleset.memories[name]
        return view.state.memory[slot] if scope == "table" else view.state.seats[view.me].memory[slot]

    def in_required(self, view: View) -> bool:
        """Whether some frame of the state belongs to a required action."""
        required = [o.path for o in self.table_offers if o.action.required]
        return any(frame.block.startswith(tuple(required)) for frame in view.state.stack)

    def is_in_play(self, card: int) -> bool:
        """Whether a card lies on the table."""
        return card in self.cards

    # norms

    def clauses(self, view: View, verb: str, kind: str) -> list[Clause]:
        """The norms of a kind about a verb whose guard holds for `view.me` now."""
        return [c for c in self._clauses.get((verb, kind), ()) if self.holds(c, view)]

    def holds(self, clause: Clause, view: View) -> bool:
        """Whether a clause applies to `view.me` and its guard holds."""
        if clause.owner.tile >= 0 and not self.applies_to(clause.owner, view.state, view.me):
            return False
        guard = clause.norm.guard
        return guard is None or bool(self.evaluate(guard, view))

    def extent(self, clause: Clause, view: View) -> Mask:
        """The hexes a clause speaks of."""
        on = clause.norm.on
        mask: Mask = view.board.grid.full if on is None else self.evaluate(on, view)
        return mask

    def united(self, view: View, verb: str, kind: str) -> Mask:
        """The union of all norms of a kind about a verb."""
        found = 0
        for clause in self._clauses.get((verb, kind), ()):
            if self.holds(clause, view):
                found |= self.extent(clause, view)
        return found

    def forbidden(self, view: View, verb: str) -> Mask:
        """Hexes some norm forbids for a verb."""
        return self.united(view, verb, "forbid")

    def open(self, view: View, verb: str) -> Mask:
        """Hexes the table's norms permit for a verb and none forbids."""
        return self.united(view, verb, "permit") & ~self.united(view, verb, "forbid")

    def preferred(self, view: View, verb: str) -> Mask:
        """Hexes that satisfy every preference about a verb."""
        found = view.board.grid.full
        for clause in self._clauses.get((verb, "prefer"), ()):
            if self.holds(clause, view):
                found &= self.extent(clause, view)
        return found

    def allowed(self, view: View, verb: str, base: Mask | None, freely: bool) -> Mask:
        """The legal hexes: permitted (or the step's own), not forbidden, preferred if any is.

        `base` is the step's own set, which replaces the table's permits.
        """
        if freely or self.is_waived(view, verb):
            legal = self.unbarred(view, verb, base)
        else:
            legal = self.narrowed(view, verb, base)
        return legal & ~self.united(view, verb, "deny") if legal else 0

    def unbarred(self, view: View, verb: str, base: Mask | None) -> Mask:
        """The hexes permitted, or the step's own, that nothing forbids."""
        permitted = self.united(view, verb, "permit") if base is None else base
        return permitted & ~self.united(view, verb, "forbid")

    def narrowed(self, view: View, verb: str, base: Mask | None) -> Mask:
        """Of those, the preferred ones if there is any."""
        legal = self.unbarred(view, verb, base)
        return legal & self.preferred(view, verb) or legal if legal else 0

    def is_waived(self, view: View, verb: str) -> bool:
        """Whether preferences about a verb are set aside now."""
        return any(self.holds(c, view) for c in self._clauses.get((verb, "waive"), ()))
