"""The works of a game: what is the same for every board, made once per rule set and options.

Most cards only pay at the end; games that differ in such cards alone share their works.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kbrules.engine.choices import Choices
from kbrules.engine.evaluators import Linking
from kbrules.engine.machine import Machine
from kbrules.engine.program import Program
from kbrules.engine.stages import Stages
from kbrules.library.ruleset import Ruleset

MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class Works:
    """Program, choices and machine of a number of players, some cards and options."""

    program: Program
    choices: Choices
    machine: Machine


def works_of(
    ruleset: Ruleset,
    players: int,
    cards: tuple[int, ...],
    options: Mapping[str, bool | int],
    linking: Linking,
) -> Works:
    """The works for these players, cards and options, kept with the rule set."""
    acting = tuple(sorted(set(cards) & ruleset.acting_cards))
    key = (players, acting, tuple(sorted(options.items())), linking)
    kept: dict[Any, Works] = ruleset.kept.setdefault(Works, {})
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = found = _made(Program(ruleset, acting, options, linking), players)
    return found


def _made(program: Program, players: int) -> Works:
    choices = Choices(program)
    return Works(program, choices, Machine(program, choices, Stages(program, players)))
