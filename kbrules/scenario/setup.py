"""The game of a scenario: its rule set, players, options, cards and board, taken from caches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from kbrules.diagnostics import RulesError, quoted
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.hex.grid import Grid
from kbrules.library.boards import tables
from kbrules.library.boards.positions import DrawnBoard, drawn_grid, parse_position
from kbrules.library.boards.tables import DrawingSource, Tiles, lay_tiles, why_no_tile
from kbrules.library.box import shipped_boxes, why_not_seated
from kbrules.library.compose import Omission
from kbrules.library.load import Loaded, load_with_dependencies, needed
from kbrules.library.position import TableBoard
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.scenario.reader import UNWRITTEN, NameResolver

# Caches of rule sets, boards and games, which are slow to make.

Options = Mapping[str, bool | int]
Folders = tuple[Path, ...]
Value = TypeVar("Value")


@dataclass(slots=True, eq=False, weakref_slot=True)
class RulesetCache:
    """A rule set with the boards and games that were made of it, by what each was made from.

    linking: how the games evaluate expressions. loaded: everything that was read for the rule
    set, if it was read here. left_out: what it lacks, since it has mistakes.
    """

    ruleset: Ruleset
    linking: LinkerFactory = default_linker
    loaded: Loaded | None = None
    left_out: Omission = field(default_factory=Omission)
    _values: dict[object, object] = field(default_factory=dict)

    def with_rules(self, ruleset: Ruleset) -> RulesetCache:
        """A cache for other rules of the same catalog: with the boards, without the games.

        Its games evaluate expressions by the reference.
        """
        boards = {key: each for key, each in self._values.items() if not isinstance(each, Game)}
        return RulesetCache(ruleset, loaded=self.loaded, _values=boards)

    def clear_boards(self) -> None:
        """Delete what the boards of the games have worked out for these rules."""
        for each in self._values.values():
            if isinstance(each, Game):
                each.board.cache.clear()

    def get(self, key: object) -> Any:
        """Return the value of a key, or None."""
        return self._values.get(key)

    def made(self, key: object, make: Callable[[], Value]) -> Value:
        """Return the value of a key, which is made the first time."""
        if key not in self._values:
            self._values[key] = make()
        value: Value = self.get(key)
        return value

    def game(self, board: Board, players: int, cards: tuple[str, ...], options: Options) -> Game:
        """Return the game at a board that is in this cache as well."""
        key = (id(board), players, cards, tuple(sorted(options.items())))
        return self.made(
            key, lambda: Game(self.ruleset, board, players, cards, options, linking=self.linking)
        )


def cache_of(loaded: Loaded, linking: LinkerFactory = default_linker) -> RulesetCache | None:
    """Return a cache for rules that were read, without cards and tiles that have mistakes; None
    if there is nothing without them."""
    ruleset, left_out = loaded.ruleset, Omission()
    if ruleset is None:
        ruleset, left_out = loaded.without_mistakes()
    return None if ruleset is None else RulesetCache(ruleset, linking, loaded, left_out)


def rules_of(files: Files, named: tuple[str, ...] = (), folders: Folders = ()) -> RulesetCache:
    """Return a cache for boxes and authors' folders, with the boxes that they need.

    Where nothing is named, those that need no other box. Raises RulesError with every finding.
    """
    roots = (id for id in shipped_boxes() if needed(files, [id], ()) == [id])
    loaded = load_with_dependencies(named if named or folders else [*roots], folders, (), files)
    if loaded.findings:
        raise RulesError(loaded.findings)
    name = "rule sets", named, folders
    found = files.memoized(name, [loaded], lambda: cache_of(loaded))
    assert found is not None, "rules without mistakes are a rule set"
    return found


MARKED = "+"  # the sign of the hexes that `offered: {some rule: marked}` means


def set_up_game(resolver: NameResolver, cache: RulesetCache) -> tuple[Game, DrawnBoard] | None:
    """Return the game of a scenario, without unknown cards and options, and what is drawn.

    None without a board.
    """
    board = resolver.position.board
    assert board is not None
    has_seats = _check_players(resolver, cache)
    cards = _cards(resolver, cache)
    options = _options(resolver, cache)
    lay_board = _board_from_drawing if board.sections is None else _board_from_sections
    drawn = lay_board(resolver, cache, board)
    if drawn is not None and board.tiles:
        drawn = _with_tiles(resolver, cache, drawn, board.tiles)
    if drawn is None or not has_seats:
        return None
    return cache.game(drawn.board, resolver.players, cards, options), drawn


def fallback_board(resolver: NameResolver, cache: RulesetCache) -> Board | None:
    """A board with the hexes of one that has mistakes, if these hexes are known."""
    grid = _grid(resolver, cache)
    if grid is None:
        return None
    catalog = cache.ruleset.catalog
    return Board(catalog, grid, (0,) * len(catalog.hexes), (grid.full,))


def _grid(resolver: NameResolver, cache: RulesetCache) -> Grid | None:
    board = resolver.position.board
    if board is None or board.sections is None:
        return drawn_grid(_drawing(resolver))
    layout, size = tables.layout_of(board.sections), cache.ruleset.parts.section_size
    if board.grids or tables.why_misshapen(layout, size):
        return None
    return tables.rectangle_of(layout, size)


def _check_players(resolver: NameResolver, cache: RulesetCache) -> bool:
    problem = why_not_seated(cache.ruleset.parts, resolver.players)
    if resolver.position.players and problem:
        resolver.report("KB504", resolver.written.span("players"), problem)
        return False
    return True


def _cards(resolver: NameResolver, cache: RulesetCache) -> tuple[str, ...]:
    known = cache.ruleset.catalog.cards
    chosen = resolver.position.cards
    for index, card in enumerate(chosen):
        if card not in known:
            resolver.report_unknown("card", card, known, resolver.written.where("cards", index))
    return tuple(card for card in chosen if card in known)


def _options(resolver: NameResolver, cache: RulesetCache) -> dict[str, bool | int]:
    options: dict[str, bool | int] = {}
    defaults = cache.ruleset.options
    for id, written in resolver.position.options.items():
        if id not in defaults:
            resolver.report_unknown(
                "option", id, defaults, resolver.written.where_key("options", id)
            )
            continue
        value = written == "yes" if isinstance(written, str) else written
        if isinstance(value, bool) is isinstance(defaults[id], bool):
            options[id] = value
            continue
        expected_kind = "`yes` or `no`" if isinstance(defaults[id], bool) else "a number"
        message = f"the option {quoted(id)} is {expected_kind}"
        resolver.report("KB209", resolver.written.span("options", id), message)
    return options


def _board_from_sections(
    resolver: NameResolver, cache: RulesetCache, board: TableBoard
) -> DrawnBoard | None:
    ruleset = cache.ruleset
    layout = tables.layout_of(board.sections or (), board.grids)
    problem = tables.why_misshapen(layout, ruleset.parts.section_size)
    if problem:
        resolver.report("KB504", resolver.written.key("board", "sections"), problem)
    if not _check_sections(resolver, ruleset.parts, board) or problem:
        return None
    return cache.made(
        layout, lambda: DrawnBoard(tables.lay_table(ruleset.catalog, ruleset.parts, layout))
    )


def _check_sections(resolver: NameResolver, parts: tables.BoardParts, board: TableBoard) -> bool:
    """Whether all sections and grids are known and each section lies where it belongs."""
    written = resolver.written
    placed = [
        ("", words.split()[0], written.where("board", "sections", i, j))
        for i, row in enumerate(board.sections or ())
        for j, words in enumerate(row)
    ]
    placed += [(g, id, written.where("board", "grids", g)) for g, id in board.grids.items()]
    grids = {"", *(section.grid for section in parts.sections.values())}
    is_valid = True
    for grid, id, where in placed:
        problem = tables.why_elsewhere(parts, id, grid)
        if grid not in grids:
            key = written.where_key("board", "grids", grid)
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
    resolver: NameResolver, cache: RulesetCache, drawn: DrawnBoard, tiles: Tiles
) -> DrawnBoard:
    """Return the board with the given tiles on places that get theirs by chance."""
    valid: dict[str, str] = {}
    for name, id in tiles.items():
        if resolver.hex(drawn.board, name) < 0 or resolver.tile(id) < 0:
            continue
        if problem := why_no_tile(drawn.board, name, id):
            resolver.report("KB504", resolver.written.span("board", "tiles", name), problem)
        else:
            valid[name] = id
    key = drawn, tuple(valid.items())
    return cache.made(key, lambda: replace(drawn, board=lay_tiles(drawn.board, valid)))


def _board_from_drawing(
    resolver: NameResolver, cache: RulesetCache, board: TableBoard
) -> DrawnBoard | None:
    key = board.drawing, tuple(board.legend.items()), board.sectors
    drawn: DrawnBoard | None = cache.get(key)
    if drawn is None and all(resolver.tile(id) >= 0 for id in board.legend.values()):
        drawn, findings = parse_position(
            cache.ruleset.catalog, _drawing(resolver), legend=board.legend, sectors=board.sectors
        )
        resolver.add(*findings)
        if drawn is not None:
            cache.made(key, lambda: drawn)
    for sign in sorted(drawn.marks.keys() - {MARKED}) if drawn is not None else ():
        message = f"the mark {quoted(sign)} means nothing in a scenario"
        help = f"only {quoted(MARKED)} does, with `marked`"
        resolver.report("KB110", _drawing(resolver).span, message, help)
    return drawn


def _drawing(resolver: NameResolver) -> DrawingSource:
    board, written = resolver.position.board, resolver.written
    if written is UNWRITTEN:
        return DrawingSource.of("" if board is None else board.drawing)
    return DrawingSource.at(written.document, written.loc(("board", "drawing")))
