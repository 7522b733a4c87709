"""Words for sets of hexes."""

from __future__ import annotations

from kbrules.game.board import Board
from kbrules.game.view import View
from kbrules.hex.masks import bits
from kbrules.hex.symmetries import Symmetry
from kbrules.primitives.registry import (
    Groups,
    Hexes,
    Number,
    PieceKind,
    Place,
    Player,
    Range,
    Terrain,
    TileKind,
    Verb,
    word,
)


@word("board - occupied")
def board(board: Board) -> Hexes:
    """Every hex of the board."""
    return board.grid.full


@word("buildable & edge")
def edge(board: Board) -> Hexes:
    """The hexes at the rim of the table: first and last row, first and last column."""
    return board.grid.edge()


@word("terrain(played)")
def terrain(board: Board, of: Terrain) -> Hexes:
    """The hexes of a terrain; a terrain may also stand alone where hexes are wanted."""
    return board.kinds[of] if of >= 0 else 0


@word("buildable & revealed", steady=True)
def revealed(view: View) -> Hexes:
    """The hexes of the terrains on the card revealed last in this turn; none if there is none."""
    found = 0
    if view.state.revealed >= 0:
        for terrain in view.board.catalog.deck[view.state.revealed].terrains:
            found |= view.board.kinds[terrain]
    return found


@word("place(mound)")
def place(board: Board, of: Place) -> Hexes:
    """The hexes of a kind of place; a place may also stand alone where hexes are wanted."""
    return board.kinds[of]


@word("holding(mill)")
def holding(board: Board, of: TileKind) -> Hexes:
    """The hexes on which tiles of a kind lie at the start of the game."""
    return sum(1 << hex for hex, kind in board.tiles.items() if kind == of)


@word("mine & adjacent(lake)")
def mine(view: View) -> Hexes:
    """The hexes with a piece of the player the rule is evaluated for."""
    return view.state.seats[view.me].all


@word("mine(hut)")
def mine_(view: View, piece: PieceKind) -> Hexes:
    """The hexes with a piece of that kind of the player the rule is evaluated for."""
    return view.state.seats[view.me].pieces[piece]


@word("pieces(player)")
def pieces(view: View, of: Player) -> Hexes:
    """The hexes with a piece of a player."""
    return view.state.seats[of].all


@word("pieces(hut)")
def pieces_(view: View, of: PieceKind) -> Hexes:
    """The hexes with a piece of a kind, whoever owns it."""
    found = view.state.neutral[of]
    for seat in view.state.seats:
        found |= seat.pieces[of]
    return found


@word("occupied - mine")
def occupied(view: View) -> Hexes:
    """The hexes with a piece of anybody or nobody."""
    return view.state.occupied


@word("neutral")
def neutral(view: View) -> Hexes:
    """The hexes with a piece of nobody."""
    found = 0
    for mask in view.state.neutral:
        found |= mask
    return found


@word("stocked", steady=True)
def stocked(view: View) -> Hexes:
    """The places with a tile left."""
    stock = view.state.stock
    found: int | None = view.cache.get(stock)
    if found is None:
        pairs = zip(view.board.places, stock, strict=True)
        view.cache[stock] = found = sum(1 << hex for hex, tiles in pairs if tiles)
    return found


@word("adjacent(mine)", symmetric=True)
def adjacent(board: Board, of: Hexes) -> Hexes:
    """The hexes that touch a hex of the set; a hex does not touch itself."""
    return board.grid.neighbours(of)


@word("mirrored(mine)", work=30)
def mirrored(board: Board, of: Hexes) -> Hexes:
    """The set with left and right exchanged: each hex keeps its row, the columns count backwards.

    Each part of the table is its own; what falls on no hex is left out.
    """
    return board.grid.transformed(of, Symmetry.MIRRORED)


@word("flipped(mine)", work=30)
def flipped(board: Board, of: Hexes) -> Hexes:
    """The set with top and bottom exchanged: each hex keeps its column, the rows count backwards.

    Each part of the table is its own; what falls on no hex is left out.
    """
    return board.grid.transformed(of, Symmetry.FLIPPED)


@word("mine - turned(mine)", work=30)
def turned(board: Board, of: Hexes) -> Hexes:
    """The set turned by half a circle about the middle: rows and columns count backwards.

    Each part of the table is its own; what falls on no hex is left out.
    """
    return board.grid.transformed(of, Symmetry.TURNED)


@word("within(mound, 2)", work=20)
def within(board: Board, of: Hexes, distance: Number) -> Hexes:
    """The hexes at most that many steps from the set, the set included, whatever the number."""
    return board.grid.within(of, distance)


