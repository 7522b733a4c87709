"""The table that the options of a command ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .game_options import parse_cards, parse_options, parse_section
from .table_help import remedy
from .terminal.findings import exit_with

if TYPE_CHECKING:
    from kbrules.engine.setup import TableSetup
    from kbrules.library.ruleset import Ruleset

__all__ = ["RANDOM", "TableWords", "table_or_exit"]

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class TableWords:
    """Options about a table, as they were written; players: None for the fewest."""

    players: int | None = None
    seed: int = 0
    setup: str = RANDOM
    rulings: Sequence[str] = ()
    grids: Sequence[str] = ()
    cards: Sequence[str] = ()


def table_or_exit(ruleset: Ruleset, words: TableWords) -> TableSetup:
    """The table that is asked for; ends the command if it cannot be laid."""
    from kbrules.engine.setup import SetupError, choose_table, game_at, with_cards

    options, grids = parse_options(ruleset, words.rulings), dict(map(parse_section, words.grids))
    players = ruleset.parts.players[0] if words.players is None else words.players
    try:
        table = choose_table(ruleset, players, words.seed, words.setup, options, grids)
        table = with_cards(ruleset, table, parse_cards(ruleset, words.cards))
        game_at(ruleset, table)
    except SetupError as error:
        exit_with("KB009", str(error), remedy(ruleset, players, error.part))
    return table
