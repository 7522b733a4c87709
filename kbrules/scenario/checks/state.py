"""Checks of what players and the table have: tiles, pieces, numbers, cards, memories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.game.board import Board
from kbrules.game.state import ZONES, Tile
from kbrules.hex.masks import Mask, bits
from kbrules.library.yaml import Loc
from kbrules.scenario.checks.context import CheckContext, comma_separated
from kbrules.scenario.report import FindingWithBoard, hex_names
from kbrules.scenario.setup.resolver import NOBODY, TABLE

if TYPE_CHECKING:
    from kbrules.scenario.format.expectations import ExpectedStateModel, TileModel

ExpectedTile = tuple[int, int | None, str | None]  # kind, place and status of a tile; None is any


def _seat(context: CheckContext, key: str, letter: str) -> int:
    return context.resolver.player(letter, context.where_key(key, letter))


def check_tiles(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the tiles held, with the place they came from and a status where they are given."""
    board = context.game.board
    for letter, entries in expect.tiles.items():
        held = context.state.seats[_seat(context, "tiles", letter)].tiles
        expected = [each for entry in entries for each in _expected_tiles(board, entry)]
        if not _tiles_match(expected, held):
            with_origin = any(origin is not None for _, origin, _ in expected)
            actual = comma_separated(_tile_text(board, tile, with_origin) for tile in held)
            yield context.failure(("tiles", letter), f"{letter} holds {actual}")


def _expected_tiles(
    board: Board, entry: str | TileModel | Mapping[str, str]
) -> Iterator[ExpectedTile]:
    index = board.catalog.tile_index
    if isinstance(entry, str):
        yield index(entry), None, None
    elif isinstance(entry, Mapping):
        yield from ((index(id), None, status) for id, status in entry.items())
    else:
        origin = None if entry.origin is None else board.grid.index(entry.origin)
        yield index(entry.tile), origin, entry.status


def _tile_text(board: Board, tile: Tile, with_origin: bool) -> str:
    name = f"{board.catalog.tiles[tile.kind].id} ({tile.status})"
    is_from = with_origin and board.grid.full >> tile.origin & 1
    return f"{name} from {board.grid.name(tile.origin)}" if is_from else name


def _tiles_match(expected: Sequence[ExpectedTile], held: Sequence[Tile]) -> bool:
    """Whether wanted and held tiles match one to one."""
    matched: dict[int, int] = {}  # held tile -> wanted tile

    def assign(number: int, visited: set[int]) -> bool:
        for place, tile in enumerate(held):
            if place in visited or not _tile_matches(expected[number], tile):
                continue
            visited.add(place)
            if place not in matched or assign(matched[place], visited):
                matched[place] = number
                return True
        return False

    return len(expected) == len(held) and all(assign(each, set()) for each in range(len(expected)))


def _tile_matches(expected: ExpectedTile, tile: Tile) -> bool:
    kind, origin, status = expected
    return kind == tile.kind and origin in (None, tile.origin) and status in (None, tile.status)


