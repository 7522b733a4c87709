"""Positions as drawings: a board, the pieces on it and marks, read and written alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.game.board import Board, Catalog
from kbrules.hex.grid import HOLE, SIZE, Grid, disks, render_framed
from kbrules.hex.sets import Mask, Part, bits, lowest, mask_of
from kbrules.library.boards.tables import DrawingSource, DrawnWord, grid_of, unknown_letter
from kbrules.text import Span

# One hex of a drawn position as a word: kind, owner, piece, mark.
#
# G      a hex of the kind with the letter G
# .      a hex of the first kind there is
# 1      a hex with tiles; a legend says which
# Ga     ... with the first piece of player a
# Gah    ... with another piece of that player, by its letter
# G#     ... with a piece of nobody
# Ga+    ... with a mark, which means what the reader makes of it

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


# A drawing is the table; a line such as `isle:` begins the grid of that name, which some box must
# have. Rows count from the top of their grid, and every second one stands half a hex further
# right.

LARGEST = 60  # rows, and hexes in a row
_DIGITS = "1234567890"
_HEADING = re.compile(r"([a-z][a-z0-9_]*):")

Pieces = Mapping[tuple[int, int], Mask]
Marks = Mapping[str, Mask]
Rows = list[tuple[DrawnWord, ...]]
GridCell = tuple[str, int, int]  # part, row, column
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, eq=False)
class DrawnBoard:
    """A board, the hexes of each (owner, piece), and those of each mark.

    The owner is a seat counted from 0, or `NOBODY`; the piece an index of the catalog. `open` are
    the hexes whose kind a drawing left open.
    """

    board: Board
    pieces: Pieces = field(default_factory=dict)
    marks: Marks = field(default_factory=dict)
    open: Mask = 0


# Reading


def parse_position(
    catalog: Catalog,
    written: str | Span | DrawingSource,
    *,
    legend: Mapping[str, str] | None = None,
    sectors: tuple[int, int] | None = None,
) -> tuple[DrawnBoard | None, list[Diagnostic]]:
    """The position a drawing shows and what is wrong with it; no position when anything is.

    `legend` has the id of a tile for each digit. `sectors` is the height and width of a sector of
    the table, cut from the top left; without it the table is one sector.
    """
    drawn = DrawingSource.of(written)
    parts, found = _parts(drawn, [grid.id for grid in catalog.grids])
    if found:
        return None, found
    writer = CellWriter(catalog, legend or {})
    cells: dict[GridCell, Cell] = {}
    errors: dict[str, Diagnostic] = {}  # the same error again would say nothing new
    for at, word in _words(parts):
        cell = writer.read(word)
        if isinstance(cell, Diagnostic):
            errors.setdefault(cell.message, cell)
        else:
            cells[at] = cell
    found = sorted([*errors.values(), *_misplaced(parts)])
    if found:
        return None, found
    position = _position(catalog, parts, cells, sectors)
    found = sorted(_incomplete_stars(position, dict(_words(parts))))
    return (None, found) if found else (position, [])


def drawn_words(drawing: str) -> Iterator[tuple[GridCell, str]]:
    """Yield part, row and column of each hex of a drawing that can be read, and its word."""
    parts, _ = _parts(DrawingSource.of(drawing), None)
    return ((at, word.text) for at, word in _words(parts))


def drawn_grid(drawn: DrawingSource) -> Grid | None:
    """The hexes of a drawing, whatever is on them; None where they are not known."""
    parts, found = _parts(drawn, None)
    return None if found else _grid(parts, (at for at, _ in _words(parts)))


def _grid(parts: Iterable[str], cells: Iterable[GridCell]) -> Grid:
    hexes: dict[str, set[tuple[int, int]]] = {name: set() for name in parts}
    for part, row, column in cells:
        hexes[part].add((row, column))
    return grid_of(tuple(Part(name, frozenset(places)) for name, places in hexes.items()))


def _parts(
    drawn: DrawingSource, grids: Sequence[str] | None
) -> tuple[dict[str, Rows], list[Diagnostic]]:
    """The rows of each part, or why there are none to look at; without grids any may be there."""
    parts: dict[str, Rows] = {"": []}
    spans = {"": drawn.span}
    name = ""
    for row in drawn.rows():
        heading = _HEADING.fullmatch(row[0].text) if len(row) == 1 else None
        if heading is None:
            parts[name].append(row)
            continue
        name = heading[1]
        if name in parts:
            message = f"the grid {quoted(name)} is drawn twice"
            return {}, [Diagnostic("KB110", row[0].span, message)]
        if grids is not None and name not in grids:
            help = did_you_mean(name, grids, "load the box that has it")
            message = f"there is no grid {quoted(name)}"
            return {}, [Diagnostic("KB413", row[0].span, message, help)]
        parts[name], spans[name] = [], row[0].span
    return parts, list(_wrong_sizes(parts, spans))


def _wrong_sizes(parts: dict[str, Rows], spans: Mapping[str, Span]) -> Iterator[Diagnostic]:
    for name, rows in parts.items():
        if all(word.text == HOLE for row in rows for word in row):
            whose = f"the grid {quoted(name)}" if name else "the drawing"
            yield Diagnostic("KB110", spans[name], f"{whose} has no hex")
    rows = [row for part in parts.values() for row in part]
    if len(rows) > LARGEST:
        span = rows[LARGEST][0].span
        yield Diagnostic("KB110", span, f"a drawing has at most {LARGEST} rows")
    for row in rows:
        if len(row) > LARGEST:
            message = f"a row of a drawing has at most {LARGEST} hexes"
            yield Diagnostic("KB110", row[LARGEST].span, message)
            return


def _misplaced(parts: dict[str, Rows]) -> Iterator[Diagnostic]:
    """The first row that does not stand half a hex beside the row above it: a picture that lies."""
    for rows in parts.values():
        for number in range(1, len(rows)):
            one, other = rows[number - 1][0], rows[number][0]
            if other.span.text != other.text or one.span.text != one.text:
                continue  # it is not known where it stands
            offset = _indent(other.span) - _indent(one.span)
            if (number % 2 and offset <= 0) or (not number % 2 and offset >= 0):
                side = "right" if number % 2 else "left"
                message = f"row {number + 1} begins half a hex to the {side} of row {number}"
                yield Diagnostic("KB110", other.span, message, "indent every second row by a blank")
                return


def _indent(span: Span) -> int:
    """How many characters stand before it in its line, with the cells of a table in it."""
    return span.start - span.source.whole_text.rfind("\n", 0, span.start)


def _incomplete_stars(
    position: DrawnBoard, words: Mapping[GridCell, DrawnWord]
) -> Iterator[Diagnostic]:
    """The first hex of each kind of piece of seven hexes that is not one of seven in a star."""
    board = position.board
    for (_, piece), hexes in position.pieces.items():
        kind = board.catalog.pieces[piece]
        outside = disks(board.grid, hexes)[1] if kind.size == SIZE else 0
        if outside:
            first = lowest(outside)
            message = (
                f"a piece {quoted(kind.id)} covers a hex and the six around it, but "
                f"{board.grid.name(first)} belongs to no such seven"
            )
            span = words[board.grid.address(first)].span
            yield Diagnostic("KB110", span, message, f"draw {quoted(kind.letter)} on all seven")


def _words(parts: dict[str, Rows]) -> Iterator[tuple[GridCell, DrawnWord]]:
    for name, rows in parts.items():
        for r, row in enumerate(rows):
            for c, word in enumerate(row):
                if word.text != HOLE:
                    yield (name, r, c), word


def _position(
    catalog: Catalog,
    parts: Mapping[str, Rows],
    cells: Mapping[GridCell, Cell],
    sectors: tuple[int, int] | None,
) -> DrawnBoard:
    grid = _grid(parts, cells)
    at = {grid.index_at(r, c, part): cell for (part, r, c), cell in cells.items()}
    kinds = [0] * len(catalog.hexes)
    pieces: dict[tuple[int, int], Mask] = {}
    marks: dict[str, Mask] = {}
    for hex, cell in at.items():
        kinds[cell.kind] |= 1 << hex
        if cell.piece >= 0:
            who = cell.owner, cell.piece
            pieces[who] = pieces.get(who, 0) | 1 << hex
        if cell.mark:
            marks[cell.mark] = marks.get(cell.mark, 0) | 1 << hex
    tiles = {hex: cell.tile for hex, cell in at.items() if cell.tile >= 0}
    board = Board(catalog, grid, tuple(kinds), _sectors(grid, sectors), tiles)
    return DrawnBoard(board, pieces, marks, mask_of(hex for hex, cell in at.items() if cell.is_any))


def _sectors(grid: Grid, size: tuple[int, int] | None) -> tuple[Mask, ...]:
    """Blocks of the table in reading order; other grids have no sector."""
    if size is None:
        return (grid.part(),)
    blocks: dict[tuple[int, int], Mask] = {}
    for hex in bits(grid.part()):
        _, row, column = grid.address(hex)
        block = row // size[0], column // size[1]
        blocks[block] = blocks.get(block, 0) | 1 << hex
    return tuple(mask for _, mask in sorted(blocks.items()))


# Drawing


def legend_of(board: Board) -> dict[str, str]:
    """A digit for the id of each kind of tile on a board, ten at most.

    Places of `drawn_tiles` have the letter of their kind instead: no two of them are the same.
    """
    kinds = board.catalog.tiles
    tiles = sorted(tile for tile in set(board.tiles.values()) if not kinds[tile].copies)
    return {digit: kinds[tile].id for digit, tile in zip(_DIGITS, tiles, strict=False)}


def drawn_tiles(board: Board) -> dict[int, int]:
    """The kind of tile on each hex that has one of those drawn by chance, in board order."""
    kinds = board.catalog.tiles
    return {hex: board.tiles[hex] for hex in board.places if kinds[board.tiles[hex]].copies}


def draw_framed(board: Board, pieces: Pieces, marks: Marks) -> str:
    """Return the drawing of a position with column letters and row numbers, for people only.

    ValueError if two pieces or two marks are on one hex. Sectors are not drawn.
    """
    writer = CellWriter(board.catalog, legend_of(board))
    words = {hex: writer.word_of(cell) for hex, cell in _cells_of(board, pieces, marks).items()}
    lines: list[str] = []
    for part in board.grid.parts:
        rows = [[HOLE] * part.width for _ in range(part.height)]
        for row, column in part.hexes:
            rows[row][column] = words[board.grid.index_at(row, column, part.name)]
        lines += [f"{part.name}:"] if part.name else []
        lines.append(render_framed(rows))
    return "\n".join(lines)


def _cells_of(board: Board, pieces: Pieces, marks: Marks) -> dict[int, Cell]:
    kinds = {hex: kind for kind, mask in enumerate(board.kinds) for hex in bits(mask)}
    owners, signs = _on_hexes(pieces, "pieces"), _on_hexes(marks, "marks")
    return {
        hex: Cell(
            kind, board.tiles.get(hex, -1), *owners.get(hex, (NOBODY, -1)), signs.get(hex, "")
        )
        for hex, kind in kinds.items()
    }


def _on_hexes(masks: Mapping[_Value, Mask], what: str) -> dict[int, _Value]:
    found: dict[int, _Value] = {}
    for value, mask in masks.items():
        for hex in bits(mask):
            if hex in found:
                raise ValueError(f"two {what} on one hex cannot be drawn")
            found[hex] = value
    return found
