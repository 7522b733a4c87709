"""Straight lines: the lines a board has, and unbroken runs within a set.

An axis is the constant shift from a hex to the next along it; there are three.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kbrules.hex.layout import Address
from kbrules.hex.masks import Mask

Lines = tuple[Mask, ...]


def board_lines(addresses: Mapping[int, Address]) -> tuple[Lines, Lines, Lines]:
    """The rows, the lines falling to the right, and the lines falling to the left, of each part.

    A hole does not end a line. Lines come part by part, rows from the top, others from the left.
    """
    axes: tuple[dict[tuple[str, int], Mask], ...] = ({}, {}, {})
    for index, (part, row, column) in addresses.items():
        slant = column - row // 2
        for axis, line in zip(axes, (row, slant, slant + row), strict=True):
            axis[part, line] = axis.get((part, line), 0) | 1 << index
    rows, right, left = (_in_order(axis) for axis in axes)
    return rows, right, left


def _in_order(axis: dict[tuple[str, int], Mask]) -> Lines:
    parts = {part: number for number, part in enumerate(dict.fromkeys(part for part, _ in axis))}
    return tuple(axis[key] for key in sorted(axis, key=lambda key: (parts[key[0]], key[1])))


def runs(m: Mask, at_least: int, axes: Sequence[int]) -> Mask:
    """The hexes of a set that lie in an unbroken straight run of at least that many."""
    found = 0
    for axis in axes:
        found |= _runs_along(m, at_least, axis)
    return found


def _runs_along(m: Mask, at_least: int, axis: int) -> Mask:
    # `starts` holds the hexes from which a run of the length tried so far goes forward.
    starts = m
    length = 1
    while length < at_least and starts:
        starts &= starts >> axis
        length += 1
    run = starts
    for _ in range(1, length):
        run |= run << axis
    return run


def runs_of(m: Mask, at_least: int, axes: Sequence[int]) -> tuple[Mask, ...]:
    """Each longest possible run of at least that many hexes, once."""
    if m.bit_count() < at_least:
        return ()
    found = [run for axis in axes for run in _separate(_runs_along(m, at_least, axis), axis)]
    # A lonely hex is a run of one along every axis.
    return tuple(dict.fromkeys(found))


def _separate(runs: Mask, axis: int) -> Iterator[Mask]:
    firsts = runs & ~(runs << axis)
    while firsts:
        tip = firsts & -firsts
        firsts ^= tip
        run = 0
        while tip & runs:
            run |= tip
            tip <<= axis
        yield run


def ends(m: Mask, at_least: int, axes: Sequence[int], full: Mask) -> Mask:
    """The hexes outside a set that directly continue such a run, at either end."""
    found = 0
    for axis in axes:
        run = _runs_along(m, at_least, axis)
        found |= run << axis | run >> axis
    return found & ~m & full
