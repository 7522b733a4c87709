"""What a move did to the board, as a page marks it: hexes taken, left, lifted, and ways."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.matches.match import Played
from kbrules.game.events import Built, Event, Moved, Placed, Removed, Stored, Swapped
from kbrules.hex.masks import bits

__all__ = ["CAME", "LEFT", "LIFTED", "WENT", "Trail", "trail_of"]

CAME, LEFT, LIFTED, WENT = "came", "left", "lifted", "went"
Trail = tuple[str, tuple[int, ...]]
"""A sign and its hexes: one, or of `WENT` two, from where to where."""
_LIFT = "lift"  # the verb of the language by which a piece is chosen that goes elsewhere


def trail_of(played: Played) -> Iterator[Trail]:
    """The marks of one move, in the order of its events."""
    move = played.move
    if move.verb == _LIFT and move.hex >= 0:
        yield LIFTED, (move.hex,)
    for event in played.transition.events:
        yield from _marks(event)


def _marks(event: Event) -> Iterator[Trail]:
    if isinstance(event, Built):
        yield CAME, (event.hex,)
    elif isinstance(event, Placed):
        yield from ((CAME, (hex,)) for hex in bits(event.hexes))
    elif isinstance(event, Moved):
        yield WENT, (event.origin, event.hex)
    elif isinstance(event, Swapped):
        yield WENT, (event.origin, event.hex)
        yield WENT, (event.hex, event.origin)
    elif isinstance(event, Removed | Stored):
        yield from ((LEFT, (hex,)) for hex in bits(event.hexes))
