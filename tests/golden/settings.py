"""Which games are recorded: all boxes, alone and in mixes, all options, all kinds of players.

Boxes, options and set-ups are read from the boxes themselves, so that a new one is not forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import kbrules
from kbrules.engine.setup import RANDOM, SetupError
from kbrules.library.box import shipped_boxes, usual_boxes
from tests.golden.compare import rules_of
from tests.source_tree import ROOT

GAMES = 300
FEW = 12  # mixes drawn by chance
BASE = "base"

Mix = tuple[tuple[str, ...], tuple[str, ...]]
"""Boxes, and folders beside them by their path from the root."""


@dataclass(frozen=True, slots=True)
class Setting:
    """All that a game is made from."""

    number: int
    boxes: tuple[str, ...]
    folders: tuple[str, ...]
    players: int
    seed: int
    setup: str
    options: dict[str, bool | int]
    bots: tuple[str, ...]


def mixes() -> list[Mix]:
    """Everything that is played with: the biggest mixes first."""
    usual = [box for box in usual_boxes() if box != BASE]
    houses = [file.parent.relative_to(ROOT).as_posix()
              for file in sorted((ROOT / "tests" / "house").glob("*/expansion.yaml"))]  # fmt: skip
    beside = [house for house in houses if BASE in rules_of((), (house,)).boxes]
    mixed = [((BASE, *usual), (house,)) for house in beside]
    biggest, *smaller = _mixes_in_parts()
    found: list[Mix] = [(boxes, ()) for boxes in biggest]
    found += [((), (house,)) for house in houses]
    found += [mix for mix in mixed if _can_be_laid(*mix)]
    found += [(boxes, ()) for part in smaller for boxes in part]
    return list(dict.fromkeys(found))


def box_mixes() -> list[tuple[str, ...]]:
    """What is played with of shipped boxes alone."""
    return list(dict.fromkeys(boxes for part in _mixes_in_parts() for boxes in part))


def _mixes_in_parts() -> list[list[tuple[str, ...]]]:
    """Of shipped boxes the biggest mixes, each box beside the base, and some drawn by chance."""
    usual = [box for box in usual_boxes() if box != BASE]
    others = [box for box in shipped_boxes() if box not in (BASE, *usual)]
    biggest = [(BASE, *usual), *_together([*usual, *others], [*usual, *reversed(others)])]
    return [
        biggest,
        [(BASE,), *((BASE, box) for box in [*usual, *others])],
        list(_drawn(usual, others)),
    ]


def _together(*orders: list[str]) -> Iterator[tuple[str, ...]]:
    """As many boxes as a table can be laid with, taken in some order."""
    for order in orders:
        boxes: tuple[str, ...] = (BASE,)
        for box in order:
            boxes = (*boxes, box) if _can_be_laid((*boxes, box)) else boxes
        yield boxes


def _drawn(usual: list[str], others: list[str]) -> Iterator[tuple[str, ...]]:
    random, found = kbrules.Random(1, "mixes"), 0
    while found < FEW:
        share = 1 + random.below(3)
        boxes = [box for box in usual if random.below(4) < share]
        boxes += [box for box in others if random.below(3) == 0]
        if len(boxes) > 1 and _can_be_laid((BASE, *boxes)):
            found += 1
            yield BASE, *boxes


def _can_be_laid(boxes: tuple[str, ...], folders: tuple[str, ...] = ()) -> bool:
    try:
        ruleset = rules_of(boxes, folders)
        for seed in range(4):
            kbrules.choose_table(ruleset, ruleset.parts.players[0], seed)
    except (SetupError, kbrules.RulesError):
        return False
    return True


@dataclass
class Plan:
    """The games, mix by mix; what came up least often comes next."""

    number: int = 0
    options: Counter[str] = field(default_factory=Counter)

    def settings(self) -> Iterator[Setting]:
        """All games, in the order of their mixes."""
        found = mixes()
        for index, mix in enumerate(found):
            for game in range(GAMES // len(found) + (index < GAMES % len(found))):
                yield self._setting(mix, game)

    def _setting(self, mix: Mix, game: int) -> Setting:
        ruleset = rules_of(*mix)
        self.number += 1
        number, (least, most) = self.number, ruleset.parts.players
        players = least + (game + number) % (most - least + 1)
        setups = [RANDOM, *sorted(ruleset.parts.setups)]
        setup = setups[game] if game < len(setups) else RANDOM
        options = self._options(ruleset, game)
        bots = tuple(_bot(number, game, seat) for seat in range(players))
        return Setting(number, *mix, players, 1000 + number, setup, options, bots)

    def _options(self, ruleset: kbrules.Ruleset, game: int) -> dict[str, Any]:
        """The usual ones in every third game, one other in every third, half of them in the rest.

        Of the options those come first that were other than usual least often.
        """
        if game % 3 == 0:
            return {}
        names = sorted(ruleset.options, key=lambda name: (self.options[name], name))
        names = names[: 1 if game % 3 == 1 else (len(names) + 1) // 2]
        self.options.update(names)
        return {name: _other(ruleset.options[name]) for name in sorted(names)}


def _other(default: bool | int) -> bool | int:
    return not default if isinstance(default, bool) else default + 1


def _bot(number: int, game: int, seat: int) -> str:
    """Who sits there; those who think for long sit in few games, and alone."""
    if seat == 0 and number % 23 == 5:
        return "careful"
    if seat == 0 and number % 23 == 16:
        return "mc:3"
    return ("random", "kinds", "greedy", "kinds")[(game + seat) % 4]
