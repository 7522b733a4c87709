"""Signatures and the vocabulary: which words exist and what they take.

The checker is handed a `Vocabulary`; it never learns what a word does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kbrules.lang.typed.core import Expr
from kbrules.lang.typed.sorts import Sort


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
