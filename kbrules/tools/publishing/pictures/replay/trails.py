"""What a move did to the board, as a page marks it: hexes taken, left, lifted, and ways."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.matches.match import MatchMove
from kbrules.game.events import Built, Event, Moved, Placed, Removed, Stored, Swapped
from kbrules.hex.masks import bits

__all__ = ["ARRIVED", "LEFT", "LIFTED", "MOVED", "Trail", "trail_of"]

ARRIVED, LEFT, LIFTED, MOVED = "came", "left", "lifted", "went"
Trail = tuple[str, tuple[int, ...]]
"""A sign and its hexes: one, or of `MOVED` two, from where to where."""
_LIFT = "lift"  # the verb of the language by which a piece is chosen that goes elsewhere


def trail_of(played: MatchMove) -> Iterator[Trail]:
    """The marks of one move, in the order of its events."""
    move = played.move
    if move.verb == _LIFT and move.hex >= 0:
        yield LIFTED, (move.hex,)
    for event in played.transition.events:
        yield from _marks(event)


def _marks(event: Event) -> Iterator[Trail]:
    if isinstance(event, Built):
        yield ARRIVED, (event.hex,)
    elif isinstance(event, Placed):
        yield from ((ARRIVED, (hex,)) for hex in bits(event.hexes))
    elif isinstance(event, Moved):
        yield MOVED, (event.origin, event.hex)
    elif isinstance(event, Swapped):
        yield MOVED, (event.origin, event.hex)
        yield MOVED, (event.hex, event.origin)
    elif isinstance(event, Removed | Stored):
        yield from ((LEFT, (hex,)) for hex in bits(event.hexes))
