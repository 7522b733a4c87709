"""The typed core: what remains of a rule once every word has a meaning, and what words take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from kbrules.text import Span

T = TypeVar("T")

# The closed set of sorts: every expression has exactly one.


class Sort(StrEnum):
    """What an expression is. HOLE fits everywhere and stands for a reported mistake."""

    HEXES = "hexes"
    GROUPS = "groups"
    NUMBER = "number"
    TRUTH = "truth"
    PLAYER = "player"
    PLAYERS = "players"
    TERRAIN = "terrain"
    TERRAINS = "terrains"
    PLACE = "place"
    PLACES = "places"
    PIECE = "piece"
    PIECES = "pieces"
    TILE = "tile"
    TILES = "tiles"
    CARD = "card"
    CARDS = "cards"
    ZONE = "zone"
    VERB = "verb"
    RANGE = "range"
    MEMORY = "memory"
    WORD = "word"
    HOLE = "hole"


SORT_NAMES = {
    **{sort: sort.value for sort in Sort},
    Sort.GROUPS: "groups of hexes",
    Sort.NUMBER: "a number",
    Sort.TRUTH: "yes or no",
    Sort.PLAYER: "a player",
    Sort.TERRAIN: "a terrain",
    Sort.PLACE: "a place",
    Sort.PLACES: "kinds of place",
    Sort.PIECE: "a piece",
    Sort.PIECES: "kinds of piece",
    Sort.TILE: "a tile",
    Sort.CARD: "a card",
    Sort.ZONE: "a pile of cards",
    Sort.VERB: "a verb",
    Sort.RANGE: "a range such as `at least 3`",
    Sort.MEMORY: "a memory",
    Sort.WORD: "a word",
    Sort.HOLE: "anything",
}

LISTS = {
    Sort.TERRAINS: Sort.TERRAIN,
    Sort.PLACES: Sort.PLACE,
    Sort.PIECES: Sort.PIECE,
    Sort.TILES: Sort.TILE,
    Sort.CARDS: Sort.CARD,
}
"""Lists of things of the boxes, and the sort of each."""
ELEMENT = {
    Sort.GROUPS: Sort.HEXES,
    Sort.HEXES: Sort.HEXES,
    Sort.PLAYERS: Sort.PLAYER,
    **LISTS,
}
"""What a `for` runs over, and the sort its variable has."""


# The core has five expressions and a handful of statements. A mistake leaves a literal of the sort
# HOLE in its place; a rule set is only made of rules without one.


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

    def blocks(self) -> list[Block]:
        """Every block of the rule, outer ones first."""
        return all_in((self.triggers, self.whenevers, self.actions, self.phases), Block)


def inner_blocks(step: Statement) -> tuple[Block, ...]:
    """The blocks directly inside a step."""
    if isinstance(step, If):
        return (step.body, step.other) if step.other is not None else (step.body,)
    if isinstance(step, Repeat | Each):
        return (step.body,)
    return step.bodies if isinstance(step, Either) else ()


def all_in(item: object, kind: type[T]) -> list[T]:
    """Return the nodes of a class in a rule or a part of it, outer ones first."""
    return [each for each in nodes_in(item) if type(each) is kind]


def nodes_in(part: object, leaves: frozenset[type] = frozenset()) -> Iterator[Any]:
    """A part of a rule, typed or as written, and every part in it, outer ones first.

    What lies in parts of the classes of `leaves` is passed over.
    """
    stack = [part]
    while stack:
        each = stack.pop()
        kind: Any = type(each)
        if kind is tuple:
            stack.extend(reversed(each))  # type: ignore[call-overload]
            continue
        names = _fields_with_parts(kind)
        if names is not None:
            yield each
            if kind not in leaves:
                stack.extend(getattr(each, name) for name in names)


_PLAIN = {"Span", "str", "int", "bool", "Sort", "bool | int", "Span | None", "str | None"}


@cache
def _fields_with_parts(kind: Any) -> tuple[str, ...] | None:
    """The fields of a node that may hold others, last one first; None for what is no node."""
    if kind is Span or not is_dataclass(kind):
        return None
    return tuple(field.name for field in reversed(fields(kind)) if field.type not in _PLAIN)


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


# Arguments put in the place of a define's parameters.


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with every named variable replaced by its value."""
    if not values:
        return expr
    match expr:
        case Lit():
            return expr
        case Var(name=name):
            return values.get(name, expr)
        case Call(arguments=arguments):
            return replace(expr, arguments=tuple(substitute(a, values) for a in arguments))
        case Conditional(sort, span, condition, value, other):
            parts = (substitute(e, values) for e in (condition, value, other))
            return Conditional(sort, span, *parts)
        case Fold():
            return _in_fold(expr, values)


