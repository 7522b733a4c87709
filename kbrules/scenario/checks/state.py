"""Checks of what players and the table have: tiles, pieces, numbers, cards, memories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.game.board import Board
from kbrules.game.state import ZONES, Tile
from kbrules.hex.masks import Mask, bits
from kbrules.library.yaml.document import Loc
from kbrules.scenario.checks.context import CheckContext, listed
from kbrules.scenario.report import FindingWithBoard, hex_names
from kbrules.scenario.setup.resolver import NOBODY, TABLE

if TYPE_CHECKING:
    from kbrules.scenario.format.expectations import ExpectedStateModel, TileModel

__all__ = [
    "check_hand",
    "check_left",
    "check_memory",
    "check_numbers",
    "check_pieces",
    "check_piles",
    "check_scoring_cards",
    "check_shown",
    "check_supply",
    "check_tiles",
]

Wanted = tuple[int, int | None, str | None]  # kind, place and status of a tile; None is any


def _seat(context: CheckContext, key: str, letter: str) -> int:
    return context.resolver.player(letter, context.where_key(key, letter))


def check_tiles(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the tiles held, with the place they came from and a status where they are given."""
    board = context.game.board
    for letter, entries in expect.tiles.items():
        held = context.state.seats[_seat(context, "tiles", letter)].tiles
        wanted = [each for entry in entries for each in _wanted(board, entry)]
        if not _same_tiles(wanted, held):
            with_origin = any(origin is not None for _, origin, _ in wanted)
            found = listed(_tile_text(board, tile, with_origin) for tile in held)
            yield context.failure(("tiles", letter), f"{letter} holds {found}")


def _wanted(board: Board, entry: str | TileModel | Mapping[str, str]) -> Iterator[Wanted]:
    index = board.catalog.tile_index
    if isinstance(entry, str):
        yield index(entry), None, None
    elif isinstance(entry, Mapping):
        yield from ((index(id), None, status) for id, status in entry.items())
    else:
        origin = None if entry.origin is None else board.grid.index(entry.origin)
        yield index(entry.tile), origin, entry.status


def _tile_text(board: Board, tile: Tile, with_origin: bool) -> str:
    plain = f"{board.catalog.tiles[tile.kind].id} ({tile.status})"
    is_from = with_origin and board.grid.full >> tile.origin & 1
    return f"{plain} from {board.grid.name(tile.origin)}" if is_from else plain


def _same_tiles(wanted: Sequence[Wanted], held: Sequence[Tile]) -> bool:
    """Whether wanted and held tiles match one to one."""
    matched: dict[int, int] = {}  # held tile -> wanted tile

    def find(number: int, tried: set[int]) -> bool:
        for place, tile in enumerate(held):
            if place in tried or not _fits(wanted[number], tile):
                continue
            tried.add(place)
            if place not in matched or find(matched[place], tried):
                matched[place] = number
                return True
        return False

    return len(wanted) == len(held) and all(find(each, set()) for each in range(len(wanted)))


def _fits(wanted: Wanted, tile: Tile) -> bool:
    kind, origin, status = wanted
    return kind == tile.kind and origin in (None, tile.origin) and status in (None, tile.status)


