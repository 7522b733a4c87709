"""What stands on a hex and what is said of it aloud, in the words of the boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.engine.logs.writer import player_name
from kbrules.game.board import Board
from kbrules.library.boards.positions import NOBODY, drawn_tiles, legend_of
from kbrules.tools.publishing.pictures.styles import style_of

__all__ = ["LegendEntry", "hex_label", "legend_entries", "letter_of", "piece_label", "player_label"]


def letter_of(board: Board, hex: int) -> str:
    """What stands on a hex: the letter of its kind, or the digit of its tile."""
    letter = board.catalog.hexes[board.kind_at(hex)].letter
    if hex not in board.tiles:
        return letter
    id = board.catalog.tiles[board.tiles[hex]].id
    return next((digit for digit, tile in legend_of(board).items() if tile == id), letter)


def hex_label(board: Board, hex: int) -> str:
    """A hex without what stands on it: its name, its kind, its tile."""
    words = f"{board.grid.name(hex)}: {board.catalog.hexes[board.kind_at(hex)].title}"
    if hex not in board.tiles:
        return words
    return f"{words}, {board.catalog.tiles[board.tiles[hex]].title}"


def piece_label(board: Board, player: int, piece: int) -> str:
    """A piece and whose it is, with its colour."""
    whose = "nobody" if player == NOBODY else f"player {player_name(player)}"
    return f"{style_of(player).name} {board.catalog.pieces[piece].title} of {whose}"


def player_label(player: int) -> str:
    """A player by letter and colour."""
    return f"player {player_name(player)}, {style_of(player).name}"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A line of the key to a picture: the sign, and what it stands for."""

    sign: str
    words: str


def legend_entries(board: Board) -> Iterator[LegendEntry]:
    """What the letters and digits on a board mean, and where the tiles drawn by chance lie."""
    kinds = zip(board.catalog.hexes, board.kinds, strict=True)
    yield from (LegendEntry(kind.letter, kind.title) for kind, mask in kinds if mask)
    titles = {tile.id: tile.title for tile in board.catalog.tiles}
    yield from (LegendEntry(digit, titles[id]) for digit, id in legend_of(board).items())
    for hex, tile in drawn_tiles(board).items():
        yield LegendEntry(board.grid.name(hex), board.catalog.tiles[tile].title)
