"""The game of a scenario: players, options, cards and board, resolved, and taken from the cache."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask
from kbrules.library.boards.drawing_source import DrawingSource
from kbrules.library.boards.positions import Pieces, drawn_grid, parse_position
from kbrules.library.boards.tables import (
    BoardParts,
    lay_table,
    layout_of,
    rectangle_of,
    why_elsewhere,
    why_misshapen,
)
from kbrules.library.boards.tile_pools import Tiles, lay_tiles, why_no_tile
from kbrules.library.boxes.player_counts import why_not_seated
from kbrules.scenario.setup.cache import RulesetCache
from kbrules.scenario.setup.resolver import NameResolver

if TYPE_CHECKING:  # models are slow to load
    from kbrules.scenario.format.models import BoardModel

MARKED = "+"  # the sign of the hexes that `offered: {some rule: marked}` means


@dataclass(frozen=True, slots=True, eq=False)
class GameSetup:
    """A game with the pieces that are drawn on its board, and the hexes that are marked."""

    game: Game
    resolver: NameResolver
    pieces: Pieces
    marked: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _BoardSetup:
    """A board, drawn or of sections; `unknown` are marks without a meaning."""

    board: Board
    pieces: Pieces
    marked: Mask
    unknown: tuple[str, ...] = ()


def set_up_game(resolver: NameResolver, cache: RulesetCache) -> GameSetup | None:
    """The game of a scenario, without cards and options that are unknown; None without a board."""
    model = resolver.scenario.model
    assert model.board is not None
    has_seats = _check_players(resolver, cache)
    cards = _cards(resolver, cache)
    options = _options(resolver, cache)
    of_sections = model.board.sections is not None
    board_setup = (_board_from_sections if of_sections else _board_from_drawing)(
        resolver, cache, model.board
    )
    if board_setup is not None and model.board.tiles:
        board_setup = _with_tiles(resolver, cache, board_setup, model.board.tiles)
    if board_setup is None or not has_seats:
        return None
    game = cache.game(board_setup.board, resolver.players, cards, options)
    return GameSetup(game, resolver, board_setup.pieces, board_setup.marked)


def fallback_board(resolver: NameResolver, cache: RulesetCache) -> Board | None:
    """A board with the hexes of one that has mistakes, if these hexes are known."""
    grid = _grid(resolver, cache)
    if grid is None:
        return None
    catalog = cache.ruleset.catalog
    return Board(catalog, grid, (0,) * len(catalog.hexes), (grid.full,))


def _grid(resolver: NameResolver, cache: RulesetCache) -> Grid | None:
    board = resolver.scenario.model.board
    if board is None or board.sections is None:
        return drawn_grid(_drawing(resolver))
    layout, size = layout_of(board.sections), cache.ruleset.parts.section_size
    if board.grids or why_misshapen(layout, size):
        return None
    return rectangle_of(layout, size)


def _check_players(resolver: NameResolver, cache: RulesetCache) -> bool:
    problem = why_not_seated(cache.ruleset.parts, resolver.players)
    if resolver.scenario.model.players and problem:
        resolver.report("KB504", resolver.scenario.span("players"), problem)
        return False
    return True


def _cards(resolver: NameResolver, cache: RulesetCache) -> tuple[str, ...]:
    known = cache.ruleset.catalog.cards
    chosen = resolver.scenario.model.cards
    for index, card in enumerate(chosen):
        if card not in known:
            resolver.report_unknown("card", card, known, resolver.scenario.where("cards", index))
    return tuple(card for card in chosen if card in known)


def _options(resolver: NameResolver, cache: RulesetCache) -> dict[str, bool | int]:
    options: dict[str, bool | int] = {}
    defaults = cache.ruleset.options
    for id, written in resolver.scenario.model.options.items():
        if id not in defaults:
            resolver.report_unknown(
                "option", id, defaults, resolver.scenario.where_key("options", id)
            )
            continue
        value = written == "yes" if isinstance(written, str) else written
        if isinstance(value, bool) is isinstance(defaults[id], bool):
            options[id] = value
            continue
        expected_kind = "`yes` or `no`" if isinstance(defaults[id], bool) else "a number"
        message = f"the option {quoted(id)} is {expected_kind}"
        resolver.report("KB209", resolver.scenario.span("options", id), message)
    return options


def _board_from_sections(
    resolver: NameResolver, cache: RulesetCache, board: BoardModel
) -> _BoardSetup | None:
    ruleset = cache.ruleset
    layout = layout_of(board.sections or (), board.grids)
    problem = why_misshapen(layout, ruleset.parts.section_size)
    if problem:
        resolver.report("KB504", resolver.scenario.key("board", "sections"), problem)
    if not _check_sections(resolver, ruleset.parts, board) or problem:
        return None
    cached: _BoardSetup | None = cache.get(layout)
    return cached or cache.put(
        layout, _BoardSetup(lay_table(ruleset.catalog, ruleset.parts, layout), {}, 0)
    )


def _check_sections(resolver: NameResolver, parts: BoardParts, board: BoardModel) -> bool:
    """Whether all sections and grids are known and each section lies where it belongs."""
    scenario = resolver.scenario
    placed = [
        ("", words.split()[0], scenario.where("board", "sections", i, j))
        for i, row in enumerate(board.sections or ())
        for j, words in enumerate(row)
    ]
    placed += [(g, id, scenario.where("board", "grids", g)) for g, id in board.grids.items()]
    grids = {"", *(section.grid for section in parts.sections.values())}
    is_valid = True
    for grid, id, where in placed:
        problem = why_elsewhere(parts, id, grid)
        if grid not in grids:
            key = scenario.where_key("board", "grids", grid)
            resolver.report_unknown("grid", grid, grids - {""}, key)
        elif id not in parts.sections:
            resolver.report_unknown("section", id, parts.sections, where)
        elif problem:
            resolver.report("KB504", where(), problem)
        else:
            continue
        is_valid = False
    return is_valid


def _with_tiles(
    resolver: NameResolver, cache: RulesetCache, board_setup: _BoardSetup, tiles: Tiles
) -> _BoardSetup:
    """The board with the given tiles on places that get theirs by chance."""
    valid: dict[str, str] = {}
    for name, id in tiles.items():
        at = "board", "tiles", name
        hex = resolver.hex(board_setup.board, name, resolver.scenario.where_key(*at))
        tile = resolver.tile(id, resolver.scenario.where(*at))
        if hex >= 0 and tile >= 0:
            problem = why_no_tile(board_setup.board, name, id)
            if problem:
                resolver.report("KB504", resolver.scenario.span(*at), problem)
            else:
                valid[name] = id
    key = board_setup, tuple(valid.items())
    cached: _BoardSetup | None = cache.get(key)
    return cached or cache.put(key, replace(board_setup, board=lay_tiles(board_setup.board, valid)))


def _board_from_drawing(
    resolver: NameResolver, cache: RulesetCache, board: BoardModel
) -> _BoardSetup | None:
    for digit, id in board.legend.items():
        resolver.tile(id, resolver.scenario.where("board", "legend", digit))
    tiles = {tile.id for tile in cache.ruleset.catalog.tiles}
    sectors = (board.sectors.rows, board.sectors.columns) if board.sectors else None
    key = board.drawing, tuple(board.legend.items()), sectors
    board_setup: _BoardSetup | None = cache.get(key)
    if board_setup is None and all(id in tiles for id in board.legend.values()):
        position, findings = parse_position(
            cache.ruleset.catalog, _drawing(resolver), legend=board.legend, sectors=sectors
        )
        resolver.add(*findings)
        if position is not None:
            unknown = tuple(sorted(position.marks.keys() - {MARKED}))
            marked = position.marks.get(MARKED, 0)
            new = _BoardSetup(position.board, position.pieces, marked, unknown)
            board_setup = cache.put(key, new)
    for sign in board_setup.unknown if board_setup is not None else ():
        message = f"the mark {quoted(sign)} means nothing in a scenario"
        help = f"only {quoted(MARKED)} does, with `marked`"
        resolver.report("KB110", _drawing(resolver).span, message, help)
    return board_setup


def _drawing(resolver: NameResolver) -> DrawingSource:
    return DrawingSource.at(resolver.scenario.document, resolver.scenario.loc(("board", "drawing")))