def check_left(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the tiles left on places."""
    board = context.game.board
    for name, wanted in expect.left.items():
        hex = board.grid.index(name)
        places = board.places
        found = len(context.state.stock[places.index(hex)]) if hex in places else 0
        if found != wanted:
            yield context.failure(("left", name), f"{found} left on {name}, not {wanted}")


def check_numbers(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the numbers of the boxes with all that changes them now."""
    game = context.game
    for letter, values in expect.numbers.items():
        view = game.view(context.state, _seat(context, "numbers", letter), {})
        for id, wanted in values.items():
            found = game.plan.quantity(view, id)
            if found != wanted:
                message = f"{quoted(id)} of {letter} is {found}, not {wanted}"
                yield context.failure(("numbers", letter, id), message)


def check_supply(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the pieces left to build."""
    for letter, counts in expect.supply.items():
        player = -1 if letter == NOBODY else _seat(context, "supply", letter)
        for id, wanted in counts.items():
            loc = ("supply", letter, id)
            piece = context.resolver.piece(id, context.where_key(*loc))
            found = _supply_left(context, player, piece)
            if found is None:
                yield context.failure(loc, f"the piece {quoted(id)} belongs to players")
            elif found != wanted:
                message = f"{letter} has {found} of {quoted(id)} left, not {wanted}"
                yield context.failure(loc, message)


def _supply_left(context: CheckContext, player: int, piece: int) -> int | None:
    """How many pieces are in a supply; None for pieces that nobody can have."""
    if player >= 0:
        return context.state.seats[player].supply[piece]
    kind = context.game.board.catalog.pieces[piece]
    on = context.state.neutral[piece].bit_count() // kind.size
    return max(0, kind.supply - on) if kind.neutral else None


def check_pieces(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the hexes of pieces."""
    board = context.game.board
    for letter, lists in expect.pieces.items():
        player = -1 if letter == NOBODY else _seat(context, "pieces", letter)
        for id, hexes in lists.items():
            loc = ("pieces", letter, id)
            piece = context.resolver.piece(id, context.where_key(*loc))
            owned = context.state.neutral if player < 0 else context.state.seats[player].pieces
            wanted = board.covered(piece, board.mask(hexes))
            if owned[piece] != wanted:
                yield _other_hexes(context, loc, wanted, owned[piece])


def _other_hexes(context: CheckContext, loc: Loc, wanted: Mask, found: Mask) -> FindingWithBoard:
    board = context.game.board
    parts = [f"not on {hex_names(board, wanted & ~found)}"] if wanted & ~found else []
    parts += [f"also on {hex_names(board, found & ~wanted)}"] if found & ~wanted else []
    comparison = context.comparison(wanted, found)
    return context.failure(loc, f"{quoted(str(loc[-1]))} is {' and '.join(parts)}", comparison)


def check_hand(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the cards in hands."""
    for letter, names in expect.hand.items():
        held = context.state.seats[_seat(context, "hand", letter)].hand
        yield from _cards(context, ("hand", letter), names, held)


def check_shown(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the cards laid face up."""
    if expect.shown is not None:
        yield from _cards(context, ("shown",), expect.shown, context.state.shown)


def _cards(
    context: CheckContext, loc: Loc, names: Sequence[str], found: Sequence[int]
) -> Iterator[FindingWithBoard]:
    wanted = context.resolver.cards(names, *context.at, *loc)
    if sorted(wanted) != sorted(found):
        catalog = context.game.board.catalog
        text = listed(catalog.card_name(card) for card in found)
        yield context.failure(loc, f"there is {text}, not {listed(names)}")


def check_piles(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the cards in the deck and on the discards."""
    for pile, counts in (("deck", expect.deck), ("discards", expect.discards)):
        for name, wanted in counts.items():
            card = context.resolver.card(name, context.where_key(pile, name))
            found = context.state.piles[ZONES.index(pile)][card]
            if found != wanted:
                yield context.failure((pile, name), f"there are {found}, not {wanted}")


def check_scoring_cards(
    context: CheckContext, expect: ExpectedStateModel
) -> Iterator[FindingWithBoard]:
    """Check the scoring cards beside the table, and those that left the game."""
    state, names = context.state, context.game.board.catalog.cards
    pairs = (("beside", expect.beside, state.beside), ("retired", expect.retired, state.retired))
    for key, wanted, found in pairs:
        if wanted is None:
            continue
        if context.resolver.scoring_cards(wanted, *context.at, key) != found:
            text = listed(names[card] for card in bits(found))
            yield context.failure((key,), f"there is {text}, not {listed(wanted)}")


def check_memory(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the memories of players and of the table."""
    board = context.game.board
    for letter, values in expect.memory.items():
        player = -1 if letter == TABLE else _seat(context, "memory", letter)
        held = context.state.memory if player < 0 else context.state.seats[player].memory
        for id, value in values.items():
            loc = ("memory", letter, id)
            scope = TABLE if player < 0 else "player"
            slot = context.resolver.memory(id, scope, context.where_key(*loc))
            if isinstance(value, int) and held[slot] != value:
                yield context.failure(loc, f"{quoted(id)} is {held[slot]}, not {value}")
            elif not isinstance(value, int):
                wanted = board.mask(value)
                if wanted != held[slot]:
                    yield _other_hexes(context, loc, wanted, held[slot])
