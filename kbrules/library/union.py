"""The union of boxes: one catalog of things and all parts, whatever order they were loaded in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kbrules.diagnostics import Diagnostic, Label, did_you_mean, quoted
from kbrules.game.board import Catalog, GridKind, HexKind, Piece, TerrainCard, TileKind
from kbrules.lang.syntax.tree import Option
from kbrules.library.boards import tables
from kbrules.library.boards.tables import Section, Size, pools, read_section
from kbrules.library.box import Box, Claims, in_order
from kbrules.library.yaml import Loc
from kbrules.text import Span, counted

# What boxes say in place of what others say: `instead:`, whichever of them is loaded first.
#
# A box that brings a number says it under `numbers:`, and two that differ clash. A box that means
# to change one says so under `instead:`, which wins over all of those; two that say there
# different things of the same thing clash again.

Boxes = Sequence[Box]
Value = bool | int


def other_defaults(boxes: Boxes, claims: Claims) -> dict[str, Value]:
    """The defaults of options that boxes put in the place of others; whether there are such
    options is not known before the rules are read."""
    found: dict[str, Value] = {}
    for box in boxes:
        for id, written in box.model.instead.options.items():
            loc = "instead", "options", id
            value = written == "yes" if isinstance(written, str) else written
            what = f"the default of the option {quoted(id)}"
            claims.value(what, (type(value), value), box.span(*loc))
            claims.spans["options", id] = box.key(*loc)
            found[id] = value
    return found


def options_of(
    declared: Iterable[Option], parts: tables.BoardParts
) -> tuple[dict[str, Value], list[Diagnostic]]:
    """The default of each option as boxes have it, sorted, and what is wrong with those."""
    defaults: dict[str, Value] = {option.name.text: option.default for option in declared}
    findings = list(_wrong_defaults(defaults, parts))
    if not findings:
        defaults |= parts.defaults
    return dict(sorted(defaults.items())), findings


def _wrong_defaults(
    defaults: Mapping[str, Value], parts: tables.BoardParts
) -> Iterator[Diagnostic]:
    for id, value in parts.defaults.items():
        span = parts.spans["options", id]
        if id not in defaults:
            yield _unknown("option", id, defaults, span)
        elif isinstance(defaults[id], bool) is not isinstance(value, bool):
            kind = "`yes` or `no`" if isinstance(defaults[id], bool) else "a number"
            yield Diagnostic("KB209", span, f"the option {quoted(id)} is {kind}")


def _unknown(noun: str, id: str, known: Iterable[str], span: Span) -> Diagnostic:
    there = f"; there is {', '.join(map(quoted, sorted(known)))}" if known else ""
    help_ = did_you_mean(id, known, f"load the box that has it{there}")
    return Diagnostic("KB413", span, f"there is no {noun} {quoted(id)} to be changed", help_)


# What boxes say about each other's things by id: every id must name something that is loaded.


_USES = {
    "tiles.*.place": "place",
    "deck.*.terrains.*": "terrain",
    "sector_tiles.?": "place",
    "sector_tiles.*.*": "tile",
    "section_sets.*.*": "section",
    "sections.*.grid": "grid",
    "sections.*.places.*": "tile",
    "setups.*.cards.*": "card",
    "setups.*.tiles.*.*": "tile",
    "setups.*.sections.*.*": "section",
    "setups.*.grids.?": "grid",
    "setups.*.grids.*": "section",
}
"""What ids name, by where they are in the data of a box: `*` is any part, `?` a key itself."""


def _at(pattern: str, data: Any, loc: Loc = ()) -> Iterator[tuple[Any, Any]]:
    """Yield each place of data that fits a pattern, and what is there."""
    first, _, rest = pattern.partition(".")
    if not first:
        yield loc, data
    elif first == "?":
        yield from (((*loc, key), key) for key in data)
    elif first == "*":
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _at(rest, value, (*loc, key))
    elif first in data:
        yield from _at(rest, data[first], (*loc, first))


def unknown_ids(box: Box, known: Mapping[str, Collection[str]]) -> Iterator[Diagnostic]:
    """Yield a finding for each id in a box that names nothing. known: the ids by what they name."""
    for pattern, noun in _USES.items():
        for loc, words in _at(pattern, box.document.data):
            id = words.removesuffix(f" {tables.TURNED}")
            if id and id not in known[noun]:
                span = box.document.span_at(loc, key=pattern.endswith("?"))
                otherwise = "declare it, or load the box that has it"
                help = did_you_mean(id, sorted(known[noun]), otherwise)
                yield Diagnostic("KB413", span, f"there is no {noun} {quoted(id)}", help)


def misused_ids(box: Box, catalog: Catalog, covered: Collection[str]) -> Iterator[Diagnostic]:
    """Yield the findings about things of a box that do not go together.

    covered: the grids for which some section is meant.
    """
    data, place_of = box.document.data, {tile.id: tile.place for tile in catalog.tiles}
    shared = {id for tiles in catalog.by_sector.values() for id in tiles}
    for id, tile in box.model.tiles.items():
        if tile.copies and not tile.place:
            message = f"no place can get the tile {quoted(id)}, for it lies on no kind of place"
            span = box.key("tiles", id, "copies")
            yield Diagnostic("KB403", span, message, "give the tile a `place`")
    for (*loc, at), terrain in _at("deck.*.terrains.*", data):
        if terrain in box.model.deck[loc[1]].terrains[:at]:
            message = f"the card shows {quoted(terrain)} twice"
            yield Diagnostic("KB403", box.span(*loc, at), message)
    for loc, tile in _at("sector_tiles.*.*", data):
        if place_of.get(tile, loc[1]) != loc[1]:
            message = f"the tile {quoted(tile)} does not lie on places {quoted(loc[1])}"
            yield Diagnostic("KB403", box.span(*loc), message)
    for id in set(box.model.grids) - set(covered):
        message = f"no section can lie on the grid {quoted(id)}"
        yield Diagnostic("KB414", box.key("grids", id), message, f"draw one that says `grid: {id}`")
    for loc, tile in _at("sections.*.places.*", data):
        if place_of.get(tile) == "":
            message = f"the tile {quoted(tile)} lies on no kind of place"
            yield Diagnostic("KB403", box.span(*loc), message, "give the tile a `place`")
        if loc[-1] not in box.model.sections[loc[1]].rows:
            message = f"the digit {quoted(loc[-1])} is not in the drawing"
            yield Diagnostic("KB403", box.key(*loc), message)
    yield from _misused_tiles(box, place_of, shared)


def _misused_tiles(
    box: Box, known: Collection[str], shared: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield findings about the tiles of set-ups. shared: those that are drawn for sectors."""
    for id, setup in box.model.setups.items():
        if setup.tiles and [*map(len, setup.tiles)] != [*map(len, setup.sections)]:
            message = "the tiles are not as many as the sections, row by row"
            yield Diagnostic("KB403", box.key("setups", id, "tiles"), message)
    for loc, tile in _at("setups.*.tiles.*.*", box.document.data):
        if tile in known and tile not in shared:
            yield Diagnostic("KB403", box.span(*loc), f"{quoted(tile)} is drawn for no sector")


