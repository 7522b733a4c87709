"""What the rules would remember of a position, had play led there."""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.game.events import Built
from kbrules.game.folding import set_seat
from kbrules.game.state import Draft, draft_of
from kbrules.hex.masks import bits

__all__ = ["remember"]

FOR_A_TURN = "turn"


def remember(game: Game, draft: Draft) -> None:
    """Fill the memories as if each piece on the board had just been built, the others there.

    Everything else the rules would do then is not done: it is the scenario that says what is so.
    """
    kept = {slot: scope for scope, slot in game.ruleset.memories.values() if scope != FOR_A_TURN}
    # Nothing else wants the rules' reactions without a move, so this is no door of `Game`.
    table = game._table(draft_of(draft))
    if not kept or Built not in table.followed:
        return
    for player, seat in enumerate(draft.seats):
        for piece, hexes in enumerate(seat.pieces):
            table.news += [Built(player, piece, hex) for hex in bits(hexes)]
    game._machine.tell(table)
    draft.memory = _chosen(kept, "table", table.draft.memory, draft.memory)
    for player, seat in enumerate(draft.seats):
        seen = table.draft.seats[player].memory
        memory = _chosen(kept, "player", seen, seat.memory)
        if memory != seat.memory:
            set_seat(draft, player, seat._replace(memory=memory))


def _chosen(
    kept: dict[int, str], scope: str, new: tuple[int, ...], old: tuple[int, ...]
) -> tuple[int, ...]:
    """The new values of the slots of a scope, the old ones of all others."""
    return tuple(
        new[slot] if kept.get(slot) == scope else value for slot, value in enumerate(old)
    )
