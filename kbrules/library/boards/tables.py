"""Sections, printed pieces read from drawings, and tables of them laid side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from itertools import accumulate, chain
from operator import getitem
from types import MappingProxyType
from typing import Any, NamedTuple

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.game.board import MAX_SIDE, Board, Catalog
from kbrules.game.random import Random
from kbrules.hex.grid import HOLE, Grid, parse_drawing
from kbrules.hex.sets import Mask, Part, bits
from kbrules.library.yaml import Document, Loc
from kbrules.text import Source, Span, counted

# A drawing as it was written somewhere, with the place of every word of it.
#
# In a data file the lines of a drawing are indented and may be quoted; what is drawn and where it
# stands in the file are therefore two things, held together here line by line.


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word of a drawing and where it is written."""

    text: str
    span: Span

    def part(self, start: int, end: int) -> Span:
        """Where some of its characters are written; all of it, if that is not known."""
        if self.span.text != self.text:
            return self.span
        return self.span.source.span(self.span.start + start, self.span.start + end)


@dataclass(frozen=True, slots=True)
class DrawingSource:
    """The lines of a drawing, and for each where it is written, exactly or roughly."""

    lines: tuple[str, ...]
    spans: tuple[Span, ...]
    _rows: list[tuple[DrawnWord, ...]] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(cls, written: str | Span | DrawingSource) -> DrawingSource:
        """Return what is drawn by a string, by a piece of a source, or by what is drawn already."""
        if isinstance(written, DrawingSource):
            return written
        if isinstance(written, str):
            written = Source("drawing", written).whole()
        lines = tuple(written.text.split("\n"))
        starts = accumulate((len(line) + 1 for line in lines), initial=written.start)
        places = zip(starts, lines, strict=False)
        return cls(lines, tuple(written.source.span(at, at + len(line)) for at, line in places))

    @classmethod
    def at(cls, document: Document, loc: Loc) -> DrawingSource:
        """Return the text at a place of a data file; nothing is drawn where there is no text."""
        text = reduce(getitem, loc, document.data)
        lines = tuple(text.splitlines()) if isinstance(text, str) else ()
        spans = document.line_spans(loc)
        if len(spans) != len(lines):
            spans = (document.span_at(loc),) * len(lines)
        return cls(lines, spans)

    @property
    def span(self) -> Span:
        """All of it, from the first word to the last; an empty span if nothing is drawn."""
        rows = self.rows()
        if not rows:
            return self.spans[0] if self.spans else Span.none("drawing")
        first, last = rows[0][0].span, rows[-1][-1].span
        return first.source.span(first.start, last.end)

    def rows(self) -> tuple[tuple[DrawnWord, ...], ...]:
        """The words, row by row, without empty lines."""
        if not self._rows:
            pairs = zip(self.lines, self.spans, strict=True)
            self._rows.extend(row for line, span in pairs if (row := _words_of_line(line, span)))
        return tuple(self._rows)


def _words_of_line(line: str, span: Span) -> tuple[DrawnWord, ...]:
    whole = DrawnWord(line, span)
    tokens = (token for row in parse_drawing(line).rows for token in row)
    return tuple(
        DrawnWord(each.text, whole.part(each.offset, each.offset + len(each.text)))
        for each in tokens
    )


# Sections: the printed pieces of a board, read from their drawings.
#
# A section is drawn with one letter per hex: the letter of a kind of hex, a digit for a hex with
# tiles, or `-` for a hole.

BLANK = "?"  # a hex that is still to be drawn

_SIZE = "draw a sign for each hex, a hole too; how many there are is said once for all boxes"

