"""Words for where a piece may go: straight on, until stopped, to the next hex, on a walk.

Each has a form with one more set: the hexes that may be crossed. It takes the place of the short
form in the targets of moves where norms about `cross` close hexes.
"""

from __future__ import annotations

from kbrules.game.board import Board
from kbrules.primitives.registry import Hexes, Number, word


@word("straight(origin, 2)", symmetric=True)
def straight(board: Board, of: Hexes, steps: Number) -> Hexes:
    """The hexes exactly that many steps away in a straight line, whatever lies between.

    A number below 1 reaches no hex.
    """
    return board.grid.straight(of, steps)


@word("straight(origin, 2, empty)", symmetric=True, crosses=True, name="straight", work=40)
def straight_over(board: Board, of: Hexes, steps: Number, over: Hexes) -> Hexes:
    """The hexes exactly that many steps away in a straight line, with only hexes of the last
    set between.

    A number below 1 reaches no hex.
    """
    return board.grid.straight_over(of, steps, over)


@word("slide(origin, buildable & empty)", work=16)
def slide(board: Board, of: Hexes, through: Hexes) -> Hexes:
    """Where one comes to rest going straight through the second set until it ends."""
    return board.grid.slide(of, through)


@word(
    "slide(origin, buildable & empty, board - adjacent(theirs))",
    crosses=True,
    name="slide",
    work=16,
)
def slide_over(board: Board, of: Hexes, through: Hexes, over: Hexes) -> Hexes:
    """Where one comes to rest going straight through the second set until it ends, or on its
    first hex outside the last set."""
    return board.grid.slide(of, through, over)


@word("next_in(origin, buildable & empty)", work=20)
def next_in(board: Board, of: Hexes, among: Hexes) -> Hexes:
    """The first hex of the second set in each of the six directions, over anything before it."""
    return board.grid.next_free(of, among)


@word("next_in(origin, buildable & empty, theirs)", crosses=True, name="next_in", work=20)
def next_in_over(board: Board, of: Hexes, among: Hexes, over: Hexes) -> Hexes:
    """The first hex of the second set in each of the six directions, if all before it are in the
    last set."""
    return board.grid.next_free(of, among, over)


@word("reach(origin, 3, buildable & empty)", work=30)
def reach(board: Board, of: Hexes, steps: Number, through: Hexes) -> Hexes:
    """The hexes reached in one to that many steps over hexes of the last set.

    A number below 1 reaches no hex.
    """
    return board.grid.reach(of, steps, through)


@word("reach(origin, 3, empty, board - adjacent(theirs))", crosses=True, name="reach", work=30)
def reach_over(board: Board, of: Hexes, steps: Number, through: Hexes, over: Hexes) -> Hexes:
    """The hexes reached in one to that many steps over hexes of the third set; a walk goes on
    from hexes of the last set only.

    A number below 1 reaches no hex.
    """
    return board.grid.reach(of, steps, through, over)