# Which drawing of a section counts: a printed map in place of a stand-in, and never of another.
#
# A box says so by `replaces: stand-in`, so that a section which only happens to have the id of
# another is reported, and in whatever order boxes are loaded the same map is laid.

STAND_IN = "stand-in"
_REMEDY = f"if this is its printed map, add the line `replaces: {STAND_IN}`"


def sections_in_force(boxes: Iterable[Box], claims: Claims) -> Iterator[tuple[Box, str]]:
    """Each section once, with the box whose drawing of it counts; clashes go to the claims."""
    drawings = [(box, id) for box in boxes for id in box.model.sections]
    first: dict[str, Box] = {}
    for box, id in (each for each in drawings if not _replaces(*each)):
        help = _REMEDY if id in first and _is_stand_in(first[id], id) else ""
        if claims.id("sections", "section", id, box.key("sections", id), help):
            first[id] = box
    second: dict[str, Box] = {}
    for box, id in (each for each in drawings if _replaces(*each)):
        problem = _why_not(box, id, first, second)
        if problem is None:
            second[id] = box
            claims.spans["sections", id] = box.key("sections", id)
        else:
            claims.found.append(problem)
    yield from ((second.get(id, box), id) for id, box in first.items())


def _replaces(box: Box, id: str) -> bool:
    return box.model.sections[id].replaces is not None


