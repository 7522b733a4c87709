"""What a kernel wrote down of the last whole game that it played: moves and pieces."""

from __future__ import annotations

from kbrules.engine.matches import Outcome
from kbrules.engine.simulation.playouts import Playouts

TracedMove = tuple[int, str, str, int]
"""Who, verb, rule and hex; chance is -1."""


def traced(playouts: Playouts, seed: int) -> tuple[Outcome, list[TracedMove]]:
    """Return the outcome of the game of a seed, and its moves; OutOfRoom."""
    layout = playouts._layout
    memory = playouts._kernel.memory_for_table(playouts._game)
    memory.put(layout["TRACED"], [0])
    try:
        found = playouts(seed)
        numbers = iter(memory.numbers(layout["TRACE"], 4 * memory.number(layout["TRACED"])))
    finally:
        memory.put(layout["TRACED"], [-1])
    strings = playouts._kernel.lowered.strings
    rules = [*strings.rules, *(kind.id for kind in playouts._game.ruleset.catalog.hexes)]
    return found, [
        (who, "draw", "", hex) if verb < 0 else (who, strings.verbs[verb], rules[rule], hex)
        for who, verb, rule, hex in zip(*[numbers] * 4, strict=True)
    ]


def piece_masks(playouts: Playouts) -> dict[str, list[int]]:
    """Return the masks of all pieces, by player and of nobody, at the end of the last game."""
    layout, game = playouts._layout, playouts._game
    memory = playouts._kernel.memory_for_table(game)
    starts = {"nobody": layout["NEUTRAL"]}
    for player in range(game.players):
        starts[str(player)] = layout["SEATS"] + player * layout["SEAT"] + layout["PIECES"]
    kinds = range(layout["PIECE_KINDS"])
    return {
        name: [memory.set_at(at + kind * layout.width) for kind in kinds]
        for name, at in starts.items()
    }
