"""What a scenario expects of what players and the table have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.game.state import ZONES
from kbrules.hex.masks import Mask
from kbrules.library.document import Loc
from kbrules.scenario.moment import Failure, Moment, listed
from kbrules.scenario.names import NOBODY
from kbrules.scenario.pictures import compare, named

if TYPE_CHECKING:
    from kbrules.scenario.expected import ExpectModel

__all__ = ["hand", "left", "memory", "pieces", "piles", "shown", "supply", "tiles"]

TABLE = "table"
Tiles = Sequence[str | Mapping[str, str]]


def _seat(moment: Moment, key: str, letter: str) -> int:
    return moment.names.player(letter, moment.key(key, letter))


def tiles(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
    """The tiles held, with a status where one is given."""
    catalog = moment.setting.game.board.catalog
    for letter, wanted in expect.tiles.items():
        player = _seat(moment, "tiles", letter)
        held = [(catalog.tiles[t.kind].id, t.status) for t in moment.state.seats[player].tiles]
        if not _same_tiles(wanted, held):
            said = listed(f"{id} ({status})" for id, status in held)
            yield moment.failure(("tiles", letter), f"{letter} holds {said}")


def _same_tiles(wanted: Tiles, held: Sequence[tuple[str, str]]) -> bool:
    """Whether each wanted tile is held, those with a status first, and none is over."""
    over = list(held)
    plain = [entry for entry in wanted if isinstance(entry, str)]
    exact = [item for entry in wanted if not isinstance(entry, str) for item in entry.items()]
    for item in exact:
        if item not in over:
            return False
        over.remove(item)
    return Counter(plain) == Counter(id for id, _ in over)


def left(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
    """The tiles left on places."""
    board = moment.setting.game.board
    for name, wanted in expect.left.items():
        hex = board.grid.index(name)
        places = board.places
        found = len(moment.state.stock[places.index(hex)]) if hex in places else 0
        if found != wanted:
            yield moment.failure(("left", name), f"{found} left on {name}, not {wanted}")


def supply(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
    """The pieces left to build."""
    for letter, counts in expect.supply.items():
        player = _seat(moment, "supply", letter)
        for id, wanted in counts.items():
            piece = moment.names.piece(id, moment.key("supply", letter, id))
            found = moment.state.seats[player].supply[piece]
            if found != wanted:
                message = f"{letter} has {found} of {quoted(id)} left, not {wanted}"
                yield moment.failure(("supply", letter, id), message)


def pieces(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
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
    drawn = compare(moment.setting.game, moment.state, wanted, found)
    return moment.failure(loc, f"{quoted(str(loc[-1]))} is {' and '.join(parts)}", drawn)


def hand(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
    """The cards in hands."""
    for letter, names in expect.hand.items():
        held = moment.state.seats[_seat(moment, "hand", letter)].hand
        yield from _cards(moment, ("hand", letter), names, held)


def shown(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
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


def piles(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
    """The cards in the deck and on the discards."""
    for pile, counts in (("deck", expect.deck), ("discards", expect.discards)):
        for name, wanted in counts.items():
            card = moment.names.card(name, moment.key(pile, name))
            found = moment.state.piles[ZONES.index(pile)][card]
            if found != wanted:
                yield moment.failure((pile, name), f"there are {found}, not {wanted}")


def memory(moment: Moment, expect: ExpectModel) -> Iterator[Failure]:
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