def _is_stand_in(box: Box, id: str) -> bool:
    return box.model.sections[id].map == STAND_IN


def _why_not(
    box: Box, id: str, first: Mapping[str, Box], second: Mapping[str, Box]
) -> Diagnostic | None:
    """What keeps a drawing from replacing the first one of its section."""
    span = box.span("sections", id, "replaces")
    if id not in first:
        stand_ins = [name for name, other_box in first.items() if _is_stand_in(other_box, name)]
        help = did_you_mean(id, stand_ins, "add the box that has it to `needs`")
        return Diagnostic("KB413", span, f"there is no section {quoted(id)} to replace", help)
    other = second.get(id, first[id])
    labels = (Label(other.key("sections", id), "drawn here"),)
    if id in second:
        message = f"two boxes replace the map of {quoted(id)}"
        return Diagnostic("KB411", span, message, "load only one of them", labels)
    if not _is_stand_in(other, id):
        message = f"the map of {quoted(id)} is the printed one, no {STAND_IN}"
        help = "delete this section, or give it an id of its own without `replaces`"
        return Diagnostic("KB411", span, message, help, labels)
    return None


# Checks that boxes hold enough pieces and tiles for every table of their sections.


def shortages(catalog: Catalog, parts: tables.BoardParts) -> Iterator[Diagnostic]:
    """Yield findings about pools of tiles and tasks of which a table may need more than there are.

    Each section counts once, as in a table laid at random.
    """
    for place, pool in pools(catalog).items():
        letters = [kind.letter for kind in catalog.hexes if kind.id == place]
        counts = {id: _drawn(section.rows, letters) for id, section in parts.sections.items()}
        if len(pool) < (demand := _largest_demand(parts, counts)):
            message = (
                f"{counted(len(pool), 'tile')} can be drawn for {quoted(place)}, "
                f"but a table can have {demand} such places"
            )
            span = parts.spans["tiles", pool[0]]
            yield Diagnostic("KB414", span, message, "raise the `copies` of some of them")
    yield from _shares(catalog, parts)
    yield from _tasks(catalog, parts)


def _shares(catalog: Catalog, parts: tables.BoardParts) -> Iterator[Diagnostic]:
    """A tile is drawn for each sector with a place, and a kind of place has one way of drawing."""
    for place, tiles in catalog.by_sector.items():
        spans = [parts.spans[key] for key in parts.spans if key in {("tiles", id) for id in tiles}]
        letters = [kind.letter for kind in catalog.hexes if kind.id == place]
        on_table = {id: section for id, section in parts.sections.items() if not section.grid}
        counts = {id: min(1, _drawn(section.rows, letters)) for id, section in on_table.items()}
        if spans and len(tiles) < (demand := _largest_demand(parts, counts)):
            message = f"{counted(len(tiles), 'tile')} can be drawn for sectors with {quoted(place)}"
            message += f", but a table can have {demand} of them"
            yield Diagnostic("KB414", spans[0], message, "list more under `sector_tiles`")
        if pool := pools(catalog).get(place):
            message = f"tiles for {quoted(place)} are drawn for sectors and for single places"
            span = parts.spans["tiles", pool[0]]
            yield Diagnostic("KB403", span, message, "leave out `copies`, or `sector_tiles`")


def _tasks(catalog: Catalog, parts: tables.BoardParts) -> Iterator[Diagnostic]:
    tasks = {section.id: section.tasks for section in parts.sections.values()}
    demand = _largest_demand(parts, tasks)
    if len(catalog.tasks) < demand:
        id = max(tasks, key=lambda id: tasks[id])
        available = f"there are only {len(catalog.tasks)}" if catalog.tasks else "there is none"
        what = counted(demand, "task")
        message = f"the sections of a table can bring {what} into play, but {available}"
        yield Diagnostic("KB414", parts.spans["sections", id], message, "list more under `tasks`")