Size = tuple[int, int]  # rows, columns
MAX_LENGTH = 30  # rows, and hexes in a row
Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A section: one string per row, one character per hex.

    `places` gives the id of the tile for each digit in it; a `stand_in` has an invented map.
    `tasks` is how many task cards come into play with it. `grid` is where it lies, the table if
    empty.
    """

    id: str
    rows: Rows
    places: Mapping[str, str]
    stand_in: bool
    span: Span
    tasks: int = 0
    grid: str = ""

    @property
    def cells(self) -> tuple[tuple[int, int, str], ...]:
        """(row, column, letter or digit) of every hex, counted from 0."""
        return tuple(
            (r, c, letter)
            for r, row in enumerate(self.rows)
            for c, letter in enumerate(row)
            if letter != HOLE
        )


def read_section(
    drawn: DrawingSource, size: Size | None, letters: Mapping[str, str], digits: Mapping[str, str]
) -> tuple[Rows | None, list[Diagnostic]]:
    """Return the rows of a section and what is wrong with its drawing; no rows when anything is.

    `letters` has the title of each kind of hex by its letter, `digits` the tile of each digit.
    Without a size it may have any shape, `MAX_LENGTH` hexes wide and high at the most.
    """
    rows = drawn.rows()
    found = [*_blanks(rows, letters), *_wrong_cells(rows, letters, digits)]
    found += _too_large(rows) if size is None else _wrong_size(drawn, rows, size)
    if rows and all(word.text == HOLE for row in rows for word in row):
        found.append(Diagnostic("KB407", drawn.span, "a section needs at least one hex", _SIZE))
    if found:
        return None, sorted(found)
    return tuple("".join(word.text for word in row) for row in rows), []


Words = tuple[tuple[DrawnWord, ...], ...]


def _wrong_size(drawn: DrawingSource, rows: Words, size: Size) -> Iterator[Diagnostic]:
    height, width = size
    for number, row in enumerate(rows, 1):
        # Letters written together are a finding of their own.
        if len(row) != width and all(len(word.text) == 1 for word in row):
            expected = f"a row of a section has {counted(width, 'hex')}"
            message = f"{expected}, row {number} has {len(row)}"
            yield Diagnostic("KB407", _span_of(row), message, _SIZE)
    if len(rows) != height:
        message = f"a section has {counted(height, 'row')}, this one {counted(len(rows), 'row')}"
        span = _span_of(rows[height]) if len(rows) > height else drawn.span
        yield Diagnostic("KB407", span, message, _SIZE)


def _too_large(rows: Words) -> Iterator[Diagnostic]:
    for number, row in enumerate(rows, 1):
        if number > MAX_LENGTH or len(row) > MAX_LENGTH:
            most = f"{counted(MAX_LENGTH, 'row')} of {counted(MAX_LENGTH, 'hex')}"
            message = f"a section has at most {most}"
            yield Diagnostic("KB407", _span_of(row), message, "leave rows or hexes out")
            return


def _blanks(rows: Words, letters: Mapping[str, str]) -> Iterator[Diagnostic]:
    """One finding for all that is still to be drawn."""
    blanks = [[word for word in row if word.text == BLANK] for row in rows]
    lines = [number for number, row in enumerate(blanks, 1) if row]
    if lines:
        count = sum(map(len, blanks))
        verb = "is" if count == 1 else "are"
        message = f"{counted(count, 'hex')} of this map {verb} still to be drawn, in {_rows(lines)}"
        first = next(word for row in blanks for word in row)
        help = f"put the letter of a hex, or the digit of its tile, in place of {quoted(BLANK)}; "
        yield Diagnostic("KB415", first.span, message, help + f"the letters are {_listed(letters)}")


def _rows(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"rows {numbers[0]} to {numbers[-1]}"
    return f"rows {', '.join(map(str, numbers))}"


def _wrong_cells(
    rows: Words, letters: Mapping[str, str], digits: Mapping[str, str]
) -> Iterator[Diagnostic]:
    reported: set[str] = set()
    for word in (word for row in rows for word in row):
        if word.text in letters or word.text in digits or word.text in reported:
            continue
        if word.text in (HOLE, BLANK):
            continue
        reported.add(word.text)  # the same error again would say nothing new
        yield unknown_letter(word.text, word.span, letters, digits)


def unknown_letter(
    text: str, span: Span, letters: Mapping[str, str], digits: Mapping[str, str]
) -> Diagnostic:
    """The finding about a word of a drawing that stands for no hex."""
    if len(text) > 1:
        message = f"{quoted(text)} is more than one letter"
        return Diagnostic("KB408", span, message, "put a blank between two hexes")
    if text.isdecimal():
        message = f"the digit {quoted(text)} has no tile here"
        known = _listed(digits) or "none has"
        return Diagnostic("KB408", span, message, f"digits that have one: {known}")
    message = f"{quoted(text)} is not the letter of any kind of hex"
    if text.upper() in letters:
        return Diagnostic("KB408", span, message, f"did you mean {quoted(text.upper())}?")
    help = f"the letters are {_listed(letters)}" if letters else "no hex of the boxes has a letter"
    return Diagnostic("KB408", span, message, help)


def _listed(names: Mapping[str, str]) -> str:
    return ", ".join(f"{quoted(sign)} {title}" for sign, title in sorted(names.items()))


def _span_of(row: tuple[DrawnWord, ...]) -> Span:
    first, last = row[0].span, row[-1].span
    return first.source.span(first.start, last.end)


# Shares: a tile drawn for a whole sector, which lies on all its places that no map gives a tile.
#
# No two sectors get the same. A sector without such a place gets none.

Names = tuple[str, ...]


def open_sectors(board: Board, place: str) -> tuple[Names, ...]:
    """For each sector the names of its hexes of a kind of place that have no tile, in order."""
    all = board.kinds[board.catalog.hex_index(place)]
    return tuple(
        tuple(board.grid.name(hex) for hex in bits(all & sector) if hex not in board.tiles)
        for sector in board.sectors
    )


def tiles_named(board: Board, ids: Sequence[str]) -> dict[str, str]:
    """The tile of each open place, if these are the tiles of the sectors, in reading order."""
    places = {tile.id: tile.place for tile in board.catalog.tiles}
    return {
        name: id
        for sector, id in enumerate(ids)
        for name in open_sectors(board, places[id])[sector]
    }


def sector_tile_errors(board: Board, tiles: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the tiles of sectors, in words: two in one, none, or one in two."""
    for place in board.catalog.by_sector:
        seen: dict[str, str] = {}
        for names in open_sectors(board, place):
            tiles_here = {tiles.get(name, "") for name in names}
            if "" in tiles_here:
                yield f"no tile lies on {next(name for name in names if name not in tiles)}"
            elif len(tiles_here) > 1:
                yield f"{names[0]} and {names[-1]} are in one sector, but have different tiles"
            for id in tiles_here & seen.keys():
                yield f"{quoted(id)} lies on {seen[id]} and {names[0]}, in two sectors"
            seen |= dict.fromkeys(tiles_here, names[0] if names else "")


