"""What stands on a hex and what is said of it aloud, in the words of the boxes."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Board
from kbrules.library.boards.positions import NOBODY
from kbrules.tools.publishing.pictures.styles import style_of

_MAX_INITIALS = 3


def initials(board: Board) -> Mapping[int, str]:
    """For each kind of tile on a board the beginning of its title that no other there has."""
    titles = {tile: board.catalog.tiles[tile].title for tile in sorted(set(board.tiles.values()))}
    return {tile: _initials_of(title, list(titles.values())) for tile, title in titles.items()}


def _initials_of(title: str, titles: list[str]) -> str:
    for length in range(1, _MAX_INITIALS):
        if sum(other[:length] == title[:length] for other in titles) == 1:
            return title[:length]
    return title[:_MAX_INITIALS]


def letter_of(board: Board, hex: int, initials: Mapping[int, str]) -> str:
    """What stands on a hex: the letter of its kind, or the `initials` of its tile."""
    if hex in board.tiles:
        return initials[board.tiles[hex]]
    return board.catalog.hexes[board.kind_at(hex)].letter


def hex_label(board: Board, hex: int) -> str:
    """A hex without what stands on it: its name, its kind, its tile."""
    words = f"{board.grid.name(hex)}: {board.catalog.hexes[board.kind_at(hex)].title}"
    if hex not in board.tiles:
        return words
    return f"{words}, {board.catalog.tiles[board.tiles[hex]].title}"


def piece_label(board: Board, player: int, piece: int) -> str:
    """A piece and whose it is, with its colour."""
    owner = "nobody" if player == NOBODY else f"player {player_name(player)}"
    return f"{style_of(player).name} {board.catalog.pieces[piece].title} of {owner}"


def player_label(player: int) -> str:
    """A player by letter and colour."""
    return f"player {player_name(player)}, {style_of(player).name}"
