"""The smallest position that still shows something: whatever it does without is taken away.

Big pieces first: half of the board, all pieces of a player; then less and less, until nothing
more can go. Every step is tried, so what is left is needed, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from kbrules.hex.layout import Address
from kbrules.tools.checking.shrinking.position import PositionData, SeatData

__all__ = ["shrink"]

SECONDS = 4.0
CHUNKS = (10, 6, 4, 2)
"""Rows or columns taken off at once: an even number keeps every second row where it stood."""

Shows = Callable[[PositionData], bool]


def shrink(pose: PositionData, shows: Shows, seconds: float = SECONDS) -> PositionData:
    """The smallest found of the positions that still show it, within some time.

    shows: asked of every smaller position; what it raises is not caught.
    """
    until = monotonic() + seconds
    before = None
    while before != pose and monotonic() < until:
        before = pose
        for ways in (_with_fewer_holdings, _cropped, _emptied):
            pose = _repeat_cuts(pose, ways, shows, until)
    return pose


def _repeat_cuts(
    pose: PositionData,
    ways: Callable[[PositionData], Iterator[PositionData]],
    shows: Shows,
    until: float,
) -> PositionData:
    """A position made smaller in one kind of way, again and again."""
    while True:
        for smaller in ways(pose):
            if monotonic() > until:
                return pose
            if shows(smaller):
                pose = smaller
                break
        else:
            return pose


def _cropped(pose: PositionData) -> Iterator[PositionData]:
    """Without the rows or columns at one side, or without a whole grid beside the table."""
    needed = {at for _, at in pose.moves if at is not None}
    for stays in _cuts(pose):
        hexes = frozenset(filter(stays, pose.kinds))
        if hexes and needed <= hexes and len(hexes) < len(pose.kinds):
            yield pose.within(hexes)


def _cuts(pose: PositionData) -> Iterator[Callable[[Address], bool]]:
    """What may be taken off the board, most first: each says what stays."""
    parts = sorted({at.part for at in pose.kinds})
    yield from (_Within(part, "row", -1, -1) for part in parts if part)
    for part in parts:
        rows = sorted({at.row for at in pose.kinds if at.part == part})
        columns = sorted({at.column for at in pose.kinds if at.part == part})
        for chunk in (chunk for chunk in CHUNKS if chunk < len(rows)):
            yield _Within(part, "row", rows[chunk], rows[-1])
            yield _Within(part, "row", rows[0], rows[-chunk - 1])
        for chunk in (chunk for chunk in (*CHUNKS, 1) if chunk < len(columns)):
            yield _Within(part, "column", columns[chunk], columns[-1])
            yield _Within(part, "column", columns[0], columns[-chunk - 1])
        yield _Within(part, "row", rows[0], rows[-1] - 1)


@dataclass(frozen=True, slots=True)
class _Within:
    """Of one part of the board the hexes from one row or column to another, and all the rest."""

    part: str
    axis: str
    first: int
    last: int

    def __call__(self, at: Address) -> bool:
        return at.part != self.part or self.first <= getattr(at, self.axis) <= self.last


def _emptied(pose: PositionData) -> Iterator[PositionData]:
    """Without all pieces of a player, without half of the pieces, without a few, without one."""
    hexes = sorted(pose.pieces)
    for player in sorted({player for player, _ in pose.pieces.values()}):
        yield _without(pose, [at for at in hexes if pose.pieces[at][0] == player])
    size = len(hexes) // 2
    while size >= 1:
        for start in range(0, len(hexes), size):
            yield _without(pose, hexes[start : start + size])
        size //= 2


def _without(pose: PositionData, hexes: Sequence[Address]) -> PositionData:
    """Without the pieces on some hexes; they are back in the supply."""
    gone = frozenset(hexes)
    return replace(pose, pieces={at: who for at, who in pose.pieces.items() if at not in gone})


def _with_fewer_holdings(pose: PositionData) -> Iterator[PositionData]:
    """With fewer cards, tiles, options, gold; with players who have nothing at all."""
    for card in pose.cards:
        yield replace(pose, cards=tuple(other for other in pose.cards if other != card))
    for name in pose.options:
        yield replace(pose, options={k: v for k, v in pose.options.items() if k != name})
    if pose.ending:
        yield replace(pose, ending=False)
    if pose.sector:
        yield replace(pose, sector=None)
    for player, seat in enumerate(pose.seats):
        for less in _less(seat):
            yield replace(pose, seats=(*pose.seats[:player], less, *pose.seats[player + 1 :]))
    if pose.rules:
        yield replace(pose, rules=())
    yield from _with_fewer_tiles(pose)


def _less(seat: SeatData) -> Iterator[SeatData]:
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


def _with_fewer_tiles(pose: PositionData) -> Iterator[PositionData]:
    """Without the counts of what is left on the places."""
    if pose.left:
        yield replace(pose, left={})
