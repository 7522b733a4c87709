"""A position by names alone: what lies on a table and whose turn it is, before any rules know it.

Scenarios, conformance cases, samples and shrunk boards are such values. Hexes have the names they
have on the board of the position. What is written where is kept beside a position, not in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kbrules.hex.grid import HOLE, hex_name, is_hex_name, render
from kbrules.hex.sets import Address
from kbrules.library.boards.tables import DrawingSource

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
        """The words of a drawing by where they are; the holes are left out."""
        words: dict[Address, str] = {}
        part, number = "", 0
        for row in DrawingSource.of(self.drawing).rows():
            if len(row) == 1 and row[0].text.endswith(":"):
                part, number = row[0].text[:-1], 0
                continue
            for column, word in enumerate(row):
                if word.text != HOLE:
                    words[Address(part, number, column)] = word.text
            number += 1
        return words


def drawing_of(words: Mapping[Address, str]) -> str:
    """The drawing with these words; it begins at the first row and column of each part."""
    lines: list[str] = []
    for part in sorted({at.part for at in words}):
        of_part = {(at.row, at.column): word for at, word in words.items() if at.part == part}
        height, width = (max(at[axis] for at in of_part) + 1 for axis in (0, 1))
        rows = [[of_part.get((r, c), HOLE) for c in range(width)] for r in range(height)]
        drawing = render(rows)
        lines += [f"{part}:", _with_bars(drawing)] if part else [drawing]
    return "\n".join(lines) + "\n"


def _with_bars(drawing: str) -> str:
    """A drawing whose indentation is kept by bars."""
    return "\n".join(f"| {line}" for line in drawing.split("\n"))


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
    """The keys of a position in the order in which people read them."""
    turn = dict(_turn(position.turn))
    position_table = dict(_position(position))
    return {
        **({"with": list(position.boxes)} if position.boxes else {}),
        **({"players": position.players} if position.players else {}),
        **({"options": _options(position.options)} if position.options else {}),
        **({"cards": list(position.cards)} if position.cards else {}),
        **({"board": dict(_board(position.board))} if position.board else {}),
        **({} if position.checked else {"unchecked": True}),
        "position": position_table,
        "turn": turn,
    }


def _options(options: Mapping[str, bool | int | str]) -> dict[str, int | str]:
    words = {True: "yes", False: "no"}
    return {id: words[v] if isinstance(v, bool) else v for id, v in options.items()}


def _board(board: TableBoard) -> Iterator[tuple[str, Any]]:
    if board.sections is not None:
        yield "sections", [list(row) for row in board.sections]
    if board.grids:
        yield "grids", dict(board.grids)
    if board.drawing:
        yield "drawing", board.drawing
    if board.legend:
        yield "legend", dict(board.legend)
    if board.tiles:
        yield "tiles", dict(board.tiles)
    if board.sectors:
        yield "sectors", {"rows": board.sectors[0], "columns": board.sectors[1]}


def _position(position: Position) -> Iterator[tuple[str, Any]]:
    for player, seat in sorted(position.seats.items()):
        if keys := dict(_seat(seat)):
            yield player, keys
    if position.nobody:
        yield "nobody", {"pieces": _lists(position.nobody)}
    if position.left:
        yield "left", dict(position.left)
    if position.deck is not None:
        yield "deck", dict(position.deck)
    if position.discards or position.deck is not None:
        yield "discards", dict(position.discards)
    if position.beside is not None:
        yield "beside", list(position.beside)
    if position.retired:
        yield "retired", list(position.retired)
    if position.memory:
        yield "memory", _lists(position.memory)


def _seat(seat: PlayerSeat) -> Iterator[tuple[str, Any]]:
    if seat.pieces:
        yield "pieces", _lists(seat.pieces)
    if seat.tiles:
        yield "tiles", [_tile(tile) for tile in seat.tiles]
    if seat.supply:
        yield "supply", dict(seat.supply)
    if seat.hand:
        yield "hand", list(seat.hand)
    if seat.gold:
        yield "gold", seat.gold
    if seat.memory:
        yield "memory", _lists(seat.memory)


def _lists(values: Memories | Mapping[str, Hexes]) -> dict[str, int | list[str]]:
    return {id: value if isinstance(value, int) else list(value) for id, value in values.items()}


def _tile(tile: SeatTile) -> str | dict[str, str]:
    if tile.origin is None and tile.status == READY:
        return tile.tile
    keys = {"tile": tile.tile}
    if tile.origin is not None:
        keys["from"] = tile.origin
    return keys if tile.status == READY else {**keys, "status": tile.status}


def _turn(turn: PlayerTurn) -> Iterator[tuple[str, Any]]:
    yield "player", turn.player
    if turn.played:
        yield "played", turn.played[0] if len(turn.played) == 1 else list(turn.played)
    if turn.stage:
        yield "stage", turn.stage
    if turn.round != 1:
        yield "round", turn.round
    if turn.done:
        yield "done", list(turn.done)
    if turn.last_round:
        yield "last_round", True
    if turn.choice:
        yield "choice", turn.choice
    if turn.aside:
        yield "aside", list(turn.aside)
    if turn.revealed:
        yield "revealed", turn.revealed
