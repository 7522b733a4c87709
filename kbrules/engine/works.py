"""The works of a game: what is the same for every board, made once per rule set and options.

Most cards only pay at the end; games that differ in such cards alone share their works.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kbrules.compile.steps.parts import Steps
from kbrules.engine.choices import Choices
from kbrules.engine.machine import Machine
from kbrules.engine.stages import Stages
from kbrules.engine.stepping import Configuration
from kbrules.lang.core import Rule
from kbrules.library.ruleset import TURN, Ruleset
from kbrules.plan.evaluators import Linking, generated
from kbrules.plan.program import Program

MOST_KEPT = 64


@dataclass(frozen=True)
class Works:
    """Program, choices and machine of a number of players, some cards and options."""

    program: Program
    choices: Choices
    machine: Machine
    linking: Linking

    @cached_property
    def configuration(self) -> Configuration:
        """What the compiler is told of all this."""
        return Configuration(self.program, self.choices, self.machine)

    @cached_property
    def steps(self) -> Steps:
        """The machine's steps as generated code, of which nobody is told what happens."""
        return Steps(self.configuration, tells=False)

    @cached_property
    def telling(self) -> Steps:
        """The same, and what happens is told."""
        return Steps(self.configuration, tells=True)


def works_of(
    ruleset: Ruleset,
    players: int,
    cards: tuple[int, ...],
    options: Mapping[str, bool | int],
    linking: Linking,
) -> Works:
    """The works for these players, cards and options, kept with the rule set."""
    return _kept(ruleset, players, set(cards) & ruleset.acting_cards, options, linking)


def written_for(
    ruleset: Ruleset, players: int, cards: tuple[int, ...], options: Mapping[str, bool | int]
) -> Works:
    """The works whose generated steps serve these players, cards and options.

    A card that does no more than follow events has its place in the steps of every table; there
    it is asked whether the card is in play. Else hardly two tables could share what is written.
    """
    acting = (set(cards) & ruleset.acting_cards) | _followers(ruleset)
    return _kept(ruleset, players, acting, options, generated)


def _followers(ruleset: Ruleset) -> frozenset[int]:
    """The cards that follow events, or have a part in the set-up, but change no rule of play."""
    found: frozenset[int] | None = ruleset.kept.get(_followers)
    if found is None:
        cards = (o for o in ruleset.owners.values() if o.card in ruleset.acting_cards)
        found = frozenset(o.card for o in cards if _only_follows(o.rule))
        ruleset.kept[_followers] = found
    return found


def _only_follows(rule: Rule) -> bool:
    does = (rule.norms, rule.changes, rule.standings, rule.actions)
    return not any(does) and all(phase.name != TURN for phase in rule.phases)


def _kept(
    ruleset: Ruleset,
    players: int,
    cards: Set[int],
    options: Mapping[str, bool | int],
    linking: Linking,
) -> Works:
    acting = tuple(sorted(cards))
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
