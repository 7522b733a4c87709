"""The typed core: what remains of a rule once every word has a meaning.

Five expressions and a handful of statements. A mistake leaves a literal of the sort HOLE in its
place; a rule set is only made of rules without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

from kbrules.lang.typed.sorts import Sort
from kbrules.text import Span


@dataclass(frozen=True, slots=True)
class Lit:
    """A value known when the rule is read."""

    sort: Sort
    span: Span
    value: Any


@dataclass(frozen=True, slots=True)
class Var:
    """A name bound by a loop, a trigger or a step."""

    sort: Sort
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """A word applied to arguments; `word` is the key of its implementation, `work` its cost."""

    sort: Sort
    span: Span
    word: str
    arguments: tuple[Expr, ...]
    fixed: bool = False
    work: int = 1


@dataclass(frozen=True, slots=True)
class Fold:
    """A word over `body for variable in domain if condition`."""

    sort: Sort
    span: Span
    word: str
    variable: str
    domain: Expr
    condition: Expr | None
    body: Expr


@dataclass(frozen=True, slots=True)
class Conditional:
    """One of two expressions of the same sort."""

    sort: Sort
    span: Span
    condition: Expr
    value: Expr
    other: Expr


Expr = Lit | Var | Call | Fold | Conditional


def is_fixed(expr: Expr) -> bool:
    """Whether board and options alone decide the value."""
    return isinstance(expr, Lit) or (isinstance(expr, Call) and expr.fixed)


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression."""
    match expr:
        case Call(arguments=arguments):
            return arguments
        case Conditional(condition=condition, value=value, other=other):
            return condition, value, other
        case Fold(domain=domain, condition=condition, body=body):
            return (domain, body, condition) if condition is not None else (domain, body)
        case _:
            return ()


@dataclass(frozen=True, slots=True)
class Norm:
    """`permit`, `forbid`, `prefer`, `waive` or `deny`; `target` is None for all hexes."""

    kind: str
    verbs: tuple[str, ...]
    target: Expr | None
    guard: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class QuantityChange:
    """What is added to a quantity while the guard holds."""

    quantity: str
    amount: Expr
    guard: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Award:
    """Gold: `amount` for each `every` items of `domain`, or by rank, inside `loops`."""

    amount: Expr
    every: int
    variable: str
    domain: Expr | None
    rank: int | None
    by: Expr | None
    guard: Expr | None
    loops: tuple[tuple[str, Expr, Expr | None], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Win:
    """What decides who wins: a number of each player, in which `total` is the player's gold."""

    by: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done: the key of its implementation and one expression per slot."""

    name: str
    verb: str
    arguments: tuple[Expr | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """A body done when the condition holds, and another when not."""

    condition: Expr
    body: Block
    other: Block | None
    span: Span


MAX_ROUNDS = 400
"""How often a `Repeat` does its body at most, whatever its number says: every rule ends."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """A body done a number of times; `may_stop` lets the player stop before each."""

    times: Expr
    body: Block
    may_stop: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Each:
    """A body done for each item of a finite domain."""

    variable: str
    domain: Expr
    guard: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Either:
    """One of several bodies, chosen by the player."""

    bodies: tuple[Block, ...]
    span: Span


Statement = Step | If | Repeat | Each | Either


@dataclass(frozen=True, slots=True)
class Block:
    """Steps in order; `path` is its address, stable for one rule text."""

    path: str
    steps: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Trigger:
    """What follows an event: at once, or offered as a reaction if `offered`."""

    events: tuple[str, ...]
    who: str
    guard: Expr | None
    body: Block
    offered: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Whenever:
    """`whenever`: done before any decision while the condition holds."""

    condition: Expr
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player may do in their turn; `required` if the turn cannot end without."""

    guard: Expr | None
    body: Block
    required: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Phase:
    """`before setup`, `setup`, `after setup`, `turn` or `finish`."""

    name: str
    guard: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Rule:
    """Everything one declaration says, by kind of statement."""

    kind: str
    id: str
    title: str
    wording: str
    replaces: str | None
    norms: tuple[Norm, ...]
    changes: tuple[QuantityChange, ...]
    awards: tuple[Award, ...]
    wins: tuple[Win, ...]
    triggers: tuple[Trigger, ...]
    whenevers: tuple[Whenever, ...]
    actions: tuple[Action, ...]
    phases: tuple[Phase, ...]
    examples: tuple[Any, ...]
    span: Span

    @property
    def acts_in_play(self) -> bool:
        """Whether it does more than pay, and say who wins, at the end of the game."""
        parts = (self.norms, self.changes, self.triggers, self.whenevers, self.actions)
        return any(parts) or bool(self.phases)

    def blocks(self) -> Iterator[Block]:
        """Every block of the rule, outer ones first."""
        owners: tuple[Trigger | Whenever | Action | Phase, ...] = (
            *self.triggers,
            *self.whenevers,
            *self.actions,
            *self.phases,
        )
        for owner in owners:
            yield from walk_blocks(owner.body)


def walk_blocks(block: Block) -> Iterator[Block]:
    """The block and every block inside it, outer ones first."""
    yield block
    for step in block.steps:
        for inner in inner_blocks(step):
            yield from walk_blocks(inner)


def inner_blocks(step: Statement) -> tuple[Block, ...]:
    """The blocks directly inside a step."""
    if isinstance(step, If):
        return (step.body, step.other) if step.other is not None else (step.body,)
    if isinstance(step, Repeat):
        return (step.body,)
    if isinstance(step, Each):
        return (step.body,)
    return step.bodies if isinstance(step, Either) else ()


def variables_in(expr: Expr) -> Iterator[Var]:
    """Where names that something binds are spoken of in an expression."""
    if isinstance(expr, Var):
        yield expr
    for part in parts_of(expr):
        yield from variables_in(part)


def words_in(item: object) -> frozenset[str]:
    """The words (by the keys of their signatures) that occur in a rule or a part of it."""
    return frozenset(call.word for call in calls_in(item))


def calls_in(item: object) -> list[Call]:
    """Where words occur in a rule or a part of it."""
    return [each for each in nodes_in(item) if type(each) is Call]


def nodes_in(item: object) -> Iterator[Any]:
    """All parts of a rule or a part of it, in no order."""
    left: list[Any] = [item]
    while left:
        each = left.pop()
        kind: Any = type(each)
        if kind is tuple:
            left += each
            continue
        yield each
        for name in _fields_with_parts(kind):
            left.append(getattr(each, name))


_PLAIN = ("str", "int", "bool", "Span", "Sort")


@cache
def _fields_with_parts(kind: Any) -> tuple[str, ...]:
    """The fields of a node that may hold others."""
    if kind is Span or not is_dataclass(kind):
        return ()
    return tuple(field.name for field in fields(kind) if field.type not in _PLAIN)


def identity(expr: Expr) -> Any:
    """What makes two expressions say the same, wherever they are written."""
    if isinstance(expr, Call):
        return (expr.word, *map(identity, expr.arguments))
    if isinstance(expr, Lit):
        return "lit", type(expr.value), expr.value
    if isinstance(expr, Var):
        return "var", expr.name
    parts = map(identity, parts_of(expr))
    if isinstance(expr, Fold):
        return ("fold", expr.word, expr.variable, *parts)
    return ("choice", *parts)
