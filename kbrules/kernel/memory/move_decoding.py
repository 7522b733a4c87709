"""Moves as a kernel has them: numbers for verbs, rules and hexes, and groups of them."""

from __future__ import annotations

from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.kernel.memory.cells import KernelMemory

CHOOSE, DRAW = "choose", "draw"
DRAWN = (MoveGroup(DRAW, ""),)
NOBODY = MoveSet(CHANCE, ())


class MoveDecoder:
    """Reads what is offered in a memory, and writes moves."""

    def __init__(self, lowered: KernelText) -> None:
        self._layout, self._verbs = lowered.layout, lowered.strings.verbs
        self._paths = ["", *lowered.blocks.paths]
        hexes = lowered.plan.ruleset.catalog.hexes
        self._rules = [*lowered.strings.rules, *(kind.id for kind in hexes)]
        self._cards = len(lowered.plan.ruleset.catalog.deck)
        first = self._layout["TERRAIN_RULES"]
        self._verb = {verb: number for number, verb in enumerate(self._verbs)}
        self._rule = {rule: number for number, rule in enumerate(lowered.strings.rules)}
        self._terrain = {kind.id: number for number, kind in enumerate(hexes, first)}
        self._path = {path: number for number, path in enumerate(self._paths)}

    def offered(self, memory: KernelMemory) -> MoveSet:
        """The moves of the decision that is due, as `legal_moves` says them."""
        layout = self._layout
        player = memory.number(layout["DECIDER"])
        if memory.number(layout["IS_DRAW"]):
            return MoveSet(CHANCE, DRAWN, tuple(memory.numbers(layout["PILES"], self._cards)))
        return MoveSet(player, self._groups(memory))

    def _groups(self, memory: KernelMemory) -> tuple[MoveGroup, ...]:
        layout, found = self._layout, []
        size, first = layout["GROUP_SIZE"], layout["GROUPS"]
        for at in range(first, first + memory.number(layout["GROUP_COUNT"]) * size, size):
            verb, rule, path = memory.numbers(at, 3)
            hexes = memory.set_at(at + 8)
            found.append(MoveGroup(self._verbs[verb], self._rules[rule], hexes, self._paths[path]))
        return tuple(found)

    def numbers(self, move: Move) -> tuple[int, int, int]:
        """Verb, rule and hex of a move."""
        verb, rule, hex = move
        rules = self._terrain if verb == CHOOSE else self._rule
        return self._verb[verb], rules[rule], hex

    def decision(self, move: Move, group: MoveGroup) -> tuple[int, ...]:
        """What a kernel must know to carry out a move of a group: its numbers, and what it begins.

        Of a draw the verb is -1 and the hex the card.
        """
        if move.verb == DRAW and not move.rule:
            return -1, 0, move.hex, 0
        return *self.numbers(move), self._path[group.path]
