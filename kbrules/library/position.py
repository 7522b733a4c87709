"""A position by names alone: what lies on a table and whose turn it is, before any rules know it.

Scenarios, conformance cases, samples and shrunk boards are such values. Hexes have the names they
have on the board of the position. What is written where is kept beside a position, not in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from kbrules.hex.grid import HOLE, hex_name, is_hex_name, render
from kbrules.hex.sets import Address
from kbrules.library.boards.positions import drawn_words

READY = "ready"
Hexes = tuple[str, ...]
Memories = Mapping[str, int | Hexes]


@dataclass(frozen=True, slots=True)
class TableBoard:
    """A board of sections, with those of the grids beside it, or one that is drawn.

    legend: for each digit of a drawing the tile on such places. tiles: those laid by chance.
    sectors: the rows and columns of a sector of a drawing; None if it is one.
    """

    sections: tuple[tuple[str, ...], ...] | None = None
    grids: Mapping[str, str] = field(default_factory=dict)
    drawing: str = ""
    legend: Mapping[str, str] = field(default_factory=dict)
    tiles: Mapping[str, str] = field(default_factory=dict)
    sectors: tuple[int, int] | None = None

    def words(self) -> dict[Address, str]:
        """Return the words of a drawing by where they are; the holes are left out."""
        return {Address(*at): word for at, word in drawn_words(self.drawing)}


def drawing_of(words: Mapping[Address, str]) -> str:
    """Return the drawing with these words, from the first row and column of each part."""
    lines: list[str] = []
    for part in sorted({at.part for at in words}):
        of_part = {(at.row, at.column): word for at, word in words.items() if at.part == part}
        height, width = (max(at[axis] for at in of_part) + 1 for axis in (0, 1))
        rows = [[of_part.get((r, c), HOLE) for c in range(width)] for r in range(height)]
        drawn = render(rows).split("\n")
        lines += [f"{part}:", *(f"| {line}" for line in drawn)] if part else drawn
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class SeatTile:
    """A tile of a player; without an origin it comes from the only place that it can."""

    tile: str
    origin: str | None = None
    status: str = READY


@dataclass(frozen=True, slots=True)
class PlayerSeat:
    """What a player has, beside the pieces that are drawn.

    pieces: the hexes of each kind, of pieces of seven hexes the centres. supply, memory: where
    they do not follow from the pieces.
    """

    pieces: Mapping[str, Hexes] = field(default_factory=dict)
    tiles: tuple[SeatTile, ...] = ()
    supply: Mapping[str, int] = field(default_factory=dict)
    hand: tuple[str, ...] = ()
    gold: int = 0
    memory: Memories = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayerTurn:
    """Whose turn it is, its stage (`actions` if the rules have any), and what is done of it.

    reacting: a rule whose reactions another player may choose first. preparing: a rule whose
    phases before set-up come first. Neither stands in a file.
    """

    player: str = "a"
    played: tuple[str, ...] = ()
    stage: str | None = None
    round: int = 1
    done: tuple[str, ...] = ()
    last_round: bool = False
    choice: str = ""
    aside: tuple[str, ...] = ()
    revealed: str = ""
    reacting: str = ""
    preparing: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """A table in the middle of a game; what is left out is as at the beginning of one.

    boxes: those named beside the ones that come along. left: tiles left on a place. deck: where
    not all cards are there that are nowhere else. moves: in full, made from here on. checked:
    whether it must be one that play can reach. quiet: whether no `whenever` takes effect before
    the first decision. remembers: whether memories follow from the pieces, where none is given.
    """

    board: TableBoard | None
    boxes: tuple[str, ...] = ()
    players: int | None = None
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    seats: Mapping[str, PlayerSeat] = field(default_factory=dict)
    nobody: Mapping[str, Hexes] = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)
    deck: Mapping[str, int] | None = None
    discards: Mapping[str, int] = field(default_factory=dict)
    beside: tuple[str, ...] | None = None
    retired: tuple[str, ...] = ()
    memory: Memories = field(default_factory=dict)
    turn: PlayerTurn = PlayerTurn()
    moves: tuple[str, ...] = ()
    checked: bool = True
    quiet: bool = False
    remembers: bool = True

    def seat(self, player: str) -> PlayerSeat:
        """What a player has; nothing is written of one who has nothing."""
        return self.seats.get(player, PlayerSeat())

    def with_seat(self, player: str, seat: PlayerSeat) -> Position:
        """The same with another seat of a player."""
        seats = {**self.seats, player: seat}
        return replace(self, seats={key: each for key, each in seats.items() if each != _NOTHING})

    def owned(self) -> Iterator[tuple[str, str, str]]:
        """Owner, kind and hex of each listed piece; the owner ``""`` is nobody."""
        for owner, pieces in (*((k, s.pieces) for k, s in self.seats.items()), ("", self.nobody)):
            for piece, hexes in pieces.items():
                yield from ((owner, piece, hex) for hex in hexes)


_NOTHING = PlayerSeat()


# The part of a position that lies on some of its hexes, which may have other names there.


def without_pieces(position: Position, removed: frozenset[tuple[str, str, str]]) -> Position:
    """A position without some of its listed pieces, as `owned` tells them."""

    def kept(owner: str, pieces: Mapping[str, Hexes]) -> dict[str, Hexes]:
        left = {
            piece: tuple(hex for hex in hexes if (owner, piece, hex) not in removed)
            for piece, hexes in pieces.items()
        }
        return {piece: hexes for piece, hexes in left.items() if hexes}

    seats = {
        key: replace(seat, pieces=kept(key, seat.pieces)) for key, seat in position.seats.items()
    }
    seats = {key: seat for key, seat in seats.items() if seat != _NOTHING}
    return replace(position, seats=seats, nobody=kept("", position.nobody))


def within(position: Position, words: Mapping[Address, str]) -> Position:
    """A position with a part of its drawn board; what lay elsewhere is gone, tiles from there stay.

    Every part begins at its first row and column again, every second row where it stood.
    """
    parts = {at.part for at in words}
    top = {part: min(at.row for at in words if at.part == part) // 2 * 2 for part in parts}
    left = {part: min(at.column for at in words if at.part == part) for part in parts}
    moved = {at: Address(at.part, at.row - top[at.part], at.column - left[at.part]) for at in words}
    names = {hex_name(at): hex_name(to) for at, to in moved.items()}
    assert position.board is not None
    digits, legend = _legend_of(position.board.legend, {word[0] for word in words.values()})
    board = replace(
        position.board,
        drawing=drawing_of(
            {moved[at]: digits.get(word[0], word[0]) + word[1:] for at, word in words.items()}
        ),
        legend=legend,
        tiles=_named(position.board.tiles, names),
    )
    return replace(
        position,
        board=board,
        seats={key: _seat_within(seat, names) for key, seat in position.seats.items()},
        nobody=_pieces_within(position.nobody, names),
        left=_named(position.left, names),
        memory=_memory_within(position.memory, names),
        moves=tuple(renamed_move(move, names) for move in position.moves),
    )


def _legend_of(
    legend: Mapping[str, str], used: Collection[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """New digits for those of a legend that are used, and the legend of these."""
    tiles = sorted((tile, digit) for digit, tile in legend.items() if digit in used)
    digits = {digit: str(number) for number, (_, digit) in enumerate(tiles, 1)}
    return digits, {digits[digit]: tile for tile, digit in tiles}


def _seat_within(seat: PlayerSeat, names: Mapping[str, str]) -> PlayerSeat:
    return replace(
        seat,
        pieces=_pieces_within(seat.pieces, names),
        tiles=tuple(replace(t, origin=names.get(t.origin or "")) for t in seat.tiles),
        memory=_memory_within(seat.memory, names),
    )


def _pieces_within(pieces: Mapping[str, Hexes], names: Mapping[str, str]) -> dict[str, Hexes]:
    kept = {id: tuple(names[hex] for hex in hexes if hex in names) for id, hexes in pieces.items()}
    return {id: hexes for id, hexes in kept.items() if hexes}


def _memory_within(memory: Memories, names: Mapping[str, str]) -> Memories:
    return {
        id: value if isinstance(value, int) else tuple(names[h] for h in value if h in names)
        for id, value in memory.items()
    }


def _named(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names[hex]: value for hex, value in values.items() if hex in names}


def hex_of_move(move: str) -> str:
    """The name of the hex in a move that is written in full; empty if it has none."""
    first, *_, last = move.split()
    return last if first not in _WITHOUT_HEX and is_hex_name(last) else ""


def renamed_move(move: str, names: Mapping[str, str]) -> str:
    """A move that is written in full, by the names of another board."""
    hex = hex_of_move(move)
    return f"{move[: -len(hex)]}{names.get(hex, hex)}" if hex else move


_WITHOUT_HEX = ("draw", "choose", "end")


# A position as the keys of a scenario, from `with` to `turn`: what is as usual is left out.


def position_keys(position: Position) -> dict[str, Any]:
    """Return the keys of a position in the order in which people read them."""
    words = {True: "yes", False: "no"}
    options = {id: words[v] if isinstance(v, bool) else v for id, v in position.options.items()}
    keys = {
        "with": position.boxes or None,
        "players": position.players,
        "options": options or None,
        "cards": position.cards or None,
        "board": position.board,
        "unchecked": None if position.checked else True,
        "position": _table(position),
        "turn": position.turn,
    }
    plain: dict[str, Any] = _plain(keys)
    return plain


def _table(position: Position) -> dict[str, Any]:
    """Return what the players have, by their letters, then what else is on the table."""
    seats = {player: s for player, s in sorted(position.seats.items()) if s != _NOTHING}
    return {
        **seats,
        "nobody": {"pieces": position.nobody} if position.nobody else None,
        "left": position.left or None,
        "deck": position.deck,
        "discards": position.discards or (None if position.deck is None else {}),
        "beside": position.beside,
        "retired": position.retired or None,
        "memory": position.memory or None,
    }


def _plain(value: Any) -> Any:
    """Return a part of a position as keys and lists, without what is None or as usual."""
    match value:
        case Mapping():
            return {key: _plain(each) for key, each in value.items() if each is not None}
        case tuple():
            return [_plain(each) for each in value]
        case SeatTile(tile=tile, origin=origin, status=status):
            if value == SeatTile(tile):
                return tile
            given = {"tile": tile, "from": origin, "status": None if status == READY else status}
            return _plain(given)
        case TableBoard(sectors=(rows, columns)):
            return _unusual(value) | {"sectors": {"rows": rows, "columns": columns}}
        case PlayerTurn(player=player, played=played):
            keys = {"player": player} | _unusual(replace(value, reacting="", preparing=""))
            return keys | ({"played": played[0]} if len(played) == 1 else {})
        case TableBoard() | PlayerSeat():
            return _unusual(value)
    return value


def _unusual(part: TableBoard | PlayerSeat | PlayerTurn) -> dict[str, Any]:
    usual, names = type(part)(), [each.name for each in fields(part)]
    keys = {name: getattr(part, name) for name in names}
    return {name: _plain(v) for name, v in keys.items() if v != getattr(usual, name)}
