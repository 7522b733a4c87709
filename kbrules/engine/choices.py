"""What a step asks for: the legal hexes of each of its phrases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbrules.engine.program import Program
from kbrules.game.board import Board
from kbrules.game.folding import lift
from kbrules.game.moves import Group
from kbrules.game.state import State, draft_of
from kbrules.game.view import View
from kbrules.hex.masks import Mask, bits
from kbrules.lang.core import Expr, Step
from kbrules.lang.signature import Slot
from kbrules.primitives.registry import Ask, StepWord
from kbrules.primitives.vocabulary import step_words


class Choices:
    """The legal hexes of steps at one table."""

    def __init__(self, board: Board, program: Program) -> None:
        self._board = board
        self._program = program
        self._evaluate = program.evaluate
        self._words = step_words()
        self._values = {name: _value_slots(word) for name, word in self._words.items()}
        self._phrases = {
            name: {slot.name: i for i, slot in enumerate(word.signature.slots)}
            for name, word in self._words.items()
        }

    def word(self, step: Step) -> StepWord:
        """The registered word of a step."""
        return self._words[step.name]

    def view(self, state: State, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it."""
        return View(self._board, state, me, self._program, env)

    def values(self, step: Step, view: View) -> list[Any]:
        """The arguments a step's code takes: operand, piece, and phrases it does not ask for."""
        return [
            None if step.arguments[i] is None else self._evaluate(step.arguments[i], view)  # type: ignore[arg-type]
            for i in self._values[step.name]
        ]

    def phrase(self, step: Step, name: str) -> Expr | None:
        """The expression of a phrase or adverb, None if it was left out."""
        index = self._phrases[step.name].get(name)
        return step.arguments[index] if index is not None else None

    def legal(self, step: Step, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes that may be chosen next for a step, after those already chosen."""
        word = self._words[step.name]
        if word.can is not None and not word.can(view, *self.values(step, view)):
            return 0
        ask = word.asks[len(chosen)]
        if len(chosen) + 1 < len(word.asks):
            return self._sources(step, word, ask, view)
        if not ask.verb:
            return self._pieces(step, ask, view)
        return self.targets(step, word, view, chosen)

    def targets(self, step: Step, word: StepWord, view: View, chosen: tuple[int, ...]) -> Mask:
        """The hexes where a step may put its piece."""
        ask = word.asks[-1]
        seen = self.lifted(view, chosen[0]) if word.lifts else view
        expr = self.phrase(step, ask.phrase)
        base = None if expr is None else self._evaluate(expr, seen)
        freely = self.phrase(step, "freely") is not None
        return self._program.allowed(seen, ask.verb, base, freely)

    def strays(self, step: Step, view: View, chosen: tuple[int, ...], hex: int) -> bool:
        """Whether a legal hex would not be legal if preferences were not waived now."""
        word = self._words[step.name]
        verb = word.asks[-1].verb
        if not self._program.is_waived(view, verb):
            return False
        seen = self.lifted(view, chosen[0]) if word.lifts else view
        expr = self.phrase(step, word.asks[-1].phrase)
        base = None if expr is None else self._evaluate(expr, seen)
        return not self._program.narrowed(seen, verb, base) >> hex & 1

    def lifted(self, view: View, hex: int) -> View:
        """The view after the piece on a hex was taken up, with `origin` bound to it."""
        draft = draft_of(view.state)
        for player, seat in enumerate(draft.seats):
            if seat.all >> hex & 1:
                piece = next(i for i, mask in enumerate(seat.pieces) if mask >> hex & 1)
                lift(draft, player, piece, hex)
        return self.view(draft, view.me, {**view.env, "origin": 1 << hex})

    def _pieces(self, step: Step, ask: Ask, view: View) -> Mask:
        """The hexes of a `from` phrase that hold a piece of the right kind."""
        expr = self.phrase(step, ask.phrase)
        assert expr is not None
        mask: Mask = self._evaluate(expr, view) & view.state.occupied
        piece = self.phrase(step, "piece")
        if piece is None:
            return mask
        kind = self._evaluate(piece, view)
        held = view.state.neutral[kind]
        for seat in view.state.seats:
            held |= seat.pieces[kind]
        return mask & held

    def _sources(self, step: Step, word: StepWord, ask: Ask, view: View) -> Mask:
        """The pieces that have somewhere to go."""
        found = 0
        for hex in bits(self._pieces(step, ask, view)):
            if self.targets(step, word, view, (hex,)):
                found |= 1 << hex
        return found

    def group(self, step: Step, view: View, chosen: tuple[int, ...], rule: str) -> Group | None:
        """The moves a step offers next, or None when it cannot be done."""
        hexes = self.legal(step, view, chosen)
        if not hexes:
            return None
        ask = self._words[step.name].asks[len(chosen)]
        return Group(ask.name or step.verb, rule, hexes)


def _value_slots(word: StepWord) -> list[int]:
    """The positions of the slots whose values the code of a step is given."""
    asked = {ask.phrase for ask in word.asks}
    return [
        i for i, slot in enumerate(word.signature.slots)
        if _is_value(slot) and slot.name not in asked
    ]  # fmt: skip


def _is_value(slot: Slot) -> bool:
    return slot.kind in ("operand", "piece", "phrase")
