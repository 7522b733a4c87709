"""Words for sets of hexes, for groups of them, for where a piece may go, and for other lists."""

from __future__ import annotations

from typing import Any

from kbrules.game.board import NONE, Board
from kbrules.game.view import View
from kbrules.hex.grid import Symmetry
from kbrules.hex.sets import bits
from kbrules.primitives.registry import (
    Cards,
    Groups,
    Hexes,
    Number,
    PieceKind,
    PieceKinds,
    Place,
    Places,
    Player,
    Players,
    Range,
    Terrain,
    Terrains,
    TileKind,
    TileKinds,
    Verb,
    word,
)

# Words for sets of hexes.


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


# Words for groups of hexes.


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


# Words for where a piece may go: straight on, until stopped, to the next hex, on a walk.
#
# Each has a form with one more set: the hexes that may be crossed. It takes the place of the short
# form in the targets of moves where norms about `cross` close hexes.


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


# Words for what loops run over besides hexes and groups: players, and things of the boxes.


@word("for player in players: ...", steady=True)
def players(view: View) -> Players:
    """All players, the one the rule is evaluated for first, then in turn order."""
    number = len(view.state.seats)
    return tuple((view.me + i) % number for i in range(number))


@word("for player in others: ...", steady=True)
def others(view: View) -> Players:
    """All other players, in turn order after the one the rule is evaluated for."""
    found: tuple[int, ...] = players(view)
    return found[1:]


@word("for ground in revealed_terrains: ...", steady=True)
def revealed_terrains(view: View) -> Terrains:
    """The terrains on the card revealed last in this turn; none if there is none."""
    card = view.state.revealed
    found: tuple[int, ...] = () if card == NONE else view.board.catalog.deck[card].terrains
    return found


@word("count(any(ground - occupied) for ground in shown_terrains)", steady=True)
def shown_terrains(view: View) -> Terrains:
    """The terrains on the cards face up, used or not: each once, those on this board alone.

    Cards that were set aside when another was chosen do not count.
    """
    cards = view.state.shown
    return tuple(dict.fromkeys(t for card in cards for t in view.board.terrains_of_card[card]))


@word("all(any(mine & ground) for ground in terrains)")
def terrains(board: Board) -> Terrains:
    """The terrains that lie on the board, in the order of the boxes."""
    return _kinds_on_board(board, are_places=False)


@word("count(any(mine & adjacent(site)) for site in place_kinds)")
def place_kinds(board: Board) -> Places:
    """The kinds of place that lie on the board, in the order of the boxes."""
    return _kinds_on_board(board, are_places=True)


def _kinds_on_board(board: Board, *, are_places: bool) -> tuple[int, ...]:
    kinds = enumerate(board.catalog.hexes)
    return tuple(i for i, kind in kinds if board.kinds[i] and kind.is_place is are_places)


@word("sum(supply(kind) for kind in piece_kinds)")
def piece_kinds(board: Board) -> PieceKinds:
    """The kinds of piece that players have; those of nobody are not among them."""
    return tuple(i for i, piece in enumerate(board.catalog.pieces) if not piece.neutral)


@word("all(held(kind) > 0 for kind in tile_kinds)")
def tile_kinds(board: Board) -> TileKinds:
    """The kinds of tile that lie on the board at the start of the game."""
    return tuple(sorted(set(board.tiles.values())))


@word("most(held(kind) for kind in held_tiles)", steady=True)
def held_tiles(view: View) -> TileKinds:
    """The tiles that the player holds, one by one, in the order they were taken."""
    return tuple(tile.kind for tile in view.state.seats[view.me].tiles)


@word("count(scoring_cards) > 3", steady=True, work=4)
def scoring_cards(view: View) -> Cards:
    """The scoring cards in play, tasks among them."""
    cards = range(len(view.board.catalog.cards))
    return tuple(card for card in cards if view.rules.is_in_play(card, view.state))


@word("count(waiting_cards) > 0", steady=True, work=4)
def waiting_cards(view: View) -> Cards:
    """The scoring cards beside the table, which may come into play."""
    cards = range(len(view.board.catalog.cards))
    return tuple(card for card in cards if view.rules.is_beside(card, view.state))


def _register_count(sort: Any, example: str, things: str) -> None:
    """Register `count` of a sort of list. things: what such a list is of."""

    def count(board: Board, of: tuple[int, ...]) -> int:
        return len(of)

    count.__annotations__ = {"of": sort, "return": Number}
    count.__doc__ = f"How many {things} there are in the list."
    word(f"count({example})")(count)


_register_count(Players, "others", "players")
_register_count(Terrains, "terrains", "terrains")
_register_count(Places, "place_kinds", "kinds of place")
_register_count(PieceKinds, "piece_kinds", "kinds of piece")
_register_count(TileKinds, "held_tiles", "tiles, or kinds of tile,")
_register_count(Cards, "scoring_cards", "cards")
