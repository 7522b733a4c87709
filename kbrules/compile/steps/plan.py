"""What the writing of steps is told about a table: plain data and a few questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kbrules.lang.core import Action, Block, Each, Expr, Phase, Repeat, Step, Trigger
from kbrules.library.ruleset import Owned, Ruleset
from kbrules.primitives.registry import StepWord


@dataclass(frozen=True, slots=True)
class Sourcing:
    """Targets taken apart: what does not depend on the origin, and the relation to it."""

    free: tuple[Expr, ...]
    relation: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A step as it is asked for at one table, its expressions with all options worked out.

    sets: those of the phrases it asks a hex of. waived: whether preferences are waived, None if
    they never are. legal: where its last hex may be. constants: what its code takes, None if that
    differs. sourcing: how pieces with a target are found at once, if they are. handle: what the
    engine calls the same.
    """

    step: Step
    word: StepWord
    names: Sequence[str]
    sets: tuple[Expr | None, ...]
    piece: Expr | None
    stays: tuple[int, ...]
    legal: Expr
    waived: Expr | None
    forbidden: Expr
    prefers: tuple[Expr, ...]
    count: Expr | None
    values: tuple[Expr | None, ...]
    constants: Sequence[Any] | None
    needs_terrain: bool
    at_random: bool
    is_simple: bool
    is_free: bool
    sourcing: Sourcing | None
    handle: Any


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
    """An action: its address and owner, and what its first step asks if that asks for a hex.

    first: the same, past every `if` and `up to` that the action begins with; where each of `tests`
    holds (a truth, or a number above 0), that is what begins the action.
    """

    path: str
    action: Action
    owner: Owned
    asked: Asked | None
    first: Asked | None
    tests: tuple[Expr, ...]
    needs_terrain: bool
    minds: bool
    handle: Any


@dataclass(frozen=True, slots=True)
class Watched:
    """What is done `whenever` a condition holds, of whoever holds a tile if it is not -1."""

    tile: int
    condition: Expr


class Plan(Protocol):
    """One configuration: rules, cards that act, options and the number of players."""

    ruleset: Ruleset
    players: int
    cards: tuple[int, ...]
    forgotten: tuple[int, ...]
    minds_stack: bool
    most_turns: int
    most_nested: int

    @property
    def offers(self) -> Sequence[Offered]:
        """All actions, those of the table and those of tiles."""

    @property
    def triggers(self) -> Mapping[str, Sequence[tuple[Trigger, Owned]]]:
        """What follows each kind of event, in order."""

    @property
    def standings(self) -> Sequence[Watched]:
        """What is done before decisions."""

    @property
    def standings_of_draws(self) -> Sequence[Watched]:
        """What is done before draws."""

    @property
    def turn(self) -> Sequence[Phase]:
        """What a turn is made of."""

    def block(self, path: str) -> Block | None:
        """The steps at an address; None if it is the question whether to react."""

    def required(self, path: str) -> bool | None:
        """Whether a block is part of an action that is required; None if it is of no action."""

    def is_loop(self, path: str) -> bool:
        """Whether a block is done over and over."""

    def is_action(self, path: str) -> bool:
        """Whether a block is an action as a whole."""

    def loop_around(self, path: str) -> Repeat | Each | None:
        """What does a block over and over."""

    def asked(self, step: Step) -> Asked:
        """A step as it is asked for here."""

    def decided(self, expr: Expr) -> Expr:
        """An expression with everything worked out that options decide."""

    def open(self, verb: str) -> Expr:
        """Where the table lets a verb be done."""

    def forbidden(self, verb: str) -> Expr:
        """Where the table forbids it."""

    def changes(self, quantity: str) -> Sequence[tuple[Expr, Expr | None, Owned]]:
        """What is added to a quantity, and under what condition."""
