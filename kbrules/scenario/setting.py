"""The setting of a scenario: players, options, cards and board, looked up, and kept on a shelf."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.hex.masks import Mask
from kbrules.library.drawn import Drawn
from kbrules.library.pools import Tiles, lay_tiles, why_not_lying
from kbrules.library.positions import Pieces, read_position
from kbrules.library.tables import lay_table, layout_of, why_misshapen
from kbrules.scenario.case import Case
from kbrules.scenario.names import Names, unknown
from kbrules.scenario.shelf import Shelf

__all__ = ["MARKED", "Setting", "setting_of"]

MARKED = "+"  # what `offered: {some rule: marked}` speaks of
_FEWEST = 2


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A game with the pieces that are drawn on its board, and the hexes that are marked."""

    game: Game
    names: Names
    pieces: Pieces
    marked: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A board as it was drawn or put together."""

    board: Board
    pieces: Pieces
    marked: Mask


def setting_of(case: Case, shelf: Shelf) -> tuple[Setting | None, list[Diagnostic]]:
    """The setting of a scenario, or all that is wrong with it."""
    model = case.model
    players = model.players or max(shelf.ruleset.parts.players[0], _FEWEST)
    names = Names(case, shelf.ruleset, players)
    _check_players(names, shelf)
    cards = _cards(names, shelf)
    options = _options(names, shelf)
    laid = _sections(names, shelf) if model.board and model.board.sections else _drawn(names, shelf)
    if laid is not None and model.board is not None and model.board.tiles:
        laid = _tiled(names, shelf, laid, model.board.tiles)
    if names.findings or laid is None:
        return None, sorted(names.findings)
    game = shelf.game(laid.board, players, cards, options)
    return Setting(game, names, laid.pieces, laid.marked), []


def _check_players(names: Names, shelf: Shelf) -> None:
    least, most = shelf.ruleset.parts.players
    if names.case.model.players and most and not least <= names.players <= most:
        message = f"the game is for {least} to {most} players, not {names.players}"
        names.report("KB504", names.case.span("players"), message)


def _cards(names: Names, shelf: Shelf) -> tuple[str, ...]:
    known = shelf.ruleset.catalog.cards
    chosen = names.case.model.cards
    for index, card in enumerate(chosen):
        if card not in known:
            names.findings.append(unknown("card", card, known, names.case.span("cards", index)))
    return chosen


def _options(names: Names, shelf: Shelf) -> dict[str, bool | int]:
    found: dict[str, bool | int] = {}
    for id, written in names.case.model.options.items():
        defaults = shelf.ruleset.options
        if id not in defaults:
            span = names.case.key("options", id)
            names.findings.append(unknown("option", id, defaults, span))
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
    known = shelf.ruleset.parts.sections
    is_known = True
    for i, row in enumerate(board.sections):
        for j, laid in enumerate(row):
            id = laid.split()[0]
            if id not in known:
                span = names.case.span("board", "sections", i, j)
                names.findings.append(unknown("section", id, known, span))
                is_known = False
    layout = layout_of(board.sections)
    problem = why_misshapen(layout, shelf.ruleset.parts.section_size)
    if problem:
        names.report("KB504", names.case.key("board", "sections"), problem)
    if problem or not is_known:
        return None
    ruleset = shelf.ruleset
    kept: _Laid | None = shelf.find(layout)
    return kept or shelf.put(
        layout, _Laid(lay_table(ruleset.catalog, ruleset.parts, layout), {}, 0)
    )


def _tiled(names: Names, shelf: Shelf, laid: _Laid, tiles: Tiles) -> _Laid | None:
    """The same board with tiles on places that get theirs by chance."""
    for name, id in tiles.items():
        at = "board", "tiles", name
        hex = names.hex(laid.board, name, names.case.key(*at))
        tile = names.tile(id, names.case.span(*at))
        if hex >= 0 and tile >= 0 and (problem := why_not_lying(laid.board, name, id)):
            names.report("KB504", names.case.span(*at), problem)
    if names.findings:
        return None
    key = laid, tuple(tiles.items())
    kept: _Laid | None = shelf.find(key)
    return kept or shelf.put(key, replace(laid, board=lay_tiles(laid.board, tiles)))


def _drawn(names: Names, shelf: Shelf) -> _Laid | None:
    board = names.case.model.board
    assert board is not None
    tiles = [tile.id for tile in shelf.ruleset.catalog.tiles]
    for digit, id in board.legend.items():
        if id not in tiles:
            span = names.case.span("board", "legend", digit)
            names.findings.append(unknown("tile", id, tiles, span))
            return None
    sectors = (board.sectors.rows, board.sectors.columns) if board.sectors else None
    key = board.drawing, tuple(board.legend.items()), sectors
    kept: _Laid | None = shelf.find(key)
    return kept or _read_drawing(names, shelf, key, sectors)


def _read_drawing(
    names: Names, shelf: Shelf, key: object, sectors: tuple[int, int] | None
) -> _Laid | None:
    case = names.case
    assert case.model.board is not None
    drawn = Drawn.at(case.document, case.loc(("board", "drawing")))
    legend = case.model.board.legend
    position, found = read_position(shelf.ruleset.catalog, drawn, legend=legend, sectors=sectors)
    names.findings += found
    if position is None:
        return None
    for sign in sorted(position.marks.keys() - {MARKED}):
        message = f"the mark {quoted(sign)} means nothing in a scenario"
        names.report("KB110", drawn.span, message, f"only {quoted(MARKED)} does, with `marked`")
    marked = position.marks.get(MARKED, 0)
    return shelf.put(key, _Laid(position.board, position.pieces, marked))
