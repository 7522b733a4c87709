"""Tables: sections laid side by side make a board, with further grids beside it.

A section may lie upright or turned by half a turn, never otherwise. Both a turn and an odd place
from the top shift odd rows onto even ones unless a section has an even number of rows. On each
grid beside the table lies one section, upright: it touches nothing, so that turning it means
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from kbrules.diagnostics import quoted, suggest
from kbrules.game.board import MAX_SIDE, Board, Catalog
from kbrules.hex.grid import HOLE, Grid
from kbrules.hex.sets import Mask, Part
from kbrules.library.boards.sections import Section, Size
from kbrules.text import Span

TURNED = "turned"
_NO_GRIDS: Mapping[str, str] = MappingProxyType({})
UPRIGHT = "sections with an odd number of rows cannot be turned"
MAX_PLACED = 4096
ODD_ROWS = "sections with an odd number of rows cannot lie one below the other"


@dataclass(frozen=True, slots=True)
class Layout:
    """Which sections lie where: rows of (section id, whether it is turned).

    `grids` has the section on each grid beside the table, as (grid, section), sorted. The text of
    a layout reads back: `north south/east west turned; shore: cliffs`.
    """

    rows: tuple[tuple[tuple[str, bool], ...], ...]
    grids: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        words = [[f"{id} {TURNED}" if turned else id for id, turned in row] for row in self.rows]
        table = "/".join(map(" ".join, words))
        return "; ".join([table, *(f"{grid}: {section}" for grid, section in self.grids)])

    @property
    def sections(self) -> tuple[str, ...]:
        """The ids of all sections: those of the table in reading order, then those beside it."""
        on_table = (section for row in self.rows for section, _ in row)
        return (*on_table, *(section for _, section in self.grids))


def read_layout(text: str) -> Layout:
    """The layout a text stands for; ValueError if it stands for none."""
    table, *others = text.split(";")
    rows = tuple(_read_row(row.split()) for row in table.split("/"))
    grids = dict(map(_read_grid, others))
    if len(grids) < len(others):
        raise ValueError("on a grid lies one section")
    return Layout(rows, tuple(sorted(grids.items())))


def _read_grid(text: str) -> tuple[str, str]:
    grid, _, section = (part.strip() for part in text.partition(":"))
    if not grid or len(section.split()) != 1:
        raise ValueError(f"{quoted(text.strip())} does not say which section lies on which grid")
    return grid, section


def layout_of(rows: Iterable[Iterable[str]], grids: Mapping[str, str] = _NO_GRIDS) -> Layout:
    """The layout of rows of sections, each an id or an id and `turned`, and those on grids."""
    table = tuple(_read_row(" ".join(row).split()) for row in rows)
    return Layout(table, tuple(sorted(grids.items())))


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
    The layout is of the table alone; `grids` has the section of each grid that is not left open.
    """

    id: str
    title: str
    layout: Layout | None
    cards: tuple[str, ...]
    span: Span
    tiles: tuple[tuple[str, ...], ...] = ()
    grids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoardParts:
    """What the boxes hold beside the things of the catalog.

    players: least and most. table: rows and columns of sections; section_size: of hexes.
    spans: where a thing is declared, by the key of its list and its id. marks: by the word of
    the rules that means the hexes, what players call them. defaults: of options, where a box has
    another than the rules. section_sets: the sections of which a random table may be made.
    start_passes: whether each round begins with the next player. mark_icons: of `looks`, for the
    marks that have one. box_titles: what players call the boxes.
    seated_by: the boxes that say the least and the most number of players; empty if none does.
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
    seated_by: tuple[str, str] = ("", "")
    start_passes: bool = False
    mark_icons: Mapping[str, str] = field(default_factory=dict)
    box_titles: Mapping[str, str] = field(default_factory=dict)


def why_not_laid(parts: BoardParts, layout: Layout) -> str:
    """What keeps a layout from being laid, in words; empty if nothing does."""
    if problem := _why_too_large(layout):
        return problem
    places = [("", id) for row in layout.rows for id, _ in row]
    for grid, id in (*places, *layout.grids):
        if id not in parts.sections:
            return _no_section(parts, id)
        if problem := why_elsewhere(parts, id, grid):
            return problem
    return why_misshapen(layout, parts.section_size)


def _no_section(parts: BoardParts, id: str) -> str:
    near = suggest(id, parts.sections)
    guess = f", is it {quoted(near)}?" if near else ""
    return f"there is no section {quoted(id)}{guess}"


def why_elsewhere(parts: BoardParts, id: str, grid: str) -> str:
    """Why a section does not lie on a grid, or on the table, in words; empty if it does."""
    if id not in parts.sections or parts.sections[id].grid == grid:
        return ""
    own = parts.sections[id].grid
    own_name, grid_name = (
        f"the grid {quoted(name)}" if name else "the table" for name in (own, grid)
    )
    return f"the section {quoted(id)} lies on {own_name}, not on {grid_name}"


def why_incomplete(parts: BoardParts, layout: Layout) -> str:
    """Which grid beside the table has no section, in words; empty if each has one."""
    grids = {section.grid for section in parts.sections.values() if section.grid}
    missing = sorted(grids - dict(layout.grids).keys())
    return f"no section lies on the grid {quoted(missing[0])}" if missing else ""


def why_misshapen(layout: Layout, section_size: Size) -> str:
    """What is wrong with the shape of a layout, whatever sections it names; empty if nothing."""
    if problem := _why_too_large(layout):
        return problem
    if len({len(row) for row in layout.rows}) != 1:
        return "the rows of a table have equally many sections"
    if not can_turn(section_size):
        if len(layout.rows) > 1:
            return ODD_ROWS
        if any(turned for row in layout.rows for _, turned in row):
            return UPRIGHT
    return ""


def _why_too_large(layout: Layout) -> str:
    height, width = len(layout.rows), max(map(len, layout.rows), default=0)
    if max(height, width) <= MAX_SIDE:
        return ""
    return f"a table has at most {MAX_SIDE} x {MAX_SIDE} sections, not {height} x {width}"


def can_turn(section_size: Size) -> bool:
    """Whether sections of a size may lie turned, and one below the other."""
    return section_size[0] % 2 == 0


def lay_table(catalog: Catalog, parts: BoardParts, layout: Layout) -> Board:
    """The board of a layout, one sector per section in reading order.

    What lies on a grid beside the table is no sector. ValueError says what keeps the layout from
    being laid. Boards of one shape share their grid.
    """
    if problem := why_not_laid(parts, layout):
        raise ValueError(problem)
    height, width = parts.section_size
    spots = [
        _SectorPosition(parts.sections[id], turned, i * height, j * width)
        for i, row in enumerate(layout.rows)
        for j, (id, turned) in enumerate(row)
    ]
    spots += [_SectorPosition(parts.sections[id], part=grid) for grid, id in layout.grids]
    return _board(catalog, spots)


def lay_section(catalog: Catalog, section: Section, turned: bool) -> Board:
    """The board of one section alone, laid as on a table whatever grid it belongs to.

    ValueError if it cannot be turned.
    """
    if turned and section.grid:
        raise ValueError(f"sections on the grid {quoted(section.grid)} are not turned")
    if turned and len(section.rows) % 2:
        raise ValueError(UPRIGHT)
    return _board(catalog, [_SectorPosition(section, turned)])


class _SectorPosition(NamedTuple):
    """Where a section lies: its top left corner, and the part of the grid."""

    section: Section
    turned: bool = False
    top: int = 0
    left: int = 0
    part: str = ""


def _board(catalog: Catalog, spots: Sequence[_SectorPosition]) -> Board:
    grid = _grid(spots)
    kinds = [0] * len(catalog.hexes)
    tiles: dict[int, int] = {}
    sectors: list[Mask] = []
    for spot in spots:
        piece = _placed(catalog, grid, spot)
        for kind, mask in piece.kinds:
            kinds[kind] |= mask
        tiles |= piece.tiles
        if not spot.part:
            sectors.append(piece.all)
    stand_ins = dict.fromkeys(spot.section.id for spot in spots if spot.section.stand_in)
    return Board(catalog, grid, tuple(kinds), tuple(sectors), tiles, tuple(stand_ins))


class PlacedSection(NamedTuple):
    """A section as it lies on a grid: masks of kinds of hexes, tiles by hex, and all its hexes."""

    kinds: tuple[tuple[int, Mask], ...]
    tiles: Mapping[int, int]
    all: Mask
    of: tuple[Catalog, Grid, Section]


_PLACED: dict[Any, PlacedSection] = {}
"""Sections by where they lie; each has what it is known by, so that nothing takes its place."""


def _placed(catalog: Catalog, grid: Grid, spot: _SectorPosition) -> PlacedSection:
    key = (id(catalog), id(grid), id(spot.section), *spot[1:])
    found = _PLACED.get(key)
    if found is None:
        if len(_PLACED) >= MAX_PLACED:
            _PLACED.clear()
        found = _PLACED[key] = _place(catalog, grid, spot)
    return found


def _place(catalog: Catalog, grid: Grid, spot: _SectorPosition) -> PlacedSection:
    kind_of = {kind.letter: index for index, kind in enumerate(catalog.hexes)}
    kinds: dict[int, Mask] = {}
    tiles: dict[int, int] = {}
    for row, column, letter in _cells(spot.section.rows, spot.turned, spot.top, spot.left):
        hex = grid.index_at(row, column, spot.part)
        if letter.isdecimal():
            tiles[hex] = catalog.tile_index(spot.section.places[letter])
            kind = catalog.hex_index(catalog.tiles[tiles[hex]].place)
        else:
            kind = kind_of[letter]
        kinds[kind] = kinds.get(kind, 0) | 1 << hex
    all = sum(kinds.values())
    return PlacedSection(tuple(kinds.items()), tiles, all, (catalog, grid, spot.section))


def placed_section(
    catalog: Catalog, parts: BoardParts, grid: Grid, id: str, turned: bool, spot: tuple[int, int]
) -> PlacedSection:
    """A section as it lies on a grid of a table. spot: its row and column among the sections."""
    height, width = parts.section_size
    row, column = spot
    at = _SectorPosition(parts.sections[id], turned, row * height, column * width)
    return _placed(catalog, grid, at)


def _grid(spots: Sequence[_SectorPosition]) -> Grid:
    shapes = tuple([(_full(spot.section.rows), *spot[2:]) for spot in spots])
    if (0, 0) in [each[0] for each in shapes]:
        return grid_of(_parts(spots))
    return grid_of(_of_shapes(shapes))


def is_whole(parts: BoardParts, section: Section) -> bool:
    """Whether a section has the usual size and no holes, so that any other may take its place."""
    return _full(section.rows) == parts.section_size


@lru_cache(maxsize=1024)
def _full(rows: tuple[str, ...]) -> Size:
    """The size of a section without holes; 0 of any other."""
    is_full = len({*map(len, rows)}) == 1 and not any(HOLE in row for row in rows)
    return (len(rows), len(rows[0])) if is_full else (0, 0)


@lru_cache(maxsize=64)
def _of_shapes(shapes: tuple[tuple[Size, int, int, str], ...]) -> tuple[Part, ...]:
    """The parts of sections without holes: size, top left corner, and the part of the grid."""
    rows = [("x" * width,) * height for (height, width), *_ in shapes]
    sections = [Section("", each, {}, False, Span.none("a shape")) for each in rows]
    places = zip(sections, shapes, strict=True)
    return _parts([_SectorPosition(each, False, at[1], at[2], at[3]) for each, at in places])


def _parts(spots: Sequence[_SectorPosition]) -> tuple[Part, ...]:
    names = dict.fromkeys(spot.part for spot in spots)
    return tuple(_part(name, [s for s in spots if s.part == name]) for name in names)


def _part(name: str, spots: Sequence[_SectorPosition]) -> Part:
    """The hexes of sections that lie side by side."""
    widths = {len(row) for spot in spots for row in spot.section.rows}
    if len(widths) == 1 and not any(HOLE in row for spot in spots for row in spot.section.rows):
        height = max(spot.top + len(spot.section.rows) for spot in spots)
        return _rectangle(height, max(spot.left for spot in spots) + widths.pop(), name)
    cells = (cell for s in spots for cell in _cells(s.section.rows, s.turned, s.top, s.left))
    return Part(name, frozenset((row, column) for row, column, _ in cells))


@lru_cache(maxsize=64)
def grid_of(parts: tuple[Part, ...]) -> Grid:
    """The grid of some parts, the same object each time: a grid is dear to make."""
    return Grid(parts)


def rectangle_of(layout: Layout, section_size: Size) -> Grid:
    """The grid of a layout if its sections, whatever they are, have no holes."""
    height, width = section_size
    return grid_of((_rectangle(len(layout.rows) * height, len(layout.rows[0]) * width, ""),))


@lru_cache(maxsize=64)
def _rectangle(height: int, width: int, name: str) -> Part:
    return Part.rectangle(height, width, name)


def _cells(
    rows: tuple[str, ...], turned: bool, top: int, left: int
) -> Iterable[tuple[int, int, str]]:
    oriented = [row[::-1] for row in reversed(rows)] if turned else rows
    for row, line in enumerate(oriented, top):
        for column, letter in enumerate(line, left):
            if letter != HOLE:
                yield row, column, letter
