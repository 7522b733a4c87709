"""How far apart hexes are: plain steps, whatever lies between, holes included.

With the slant taken out of the rows, a hex has three coordinates that each change by at most 1
per step; the distance is the largest of their differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kbrules.hex.layout import Address
from kbrules.hex.masks import Mask, bits, mask_of

Point = tuple[int, int, int]
AxialCoordinates = tuple[Mask, Mapping[int, Point]]
"""The hexes of a part, and where each of them is."""


def _axial(address: Address) -> Point:
    slant = address.column - address.row // 2
    return address.row, slant, address.row + slant


def distance(one: Address, other: Address) -> int | None:
    """The number of steps from one hex to another; None between parts."""
    if one.part != other.part:
        return None
    (row, slant, fall), (row2, slant2, fall2) = _axial(one), _axial(other)
    return max(abs(row - row2), abs(slant - slant2), abs(fall - fall2))


def axial_coordinates(addresses: Mapping[int, Address]) -> list[AxialCoordinates]:
    """The points of the hexes, part by part."""
    by_part: dict[str, dict[int, Point]] = {}
    for index, address in addresses.items():
        by_part.setdefault(address.part, {})[index] = _axial(address)
    return [(mask_of(points), points) for points in by_part.values()]


def span(m: Mask, charts: Iterable[AxialCoordinates]) -> int:
    """The largest distance between two hexes of a set in one part; 0 if there are no two."""
    widest = 0
    for members, points in charts:
        here = m & members
        if here & (here - 1):
            widest = max(widest, _extent([points[index] for index in bits(here)]))
    return widest


def _extent(points: list[Point]) -> int:
    # The largest difference over all pairs is reached along one axis, so no pairs are needed.
    axes: Iterable[tuple[int, ...]] = zip(*points, strict=True)
    rows, slants, falls = axes
    return max(max(rows) - min(rows), max(slants) - min(slants), max(falls) - min(falls))
