"""The works of a game: what is the same for every board, made once per rule set and options.

Most cards only pay at the end; games that differ in such cards alone share their works.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kbrules.compile.steps.parts import Steps
from kbrules.engine.choices import Choices
from kbrules.engine.evaluators import Linking, generated
from kbrules.engine.machine import Machine
from kbrules.engine.program import Program
from kbrules.engine.stages import Stages
from kbrules.engine.stepping import Configuration
from kbrules.library.ruleset import Ruleset

MOST_KEPT = 64


@dataclass(frozen=True)
class Works:
    """Program, choices and machine of a number of players, some cards and options.

    `steps` are the machine's steps as generated code, None where the reference is wanted.
    """

    program: Program
    choices: Choices
    machine: Machine
    linking: Linking

    @cached_property
    def configuration(self) -> Configuration:
        """What the compiler is told of all this."""
        return Configuration(self.program, self.choices, self.machine)

    @cached_property
    def steps(self) -> Steps | None:
        """What happens without anybody being told."""
        return Steps(self.configuration, tells=False) if self.linking is generated else None


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
        program = Program(ruleset, acting, options, linking)
        kept[key] = found = _made(program, players, linking)
    return found


def _made(program: Program, players: int, linking: Linking) -> Works:
    choices = Choices(program)
    machine = Machine(program, choices, Stages(program, players))
    return Works(program, choices, machine, linking)
