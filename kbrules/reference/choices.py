"""What a step asks for: the legal hexes of each of its phrases."""

from __future__ import annotations

from typing import Any

from kbrules.game.state import draft_of
from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.core import Expr, Step
from kbrules.plan.asking import Asking
from kbrules.plan.program import Program
from kbrules.plan.sources import Sources, lifted
from kbrules.primitives.registry import StepWord


class Choices:
    """The legal hexes of steps under one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._askings: dict[int, Asking] = {}
        self.sources = Sources(program, self)

    def asking(self, step: Step) -> Asking:
        """What a step asks, linked once per table."""
        found = self._askings.get(id(step))
        if found is None:
            found = self._askings[id(step)] = Asking(step, self._program)
        return found

    def word(self, step: Step) -> StepWord:
        """The registered word of a step."""
        return self.asking(step).word

    def values(self, step: Step, view: View) -> list[Any]:
        """The arguments a step's code takes: operand, piece, and phrases it does not ask for."""
        return self.asking(step).values(view)

    def phrase(self, step: Step, name: str) -> Expr | None:
        """The expression of a phrase or adverb, None if it was left out."""
        return self.asking(step).phrases.get(name)

    def legal(self, asking: Asking, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes that may be chosen next for a step, after those already chosen."""
        if asking.is_simple:
            simple: Mask = asking.legal.value(view)
            return simple
        can = asking.can
        if can is not None and not can(view, *(asking.constants or asking.values(view))):
            return 0
        if len(chosen) + 1 < len(asking.sets):
            return self.sources.with_targets(asking, view)
        if not asking.verb:
            return asking.pieces(view)
        return self.targets(asking, view, chosen)

    def targets(self, asking: Asking, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes where a step may put its piece."""
        return self.when_lifted(asking, self.lifted(view, chosen[0]) if asking.word.lifts else view)

    def when_lifted(self, asking: Asking, seen: View) -> Mask:
        """The same when the piece, if one is to be lifted, was taken up already."""
        mask: Mask = asking.legal.value(seen)
        return mask

    def needs_waiver(self, asking: Asking, view: View, chosen: tuple[int, ...], hex: int) -> bool:
        """Whether a legal hex would not be legal but for the waiver of one rule.

        Where several rules waive preferences at once no one of them is needed.
        """
        if not asking.sets or not asking.norms.waives or not asking.norms.has_one_waiver(view):
            return False
        if asking.freely is not None:
            return False
        seen = self.lifted(view, chosen[0]) if asking.word.lifts else view
        return not asking.strict.value(seen) >> hex & 1

    def lifted(self, view: View, hex: int) -> View:
        """The view after the piece on a hex was taken up, with `origin` bound to it."""
        return lifted(view, draft_of(view.state), hex)
