"""Set-up: which sections lie where and which cards are in play, by name or by chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kbrules.diagnostics import suggest
from kbrules.engine.game import Game
from kbrules.game.random import Random
from kbrules.library.ruleset import Ruleset
from kbrules.library.tables import Layout, lay_table

RANDOM = "random"
CARDS_IN_PLAY = "cards_in_play"


class SetupError(ValueError):
    """A table that cannot be set up as asked. Code KB009."""

    code = "KB009"


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that fixes a table: players, sections, cards and options; the log's header."""

    players: int
    layout: Layout
    cards: tuple[str, ...]
    options: Mapping[str, bool | int] = field(default_factory=dict)


def choose_table(
    ruleset: Ruleset,
    players: int,
    seed: int,
    setup: str = RANDOM,
    options: Mapping[str, bool | int] | None = None,
) -> Table:
    """The table of a named set-up, or a random one; what a set-up leaves open is drawn.

    players: checked against the boxes' range. SetupError says what is wrong.
    """
    _check_players(ruleset, players)
    chosen = _check_options(ruleset, options or {})
    if setup == RANDOM:
        return Table(players, random_layout(ruleset, seed), random_cards(ruleset, seed), chosen)
    if setup not in ruleset.parts.setups:
        near = suggest(setup, [RANDOM, *ruleset.parts.setups])
        hint = f"; did you mean `{near}`?" if near else ""
        raise SetupError(f"there is no set-up `{setup}`{hint}")
    named = ruleset.parts.setups[setup]
    layout = named.layout or random_layout(ruleset, seed)
    return Table(players, layout, named.cards or random_cards(ruleset, seed), chosen)


def _check_players(ruleset: Ruleset, players: int) -> None:
    least, most = ruleset.parts.players
    if not least <= players <= most:
        raise SetupError(f"the game is for {least} to {most} players, not {players}")


def _check_options(ruleset: Ruleset, options: Mapping[str, bool | int]) -> dict[str, bool | int]:
    for name, value in options.items():
        if name not in ruleset.options:
            near = suggest(name, list(ruleset.options))
            hint = f"; did you mean `{near}`?" if near else ""
            raise SetupError(f"there is no option `{name}`{hint}")
        if isinstance(ruleset.options[name], bool) is not isinstance(value, bool):
            wanted = "yes or no" if isinstance(ruleset.options[name], bool) else "a number"
            raise SetupError(f"the option `{name}` is {wanted}")
    return dict(options)


def random_layout(ruleset: Ruleset, seed: int) -> Layout:
    """Different sections, each upright or turned, drawn by the stream `board` of the seed."""
    rows, columns = ruleset.parts.table
    sections = sorted(ruleset.parts.sections)
    if len(sections) < rows * columns:
        raise SetupError(f"the boxes have {len(sections)} sections; a table needs {rows * columns}")
    random = Random(seed, "board")
    chosen = random.sample(sections, rows * columns)
    spots = [(section, bool(random.below(2))) for section in chosen]
    return Layout(tuple(tuple(spots[i * columns : (i + 1) * columns]) for i in range(rows)))


def random_cards(ruleset: Ruleset, seed: int) -> tuple[str, ...]:
    """As many different scoring cards as the boxes say, drawn by the stream `cards`."""
    count = ruleset.catalog.numbers.get(CARDS_IN_PLAY, 0)
    cards = sorted(ruleset.catalog.cards)
    return tuple(Random(seed, "cards").sample(cards, min(count, len(cards))))


def game_at(ruleset: Ruleset, table: Table) -> Game:
    """The game of a table; SetupError if its sections cannot be laid."""
    try:
        board = lay_table(ruleset.catalog, ruleset.parts, table.layout)
    except ValueError as error:
        raise SetupError(str(error)) from None
    return Game(ruleset, board, table.players, table.cards, table.options)


def new_game(
    ruleset: Ruleset,
    players: int = 2,
    seed: int = 0,
    setup: str = RANDOM,
    options: Mapping[str, bool | int] | None = None,
) -> Game:
    """The game of a random or named set-up: board, cards and options are fixed from here on.

    players: within the boxes' range. seed: the same seed lays the same table for ever.
    setup: `random` or the name of a set-up of the boxes. options: only those that differ
    from their defaults. Raises SetupError (KB009) saying what cannot be had.
    """
    return game_at(ruleset, choose_table(ruleset, players, seed, setup, options))
