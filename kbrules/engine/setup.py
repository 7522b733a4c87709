"""Set-up: which sections, cards and tiles are in play, and where, by name or by chance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kbrules.diagnostics import CodedError, check_kind, shortened, suggest
from kbrules.engine import configuration, game
from kbrules.game.board import CARDS_BESIDE, CARDS_IN_PLAY, Board
from kbrules.game.random import Random
from kbrules.library.boards import tables as board_tables
from kbrules.library.boards.tables import Layout, Setup, can_turn, lay_table, why_incomplete
from kbrules.library.box import why_not_seated
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.text import Span

RANDOM = "random"
_RANDOM_SETUP = Setup(RANDOM, "", None, (), Span.none(RANDOM))
"""The set-up in which everything is drawn."""


class SetupError(CodedError, ValueError):
    """A table that cannot be set up as requested. Code KB009; `part` is what of it cannot."""

    def __init__(self, message: str, part: str = "layout") -> None:
        super().__init__(message)
        self.part = part


@dataclass(frozen=True, slots=True)
class TableSetup:
    """Everything that fixes a table; the log's header.

    cards: scoring cards, then tasks. options: those that differ from their defaults. tiles: the
    tile on each place that gets one by chance, by the name of the hex.
    """

    players: int
    layout: Layout
    cards: tuple[str, ...]
    options: Mapping[str, bool | int] = field(default_factory=dict)
    tiles: board_tables.Tiles = field(default_factory=dict)


def choose_table(
    ruleset: Ruleset,
    players: int,
    seed: int,
    setup: str = RANDOM,
    options: Mapping[str, bool | int] | None = None,
    grids: Mapping[str, str] | None = None,
) -> TableSetup:
    """The table of a named set-up, or a random one; what a set-up leaves open is drawn.

    players: checked against the boxes' range. grids: the section on a grid beside the table, by
    the id of the grid, whatever the set-up says. SetupError says what is wrong.
    """
    # Each thing that is drawn has a stream of the seed to itself, by name ("board", "cards"): who
    # names the cards or chooses another map still gets the same of all the rest.
    check_kind(ruleset, Ruleset, "a rule set is wanted, as `load` returns it")
    check_kind(setup, str, "a set-up is named by a text")
    for given in (options or {}, grids or {}):
        check_kind(given, Mapping, "options and grids map names to values")
    _check_players(ruleset, players)
    chosen = _check_options(ruleset, options or {})
    setups = {RANDOM: _RANDOM_SETUP, **ruleset.parts.setups}
    if setup not in setups:
        raise _unknown(f"there is no set-up `{setup}`", setup, setups, "setup")
    named = setups[setup]
    layout = named.layout or random_layout(ruleset, seed)
    layout = replace(layout, grids=_choose_grids(ruleset, seed, {**named.grids, **(grids or {})}))
    # Scoring cards and tasks that are named; where none of a kind is, those drawn.
    tasks = tuple(card for card in named.cards if card in ruleset.catalog.tasks)
    scoring = tuple(card for card in named.cards if card not in tasks)
    cards = scoring or random_cards(ruleset, seed)
    cards += tasks or random_tasks(ruleset, layout, seed)
    tiles = random_tiles(ruleset, layout, seed, named.tiles)
    return TableSetup(players, layout, cards, chosen, tiles)


def with_cards(ruleset: Ruleset, table: TableSetup, named: Collection[str]) -> TableSetup:
    """The same table with these cards on it, the rest of those that were drawn behind them.

    A card named twice lies there once. SetupError for a card that is in no box.
    """
    named = tuple(dict.fromkeys(named))
    for card in named:
        if card not in ruleset.catalog.cards:
            raise _unknown(f"there is no card `{card}`", card, ruleset.catalog.cards, "cards")
    tasks = ruleset.catalog.tasks
    scoring = [card for card in table.cards if card not in tasks]
    free = len(scoring) - sum(card not in tasks for card in named)
    others = [card for card in scoring if card not in named][: max(0, free)]
    rest = [card for card in table.cards if card in tasks and card not in named]
    return replace(table, cards=(*named, *others, *rest))


def _unknown(problem: str, name: str, known: Iterable[str], part: str) -> SetupError:
    near = suggest(name, known)
    return SetupError(f"{problem}; did you mean `{near}`?" if near else problem, part)


def _choose_grids(
    ruleset: Ruleset, seed: int, named: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """The section on each grid beside the table: the one that is named, or one that is drawn."""
    known = [grid.id for grid in ruleset.catalog.grids]
    for grid in named:
        if grid not in known:
            raise _unknown(f"there is no grid `{grid}`", grid, known, "grids")
        section, sections = named[grid], sections_of(ruleset, grid)
        if section not in sections:
            problem = f"no section `{section}` lies on the grid `{grid}`"
            raise _unknown(problem, section, sections, "grids")
    return tuple(
        (grid, named.get(grid) or Random(seed, f"grid {grid}").choice(sections_of(ruleset, grid)))
        for grid in sorted(known)
    )


def _check_players(ruleset: Ruleset, players: int) -> None:
    if isinstance(players, bool) or not hasattr(players, "__index__"):
        raise TypeError(f"the number of players is a whole number, not {shortened(players)}")
    if problem := why_not_seated(ruleset.parts, players):
        raise SetupError(problem, "players")


def _check_options(ruleset: Ruleset, options: Mapping[str, bool | int]) -> dict[str, bool | int]:
    for name, value in options.items():
        if name not in ruleset.options:
            raise _unknown(f"there is no option `{name}`", name, ruleset.options, "options")
        if type(ruleset.options[name]) is not type(value) or abs(value) > configuration.MAX_OPTION:
            wanted = "yes or no" if isinstance(ruleset.options[name], bool) else "a number"
            raise SetupError(f"the option `{name}` is {wanted}", "options")
    return dict(options)


def random_layout(ruleset: Ruleset, seed: int) -> Layout:
    """A table of different sections, turned or not if they can be, by the stream `board`.

    No section lies on any grid beside it yet.
    """
    rows, columns = ruleset.parts.table
    whose, sections, sets = "the boxes have", sections_of(ruleset, ""), ruleset.parts.section_sets
    if sets:  # those of one set, by the stream `section set`
        id = Random(seed, "section set").choice(sorted(sets))
        whose, sections = f"the set `{id}` has", sorted(sets[id])
    if len(sections) < rows * columns:
        raise SetupError(f"{whose} {len(sections)} sections; a table needs {rows * columns}")
    drawn = draw_sections(ruleset, Random(seed, "board"), len(sections))
    spots = [(sections[index], bool(turned)) for index, turned in drawn]
    return Layout(tuple(tuple(spots[i * columns : (i + 1) * columns]) for i in range(rows)))


def draw_sections(ruleset: Ruleset, random: Any, sections: int) -> list[tuple[Any, Any]]:
    """Which of so many sections lies on each spot of a table, by number, and whether turned.

    random: a `Random`, or `Streams`, of which everything is drawn in arrays.
    """
    rows, columns = ruleset.parts.table
    turns = can_turn(ruleset.parts.section_size)
    chosen = random.sample(range(sections), rows * columns)
    return [(index, random.below(2) if turns else 0 * index) for index in chosen]


def draw_cards(ruleset: Ruleset, random: Any) -> list[Any]:
    """Which scoring cards are drawn, by their numbers in `scoring_of`; random: as above."""
    cards = len(scoring_cards(ruleset))
    numbers = ruleset.catalog.numbers
    count = numbers.get(CARDS_IN_PLAY, 0) + numbers.get(CARDS_BESIDE, 0)
    found: list[Any] = random.sample(range(cards), min(count, cards))
    return found


def sections_of(ruleset: Ruleset, grid: str) -> list[str]:
    """The ids of the sections that lie on a grid, on the table if it has no name; sorted."""
    sections = ruleset.parts.sections.values()
    on_grid = (section.id for section in sections if section.grid == grid)
    return ruleset.once((sections_of, grid), lambda: sorted(on_grid))


def random_cards(ruleset: Ruleset, seed: int) -> tuple[str, ...]:
    """As many different scoring cards as the boxes say, drawn by the stream `cards`."""
    cards = scoring_cards(ruleset)
    return tuple(cards[index] for index in draw_cards(ruleset, Random(seed, "cards")))


def scoring_cards(ruleset: Ruleset) -> list[str]:
    """The cards that are no tasks, sorted."""
    return ruleset.once(scoring_cards, lambda: sorted(ruleset.catalog.scoring))


def random_tasks(ruleset: Ruleset, layout: Layout, seed: int) -> tuple[str, ...]:
    """As many different tasks as the sections on the table bring, drawn by the stream `tasks`."""
    sections = ruleset.parts.sections
    count = sum(sections[id].tasks for id in layout.sections if id in sections)
    if not count:
        return ()
    tasks = sorted(ruleset.catalog.tasks)
    return tuple(Random(seed, "tasks").sample(tasks, min(count, len(tasks))))


def random_tiles(
    ruleset: Ruleset, layout: Layout, seed: int, named: Sequence[Sequence[str]] = ()
) -> board_tables.Tiles:
    """A tile for each place of a layout that gets one by chance, or by the rows `named`."""
    if not board_tables.has_pools(ruleset.catalog):
        return {}
    ground = _lay_board(ruleset, layout)
    try:
        tiles = board_tables.tiles_named(ground, [id for row in named for id in row])
        return {**tiles, **board_tables.draw_tiles(board_tables.lay_tiles(ground, tiles), seed)}
    except ValueError as error:
        raise SetupError(str(error), "tiles") from None


def game_at(
    ruleset: Ruleset,
    table: TableSetup,
    linking: LinkerFactory = default_linker,
    engine: str = configuration.REFERENCE,
) -> game.Game:
    """The game of a table; SetupError if its sections or tiles cannot be laid."""
    check_kind(ruleset, Ruleset, "a rule set is wanted, as `load` returns it")
    _check_table(ruleset, table)
    board = board_of(ruleset, table)
    return game.Game(ruleset, board, table.players, table.cards, table.options, engine, linking)


def _check_table(ruleset: Ruleset, table: TableSetup) -> None:
    """Raise TypeError or SetupError for a table that was put together by hand and cannot be."""
    check_kind(table, TableSetup, "a table is wanted, as `choose_table` returns it")
    check_kind(table.layout, Layout, "a layout of sections is wanted")
    check_kind(table.cards, (tuple, list), "cards are a tuple of names")
    for given in (table.options, table.tiles):
        check_kind(given, Mapping, "options and tiles map names to values")
    _check_options(ruleset, table.options)
    for card in table.cards:
        check_kind(card, str, "cards are a tuple of names")
        if card not in ruleset.catalog.cards:
            raise _unknown(f"there is no card `{card}`", card, ruleset.catalog.cards, "cards")


def board_of(ruleset: Ruleset, table: TableSetup) -> Board:
    """The board of a table; SetupError if its sections or tiles cannot be laid."""
    ground = _lay_board(ruleset, table.layout)
    try:
        return board_tables.laid_tiles(ground, table.tiles)
    except ValueError as error:
        raise SetupError(str(error), "tiles") from None


def _lay_board(ruleset: Ruleset, layout: Layout) -> Board:
    if problem := why_incomplete(ruleset.parts, layout):
        raise SetupError(problem)
    try:
        return lay_table(ruleset.catalog, ruleset.parts, layout)
    except ValueError as error:
        raise SetupError(str(error)) from None


def new_game(
    ruleset: Ruleset,
    players: int = 2,
    seed: int = 0,
    setup: str = RANDOM,
    options: Mapping[str, bool | int] | None = None,
    grids: Mapping[str, str] | None = None,
    engine: str = configuration.REFERENCE,
) -> game.Game:
    """The game of a random or named set-up: board, cards and options are fixed from here on.

    players: within the boxes' range. seed: the same seed lays the same table for ever.
    setup: `random` or the name of a set-up of the boxes. options: only those that differ
    from their defaults. grids: the section on a grid beside the table, by the grid's id; others
    are drawn. engine: what answers for states, see `Game`. Raises SetupError (KB009) saying what
    cannot be had.
    """
    table = choose_table(ruleset, players, seed, setup, options, grids)
    return game_at(ruleset, table, engine=engine)


# A draft of scoring cards before a game: more are laid out than count, and players strike some.

Strike = Callable[[int, tuple[str, ...]], str]
"""Which of the cards that are left a player strikes."""


def offered_cards(ruleset: Ruleset, table: TableSetup, more: int, seed: int) -> tuple[str, ...]:
    """The scoring cards of a table, and so many more, drawn by the stream `draft`.

    SetupError if the boxes have not as many.
    """
    scoring = tuple(card for card in table.cards if card not in ruleset.catalog.tasks)
    others = [card for card in scoring_cards(ruleset) if card not in scoring]
    if not 0 < more <= len(others):
        message = f"a draft lays out 1 to {len(others)} cards more, not {more}"
        raise SetupError(message if others else "no scoring card is left for a draft")
    return (*scoring, *Random(seed, "draft").sample(others, more))


def draft_cards(
    ruleset: Ruleset, table: TableSetup, more: int, seed: int, strike: Strike
) -> TableSetup:
    """The table with the scoring cards that are left of a draft; tasks stay.

    more: cards laid out beyond those that count; so many are struck, one by one, the last player
    first and then against turn order. SetupError if there are too few, or for a card not there.
    """
    remaining = offered_cards(ruleset, table, more, seed)
    for number in range(more):
        card = strike((-1 - number) % table.players, remaining)
        if card not in remaining:
            raise SetupError(f"`{card}` is not among the cards of the draft")
        remaining = tuple(each for each in remaining if each != card)
    tasks = (card for card in table.cards if card in ruleset.catalog.tasks)
    return replace(table, cards=(*remaining, *tasks))


def random_strikes(seed: int) -> Strike:
    """Players that strike by chance, by the stream `strikes`."""
    random = Random(seed, "strikes")
    return lambda player, left: left[random.below(len(left))]
