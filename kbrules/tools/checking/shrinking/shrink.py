"""The smallest position that still shows something: whatever it does without is taken away.

Big pieces first: half of the board, all pieces of a player; then less and less, until nothing
more can go. Every step is tried, so what is left is needed, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from kbrules.hex.sets import Address
from kbrules.tools.checking.shrinking.position import PositionData, SeatData

SECONDS = 4.0
CHUNKS = (10, 6, 4, 2)
"""Rows or columns taken off at once: an even number keeps every second row where it stood."""

Predicate = Callable[[PositionData], bool]


def shrink(position: PositionData, predicate: Predicate, seconds: float = SECONDS) -> PositionData:
    """The smallest found of the positions that still show it, within some time.

    predicate: called with every smaller position; what it raises is not caught.
    """
    until = monotonic() + seconds
    previous = None
    while previous != position and monotonic() < until:
        previous = position
        for reductions in (_fewer_contents, _smaller_boards, _fewer_pieces):
            position = _reduce(position, reductions, predicate, until)
    return position


def _reduce(
    position: PositionData,
    reductions: Callable[[PositionData], Iterator[PositionData]],
    predicate: Predicate,
    until: float,
) -> PositionData:
    """A position made smaller in one kind of way, again and again."""
    while True:
        for smaller in reductions(position):
            if monotonic() > until:
                return position
            if predicate(smaller):
                position = smaller
                break
        else:
            return position


def _smaller_boards(position: PositionData) -> Iterator[PositionData]:
    """Without the rows or columns at one side, or without a whole grid beside the table."""
    needed = {at for _, at in position.moves if at is not None}
    for is_kept in _board_cuts(position):
        hexes = frozenset(filter(is_kept, position.kinds))
        if hexes and needed <= hexes and len(hexes) < len(position.kinds):
            yield position.within(hexes)


def _board_cuts(position: PositionData) -> Iterator[Callable[[Address], bool]]:
    """What may be taken off the board, most first: each says what stays."""
    parts = sorted({at.part for at in position.kinds})
    yield from (_KeptRange(part, "row", -1, -1) for part in parts if part)
    for part in parts:
        rows = sorted({at.row for at in position.kinds if at.part == part})
        columns = sorted({at.column for at in position.kinds if at.part == part})
        for chunk in (chunk for chunk in CHUNKS if chunk < len(rows)):
            yield _KeptRange(part, "row", rows[chunk], rows[-1])
            yield _KeptRange(part, "row", rows[0], rows[-chunk - 1])
        for chunk in (chunk for chunk in (*CHUNKS, 1) if chunk < len(columns)):
            yield _KeptRange(part, "column", columns[chunk], columns[-1])
            yield _KeptRange(part, "column", columns[0], columns[-chunk - 1])
        yield _KeptRange(part, "row", rows[0], rows[-1] - 1)


@dataclass(frozen=True, slots=True)
class _KeptRange:
    """Of one part of the board the hexes from one row or column to another, and all the rest."""

    part: str
    axis: str
    first: int
    last: int

    def __call__(self, at: Address) -> bool:
        return at.part != self.part or self.first <= getattr(at, self.axis) <= self.last


def _fewer_pieces(position: PositionData) -> Iterator[PositionData]:
    """Without all pieces of a player, without half of the pieces, without a few, without one."""
    hexes = sorted(position.pieces)
    for player in sorted({player for player, _ in position.pieces.values()}):
        yield _without(position, [at for at in hexes if position.pieces[at][0] == player])
    size = len(hexes) // 2
    while size >= 1:
        for start in range(0, len(hexes), size):
            yield _without(position, hexes[start : start + size])
        size //= 2


def _without(position: PositionData, hexes: Sequence[Address]) -> PositionData:
    """Without the pieces on some hexes; they are back in the supply."""
    removed = frozenset(hexes)
    return replace(
        position, pieces={at: who for at, who in position.pieces.items() if at not in removed}
    )


def _fewer_contents(position: PositionData) -> Iterator[PositionData]:
    """With fewer cards, tiles, options, gold and counts; with players who have nothing."""
    for card in position.cards:
        yield replace(position, cards=tuple(other for other in position.cards if other != card))
    for name in position.options:
        yield replace(position, options={k: v for k, v in position.options.items() if k != name})
    if position.ending:
        yield replace(position, ending=False)
    if position.sector:
        yield replace(position, sector=None)
    for player, seat in enumerate(position.seats):
        for smaller in _smaller_seats(seat):
            yield replace(
                position, seats=(*position.seats[:player], smaller, *position.seats[player + 1 :])
            )
    if position.rules:
        yield replace(position, rules=())
    if position.left:
        yield replace(position, left={})


def _smaller_seats(seat: SeatData) -> Iterator[SeatData]:
    if seat != SeatData():
        yield SeatData()
    if seat.supply:
        yield replace(seat, supply={})
    if seat.gold:
        yield replace(seat, gold=0)
    if seat.hand:
        yield replace(seat, hand=())
    for index in range(len(seat.tiles)):
        yield replace(seat, tiles=(*seat.tiles[:index], *seat.tiles[index + 1 :]))
