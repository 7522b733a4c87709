"""Tables: sections laid side by side make a board.

A section may lie upright or turned by half a turn, never otherwise. Both a turn and an odd place
from the top shift odd rows onto even ones unless a section has an even number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from kbrules.diagnostics import quoted, suggest
from kbrules.game.board import Board
from kbrules.game.things import Catalog
from kbrules.hex.drawing import HOLE
from kbrules.hex.grid import Grid
from kbrules.hex.layout import Part
from kbrules.hex.masks import Mask
from kbrules.library.sections import Section, Size
from kbrules.text import Span

__all__ = [
    "ODD_ROWS",
    "TURNED",
    "Layout",
    "Parts",
    "Setup",
    "can_turn",
    "grid_of",
    "lay_table",
    "layout_of",
    "read_layout",
    "rectangle_of",
    "why_misshapen",
    "why_not_laid",
]

TURNED = "turned"
ODD_ROWS = "sections with an odd number of rows cannot lie one below the other"


@dataclass(frozen=True, slots=True)
class Layout:
    """Which sections lie where: rows of (section id, whether it is turned).

    Its text reads back: `north south/east west turned`.
    """

    rows: tuple[tuple[tuple[str, bool], ...], ...]

    def __str__(self) -> str:
        return "/".join(" ".join(_words_of(*place) for place in row) for row in self.rows)


def _words_of(section: str, turned: bool) -> str:
    return f"{section} {TURNED}" if turned else section


def read_layout(text: str) -> Layout:
    """The layout a text stands for; ValueError if it stands for none."""
    return Layout(tuple(_read_row(row.split()) for row in text.split("/")))


def layout_of(rows: Iterable[Iterable[str]]) -> Layout:
    """The layout of rows of sections, each an id or an id and `turned`."""
    return Layout(tuple(_read_row(" ".join(row).split()) for row in rows))


def _read_row(words: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    row: list[tuple[str, bool]] = []
    for word in words:
        if word != TURNED:
            row.append((word, False))
        elif row and not row[-1][1]:
            row[-1] = (row[-1][0], True)
        else:
            raise ValueError(f"{quoted(TURNED)} follows a section")
    if not row:
        raise ValueError("a row of a table names at least one section")
    return tuple(row)


@dataclass(frozen=True, slots=True)
class Setup:
    """A table laid beforehand; what it leaves open (no layout, no cards) is drawn at random.

    tiles: for each section of the layout the tile drawn for it, if it says so.
    """

    id: str
    title: str
    layout: Layout | None
    cards: tuple[str, ...]
    span: Span
    tiles: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """What the boxes hold beside the things of the catalog.

    players: least and most. table: rows and columns of sections; section_size: of hexes.
    spans: where a thing is declared, by the key of its list and its id. marks: by the word of
    the rules that means the hexes, what players call them. defaults: of options, where a box has
    another than the rules. section_sets: the sections of which a random table may be made.
    """

    boxes: tuple[str, ...]
    sections: Mapping[str, Section]
    setups: Mapping[str, Setup]
    players: tuple[int, int]
    table: Size
    section_size: Size
    spans: Mapping[tuple[str, str], Span]
    marks: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, bool | int] = field(default_factory=dict)
    section_sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def why_not_laid(parts: Parts, layout: Layout) -> str:
    """What keeps a layout from being laid, in words; empty if nothing does."""
    for id, _ in (place for row in layout.rows for place in row):
        if id not in parts.sections:
            near = suggest(id, parts.sections)
            guess = f", is it {quoted(near)}?" if near else ""
            return f"there is no section {quoted(id)}{guess}"
    return why_misshapen(layout, parts.section_size)


def why_misshapen(layout: Layout, section_size: Size) -> str:
    """What is wrong with the shape of a layout, whatever sections it names; empty if nothing."""
    if len({len(row) for row in layout.rows}) != 1:
        return "the rows of a table have equally many sections"
    if not can_turn(section_size):
        if len(layout.rows) > 1:
            return ODD_ROWS
        if any(turned for row in layout.rows for _, turned in row):
            return "sections with an odd number of rows cannot be turned"
    return ""


def can_turn(section_size: Size) -> bool:
    """Whether sections of a size may lie turned, and one below the other."""
    return section_size[0] % 2 == 0


def lay_table(catalog: Catalog, parts: Parts, layout: Layout) -> Board:
    """The board of a layout, one sector per section in reading order.

    ValueError says what keeps it from being laid. Boards of one shape share their grid.
    """
    if problem := why_not_laid(parts, layout):
        raise ValueError(problem)
    sections = [parts.sections[id] for row in layout.rows for id, _ in row]
    laid = _lay(layout, parts)
    kind_of = {kind.letter: index for index, kind in enumerate(catalog.hexes)}
    kinds = [0] * len(catalog.hexes)
    tiles: dict[int, int] = {}
    for section, piece in zip(sections, laid.pieces, strict=True):
        for letter, mask in piece.letters:
            kinds[kind_of[letter]] |= mask
        for digit, hex in piece.digits:
            tile = catalog.tile_index(section.places[digit])
            kinds[catalog.hex_index(catalog.tiles[tile].place)] |= 1 << hex
            tiles[hex] = tile
    stand_ins = dict.fromkeys(section.id for section in sections if section.stand_in)
    sectors = tuple(piece.all for piece in laid.pieces)
    return Board(catalog, laid.grid, tuple(kinds), sectors, tiles, tuple(stand_ins))


@dataclass(frozen=True, slots=True)
class _Piece:
    """A section as it lies on a grid: masks by letter, hexes of digits, and all its hexes."""

    letters: tuple[tuple[str, Mask], ...]
    digits: tuple[tuple[str, int], ...]
    all: Mask


@dataclass(frozen=True, slots=True)
class _Laid:
    grid: Grid
    pieces: tuple[_Piece, ...]


def _lay(layout: Layout, parts: Parts) -> _Laid:
    height, width = parts.section_size
    spots = [
        (parts.sections[id].rows, turned, i * height, j * width)
        for i, row in enumerate(layout.rows)
        for j, (id, turned) in enumerate(row)
    ]
    if any(HOLE in row for rows, *_ in spots for row in rows):
        hexes = frozenset((r, c) for spot in spots for r, c, _ in _cells(*spot))
        grid = grid_of((Part("", hexes),))
    else:
        grid = rectangle_of(layout, parts.section_size)
    return _Laid(grid, tuple(_piece(grid, *spot) for spot in spots))


@lru_cache(maxsize=64)
def grid_of(parts: tuple[Part, ...]) -> Grid:
    """The grid of some parts, the same object each time: a grid is dear to make."""
    return Grid(parts)


def rectangle_of(layout: Layout, section_size: Size) -> Grid:
    """The grid of a layout if its sections, whatever they are, have no holes."""
    height, width = section_size
    return grid_of((_rectangle(len(layout.rows) * height, len(layout.rows[0]) * width),))


@lru_cache(maxsize=64)
def _rectangle(height: int, width: int) -> Part:
    return Part.rectangle(height, width)


@lru_cache(maxsize=1024)
def _piece(grid: Grid, rows: tuple[str, ...], turned: bool, top: int, left: int) -> _Piece:
    letters: dict[str, Mask] = {}
    digits: list[tuple[str, int]] = []
    all = 0
    for row, column, letter in _cells(rows, turned, top, left):
        hex = grid.bit(row, column)
        all |= 1 << hex
        if letter.isdecimal():
            digits.append((letter, hex))
        else:
            letters[letter] = letters.get(letter, 0) | 1 << hex
    return _Piece(tuple(letters.items()), tuple(digits), all)


def _cells(
    rows: tuple[str, ...], turned: bool, top: int, left: int
) -> Iterable[tuple[int, int, str]]:
    lying = [row[::-1] for row in reversed(rows)] if turned else rows
    for row, line in enumerate(lying, top):
        for column, letter in enumerate(line, left):
            if letter != HOLE:
                yield row, column, letter