def check_left(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the tiles left on places."""
    board = context.game.board
    for name, expected in expect.left.items():
        hex = board.grid.index(name)
        places = board.places
        actual = len(context.state.stock[places.index(hex)]) if hex in places else 0
        if actual != expected:
            yield context.failure(("left", name), f"{actual} left on {name}, not {expected}")


def check_numbers(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the numbers of the boxes with all that changes them now."""
    game = context.game
    for letter, values in expect.numbers.items():
        view = game.view(context.state, _seat(context, "numbers", letter), {})
        for id, expected in values.items():
            actual = game.plan.quantity(view, id)
            if actual != expected:
                message = f"{quoted(id)} of {letter} is {actual}, not {expected}"
                yield context.failure(("numbers", letter, id), message)


def check_supply(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the pieces left to build."""
    for letter, counts in expect.supply.items():
        player = -1 if letter == NOBODY else _seat(context, "supply", letter)
        for id, expected in counts.items():
            loc = ("supply", letter, id)
            piece = context.resolver.piece(id, context.where_key(*loc))
            actual = _supply_left(context, player, piece)
            if actual is None:
                yield context.failure(loc, f"the piece {quoted(id)} belongs to players")
            elif actual != expected:
                message = f"{letter} has {actual} of {quoted(id)} left, not {expected}"
                yield context.failure(loc, message)


def _supply_left(context: CheckContext, player: int, piece: int) -> int | None:
    """How many pieces are in a supply; None for pieces that nobody can have."""
    if player >= 0:
        return context.state.seats[player].supply[piece]
    kind = context.game.board.catalog.pieces[piece]
    on_board = context.state.neutral[piece].bit_count() // kind.size
    return max(0, kind.supply - on_board) if kind.neutral else None


def check_pieces(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the hexes of pieces."""
    board = context.game.board
    for letter, lists in expect.pieces.items():
        player = -1 if letter == NOBODY else _seat(context, "pieces", letter)
        for id, hexes in lists.items():
            loc = ("pieces", letter, id)
            piece = context.resolver.piece(id, context.where_key(*loc))
            owned = context.state.neutral if player < 0 else context.state.seats[player].pieces
            expected = board.covered(piece, board.mask(hexes))
            if owned[piece] != expected:
                yield _hexes_failure(context, loc, expected, owned[piece])


def _hexes_failure(
    context: CheckContext, loc: Loc, expected: Mask, actual: Mask
) -> FindingWithBoard:
    board = context.game.board
    parts = [f"not on {hex_names(board, expected & ~actual)}"] if expected & ~actual else []
    parts += [f"also on {hex_names(board, actual & ~expected)}"] if actual & ~expected else []
    comparison = context.comparison(expected, actual)
    return context.failure(loc, f"{quoted(str(loc[-1]))} is {' and '.join(parts)}", comparison)


def check_hand(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the cards in hands."""
    for letter, names in expect.hand.items():
        held = context.state.seats[_seat(context, "hand", letter)].hand
        yield from _check_cards(context, ("hand", letter), names, held)


def check_shown(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the cards laid face up."""
    if expect.shown is not None:
        yield from _check_cards(context, ("shown",), expect.shown, context.state.shown)


def _check_cards(
    context: CheckContext, loc: Loc, names: Sequence[str], actual: Sequence[int]
) -> Iterator[FindingWithBoard]:
    expected = context.resolver.cards(names, *context.at, *loc)
    if sorted(expected) != sorted(actual):
        catalog = context.game.board.catalog
        text = comma_separated(catalog.card_name(card) for card in actual)
        yield context.failure(loc, f"there is {text}, not {comma_separated(names)}")


def check_piles(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the cards in the deck and on the discards."""
    for pile, counts in (("deck", expect.deck), ("discards", expect.discards)):
        for name, expected in counts.items():
            card = context.resolver.card(name, context.where_key(pile, name))
            actual = context.state.piles[ZONES.index(pile)][card]
            if actual != expected:
                yield context.failure((pile, name), f"there are {actual}, not {expected}")


def check_scoring_cards(
    context: CheckContext, expect: ExpectedStateModel
) -> Iterator[FindingWithBoard]:
    """Check the scoring cards beside the table, and those that left the game."""
    state, names = context.state, context.game.board.catalog.cards
    pairs = (("beside", expect.beside, state.beside), ("retired", expect.retired, state.retired))
    for key, expected, actual in pairs:
        if expected is None:
            continue
        if context.resolver.scoring_cards(expected, *context.at, key) != actual:
            text = comma_separated(names[card] for card in bits(actual))
            yield context.failure((key,), f"there is {text}, not {comma_separated(expected)}")


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
                expected = board.mask(value)
                if expected != held[slot]:
                    yield _hexes_failure(context, loc, expected, held[slot])
