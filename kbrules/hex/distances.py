"""How far apart hexes are: plain steps, whatever lies between, holes included.

With the slant taken out of the rows, a hex has three coordinates that each change by at most 1
per step; the distance is the largest of their differences.
"""

from __future__ import annotations

from collections.abc import Iterable

from kbrules.hex.layout import Address

__all__ = ["distance", "span"]

Point = tuple[int, int, int]


def _axial(address: Address) -> Point:
    slant = address.column - address.row // 2
    return address.row, slant, address.row + slant


def distance(one: Address, other: Address) -> int | None:
    """The number of steps from one hex to another; None between parts."""
    if one.part != other.part:
        return None
    (row, slant, fall), (row2, slant2, fall2) = _axial(one), _axial(other)
    return max(abs(row - row2), abs(slant - slant2), abs(fall - fall2))


def span(addresses: Iterable[Address]) -> int:
    """The largest distance between two hexes of one part; 0 for fewer than two hexes."""
    by_part: dict[str, list[Point]] = {}
    for address in addresses:
        by_part.setdefault(address.part, []).append(_axial(address))
    return max((_extent(points) for points in by_part.values()), default=0)


def _extent(points: list[Point]) -> int:
    # The largest difference over all pairs is reached along one axis, so no pairs are needed.
    axes: Iterable[tuple[int, ...]] = zip(*points, strict=True)
    return max(max(axis) - min(axis) for axis in axes)