def _largest_demand(parts: tables.BoardParts, counts: Mapping[str, int]) -> int:
    """The largest sum over as many sections as make a table, and one on each grid beside it."""
    rows, columns = parts.table
    by_grid: dict[str, list[int]] = {}
    for id, count in counts.items():
        by_grid.setdefault(parts.sections[id].grid, []).append(count)
    on_table = sorted(by_grid.pop("", []), reverse=True)[: rows * columns]
    return sum(on_table) + sum(map(max, by_grid.values()))


def _drawn(rows: Iterable[str], letters: Iterable[str]) -> int:
    return sum(row.count(letter) for row in rows for letter in letters)


# The parts of all boxes together: sections, set-ups, and the sizes of things.

# What holds when no box says anything.
PLAYERS = (1, 6)
TABLE = (2, 2)
SECTION_SIZE = (10, 10)


def parts_of(boxes: Boxes, catalog: Catalog, claims: Claims) -> tables.BoardParts:
    """Return the parts of boxes that are in order; findings and spans go to the claims."""
    for box in boxes:
        claims.spans["boxes", box.id] = box.span("id")
    table, size = _sizes(boxes, claims)
    sections = {section.id: section for section in _sections(boxes, catalog, size, claims)}
    players, seated_by = _players(boxes, claims)
    ids = tuple(box.id for box in boxes)
    claimed = _claimed(boxes, "marks", "mark", claims)
    marks = {id: mark.title or _title(id) for _, id, mark in claimed}
    icons = {id: mark.icon for box in boxes for id, mark in box.model.marks.items() if mark.icon}
    sets = {id: of for _, id, of in _claimed(boxes, "section_sets", "set of sections", claims)}
    defaults = other_defaults(boxes, claims)
    parts = tables.BoardParts(
        ids, sections, {}, players, table, size, claims.spans, marks, defaults, sets, seated_by,
        any(box.model.start_player == "passes" for box in boxes), icons,
        {box.id: box.model.title for box in boxes},
    )  # fmt: skip
    return replace(parts, setups={setup.id: setup for setup in _setups(boxes, parts, claims)})


def _sizes(boxes: Boxes, claims: Claims) -> tuple[Size, Size]:
    """Return the size of the table in sections, and that of a section in hexes."""
    table, size = TABLE, SECTION_SIZE
    instead: Size | None = None
    span: Span | None = None
    for box in boxes:
        if box.model.table:
            table = (box.model.table.rows, box.model.table.columns)
            claims.value("the size of the table", table, box.span("table"))
        if box.model.section:
            size = (box.model.section.rows, box.model.section.columns)
            claims.value("the size of a section", size, box.span("section"))
            span = box.span("section", "rows")
        if other := box.model.instead.table:
            instead = (other.rows, other.columns)
            claims.value("what the table is instead", instead, box.span("instead", "table"))
    table = instead or table
    if span and size[0] % 2 and table[0] > 1:
        help = "every second section would lie half a hex off"
        claims.found.append(Diagnostic("KB403", span, tables.ODD_ROWS, help))
    return table, size


def _players(boxes: Boxes, claims: Claims) -> tuple[tuple[int, int], tuple[str, str]]:
    """Return the least and the most number of players, and the first boxes that say them."""
    leasts = {box.id: box.model.players.least for box in boxes if box.model.players.least}
    mosts = {box.id: box.model.players.most for box in boxes if box.model.players.most}
    least, most = min(leasts.values(), default=0), max(mosts.values(), default=0)
    if most and least > most:
        span = next(box.span("players", "least") for box in boxes if box.id in leasts)
        message = f"the least number of players, {least}, is above the most, {most}"
        claims.found.append(Diagnostic("KB403", span, message))
    least_of, most_of = (
        next((id for id, number in said.items() if number == wanted), "")
        for said, wanted in ((leasts, least or PLAYERS[0]), (mosts, most or PLAYERS[1]))
    )
    return (least or PLAYERS[0], most or PLAYERS[1]), (least_of, most_of)


