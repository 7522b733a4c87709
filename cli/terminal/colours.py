"""Colours for a terminal, and nothing but text elsewhere."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from kbrules.game.board import Board

Colour = tuple[int, int, int]

# One colour per player, in the order of their letters: strong ones that no board is likely to have.
PLAYERS: tuple[Colour, ...] = (
    (208, 52, 44), (36, 98, 200), (240, 240, 240), (32, 32, 32), (242, 142, 28), (142, 68, 173),
)  # fmt: skip
LEGAL = "+"  # behind the letter of a hex that may be chosen
_ROW = re.compile(r"(?m)^( *\d+ )(.*)$")
_WORD = re.compile(r"\S+")
_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def wants_colour(no_color: bool) -> bool:
    """Whether to paint: on a terminal, or if FORCE_COLOR asks for it; NO_COLOR forbids it."""
    if no_color or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Painter:
    """Prints text and board pictures, with the colours of one board if they are wanted."""

    def __init__(self, board: Board, painting: bool) -> None:
        self.painting = painting
        self._colours = _colours(board) if painting else {}

    def say(self, text: str = "") -> None:
        """Print a text as it is."""
        typer.echo(text, color=self.painting or None)

    def strong(self, text: str) -> None:
        """Print a text that should be seen."""
        self.say(typer.style(text, bold=True) if self.painting else text)

    def board(self, picture: str) -> None:
        """Print the picture of a board."""
        if self.painting:
            picture = _ROW.sub(lambda row: row[1] + _WORD.sub(self._coloured, row[2]), picture)
        self.say(picture)

    def _coloured(self, word: re.Match[str]) -> str:
        text = word[0]
        colour = self._colours.get(text[0])
        if len(text) == 1:
            return typer.style(text, fg=colour) if colour else text
        if text[1] == LEGAL and colour:
            return typer.style(text, fg=_readable_on(colour), bg=colour, bold=True)
        index = ord(text[1]) - ord("a")
        if not 0 <= index < len(PLAYERS):
            return typer.style(text, bold=True)
        back = PLAYERS[index]
        return typer.style(text, fg=_readable_on(back), bg=back, bold=True)


def _colours(board: Board) -> Mapping[str, Colour]:
    """The colour of each letter and digit that a picture of a board may have."""
    from kbrules.library.boards.positions import legend_of

    catalog = board.catalog
    found = {
        kind.letter: _rgb(kind.colour)
        for kind in catalog.hexes
        if _HEX_COLOUR.fullmatch(kind.colour)
    }
    letters = {kind.id: kind.letter for kind in catalog.hexes}
    places = {tile.id: tile.place for tile in catalog.tiles}
    for digit, tile in legend_of(board).items():
        letter = letters.get(places[tile], "")
        if letter in found:
            found[digit] = found[letter]
    return found


def _rgb(colour: str) -> Colour:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _readable_on(colour: Colour) -> Colour:
    red, green, blue = colour
    return (0, 0, 0) if 299 * red + 587 * green + 114 * blue > 128_000 else (255, 255, 255)
