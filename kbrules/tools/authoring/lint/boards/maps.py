"""Maps that would play badly: places at the rim or side by side, hexes nobody gets to, twins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, Part, bits
from kbrules.library.boards.sections import Section
from kbrules.library.boards.tables import grid_of
from kbrules.plan.plan import MAX_BITS
from kbrules.tools.authoring.lint.boards.map_boards import Map, ground_of, maps, pockets
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.subject import Subject

_SMALL = 2  # hexes
TileRows = tuple[tuple[str, ...], ...]


@lint("KB730", needs="boards")
def place_at_rim(subject: Subject) -> Iterator[Diagnostic]:
    """Places at the rim of a section of the table."""
    for each in subject.shared(maps):
        hexes = each.places & each.rim if each.is_on_table else 0
        for hex in bits(hexes):
            message = f"the place {quoted(each.board.grid.name(hex))} lies at the rim of this map"
            help_ = "draw it further in: beside another section two places could touch"
            yield Diagnostic("KB730", each.span(1 << hex), message, help_)


@lint("KB731", needs="boards")
def places_touch(subject: Subject) -> Iterator[Diagnostic]:
    """Places side by side."""
    for each in subject.shared(maps):
        places = each.places
        for hex in bits(places):
            later = each.board.grid.neighbours(1 << hex) & places & -(1 << hex)
            if later:
                name = quoted(each.board.grid.name(hex))
                message = f"the place {name} touches {_hex_list(each, later)}"
                labels = (Label(each.span(later), "this one"),)
                help_ = "draw them apart: one piece would get the good of both"
                yield Diagnostic("KB731", each.span(1 << hex), message, help_, labels)


def _hex_list(each: Map, hexes: Mask) -> str:
    """Some hexes by name, a few of them if they are many."""
    names = [quoted(name) for name in each.board.names(hexes)]
    return ", ".join(names[:4]) + (" and others" if len(names) > 4 else "")


@lint("KB732", needs="boards")
def pocket(subject: Subject) -> Iterator[Diagnostic]:
    """Ground that is walled in: a hex or two, or all that a map has of a terrain."""
    for each in subject.shared(maps):
        for hexes in pockets(each, ground_of(subject, each.board)):
            kinds = zip(subject.catalog.hexes, each.board.kinds, strict=True)
            missing = [kind.id for kind, mask in kinds if mask & hexes and not mask & ~hexes]
            if missing or hexes.bit_count() <= _SMALL:
                yield _pocket(each, hexes, missing)


def _pocket(each: Map, hexes: Mask, missing: Sequence[str]) -> Diagnostic:
    number = hexes.bit_count()
    text = (
        f"{number} {'hex is' if number == 1 else 'hexes are'} walled in: {_hex_list(each, hexes)}"
    )
    addition = f", with all the {quoted(missing[0])} of this map" if missing else ""
    help_ = "open a way to other ground, or to the rim; pieces spread from hex to hex"
    return Diagnostic("KB732", each.span(hexes), text + addition, help_)


@lint("KB733", needs="boards")
def no_such_ground(subject: Subject) -> Iterator[Diagnostic]:
    """A terrain of the cards that no map has."""
    sections = subject.ruleset.parts.sections.values()
    letters = {letter for section in sections for row in section.rows for letter in row}
    for box in subject.boxes if sections else ():
        for index, card in enumerate(box.model.deck):
            for id in card.terrains:
                kind = subject.catalog.hexes[subject.catalog.hex_index(id)]
                if kind.letter not in letters:
                    message = f"cards show {quoted(id)}, but no map that is loaded has any"
                    help_ = f"draw some ({quoted(kind.letter)}), or take the cards out of the deck"
                    yield Diagnostic("KB733", box.span("deck", index), message, help_)


@lint("KB734", needs="boards")
def too_small(subject: Subject) -> Iterator[Diagnostic]:
    """Boards with fewer hexes than the players have pieces of the main kind."""
    parts, catalog = subject.ruleset.parts, subject.catalog
    sizes = sorted(len(each.cells) for each in parts.sections.values() if not each.grid)
    needed = parts.table[0] * parts.table[1]
    if not catalog.pieces or len(sizes) < needed:
        return
    main, most = catalog.pieces[0], parts.players[1]
    smallest, pieces = sum(sizes[:needed]), most * main.supply
    for box in subject.boxes:
        if main.id in box.model.pieces and smallest < pieces:
            message = f"{most} players have {pieces} pieces {quoted(main.id)}, "
            message += f"but the smallest board has {smallest} hexes"
            help_ = "lessen the supply or the players, or make the sections larger"
            yield Diagnostic("KB734", box.span("pieces", main.id), message, help_)


@lint("KB748", needs="boards")
def too_large_natively(subject: Subject) -> Iterator[Diagnostic]:
    """Boards that only the engines in plain Python play."""
    size = _table(subject).full.bit_length()
    for box in subject.boxes:
        if size > MAX_BITS and (box.model.table or box.model.section):
            span = box.span("table" if box.model.table else "section")
            message = f"a set of hexes of this table has {size} bits; native code has {MAX_BITS}"
            help_ = "make the table smaller, or play it without `--fast`: nothing else is wrong"
            yield Diagnostic("KB748", span, message, help_)


def _table(subject: Subject) -> Grid:
    """The grid of the largest table: its sections, and the largest on each grid beside it."""
    parts = subject.ruleset.parts
    (rows, columns), (height, width) = parts.table, parts.section_size
    beside: dict[str, tuple[int, int]] = {}
    for section in parts.sections.values():
        if section.grid:
            size = len(section.rows), max(map(len, section.rows))
            beside[section.grid] = max(size, beside.get(section.grid, size))
    sizes = {"": (rows * height, columns * width), **beside}
    return grid_of(tuple(Part.rectangle(*size, name) for name, size in sizes.items()))


@lint("KB735", needs="boards")
def same_maps(subject: Subject) -> Iterator[Diagnostic]:
    """Two sections with one and the same map, or each the other turned."""
    for first, second in combinations([each.section for each in subject.shared(maps)], 2):
        turned = {_rotated(_tile_rows(first)): ", turned", _tile_rows(first): ""}.get(
            _tile_rows(second)
        )
        if turned is not None and first.grid == second.grid:
            message = f"the map {quoted(second.id)} is that of {quoted(first.id)}{turned}"
            labels = (Label(first.span, "the other one"),)
            help_ = "a map that is there twice makes for fewer boards; draw another"
            yield Diagnostic("KB735", second.span, message, help_, labels)


@lint("KB736", needs="boards")
def turned_is_same(subject: Subject) -> Iterator[Diagnostic]:
    """A section that turning does not change."""
    for each in subject.shared(maps):
        rows = _tile_rows(each.section)
        is_varied = len({kind for row in rows for kind in row}) > 1
        if each.is_on_table and is_varied and rows == _rotated(rows):
            message = f"the map {quoted(each.section.id)} is the same when it is turned"
            help_ = "break the symmetry in a hex or two: turned, it could be another board"
            yield Diagnostic("KB736", each.section.span, message, help_)


@lint("KB739", needs="boards")
def tile_on_no_map(subject: Subject) -> Iterator[Diagnostic]:
    """A tile that lies where the maps say, and no map says so."""
    sections = subject.ruleset.parts.sections.values()
    ids = {id for section in sections for id in section.places.values()}
    for box in subject.boxes if sections else ():
        for id, tile in box.model.tiles.items():
            if tile.place and tile.each and not tile.copies and id not in ids:
                message = f"the tile {quoted(id)} lies on no map, so nobody can get it"
                help_ = f'give it a digit on a section: `places: {{"1": {id}}}`, and draw the digit'
                yield Diagnostic("KB739", box.span("tiles", id), message, help_)


def _tile_rows(section: Section) -> TileRows:
    """The rows of a section, with the tile that a digit stands for in its place."""
    return tuple(tuple(section.places.get(sign, sign) for sign in row) for row in section.rows)


def _rotated(rows: TileRows) -> TileRows:
    return tuple(row[::-1] for row in reversed(rows))
