"""Tables by seed: boxes, players, options, cards and board, all drawn by chance.

A seed says everything, so that whatever goes wrong on its table can be looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.random import Random
from kbrules.library.box import shipped_boxes, usual_boxes
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from tests.source_tree import ROOT

HOUSE_RULES = ROOT / "tests" / "house"
NAMES = ("dale", "hex", "fair", "market", "goals", "guilds", "turns")
DALE, HEX, FAIR, MARKET, GOALS, GUILDS, TURNS = (HOUSE_RULES / name for name in NAMES)
USUAL = tuple(box for box in usual_boxes() if box != "base")
UNUSUAL = tuple(box for box in shipped_boxes() if box not in usual_boxes())
"""Editions and variants: played where somebody asks for them."""
NEVER_TOGETHER = {"new_edition", "six_sections"}
"""The sides of the one have four sections, the table of the other takes six."""
OF_A_MIX, OF_A_CONFIGURATION = 25, 5
"""So many seeds in a row share their boxes, and their players, options and cards: to make what
runs a game takes longer than to play it."""
MIXES = range(20)
"""So many mixes of `OF_A_MIX` seeds each are played at every build."""
of_each_mix = pytest.mark.parametrize("mix", MIXES, scope="session")
"""Gives a test each mix. Tests of one mix follow one another, whichever file they are in, so that
its rules are read and its kernels are made once for all of them."""


@dataclass(frozen=True, slots=True)
class Mix:
    """What is played with: boxes, and folders beside them."""

    boxes: tuple[str, ...]
    folders: tuple[Path, ...] = ()

    def __str__(self) -> str:
        """As the command line takes it."""
        return ",".join([*self.boxes, *(folder.name for folder in self.folders)])


HOUSE_BOXES = {
    "dale": Mix(("base",), (DALE,)),
    "hex": Mix((), (HEX,)),
    "fair": Mix(("base",), (FAIR,)),
    "market": Mix(("base",), (MARKET, GOALS, GUILDS, TURNS)),
}
"""What is played with where one of the folders here is."""


def mix_of(seed: int) -> Mix:
    """The boxes of a seed: none, some or all of them; sometimes another game altogether."""
    number = seed // OF_A_MIX
    random = Random(number, "boxes")
    if number % 10 == 4:
        return HOUSE_BOXES["market" if number % 20 == 14 else "hex"]
    share = 1 + random.below(4)
    usual = USUAL if share == 4 else tuple(b for b in USUAL if random.below(4) < share)
    unusual = tuple(box for box in UNUSUAL if random.below(4) == 0)
    if set(unusual) >= NEVER_TOGETHER:
        unusual = tuple(box for box in unusual if box not in NEVER_TOGETHER)
    if number % 10 == 9:
        return HOUSE_BOXES["fair" if number % 20 == 19 else "dale"]
    return Mix(("base", *usual, *unusual))


def mix_named(text: str) -> Mix:
    """The boxes of a text that `Mix` wrote, or that somebody typed."""
    names = [name for name in text.split(",") if name]
    folders = tuple(HOUSE_RULES / name for name in names if (HOUSE_RULES / name).is_dir())
    return Mix(tuple(name for name in names if HOUSE_RULES / name not in folders), folders)


@lru_cache(maxsize=8)
def rules_of(mix: Mix) -> Ruleset:
    """The rules of some boxes."""
    return load(*mix.boxes, folders=list(mix.folders))


@dataclass(frozen=True, slots=True)
class Setting:
    """The table of a seed."""

    seed: int
    mix: Mix
    table: TableSetup

    def game(self, engine: str) -> Game:
        """The game at the table, its states stepped by an engine."""
        return game_at(rules_of(self.mix), self.table, engine=engine)

    def __str__(self) -> str:
        """All that was drawn."""
        table = self.table
        said = " ".join(f"{name}={value}" for name, value in sorted(table.options.items()))
        return (
            f"boxes {self.mix}; {table.players} players; layout {table.layout}; "
            f"cards {', '.join(table.cards) or 'none'}; options {said or 'as usual'}"
        )


def setting_of(seed: int, mix: Mix | None = None) -> Setting:
    """The table of a seed, with these boxes if they are given."""
    mix = mix or mix_of(seed)
    ruleset = rules_of(mix)
    first = seed - seed % OF_A_CONFIGURATION
    random = Random(first, "configuration")
    least, most = ruleset.parts.players
    players = least + random.below(most - least + 1)
    options = {
        name: not default if isinstance(default, bool) else default + random.below(2)
        for name, default in ruleset.options.items()
        if random.below(4) == 0
    }
    table = choose_table(ruleset, players, seed, options=options)
    cards = choose_table(ruleset, players, first, options=options).cards
    return Setting(seed, mix, replace(table, cards=cards))