# Pools: tiles that come by chance to the places which no map gives a tile.
#
# Every copy of a tile is in the pool of its kind of place once. Such a place is open as long as no
# tile is laid there. Of other kinds of places all that are in one sector get the same tile, and no
# two sectors do (see the shares above).

Tiles = Mapping[str, str]
"""The id of a tile by the name of the hex it lies on."""


def has_pools(catalog: Catalog) -> bool:
    """Whether any tile comes by chance."""
    return bool(catalog.by_sector) or any(tile.copies and tile.place for tile in catalog.tiles)


def pools(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """For each kind of place that has a pool the tiles in it, each as often as it has copies.

    Both are sorted by id, so that no box changes what is drawn from the pool of another.
    """
    found: dict[str, list[str]] = {}
    for tile in sorted(catalog.tiles, key=lambda tile: tile.id):
        if tile.copies and tile.place:
            found.setdefault(tile.place, []).extend([tile.id] * tile.copies)
    return {place: tuple(found[place]) for place in sorted(found)}


def open_places(board: Board) -> dict[str, tuple[str, ...]]:
    """For each kind of place that has a pool the names of its hexes without a tile, in order."""
    found = {}
    for place in pools(board.catalog):
        hexes = bits(board.kinds[board.catalog.hex_index(place)])
        found[place] = tuple(board.grid.name(hex) for hex in hexes if hex not in board.tiles)
    return found


def draw_tiles(board: Board, seed: int) -> dict[str, str]:
    """Return a tile for each open place; each kind of place has a stream of the seed.

    It is called `tiles` or `sector tiles`, and by the id of the place. ValueError if there are
    fewer tiles than places, or than sectors with such places.
    """
    drawn: dict[str, str] = {}
    for stream, pool, open_names, what in _draws(board):
        if len(pool) < len(open_names):
            problem = f"there are only {len(pool)} tiles to draw from"
            raise ValueError(f"for {len(open_names)} {what} {problem}")
        chosen = Random(seed, stream).sample(pool, len(open_names))
        for names, tile in zip(open_names, chosen, strict=True):
            drawn |= dict.fromkeys(names, tile)
    return drawn


def _draws(board: Board) -> Iterator[tuple[str, Names, list[Names], str]]:
    """Yield stream, pool, the places that get one tile each, and what they are in words."""
    pool_of = pools(board.catalog)
    for place, names in open_places(board).items():
        alone: list[Names] = [(name,) for name in names]
        yield f"tiles {place}", pool_of[place], alone, f"places {quoted(place)}"
    for place, tiles in board.catalog.by_sector.items():
        sectors = [names for names in open_sectors(board, place) if names]
        yield f"sector tiles {place}", tiles, sectors, f"sectors with {quoted(place)}"


def lay_tiles(board: Board, tiles: Tiles) -> Board:
    """The board with tiles on open places, which must be able to lie there.

    `why_no_tile` says of a tile whether it can.
    """
    if not tiles:
        return board
    by_hex = {board.grid.index(name): board.catalog.tile_index(id) for name, id in tiles.items()}
    return replace(board, tiles={**board.tiles, **by_hex})


def laid_tiles(board: Board, tiles: Tiles) -> Board:
    """Return the board of a table on which these tiles were drawn, one for each open place.

    ValueError says why that cannot be.
    """
    if not tiles and not has_pools(board.catalog):
        return board
    names = chain.from_iterable(open_places(board).values())
    problems = chain(
        (why_no_tile(board, name, id) for name, id in tiles.items()),
        (f"no tile lies on {name}" for name in names if name not in tiles),
        surplus(board.catalog, tiles).values(),
        sector_tile_errors(board, tiles),
    )
    for problem in filter(None, problems):
        raise ValueError(problem)
    return lay_tiles(board, tiles)


def why_no_tile(board: Board, name: str, id: str) -> str:
    """Return why a tile cannot be on a hex, in words; empty if it can."""
    known = [tile.id for tile in board.catalog.tiles]
    if id not in known:
        near = suggest(id, known)
        return f"there is no tile {quoted(id)}" + (f"; is it {quoted(near)}?" if near else "")
    tile = board.catalog.tiles[known.index(id)]
    names: Iterable[str]
    if id in board.catalog.by_sector.get(tile.place, ()):
        names = chain.from_iterable(open_sectors(board, tile.place))
    elif tile.copies:
        names = open_places(board).get(tile.place, ())
    else:
        return f"{quoted(id)} is no tile that is drawn for a place"
    return "" if name in names else f"{name} is no place for which {quoted(id)} could be drawn"


def surplus(catalog: Catalog, tiles: Tiles) -> dict[str, str]:
    """Tiles that lie on more hexes than there are copies of them, each with a message."""
    copies = Counter(id for pool in pools(catalog).values() for id in pool)
    return {
        id: f"{quoted(id)} lies on {count} places, but there are {copies[id]} of it"
        for id, count in Counter(tiles.values()).items()
        if 0 < copies[id] < count
    }


# Tables: sections laid side by side make a board, with further grids beside it.
#
# A section may lie upright or turned by half a turn, never otherwise. Both a turn and an odd place
# from the top shift odd rows onto even ones unless a section has an even number of rows. On each
# grid beside the table lies one section, upright: it touches nothing, so that turning it means
# nothing.


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
    start_passes: whether each round begins with the next player. mark_icons: of `Icon`, for the
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
    """Return what keeps a layout from being laid, in words; empty if nothing does."""
    if problem := _why_too_large(layout):
        return problem
    places = [("", id) for row in layout.rows for id, _ in row]
    for grid, id in (*places, *layout.grids):
        if id not in parts.sections:
            near = suggest(id, parts.sections)
            guess = f", is it {quoted(near)}?" if near else ""
            return f"there is no section {quoted(id)}{guess}"
        if problem := why_elsewhere(parts, id, grid):
            return problem
    return why_misshapen(layout, parts.section_size)


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
    names = dict.fromkeys(spot.part for spot in spots)
    grid = grid_of(tuple(_part(name, [s for s in spots if s.part == name]) for name in names))
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


def is_whole(parts: BoardParts, section: Section) -> bool:
    """Whether a section has the usual size and no holes, so that any other may take its place."""
    return _full(section.rows) == parts.section_size


@lru_cache(maxsize=1024)
def _full(rows: tuple[str, ...]) -> Size:
    """The size of a section without holes; 0 of any other."""
    is_full = len({*map(len, rows)}) == 1 and not any(HOLE in row for row in rows)
    return (len(rows), len(rows[0])) if is_full else (0, 0)


def _part(name: str, spots: Sequence[_SectorPosition]) -> Part:
    """The hexes of sections that lie side by side."""
    sizes = {_full(spot.section.rows) for spot in spots}
    if len(sizes) == 1 and (size := sizes.pop()) != (0, 0):
        height = max(spot.top for spot in spots) + size[0]
        return _rectangle(height, max(spot.left for spot in spots) + size[1], name)
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