def _sections(boxes: Boxes, catalog: Catalog, size: Size, claims: Claims) -> Iterator[Section]:
    letters = {kind.letter: kind.title for kind in catalog.hexes}
    for box, id in sections_in_force(boxes, claims):
        key, model = box.key("sections", id), box.model.sections[id]
        if id == tables.TURNED:
            message = f"{quoted(id)} says how a section lies, so no section is called so"
            claims.found.append(Diagnostic("KB411", key, message))
        drawn = box.drawn("sections", id, "rows")
        wanted = None if model.grid else size
        rows, found = read_section(drawn, wanted, letters, model.places)
        claims.found.extend(found)
        if rows is not None:
            stand_in = model.map == STAND_IN
            places = dict(model.places)
            yield Section(id, rows, places, stand_in, key, model.tasks, model.grid)


def _setups(boxes: Boxes, parts: tables.BoardParts, claims: Claims) -> Iterator[tables.Setup]:
    for box, id, model in _claimed(boxes, "setups", "set-up", claims):
        layout = _layout(box, id, parts, claims) if model.sections else None
        title = model.title or _title(id).replace("-", " ")
        claims.found.extend(_misplaced(box, id, parts))
        key, grids = box.key("setups", id), dict(model.grids)
        yield tables.Setup(id, title, layout, model.cards, key, model.tiles, grids)


def _layout(box: Box, setup: str, parts: tables.BoardParts, claims: Claims) -> tables.Layout | None:
    try:
        layout = tables.layout_of(box.model.setups[setup].sections)
        problem = tables.why_misshapen(layout, parts.section_size)
    except ValueError as error:
        layout, problem = None, str(error)
    if problem:
        span = box.span("setups", setup, "sections")
        claims.found.append(Diagnostic("KB403", span, problem))
    return layout


def _misplaced(box: Box, setup: str, parts: tables.BoardParts) -> Iterator[Diagnostic]:
    """The sections of a set-up that do not lie where they belong."""
    model = box.model.setups[setup]
    for i, row in enumerate(model.sections):
        for j, words in enumerate(row):
            problem = tables.why_elsewhere(parts, words.removesuffix(f" {tables.TURNED}"), "")
            if problem:
                yield Diagnostic("KB403", box.span("setups", setup, "sections", i, j), problem)
    for grid, section in model.grids.items():
        if problem := tables.why_elsewhere(parts, section, grid):
            yield Diagnostic("KB403", box.span("setups", setup, "grids", grid), problem)


# The catalog of all boxes: within a box the order of its file holds. Of two things with one id the
# first stays and the second is a finding.


def merge(boxes: Iterable[Box]) -> tuple[Catalog, tables.BoardParts, list[Diagnostic]]:
    """Return the things and parts of all boxes together, and what does not fit together.

    Both are there even when something is wrong, without the things that are; for play they
    are good only when nothing is.
    """
    ordered, found = in_order(boxes)
    claims = Claims(found=found)
    catalog = _catalog(ordered, claims)
    parts = parts_of(ordered, catalog, claims)
    known = {
        "terrain": claims.ids("terrains"),  # a thing whose letter is taken is no less there
        "place": claims.ids("places"),
        "tile": {tile.id for tile in catalog.tiles},
        "card": claims.ids("cards") | claims.ids("tasks"),
        "section": claims.ids("sections"),
        "grid": claims.ids("grids"),
    }
    covered = {section.grid for box in ordered for section in box.model.sections.values()}
    for box in ordered:
        found += [*unknown_ids(box, known), *misused_ids(box, catalog, covered)]
    found += shortages(catalog, parts)
    return catalog, parts, sorted(found)


