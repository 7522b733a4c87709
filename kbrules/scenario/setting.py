"""The setting of a scenario: players, options, cards and board, looked up, and kept on a shelf."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask
from kbrules.library.drawn import Drawn
from kbrules.library.pools import Tiles, lay_tiles, why_not_lying
from kbrules.library.positions import Pieces, drawn_grid, read_position
from kbrules.library.seats import why_not_seated
from kbrules.library.tables import (
    Parts,
    lay_table,
    layout_of,
    rectangle_of,
    why_elsewhere,
    why_misshapen,
)
from kbrules.scenario.names import Names
from kbrules.scenario.shelf import Shelf

if TYPE_CHECKING:  # models are slow to load
    from kbrules.scenario.models import BoardModel

__all__ = ["MARKED", "Setting", "setting_of", "some_board"]

MARKED = "+"  # what `offered: {some rule: marked}` speaks of


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A game with the pieces that are drawn on its board, and the hexes that are marked."""

    game: Game
    names: Names
    pieces: Pieces
    marked: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A board as it was drawn or put together; `strange` are marks that mean nothing."""

    board: Board
    pieces: Pieces
    marked: Mask
    strange: tuple[str, ...] = ()


def setting_of(names: Names, shelf: Shelf) -> Setting | None:
    """The setting of a scenario, without what of it is not known; None if there is no board."""
    model = names.case.model
    has_seats = _check_players(names, shelf)
    cards = _cards(names, shelf)
    options = _options(names, shelf)
    laid = _sections(names, shelf) if model.board and model.board.sections else _drawn(names, shelf)
    if laid is not None and model.board is not None and model.board.tiles:
        laid = _tiled(names, shelf, laid, model.board.tiles)
    if laid is None or not has_seats:
        return None
    game = shelf.game(laid.board, names.players, cards, options)
    return Setting(game, names, laid.pieces, laid.marked)


def some_board(names: Names, shelf: Shelf) -> Board | None:
    """A board with the hexes of the one that could not be laid, as far as those can be told."""
    grid = _grid(names, shelf)
    if grid is None:
        return None
    catalog = shelf.ruleset.catalog
    return Board(catalog, grid, (0,) * len(catalog.hexes), (grid.full,))


def _grid(names: Names, shelf: Shelf) -> Grid | None:
    board = names.case.model.board
    if board is None or board.sections is None:
        return drawn_grid(_drawing(names))
    layout, size = layout_of(board.sections), shelf.ruleset.parts.section_size
    if board.grids or why_misshapen(layout, size):
        return None
    return rectangle_of(layout, size)


def _check_players(names: Names, shelf: Shelf) -> bool:
    problem = why_not_seated(shelf.ruleset.parts, names.players)
    if names.case.model.players and problem:
        names.report("KB504", names.case.span("players"), problem)
        return False
    return True


def _cards(names: Names, shelf: Shelf) -> tuple[str, ...]:
    known = shelf.ruleset.catalog.cards
    chosen = names.case.model.cards
    for index, card in enumerate(chosen):
        if card not in known:
            names.miss("card", card, known, names.case.span("cards", index))
    return tuple(card for card in chosen if card in known)


def _options(names: Names, shelf: Shelf) -> dict[str, bool | int]:
    found: dict[str, bool | int] = {}
    for id, written in names.case.model.options.items():
        defaults = shelf.ruleset.options
        if id not in defaults:
            names.miss("option", id, defaults, names.case.key("options", id))
            continue
        value = written == "yes" if isinstance(written, str) else written
        if isinstance(value, bool) is isinstance(defaults[id], bool):
            found[id] = value
            continue
        wanted = "`yes` or `no`" if isinstance(defaults[id], bool) else "a number"
        message = f"the option {quoted(id)} is {wanted}"
        names.report("KB209", names.case.span("options", id), message)
    return found


def _sections(names: Names, shelf: Shelf) -> _Laid | None:
    board = names.case.model.board
    assert board is not None and board.sections is not None
    ruleset = shelf.ruleset
    layout = layout_of(board.sections, board.grids)
    problem = why_misshapen(layout, ruleset.parts.section_size)
    if problem:
        names.report("KB504", names.case.key("board", "sections"), problem)
    if not _are_in_place(names, ruleset.parts, board) or problem:
        return None
    kept: _Laid | None = shelf.find(layout)
    return kept or shelf.put(
        layout, _Laid(lay_table(ruleset.catalog, ruleset.parts, layout), {}, 0)
    )


def _are_in_place(names: Names, parts: Parts, board: BoardModel) -> bool:
    """Whether all sections and grids are known and each section lies where it belongs."""
    laid = [
        ("", words.split()[0], names.case.span("board", "sections", i, j))
        for i, row in enumerate(board.sections or ())
        for j, words in enumerate(row)
    ]
    laid += [(g, id, names.case.span("board", "grids", g)) for g, id in board.grids.items()]
    grids = {"", *(section.grid for section in parts.sections.values())}
    is_good = True
    for grid, id, span in laid:
        problem = why_elsewhere(parts, id, grid)
        if grid not in grids:
            names.miss("grid", grid, grids - {""}, names.case.key("board", "grids", grid))
        elif id not in parts.sections:
            names.miss("section", id, parts.sections, span)
        elif problem:
            names.report("KB504", span, problem)
        else:
            continue
        is_good = False
    return is_good


def _tiled(names: Names, shelf: Shelf, laid: _Laid, tiles: Tiles) -> _Laid:
    """The same board with tiles on places that get theirs by chance, but for those that cannot."""
    lying: dict[str, str] = {}
    for name, id in tiles.items():
        at = "board", "tiles", name
        hex = names.hex(laid.board, name, names.case.key(*at))
        tile = names.tile(id, names.case.span(*at))
        if hex >= 0 and tile >= 0:
            problem = why_not_lying(laid.board, name, id)
            if problem:
                names.report("KB504", names.case.span(*at), problem)
            else:
                lying[name] = id
    key = laid, tuple(lying.items())
    kept: _Laid | None = shelf.find(key)
    return kept or shelf.put(key, replace(laid, board=lay_tiles(laid.board, lying)))


def _drawn(names: Names, shelf: Shelf) -> _Laid | None:
    board = names.case.model.board
    assert board is not None
    for digit, id in board.legend.items():
        names.tile(id, names.case.span("board", "legend", digit))
    tiles = {tile.id for tile in shelf.ruleset.catalog.tiles}
    sectors = (board.sectors.rows, board.sectors.columns) if board.sectors else None
    key = board.drawing, tuple(board.legend.items()), sectors
    laid: _Laid | None = shelf.find(key)
    if laid is None and all(id in tiles for id in board.legend.values()):
        laid = _read_drawing(names, shelf, key, sectors)
    for sign in laid.strange if laid is not None else ():
        message = f"the mark {quoted(sign)} means nothing in a scenario"
        help = f"only {quoted(MARKED)} does, with `marked`"
        names.report("KB110", _drawing(names).span, message, help)
    return laid


def _drawing(names: Names) -> Drawn:
    return Drawn.at(names.case.document, names.case.loc(("board", "drawing")))


def _read_drawing(
    names: Names, shelf: Shelf, key: object, sectors: tuple[int, int] | None
) -> _Laid | None:
    board = names.case.model.board
    assert board is not None
    position, found = read_position(
        shelf.ruleset.catalog, _drawing(names), legend=board.legend, sectors=sectors
    )
    names.add(*found)
    if position is None:
        return None
    strange = tuple(sorted(position.marks.keys() - {MARKED}))
    marked = position.marks.get(MARKED, 0)
    return shelf.put(key, _Laid(position.board, position.pieces, marked, strange))
