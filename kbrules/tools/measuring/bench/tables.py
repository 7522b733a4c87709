"""The tables of the benchmarks: always the same, set up before any clock starts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kbrules.engine.configuration import REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.simulate.question import Question, Side
from kbrules.tools.measuring.simulate.tables import Tables
from kbrules.tools.playing.bots import RANDOM

BASE = ("base",)
TABLES = 16
HEX = Path("tests/house/hex")
"""A game of stones in rule text, which only a checkout has."""


@lru_cache(maxsize=4)
def boxes(*names: str) -> Ruleset:
    """The rule set of some boxes; the usual ones if none is named."""
    return load(*names)


def games_of(
    ruleset: Ruleset, players: int, number: int = TABLES, engine: str = REFERENCE
) -> list[Game]:
    """Tables by the seeds 0, 1, 2 ...; together their boards have tiles of every kind."""
    return [
        game_at(ruleset, choose_table(ruleset, players, seed), engine=engine)
        for seed in range(number)
    ]


def simulate_tables(*names: str) -> Tables:
    """What `simulate` lays for random games of two with some boxes, a new table for each."""
    side = Side(names)
    return Tables(Question((side,), 2, ((RANDOM, RANDOM),)), [boxes(*names)])


@lru_cache(maxsize=1)
def hex_table() -> Game | None:
    """The table of the game of stones; None where it is not."""
    if not HEX.is_dir():
        return None
    ruleset = load(folders=[HEX])
    return game_at(ruleset, choose_table(ruleset, 2, 0))
