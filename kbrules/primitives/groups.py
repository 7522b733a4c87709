"""Words for groups of hexes."""

from __future__ import annotations

from kbrules.game.board import Board
from kbrules.primitives.registry import Groups, Hexes, Range, word


@word("any(mine & row) for row in rows")
def rows(board: Board) -> Groups:
    """The horizontal lines of the board."""
    return board.grid.rows()


@word("line for line in diagonals")
def diagonals(board: Board) -> Groups:
    """The lines of the board in the two other directions."""
    one, other = board.grid.diagonals()
    return (*one, *other)


@word("sector in sectors")
def sectors(board: Board) -> Groups:
    """The sections as they lie on the table."""
    return board.sectors


@word("all(any(mine & side) for side in edges)")
def edges(board: Board) -> Groups:
    """The four edges of the table; a corner is in two of them."""
    return board.grid.edges()


@word("groups(mine)", work=20)
def groups(board: Board, of: Hexes) -> Groups:
    """The connected groups of a set."""
    return board.grid.groups(of)


@word("parts(mine, rows)", work=8)
def parts(board: Board, of: Hexes, among: Groups) -> Groups:
    """What lies of a set in each of the groups; parts may be empty."""
    return tuple([of & group for group in among])  # a list is quicker than a generator


@word("lines(mine, at least 3)", work=80)
def lines(board: Board, of: Hexes, length: Range) -> Groups:
    """The unbroken straight lines of a set, in all three directions, of such a length."""
    low, high = length
    runs = board.grid.runs_of(of, max(2, low))
    if high < of.bit_count():
        runs = tuple(run for run in runs if run.bit_count() <= high)
    return runs


@word("count(triangles(mine))", work=80)
def triangles(board: Board, of: Hexes) -> Groups:
    """The triangles in a set: each three hexes of it that touch one another."""
    return board.grid.triangles(of)


@word("count(rings(mine))", work=80)
def rings(board: Board, of: Hexes) -> Groups:
    """The rings in a set: each six hexes of it around one hex, which may be in the set or not."""
    return board.grid.rings(of)


@word("any(none(area - mine) for area in areas)", work=40)
def areas(board: Board) -> Groups:
    """The connected areas of one terrain each."""
    found: list[int] = []
    for kind, mask in zip(board.catalog.hexes, board.kinds, strict=True):
        if not kind.is_place:
            found.extend(board.grid.groups(mask))
    return tuple(found)
