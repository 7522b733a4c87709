"""What a step asks for: the legal hexes of each of its phrases."""

from __future__ import annotations

from kbrules.game.state import draft_of
from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.typed.core import Step
from kbrules.plan.crossing import ORIGIN
from kbrules.plan.linked_step import LinkedStep
from kbrules.plan.movable_pieces import MovablePieces, lifted
from kbrules.plan.plan import Plan


class LegalHexes:
    """The legal hexes of steps under one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._linked: dict[int, LinkedStep] = {}
        self.movable_pieces = MovablePieces(plan, self)

    def linked(self, step: Step) -> LinkedStep:
        """What a step asks, linked once per table."""
        found = self._linked.get(id(step))
        if found is None:
            found = self._linked[id(step)] = LinkedStep(step, self._plan)
        return found

    def legal_hexes(self, linked: LinkedStep, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes that may be chosen next for a step, after those already chosen."""
        if linked.is_simple:
            simple: Mask = linked.legal.value(view)
            return simple
        can = linked.can
        if can is not None and not can(view, *linked.values(view)):
            return 0
        if len(chosen) + 1 < len(linked.target_nodes):
            return self.movable_pieces.with_targets(linked, view)
        if not linked.verb:
            return linked.pieces(view)
        return self.targets(linked, view, chosen)

    def targets(self, linked: LinkedStep, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes where a step may put its piece."""
        return self.targets_in(linked, self.choice_view(linked, view, chosen))

    def targets_in(self, linked: LinkedStep, lifted_view: View) -> Mask:
        """The same when the piece, if one is to be lifted, was taken up already."""
        mask: Mask = linked.legal.value(lifted_view)
        return mask

    def needs_waiver(
        self, linked: LinkedStep, view: View, chosen: tuple[int, ...], hex: int
    ) -> bool:
        """Whether a legal hex would not be legal but for the waiver of one rule.

        Where several rules waive preferences at once no one of them is needed.
        """
        if (
            not linked.target_nodes
            or not linked.norms.waives
            or not linked.norms.has_one_waiver(view)
        ):
            return False
        if linked.freely:
            return False
        choice_view = self.choice_view(linked, view, chosen)
        return not linked.legal_without_waivers.value(choice_view) >> hex & 1

    def choice_view(self, linked: LinkedStep, view: View, chosen: tuple[int, ...]) -> View:
        """What the next choice of a step is judged by: `origin` is the hex chosen first."""
        if not chosen or not linked.is_pair:
            return view
        if linked.word.lifts:
            return self.lifted(view, chosen[0])
        return view.bound(ORIGIN, 1 << chosen[0])

    def lifted(self, view: View, hex: int) -> View:
        """The view after the piece on a hex was taken up, with `origin` bound to it."""
        return lifted(view, draft_of(view.state), hex)
