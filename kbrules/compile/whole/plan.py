"""What of the rules matters at one table, as plain data: the engine's answer to the compiler.

Every expression has been worked out as far as options and fixed quantities decide it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kbrules.lang.core import Block, Expr, Step
from kbrules.lang.deciding import Implementations
from kbrules.primitives.registry import StepWord


@dataclass(frozen=True, slots=True, eq=False)
class Sourced:
    """What tells which pieces can move.

    own: what of a target is its own, free of `origin`; relation: what ties it to `origin`, if
    anything. through: a set instead, beside which a piece can move; only: whether no other can.
    kinds: those of which each piece is asked for itself.
    """

    own: Expr | None
    relation: Expr | None
    through: Expr | None
    only: bool
    kinds: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A step: its word, and what norms and its own phrases come to.

    count: how often. values: what its code takes, in order. source: the hexes to lift from.
    legal: the hexes where its piece may go, `origin` being where it was lifted; strict: those that
    would be legal if nothing were waived. sourced: how the pieces that can move are found all at
    once, if they are. forbidden: what norms bar. touching: whether hexes that touch the player's
    own are preferred, and nothing else. waivers: of each rule that may waive preferences whether it
    does. names: what each choice is called.
    """

    step: Step
    word: StepWord
    count: Expr | None
    values: tuple[Expr | None, ...]
    source: Expr | None
    piece: Expr | None
    stays: tuple[int, ...]
    legal: Expr | None
    sourced: Sourced | None
    forbidden: Expr
    touching: bool
    freely: bool
    strict: Expr | None
    waivers: tuple[Expr, ...]
    needs_terrain: bool
    at_random: bool
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Begin:
    """A block with the guard it begins under; of an action also of which `tile` it is, or -1.

    mixed: whether it may begin with or without a terrain. minds: whether it asks if it is required.
    repeats: whether it matters to it if it is done once more.
    """

    block: Block
    guard: Expr | None
    tile: int = -1
    required: bool = False
    needs_terrain: bool = False
    mixed: bool = False
    minds: bool = False
    repeats: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Follow:
    """What follows an event: for whom (`me`, `others` or `any`), and whether without asking."""

    block: Block
    guard: Expr | None
    who: str
    tile: int
    instant: bool
    offered: bool


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """All of it.

    setup, turn, finish: phases in order; of setup and finish those of `once` are done once.
    follows: by the word for an event. standings: what is done `whenever`, before decisions;
    draws: before draws. offers: actions of the table; tile_offers: by the kind of tile.
    barred, open: per verb what norms forbid, and what they permit and none forbids.
    changes: per quantity its number and (guard, tile, amount). memories: scope and slot by name.
    asked: the plan of a step; word: its word. asks: whether any rule asks a word, by its key.
    needs_terrain: whether a block depends on the terrain played.
    known: a literal for what is known, by key of its word.
    """

    players: int
    setup: tuple[tuple[Begin, int], ...]
    turn: tuple[Begin, ...]
    finish: tuple[tuple[Begin, int], ...]
    forgotten: tuple[int, ...]
    follows: Mapping[str, tuple[Follow, ...]]
    standings: tuple[Begin, ...]
    draws: tuple[Begin, ...]
    offers: tuple[Begin, ...]
    tile_offers: Mapping[int, tuple[Begin, ...]]
    open: Mapping[str, Expr]
    barred: Mapping[str, Expr]
    changes: Mapping[str, tuple[int, tuple[tuple[Expr | None, int, Expr], ...]]]
    memories: Mapping[str, tuple[str, int]]
    neutral: tuple[bool, ...]
    single: tuple[bool, ...]
    tagged: Mapping[str, tuple[int, ...]]
    implementations: Implementations
    asked: Callable[[Step], Asked]
    word: Callable[[Step], StepWord]
    asks: Callable[[str], bool]
    needs_terrain: Callable[[Block], bool]
    folded: Callable[[Expr], Expr]
    fixed: Callable[[Expr], Any]
    most_turns: int
    kept: dict[Any, Any] = field(default_factory=dict)