def _in_fold(fold: Fold, values: Mapping[str, Expr]) -> Fold:
    """A loop whose variable has the name of one that a value speaks of gets another name."""
    inner = {name: value for name, value in values.items() if name != fold.variable}
    mentioned = set().union(*map(_names, inner.values()))
    variable = fold.variable
    if variable in mentioned:
        taken = mentioned | _names(fold)
        while variable in taken:
            variable += "'"
    if variable != fold.variable:
        sort = ELEMENT.get(fold.domain.sort, fold.domain.sort)
        inner[fold.variable] = Var(sort, fold.domain.span, variable)
    condition = substitute(fold.condition, inner) if fold.condition is not None else None
    return Fold(
        fold.sort, fold.span, fold.word, variable, substitute(fold.domain, values), condition,
        substitute(fold.body, inner),
    )  # fmt: skip


def _names(expr: Expr) -> set[str]:
    """The variables an expression mentions, bound ones among them."""
    return {fold.variable for fold in all_in(expr, Fold)} | {var.name for var in all_in(expr, Var)}


# Signatures and the vocabulary: which words exist and what they take.
#
# The checker is handed a `Vocabulary`; it never learns what a word does.


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named argument; `optional` ones may be left out at the end."""

    name: str
    sort: Sort
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """A word of the language: `fixed` ones depend on the board alone.

    `chained` ones take two arguments or more: what they give for two is taken with the next.
    `work` is how much it takes beside the simplest words, on a large board, as a rule.
    """

    name: str
    parameters: tuple[Parameter, ...]
    result: Sort
    fixed: bool = False
    page: str = ""
    example: str = ""
    chained: bool = False
    work: int = 1

    @property
    def key(self) -> str:
        """What tells this signature from others of the same name."""
        return f"{self.name}({','.join(p.sort for p in self.parameters)})"

    def fits(self, sorts: Iterable[Sort]) -> bool:
        """Whether arguments of these sorts can be given, holes fitting anything."""
        given = tuple(sorts)
        required = sum(not p.optional for p in self.parameters)
        if not required <= len(given) <= len(self.parameters):
            return False
        pairs = zip(given, self.parameters, strict=False)
        return all(s in (p.sort, Sort.HOLE) for s, p in pairs)

    def __str__(self) -> str:
        inside = ", ".join(f"{p.name}: {p.sort}" for p in self.parameters)
        inside += ", ..." if self.chained else ""
        return f"{self.name}({inside})" if inside else self.name


@dataclass(frozen=True, slots=True)
class StepParameter:
    """One part of a step: the operand, a phrase (`on`, `from`, ...), a noun or an adverb.

    `binds` names what the slot's expression may speak of besides the ordinary words.
    """

    name: str
    kind: str
    sort: Sort = Sort.HOLE
    optional: bool = False
    nouns: tuple[str, ...] = ()
    binds: tuple[tuple[str, Sort], ...] = ()


@dataclass(frozen=True, slots=True)
class StepSignature:
    """A step of the language: its verb and slots; `pattern` is how it is written.

    `norm_verbs` are those by which norms speak of it. An action that begins with a step that
    `is_cost` may be used only if that step can be done in full. One that `decides` lets a player or
    chance decide. `remembers` is what a memory must hold that it names, if that matters.
    """

    name: str
    verb: str
    parameters: tuple[StepParameter, ...]
    pattern: str
    norm_verbs: tuple[str, ...] = ()
    page: str = ""
    example: str = ""
    is_cost: bool = False
    decides: bool = False
    remembers: Sort | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """What a trigger may wait for, and the words its body may use."""

    name: str
    binds: tuple[tuple[str, Sort], ...]
    page: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """A word that stands for one thing of the loaded boxes or of the engine."""

    sort: Sort
    value: Any


@dataclass(frozen=True, slots=True)
class Definition:
    """A checked `define`: its parameters and typed body.

    `needs` are the names of events and steps that it speaks of, such as `here`, with their sorts:
    it is known only where they are.
    """

    parameters: tuple[Parameter, ...]
    body: Expr
    needs: frozenset[tuple[str, Sort]] = frozenset()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything a rule may speak of, by name.

    `unreadable_names` are declared somewhere, but could not be read there; with gaps, any
    name may be one. What is unknown because of that was reported where it was to be read.
    `further_verbs` are those of norms that no step has, each with its page; only `forbid` speaks of
    them.
    """

    words: Mapping[str, tuple[Signature, ...]]
    operators: Mapping[str, tuple[Signature, ...]]
    folds: Mapping[str, tuple[Signature, ...]]
    steps: Mapping[str, tuple[StepSignature, ...]]
    events: Mapping[str, Event]
    kinds: frozenset[str]
    coercions: Mapping[tuple[Sort, Sort], str] = field(default_factory=dict)
    constants: Mapping[str, Constant] = field(default_factory=dict)
    quantities: frozenset[str] = frozenset()
    ids: Mapping[str, frozenset[str]] = field(default_factory=dict)
    unreadable_names: frozenset[str] = frozenset()
    has_gaps: bool = False
    further_verbs: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> set[str]:
        """Every word an expression may use."""
        return {*self.words, *self.folds, *self.constants, *self.quantities}

    def norm_verbs(self) -> set[str]:
        """The verbs that norms speak of."""
        of_steps = {v for each in self.steps.values() for s in each for v in s.norm_verbs}
        return of_steps | self.further_verbs.keys()