def _catalog(boxes: Boxes, claims: Claims) -> Catalog:
    hexes = tuple(_hexes(boxes, claims))
    cards = tuple(_cards(boxes, claims))
    return Catalog(
        hexes,
        tuple(_pieces(boxes, claims)),
        tuple(_tiles(boxes, claims)),
        cards,
        _deck(boxes, hexes),
        _numbers(boxes, claims),
        tuple(id for id in cards if ("tasks", id) in claims.spans),
        _by_sector(boxes),
        tuple(
            GridKind(id, grid.title or _title(id), grid.tags)
            for _, id, grid in _claimed(boxes, "grids", "grid", claims)
        ),
    )


def _hexes(boxes: Boxes, claims: Claims) -> Iterator[HexKind]:
    noun = "kind of hex"
    for of, table in ((box, table) for box in boxes for table in ("terrains", "places")):
        for box, id, kind in _claimed([of], table, noun, claims):
            if claims.letter(noun, kind.letter, box.span(table, id, "letter")):
                title, is_place = kind.title or _title(id), table == "places"
                looks = kind.texture, kind.icon
                yield HexKind(id, kind.letter, title, kind.colour, kind.tags, is_place, *looks)


def _pieces(boxes: Boxes, claims: Claims) -> Iterator[Piece]:
    for box, id, piece in _claimed(boxes, "pieces", "piece", claims):
        if claims.letter("piece", piece.letter, box.span("pieces", id, "letter")):
            counts = piece.supply, piece.tags, piece.neutral, piece.shape
            yield Piece(id, piece.letter, piece.title or _title(id), *counts, piece.icon)


def _tiles(boxes: Boxes, claims: Claims) -> Iterator[TileKind]:
    for _, id, tile in _claimed(boxes, "tiles", "tile", claims):
        each, title = tile.each or min(1, tile.copies), tile.title or _title(id)
        yield TileKind(id, tile.kind, title, tile.place, each, tile.copies)


def _cards(boxes: Boxes, claims: Claims) -> Iterator[str]:
    for box in boxes:
        for table, ids in (("cards", box.model.cards), ("tasks", box.model.tasks)):
            for index, id in enumerate(ids):
                if claims.id(table, "card", id, box.span(table, index)):
                    yield id


def _by_sector(boxes: Boxes) -> dict[str, tuple[str, ...]]:
    """The tiles of all boxes, each once, sorted so that no order of boxes matters."""
    found: dict[str, set[str]] = {}
    for place, tiles in (item for box in boxes for item in box.model.sector_tiles.items()):
        found.setdefault(place, set()).update(tiles)
    return {place: tuple(sorted(found[place])) for place in sorted(found)}


def _deck(boxes: Boxes, hexes: Sequence[HexKind]) -> tuple[TerrainCard, ...]:
    """Equal cards of several boxes make one entry, so that a card has one name."""
    index_of = {kind.id: index for index, kind in enumerate(hexes)}
    counts: dict[tuple[int, ...], int] = {}
    for card in (card for box in boxes for card in box.model.deck):
        terrains = tuple(sorted({index_of[id] for id in card.terrains if id in index_of}))
        if terrains:
            counts[terrains] = counts.get(terrains, 0) + card.count
    return tuple(TerrainCard(terrains, count) for terrains, count in counts.items())


def _numbers(boxes: Boxes, claims: Claims) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for box in boxes:
        for id, value in box.model.numbers.items():
            claims.value(f"the number {quoted(id)}", value, box.span("numbers", id))
            claims.spans.setdefault(("numbers", id), box.key("numbers", id))
            numbers.setdefault(id, value)
    found = dict(numbers)
    for box in boxes:
        for id, value in box.model.instead.numbers.items():
            loc = "instead", "numbers", id
            claims.value(f"what the number {quoted(id)} is instead", value, box.span(*loc))
            if id not in numbers:
                claims.found.append(_unknown("number", id, numbers, box.key(*loc)))
            found[id] = value
    return found


def _title(id: str) -> str:
    return id.replace("_", " ")


def _claimed(boxes: Boxes, table: str, noun: str, claims: Claims) -> Iterator[tuple[Box, str, Any]]:
    """Yield box, id and entry for each entry of a list whose id is the first of its kind."""
    for box in boxes:
        for id, entry in getattr(box.model, table).items():
            if claims.id(table, noun, id, box.key(table, id)):
                yield box, id, entry
