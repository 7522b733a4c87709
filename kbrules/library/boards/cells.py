"""One hex of a drawn position as a word: kind, owner, piece, mark.

G      a hex of the kind with the letter G
.      a hex of the first kind there is
1      a hex with tiles; a legend says which
Ga     ... with the first piece of player a
Gah    ... with another piece of that player, by its letter
G#     ... with a piece of nobody
Ga+    ... with a mark, which means what the reader makes of it
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.catalog import Catalog
from kbrules.hex.drawing import HOLE
from kbrules.library.boards.drawing_source import DrawnWord
from kbrules.library.boards.sections import unknown_letter

FIRST = "."  # draws the first kind of hex
MARKS = "+<>!?*"
OWNERS = "abcdef"  # players 1 to 6
NOBODY = -1
_NOBODY = "#"


@dataclass(frozen=True, slots=True)
class Cell:
    """A hex by indexes: its kind, the tile on it (or -1), and what stands on it.

    `owner` is the seat or `NOBODY`, and means nothing where `piece` is -1; no mark is empty.
    `is_any` says that the drawing leaves its kind open.
    """

    kind: int
    tile: int = -1
    owner: int = NOBODY
    piece: int = -1
    mark: str = ""
    is_any: bool = False


class CellWriter:
    """Words to cells and back, for one catalog and legend (digit -> id of a tile)."""

    def __init__(self, catalog: Catalog, legend: Mapping[str, str]) -> None:
        self._catalog = catalog
        self._legend = legend
        self._letters = {kind.letter: kind.title for kind in catalog.hexes}
        self._kinds = {kind.letter: index for index, kind in enumerate(catalog.hexes)}
        if catalog.hexes:
            self._kinds[FIRST] = 0
        self._pieces = {piece.letter: index for index, piece in enumerate(catalog.pieces)}
        self._tiles = dict(_tiles(catalog, legend))
        self._digits = {tile: digit for digit, (tile, _) in self._tiles.items()}

    def read(self, word: DrawnWord) -> Cell | Diagnostic:
        """The cell a word stands for, or what is wrong with it, at the very character."""
        kind = self._read_kind(word)
        if isinstance(kind, Diagnostic):
            return kind
        mark = word.text[-1] if len(word.text) > 1 and word.text[-1] in MARKS else ""
        piece = self._read_piece(word, len(word.text) - len(mark))
        if isinstance(piece, Diagnostic):
            return piece
        return Cell(*kind, *piece, mark, word.text[0] == FIRST)

    def _read_kind(self, word: DrawnWord) -> tuple[int, int] | Diagnostic:
        sign, span = word.text[0], word.part(0, 1)
        if sign in self._kinds:
            return self._kinds[sign], -1
        if sign in self._tiles:
            tile, kind = self._tiles[sign]
            return kind, tile
        if sign == HOLE:
            return Diagnostic("KB110", span, f"nothing can stand on the hole {quoted(HOLE)}")
        if sign in OWNERS and sign.upper() not in self._letters:
            help = f"a word begins with the kind of hex; write {quoted(FIRST + sign)}"
            return Diagnostic("KB408", span, f"{quoted(sign)} is not a kind of hex", help)
        return unknown_letter(sign, span, self._letters, self._legend)

    def _read_piece(self, word: DrawnWord, end: int) -> tuple[int, int] | Diagnostic:
        if end < 2:
            return NOBODY, -1
        sign = word.text[1]
        if sign not in OWNERS and sign != _NOBODY:
            message = f"{quoted(sign)} is no player, not {quoted(_NOBODY)} for nobody, and no mark"
            return Diagnostic("KB110", word.part(1, 2), message, _help(sign) or _OWNERS)
        if end > 3:
            message = f"{quoted(word.text)} has more than a kind, an owner, a piece and a mark"
            return Diagnostic("KB110", word.part(3, end), message, _help(word.text[3]))
        owner = OWNERS.index(sign) if sign in OWNERS else NOBODY
        if end == 2:
            return self._first_piece(word, owner)
        return self._named_piece(word, owner)

    def _first_piece(self, word: DrawnWord, owner: int) -> tuple[int, int] | Diagnostic:
        piece = self._default(owner)
        if piece is None:
            whose = "nobody" if owner == NOBODY else "players"
            return Diagnostic("KB110", word.part(1, 2), f"no box has a piece of {whose}")
        return owner, piece

    def _named_piece(self, word: DrawnWord, owner: int) -> tuple[int, int] | Diagnostic:
        letter, span = word.text[2], word.part(2, 3)
        piece = self._pieces.get(letter)
        if piece is None:
            known = ", ".join(f"{quoted(p.letter)} {p.title}" for p in self._catalog.pieces)
            message = f"{quoted(letter)} is not the letter of any piece"
            return Diagnostic("KB110", span, message, f"the letters are {known}" if known else "")
        kind = self._catalog.pieces[piece]
        if kind.neutral != (owner == NOBODY):
            message = f"the piece {quoted(kind.id)} belongs to " + (
                "nobody" if kind.neutral else "a player"
            )
            return Diagnostic("KB110", word.part(1, 2), message)
        return owner, piece

    def _default(self, owner: int) -> int | None:
        """The piece that is meant where its letter is left out."""
        neutral = owner == NOBODY
        pieces = enumerate(self._catalog.pieces)
        return next((index for index, piece in pieces if piece.neutral == neutral), None)

    def word_of(self, cell: Cell) -> str:
        """The word of a cell; a tile that is not in the legend is left out."""
        sign = self._digits.get(cell.tile) or self._catalog.hexes[cell.kind].letter
        if cell.piece >= 0:
            sign += _NOBODY if cell.owner == NOBODY else OWNERS[cell.owner]
            if cell.piece != self._default(cell.owner):
                sign += self._catalog.pieces[cell.piece].letter
        return sign + cell.mark


def _tiles(catalog: Catalog, legend: Mapping[str, str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """For each digit the tile and the kind of its place, as far as the catalog has them."""
    tiles = {tile.id: index for index, tile in enumerate(catalog.tiles)}
    kinds = {kind.id: index for index, kind in enumerate(catalog.hexes)}
    for digit, id in legend.items():
        if id in tiles and (place := catalog.tiles[tiles[id]].place) in kinds:
            yield digit, (tiles[id], kinds[place])


def _help(sign: str) -> str:
    return "put a blank between two hexes" if sign.isupper() or sign in (FIRST, HOLE) else ""


_OWNERS = f"players are `{OWNERS[0]}` to `{OWNERS[-1]}`, marks {', '.join(map(quoted, MARKS))}"
