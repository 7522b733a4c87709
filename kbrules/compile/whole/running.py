"""What a program calls while it plays, beside what the words of the rules mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kbrules.game.state import FRESH, USED


class Rare(Exception):
    """The game came to something that is not written out; it must be played step by step."""


class Over(Exception):
    """The game ended in the middle of a turn."""


def serving(seat: Any, places: int) -> list[int]:
    """The kinds of tiles from some places with which something can be done once more."""
    tiles = [t for t in seat.tiles if t.status != FRESH and t.origin >= 0]
    return list(dict.fromkeys([tile.kind for tile in tiles if places >> tile.origin & 1]))


def unused(seat: Any, tile: int) -> bool:
    """Whether a player holds a tile of a kind that was not used yet."""
    return any(each.kind == tile and each.status != USED for each in seat.tiles)


class Listing(dict[int, Any]):
    """What kinds of tiles offer, by kind; most offer nothing."""

    def __missing__(self, kind: int) -> Any:
        return ()


def held(play: Any, kind: int) -> int:
    """The hexes with a piece of a kind, whoever owns it."""
    if kind:
        return play.laid[kind]  # type: ignore[no-any-return]
    found: int = play.occupied
    for laid in play.laid:
        found &= ~laid
    return found


class Happened(Exception):
    """A step that is only tried would do something."""


class Trying:
    """A table at which a step is tried: nothing happens there."""

    __slots__ = ("_play", "rule")

    def __init__(self, play: Any) -> None:
        self._play = play

    def __getattr__(self, name: str) -> Any:
        return getattr(self._play, name)

    def emit(self, _event: Any) -> None:
        """It would happen."""
        raise Happened


def happens(play: Any, code: Any, me: int, *values: Any) -> bool:
    """Whether a step that happens at once would do anything now."""
    try:
        code(Trying(play), me, *values)
    except Happened:
        return True
    return False


def tell(play: Any) -> None:
    """Let the rules follow what happened, in that order; then what they must ask for."""
    while play.news:
        told, bound = play.news.pop(0)
        told(play, *bound)
    later, play.later = play.later, []
    for block, bound in later:
        block(play, *bound)


def tell_asked(play: Any) -> Iterator[Any]:
    """The same where players are asked: a generator of their decisions."""
    while play.news:
        told, bound = play.news.pop(0)
        told(play, *bound)
    later, play.later = play.later, []
    for block, bound in later:
        yield from block(play, *bound)


def whose_turn(play: Any, player: int, whose: int, tile: int) -> list[int]:
    """The players for whom something follows an event, from the left of whose turn it is.

    whose: 1 for all but the one the event speaks of, else all.
    """
    count = len(play.seats)
    players = [(play.active + 1 + i) % count for i in range(count)]
    if whose == 1:
        players = [p for p in players if p != player]
    if tile < 0:
        return players
    return [p for p in players if tile in play.seats[p].kinds]
