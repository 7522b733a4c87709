"""What generated steps call: small things that are done better by a call than written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbrules.game import events, events_of_cards
from kbrules.game.events import Event, is_readied, readied
from kbrules.game.folding import set_value, with_item
from kbrules.game.moves import Group as _Group
from kbrules.game.moves import MoveSet, new_group
from kbrules.game.shown import terrain_played
from kbrules.game.state import (
    NONE,
    READY,
    USED,
    Draft,
    State,
    Tile,
    draft_of,
    frame_of,
    seat_of,
    tile_of,
)
from kbrules.game.table import Table
from kbrules.game.view import View
from kbrules.hex.floods import flooded
from kbrules.hex.masks import Mask, bits
from kbrules.primitives.operators import bounded

Tiles = tuple[Tile, ...]
DRAW = (_Group("draw", ""),)


def give_over(K: Any, t: Table | None, d: Draft) -> State:
    """Let the machine go on from here to the next decision."""
    if t is None:
        t = K.table(d)
    assert t is not None
    return d.seal((K.game, K.run(t)))


def passed_on(K: Any, t: Table | None, d: Draft, *_: Any) -> State:
    """A step that is not written out."""
    return give_over(K, t, d)


def taken_over(*_: Any) -> None:
    """A decision that is not written out: nothing was done yet, the machine does all of it."""


def run_top(K: Any, t: Table | None, d: Draft, stack: Any) -> State:
    """Run what rules have begun that follow an event, or go on in an empty stack."""
    if not stack:
        return give_over(K, t, d)
    frame = stack[-1]
    after: State = K.runs[frame[0]][frame[1]](K, t, d, stack, frame)
    return after


def held(tiles: Tiles, kind: int) -> int:
    """How many tiles of a kind there are."""
    found = 0
    for its_kind, _, _ in tiles:
        if its_kind == kind:
            found += 1
    return found


def usable(tiles: Tiles, kind: int) -> int:
    """How many of them may be used."""
    found = 0
    for its_kind, _, status in tiles:
        if its_kind == kind and status == READY:
            found += 1
    return found


def somebody_holds(d: Draft, kind: int) -> bool:
    """Whether any player has a tile of a kind."""
    for seat in d.seats:
        for its_kind, _, _ in seat[4]:
            if its_kind == kind:
                return True
    return False


def held_by_anybody(d: Draft, kind: int) -> Mask:
    """The hexes with a piece of a kind, whoever owns it."""
    found = d.neutral[kind]
    for seat in d.seats:
        found |= seat[0][kind]
    return found


def from_there(tiles: Tiles, places: Mask) -> bool:
    """Whether a tile came from one of some places."""
    return any([origin >= 0 and places >> origin & 1 for _, origin, _ in tiles])  # noqa: C419 - a list is faster


def unready(tiles: Tiles, held: Mask) -> bool:
    """Whether some tile becomes usable, if those from some places are held back."""
    return any([is_readied(tile, held) for tile in tiles])  # noqa: C419 - likewise


def with_used(tiles: Tiles, kind: int) -> Tiles:
    """The tiles, with that of a kind marked that a use marks: a usable one if there is one."""
    unused = -1
    for index, (its_kind, _, status) in enumerate(tiles):
        if its_kind == kind and status != USED:
            if status == READY:
                unused = index
                break
            unused = index if unused < 0 else unused
    tile = tile_of((kind, tiles[unused][1], USED))
    return (*tiles[:unused], tile, *tiles[unused + 1 :])


def forget(d: Draft, slot: int) -> None:
    """Clear a memory of every player."""
    for player, seat in enumerate(d.seats):
        if seat.memory[slot]:
            set_value(d, player, slot, 0)


def discard(d: Draft) -> None:
    """Put the cards that lie face up on the discards."""
    deck, discards, *rest = d.piles
    pile = list(discards)
    for card in (*d.shown, *d.aside):
        pile[card] += 1
    d.piles = (deck, tuple(pile), *rest)
    d.shown = d.aside = ()
    d.choice = NONE


def note(t: Table, event: Event) -> None:
    """Write down what happened; the draft has it already, and so have the rules that follow it."""
    t.events.append(event)
    if t.watch is not None:
        t.watch(event, t.draft)


_ALL = (
    give_over, run_top, held, usable, somebody_holds, held_by_anybody, from_there, unready,
    readied, with_used, forget, discard, note, with_item, terrain_played, draft_of, bounded,
    flooded, MoveSet, State, View, any, len, sum, tuple, enumerate, min, bits,
)  # fmt: skip
_EVENTS = {
    name: made
    for module in (events, events_of_cards)
    for name, made in vars(module).items()
    if isinstance(made, type) and hasattr(made, "fold")
}
KNOWN: Mapping[str, Any] = {
    **{each.__name__: each for each in _ALL},
    **_EVENTS,
    "seat_of": seat_of,
    "frame_of": frame_of,
    "new": object.__new__,
    "new_group": new_group,
    "DRAW": DRAW,
    "READY": READY,
}
"""The names that generated steps find."""
