"""What the rules would remember of a position, had play led there."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.game import Game
from kbrules.game.events import Built
from kbrules.game.folding import set_seat
from kbrules.game.state import Draft
from kbrules.hex.masks import bits

__all__ = ["remember"]

FOR_A_TURN = "turn"


def remember(game: Game, draft: Draft) -> None:
    """Fill the memories as if each piece on the board had just been built, the others there.

    Everything else the rules would do then is not done: it is the scenario that says what is so.
    """
    kept = {slot: scope for scope, slot in game.ruleset.memories.values() if scope != FOR_A_TURN}
    if not kept:
        return
    told = game.told(draft, _built(draft))
    draft.memory = _chosen(kept, "table", told.memory, draft.memory)
    for player, seat in enumerate(draft.seats):
        seen = told.seats[player].memory
        memory = _chosen(kept, "player", seen, seat.memory)
        if memory != seat.memory:
            set_seat(draft, player, seat._replace(memory=memory))


def _built(draft: Draft) -> Iterator[Built]:
    for player, seat in enumerate(draft.seats):
        for piece, hexes in enumerate(seat.pieces):
            yield from (Built(player, piece, hex) for hex in bits(hexes))


def _chosen(
    kept: dict[int, str], scope: str, new: tuple[int, ...], old: tuple[int, ...]
) -> tuple[int, ...]:
    """The new values of the slots of a scope, the old ones of all others."""
    return tuple(new[slot] if kept.get(slot) == scope else value for slot, value in enumerate(old))