@word("touching(mine, at least 3)")
def touching(board: Board, of: Hexes, how_many: Range) -> Hexes:
    """The hexes that touch that many hexes of the set."""
    low, high = how_many
    grid = board.grid
    if low == high:
        return grid.exactly(of, low)
    found = grid.at_least(of, low) if low > 0 else grid.full
    return found & ~grid.at_least(of, high + 1) if high < 6 else found


@word("ends(lines(mine, at least 3))", work=20)
def ends(board: Board, of: Groups) -> Hexes:
    """The hexes that continue a straight line at either end; the lines are groups.

    A group of one hex or none has no ends.
    """
    found = 0
    for line in of:
        found |= _ends(line)
    return found & board.grid.full


def _ends(line: int) -> int:
    low = line & -line
    if line == low:
        return 0
    high = 1 << line.bit_length() - 1
    second = (line ^ low) & -(line ^ low)
    step = second.bit_length() - low.bit_length()
    return low >> step | high << step


@word("inside(empty & buildable)")
def inside(board: Board, of: Hexes) -> Hexes:
    """The hexes of the set whose six neighbours all exist and are in the set too."""
    return of & board.grid.exactly(of, 6)


@word("enclosed(mine) & empty", work=4)
def enclosed(board: Board, by: Hexes) -> Hexes:
    """The hexes outside a set from which no way leads past it to the border.

    The border is every hex with fewer than six neighbours.
    """
    grid = board.grid
    outside = grid.full & ~by
    return outside & ~grid.group_of(outside, grid.at_most(grid.full, 5))


@word("ringed(mine)", work=4)
def ringed(board: Board, by: Hexes) -> Hexes:
    """The hexes around which a set closes a ring, hexes of the set itself included."""
    found: int = enclosed(board, by) | inside(board, by)
    return found


@word("foremost(mound)")
def foremost(board: Board, of: Hexes) -> Hexes:
    """The first hex of the set, reading row by row from the top left; nothing of nothing."""
    return of & -of


@word("alike(here)")
def alike(board: Board, of: Hexes) -> Hexes:
    """All hexes of the same terrains as the hexes of the set."""
    found = 0
    for mask in board.kinds:
        if mask & of:
            found |= mask
    return found


@word("connected(here, mine)", work=4)
def connected(board: Board, of: Hexes, by: Hexes) -> Hexes:
    """The hexes of the second set in the same connected groups of it as hexes of the first."""
    return board.grid.group_of(by, of)


@word("linked(special, mine)", work=40)
def linked(board: Board, ends: Hexes, by: Hexes) -> Hexes:
    """Hexes of the first set joined to another one of it by a connected group of the second."""
    return board.grid.linked(ends, by)


@word("linked(groups(ridge), mine)", work=200)
def linked_(board: Board, ends: Groups, by: Hexes) -> Groups:
    """Groups of the first kind joined to another one by a connected group of the second set."""
    grid, all_ends = board.grid, joined(ends)
    found: set[int] = set()
    near = by & (grid.neighbours(all_ends) | all_ends)
    while near:
        group = grid.group_of(by, near & -near)
        beside = grid.neighbours(group) | group
        touched = [end for end in ends if end & beside]
        if len(touched) > 1:
            found.update(touched)
        near &= ~group
    return tuple([end for end in ends if end in found])


@word("largest(groups(mine))", work=6)
def largest(board: Board, of: Groups) -> Hexes:
    """The first of the groups with the most hexes; nothing when there is no group."""
    return max(of, key=int.bit_count, default=0)


@word("smallest(parts(mine, sectors))", work=6)
def smallest(board: Board, of: Groups) -> Hexes:
    """The first of the groups with the fewest hexes; nothing when there is no group."""
    return min(of, key=int.bit_count, default=0)


@word("open(build)")
def open_(view: View, verb: Verb) -> Hexes:
    """The hexes that the rules of the table permit for a verb and none forbids."""
    return view.rules.open(view, verb)


@word("buildable - forbidden(move)")
def forbidden(view: View, verb: Verb) -> Hexes:
    """The hexes that some rule of the table forbids for a verb."""
    return view.rules.forbidden(view, verb)


def spread(mask: int) -> list[int]:
    """The single-hex masks of a set, in board order."""
    return [1 << hex for hex in bits(mask)]


def joined(groups: Groups) -> int:
    """The hexes of all groups."""
    found = 0
    for group in groups:
        found |= group
    return found
