"""What a scenario expects of what players and the table have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.game.board import Board
from kbrules.game.state import ZONES, Tile
from kbrules.hex.masks import Mask
from kbrules.library.document import Loc
from kbrules.scenario.moment import Failure, Moment, listed
from kbrules.scenario.names import NOBODY
from kbrules.scenario.pictures import named

if TYPE_CHECKING:
    from kbrules.scenario.expected import HoldsModel, TileModel

__all__ = ["hand", "left", "memory", "numbers", "pieces", "piles", "shown", "supply", "tiles"]

TABLE = "table"
Wanted = tuple[int, int | None, str | None]  # kind, place and status of a tile; None is any


def _seat(moment: Moment, key: str, letter: str) -> int:
    return moment.names.player(letter, moment.key(key, letter))


def tiles(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The tiles held, with the place they came from and a status where they are given."""
    board = moment.setting.game.board
    for letter, entries in expect.tiles.items():
        held = moment.state.seats[_seat(moment, "tiles", letter)].tiles
        wanted = [each for entry in entries for each in _wanted(board, entry)]
        if not _same_tiles(wanted, held):
            with_origin = any(origin is not None for _, origin, _ in wanted)
            said = listed(_said(board, tile, with_origin) for tile in held)
            yield moment.failure(("tiles", letter), f"{letter} holds {said}")


def _wanted(board: Board, entry: str | TileModel | Mapping[str, str]) -> Iterator[Wanted]:
    index = board.catalog.tile_index
    if isinstance(entry, str):
        yield index(entry), None, None
    elif isinstance(entry, Mapping):
        yield from ((index(id), None, status) for id, status in entry.items())
    else:
        origin = None if entry.origin is None else board.grid.index(entry.origin)
        yield index(entry.tile), origin, entry.status


def _said(board: Board, tile: Tile, with_origin: bool) -> str:
    plain = f"{board.catalog.tiles[tile.kind].id} ({tile.status})"
    is_from = with_origin and board.grid.full >> tile.origin & 1
    return f"{plain} from {board.grid.name(tile.origin)}" if is_from else plain


def _same_tiles(wanted: Sequence[Wanted], held: Sequence[Tile]) -> bool:
    """Whether each wanted tile is held, each for itself, and none is over."""
    given: dict[int, int] = {}  # which wanted tile each held one is

    def find(number: int, tried: set[int]) -> bool:
        for place, tile in enumerate(held):
            if place in tried or not _fits(wanted[number], tile):
                continue
            tried.add(place)
            if place not in given or find(given[place], tried):
                given[place] = number
                return True
        return False

    return len(wanted) == len(held) and all(find(each, set()) for each in range(len(wanted)))


def _fits(wanted: Wanted, tile: Tile) -> bool:
    kind, origin, status = wanted
    return kind == tile.kind and origin in (None, tile.origin) and status in (None, tile.status)


def left(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The tiles left on places."""
    board = moment.setting.game.board
    for name, wanted in expect.left.items():
        hex = board.grid.index(name)
        places = board.places
        found = len(moment.state.stock[places.index(hex)]) if hex in places else 0
        if found != wanted:
            yield moment.failure(("left", name), f"{found} left on {name}, not {wanted}")


def numbers(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The numbers of the boxes with all that changes them now."""
    game = moment.setting.game
    for letter, values in expect.numbers.items():
        view = game.view(moment.state, _seat(moment, "numbers", letter), {})
        for id, wanted in values.items():
            found = game.program.quantity(view, id)
            if found != wanted:
                message = f"{quoted(id)} of {letter} is {found}, not {wanted}"
                yield moment.failure(("numbers", letter, id), message)


def supply(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The pieces left to build."""
    for letter, counts in expect.supply.items():
        player = -1 if letter == NOBODY else _seat(moment, "supply", letter)
        for id, wanted in counts.items():
            loc = ("supply", letter, id)
            piece = moment.names.piece(id, moment.key(*loc))
            found = _left(moment, player, piece)
            if found is None:
                yield moment.failure(loc, f"the piece {quoted(id)} belongs to players")
            elif found != wanted:
                message = f"{letter} has {found} of {quoted(id)} left, not {wanted}"
                yield moment.failure(loc, message)


def _left(moment: Moment, player: int, piece: int) -> int | None:
    """How many pieces are in a supply; None if nobody can have them."""
    if player >= 0:
        return moment.state.seats[player].supply[piece]
    kind = moment.setting.game.board.catalog.pieces[piece]
    on = moment.state.neutral[piece].bit_count() // kind.size
    return max(0, kind.supply - on) if kind.neutral else None


def pieces(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The hexes of pieces."""
    board = moment.setting.game.board
    for letter, lists in expect.pieces.items():
        player = -1 if letter == NOBODY else _seat(moment, "pieces", letter)
        for id, hexes in lists.items():
            loc = ("pieces", letter, id)
            piece = moment.names.piece(id, moment.key(*loc))
            owned = moment.state.neutral if player < 0 else moment.state.seats[player].pieces
            wanted = board.covered(piece, board.mask(hexes))
            if owned[piece] != wanted:
                yield _other_hexes(moment, loc, wanted, owned[piece])


def _other_hexes(moment: Moment, loc: Loc, wanted: Mask, found: Mask) -> Failure:
    board = moment.setting.game.board
    parts = [f"not on {named(board, wanted & ~found)}"] if wanted & ~found else []
    parts += [f"also on {named(board, found & ~wanted)}"] if found & ~wanted else []
    drawn = moment.drawn(wanted, found)
    return moment.failure(loc, f"{quoted(str(loc[-1]))} is {' and '.join(parts)}", drawn)


def hand(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The cards in hands."""
    for letter, names in expect.hand.items():
        held = moment.state.seats[_seat(moment, "hand", letter)].hand
        yield from _cards(moment, ("hand", letter), names, held)


def shown(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The cards laid face up."""
    if expect.shown is not None:
        yield from _cards(moment, ("shown",), expect.shown, moment.state.shown)


def _cards(
    moment: Moment, loc: Loc, names: Sequence[str], found: Sequence[int]
) -> Iterator[Failure]:
    wanted = moment.names.cards(names, *moment.at, *loc)
    if sorted(wanted) != sorted(found):
        catalog = moment.setting.game.board.catalog
        said = listed(catalog.card_name(card) for card in found)
        yield moment.failure(loc, f"there is {said}, not {listed(names)}")


def piles(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The cards in the deck and on the discards."""
    for pile, counts in (("deck", expect.deck), ("discards", expect.discards)):
        for name, wanted in counts.items():
            card = moment.names.card(name, moment.key(pile, name))
            found = moment.state.piles[ZONES.index(pile)][card]
            if found != wanted:
                yield moment.failure((pile, name), f"there are {found}, not {wanted}")


def memory(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """What the rules remember."""
    board = moment.setting.game.board
    for letter, values in expect.memory.items():
        player = -1 if letter == TABLE else _seat(moment, "memory", letter)
        held = moment.state.memory if player < 0 else moment.state.seats[player].memory
        for id, value in values.items():
            loc = ("memory", letter, id)
            scope = TABLE if player < 0 else "player"
            slot = moment.names.memory(id, scope, moment.key(*loc))
            if isinstance(value, int) and held[slot] != value:
                yield moment.failure(loc, f"{quoted(id)} is {held[slot]}, not {value}")
            elif not isinstance(value, int):
                wanted = board.mask(value)
                if wanted != held[slot]:
                    yield _other_hexes(moment, loc, wanted, held[slot])
