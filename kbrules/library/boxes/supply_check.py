"""Checks that boxes hold enough pieces and tiles for every table of their sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.catalog import Catalog
from kbrules.library.boards.tables import BoardParts
from kbrules.library.boards.tile_pools import pools


def shortages(catalog: Catalog, parts: BoardParts) -> Iterator[Diagnostic]:
    """The findings about pools of tiles and tasks of which a table may need more than there are.

    Each section counts once, as in a table laid at random.
    """
    for place, pool in pools(catalog).items():
        letters = [kind.letter for kind in catalog.hexes if kind.id == place]
        counts = {id: _drawn(section.rows, letters) for id, section in parts.sections.items()}
        if len(pool) < (demand := _largest_demand(parts, counts)):
            message = (
                f"{_tiles(len(pool))} can be drawn for {quoted(place)}, but a table can have "
                f"{demand} such places"
            )
            span = parts.spans["tiles", pool[0]]
            yield Diagnostic("KB414", span, message, "raise the `copies` of some of them")
    yield from _shares(catalog, parts)
    yield from _tasks(catalog, parts)


def _shares(catalog: Catalog, parts: BoardParts) -> Iterator[Diagnostic]:
    """A tile is drawn for each sector with a place, and a kind of place has one way of drawing."""
    for place, tiles in catalog.by_sector.items():
        spans = [parts.spans[key] for key in parts.spans if key in {("tiles", id) for id in tiles}]
        letters = [kind.letter for kind in catalog.hexes if kind.id == place]
        on_table = {id: section for id, section in parts.sections.items() if not section.grid}
        counts = {id: min(1, _drawn(section.rows, letters)) for id, section in on_table.items()}
        if spans and len(tiles) < (demand := _largest_demand(parts, counts)):
            message = f"{_tiles(len(tiles))} can be drawn for sectors with {quoted(place)}"
            message += f", but a table can have {demand} of them"
            yield Diagnostic("KB414", spans[0], message, "list more under `sector_tiles`")
        if pool := pools(catalog).get(place):
            message = f"tiles for {quoted(place)} are drawn for sectors and for single places"
            span = parts.spans["tiles", pool[0]]
            yield Diagnostic("KB403", span, message, "leave out `copies`, or `sector_tiles`")


def _tasks(catalog: Catalog, parts: BoardParts) -> Iterator[Diagnostic]:
    tasks = {section.id: section.tasks for section in parts.sections.values()}
    demand = _largest_demand(parts, tasks)
    if len(catalog.tasks) < demand:
        id = max(tasks, key=lambda id: tasks[id])
        available = f"there are only {len(catalog.tasks)}" if catalog.tasks else "there is none"
        what = "1 task" if demand == 1 else f"{demand} tasks"
        message = f"the sections of a table can bring {what} into play, but {available}"
        yield Diagnostic("KB414", parts.spans["sections", id], message, "list more under `tasks`")


def _largest_demand(parts: BoardParts, counts: Mapping[str, int]) -> int:
    """The largest sum over as many sections as make a table, and one on each grid beside it."""
    rows, columns = parts.table
    by_grid: dict[str, list[int]] = {}
    for id, count in counts.items():
        by_grid.setdefault(parts.sections[id].grid, []).append(count)
    on_table = sorted(by_grid.pop("", []), reverse=True)[: rows * columns]
    return sum(on_table) + sum(map(max, by_grid.values()))


def _drawn(rows: Iterable[str], letters: Iterable[str]) -> int:
    return sum(row.count(letter) for row in rows for letter in letters)


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"
