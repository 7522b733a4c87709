"""Positions as drawings: a board, the pieces on it and marks, read and written alike.

A drawing is the table; a line such as `isle:` begins the grid of that name, which some box must
have. Rows count from the top of their grid, and every second one stands half a hex further right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.game.board import Board
from kbrules.game.catalog import Catalog
from kbrules.hex.disks import SIZE, disks
from kbrules.hex.drawing import HOLE, render, render_framed
from kbrules.hex.grid import Grid
from kbrules.hex.layout import Part
from kbrules.hex.masks import Mask, bits, lowest, mask_of
from kbrules.library.boards.cells import NOBODY, Cell, CellWriter
from kbrules.library.boards.drawing_source import DrawingSource, DrawnWord
from kbrules.library.boards.tables import grid_of
from kbrules.text import Span

LARGEST = 60  # rows, and hexes in a row
_DIGITS = "1234567890"
_HEADING = re.compile(r"([a-z][a-z0-9_]*):")

Pieces = Mapping[tuple[int, int], Mask]
Marks = Mapping[str, Mask]
Rows = list[tuple[DrawnWord, ...]]
GridCell = tuple[str, int, int]  # part, row, column
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, eq=False)
class Position:
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
) -> tuple[Position | None, list[Diagnostic]]:
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
            return {}, [_unknown_grid(name, grids, row[0].span)]
        parts[name], spans[name] = [], row[0].span
    return parts, list(_wrong_sizes(parts, spans))


def _unknown_grid(name: str, grids: Sequence[str], span: Span) -> Diagnostic:
    help = did_you_mean(name, grids, "load the box that has it")
    return Diagnostic("KB413", span, f"there is no grid {quoted(name)}", help)


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
    position: Position, words: Mapping[GridCell, DrawnWord]
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
) -> Position:
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
    return Position(board, pieces, marks, mask_of(hex for hex, cell in at.items() if cell.is_any))


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


def draw(
    catalog: Catalog,
    board: Board,
    pieces: Pieces,
    marks: Marks,
    legend: Mapping[str, str] | None = None,
) -> str:
    """The drawing of a position, which reads back with the legend; by default `legend_of`.

    ValueError if two pieces or two marks are on one hex. Sectors are not drawn.
    """
    return _picture(render, catalog, Position(board, pieces, marks), legend)


def draw_framed(catalog: Catalog, board: Board, pieces: Pieces, marks: Marks) -> str:
    """The same drawing with column letters and row numbers, for people only."""
    return _picture(render_framed, catalog, Position(board, pieces, marks), None)


def _picture(
    render: Callable[[Sequence[Sequence[str]]], str],
    catalog: Catalog,
    position: Position,
    legend: Mapping[str, str] | None,
) -> str:
    board = position.board
    writer = CellWriter(catalog, legend_of(board) if legend is None else legend)
    words = {hex: writer.word_of(cell) for hex, cell in _cells_of(position).items()}
    lines: list[str] = []
    for part in board.grid.parts:
        rows = [[HOLE] * part.width for _ in range(part.height)]
        for row, column in part.hexes:
            rows[row][column] = words[board.grid.index_at(row, column, part.name)]
        lines += [f"{part.name}:", render(rows)] if part.name else [render(rows)]
    return "\n".join(lines)


def _cells_of(position: Position) -> dict[int, Cell]:
    board = position.board
    kinds = {hex: kind for kind, mask in enumerate(board.kinds) for hex in bits(mask)}
    owners = _on_hexes(position.pieces, "pieces")
    marks = _on_hexes(position.marks, "marks")
    return {
        hex: Cell(
            kind, board.tiles.get(hex, -1), *owners.get(hex, (NOBODY, -1)), marks.get(hex, "")
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
