"""A sentence watched: each part of it with the value the reference evaluator finds for it.

Nothing is worked out beside the rules: a value is what the very expression answers in the very
view in which the engine asks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kbrules.game.view import View
from kbrules.lang.core import Call, Choice, Expr, Fold, Lit, Var, parts_of
from kbrules.lang.sorts import ELEMENT, Sort
from kbrules.plan.plan import Plan
from kbrules.text import Source, Span

__all__ = ["Clause", "DefinedWord", "Evaluation", "defined", "watch"]

MOST_ITEMS = 12
"""Rounds of a loop inside a sentence that are kept."""
BOTH, EITHER, WITHOUT = "&(hexes,hexes)", "|(hexes,hexes)", "-(hexes,hexes)"
AND, OR, NOT = "and(truth,truth)", "or(truth,truth)", "not(truth)"
_ALIKE = (BOTH, EITHER, AND, OR)
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_QUIET = (Sort.WORD, Sort.VERB, Sort.MEMORY, Sort.RANGE)


@dataclass(frozen=True, slots=True)
class DefinedWord:
    """The `define` that a word stands for: its name, its wording and where it is written."""

    name: str
    wording: str
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence and its value.

    `holds`: of a set whether the hex asked about is in it, of a condition whether it holds, else
    None. `is_wrong` says that it is what stands against what was asked; `expr` and `view` are what
    was evaluated. `item` is the name, sort and value that a loop has in this round, if it is one.
    """

    expr: Expr
    view: View = field(repr=False, compare=False)
    value: Any
    holds: bool | None = None
    is_wrong: bool = False
    parts: tuple[Clause, ...] = ()
    means: DefinedWord | None = None
    item: tuple[str, Sort, Any] | None = None

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.expr.span

    @property
    def text(self) -> str:
        """How it is written, in one line."""
        return " ".join(self.span.text.split())

    def all(self) -> Iterator[Clause]:
        """It and all its parts, outer ones first."""
        yield self
        for part in self.parts:
            yield from part.all()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Where a sentence is watched: the rules in force, and the hex asked about (or -1)."""

    plan: Plan
    hex: int = -1


def watch(expr: Expr, view: View, scene: Evaluation, wanted: bool | None = None) -> Clause:
    """An expression with its value and those of its parts.

    `wanted` is what it would have to be, the hex in or out, the condition true or false, for what
    was asked; None if either will do.
    """
    value = scene.plan.evaluate(expr, view)
    holds = _holds(expr, value, scene.hex)
    wrong = wanted is not None and holds is not None and holds is not wanted
    parts = tuple(_parts(expr, view, scene, wanted if wrong else None))
    means = defined(expr)
    return Clause(expr, view, value, holds, wrong, parts, means)


def _holds(expr: Expr, value: Any, hex: int) -> bool | None:
    if expr.sort is Sort.HEXES:
        return bool(value >> hex & 1) if hex >= 0 else None
    return bool(value) if expr.sort is Sort.TRUTH else None


def _parts(expr: Expr, view: View, scene: Evaluation, wanted: bool | None) -> Iterator[Clause]:
    match expr:
        case Choice(condition=condition, value=value, other=other):
            yield watch(condition, view, scene)
            taken = value if scene.plan.evaluate(condition, view) else other
            if not isinstance(taken, Lit):
                yield watch(taken, view, scene, wanted)
        case Fold():
            yield from _rounds(expr, view, scene)
        case Call(arguments=arguments):
            for argument, aim in zip(arguments, _aims(expr, wanted), strict=True):
                yield from _argument(expr, argument, view, scene, aim)


def _argument(
    call: Call, argument: Expr, view: View, scene: Evaluation, aim: bool | None
) -> Iterator[Clause]:
    """What a word is applied to, if that says more than the word itself.

    Only a part of set algebra is about the hex asked about; what is inside a word is about others.
    """
    if argument.sort in _QUIET or isinstance(argument, Lit):
        return
    if argument.span == call.span or _goes_on(call, argument):
        # It is only turned into another sort, or one chain of the same operator.
        yield from _parts(argument, view, scene, aim)
        return
    inner = scene if call.word in (*_ALIKE, WITHOUT, NOT) else Evaluation(scene.plan)
    yield watch(argument, view, inner, aim)


def _goes_on(call: Call, argument: Expr) -> bool:
    """Whether an operand is the same operation again, and no word of its own."""
    same = isinstance(argument, Call) and argument.word == call.word and call.word in _ALIKE
    return same and defined(argument) is None


def _aims(call: Call, wanted: bool | None) -> list[bool | None]:
    """What each operand would have to be for the whole to be what is wanted."""
    aims: list[bool | None] = [None] * len(call.arguments)
    if wanted is None:
        return aims
    if call.word in _ALIKE:
        return [wanted] * len(aims)
    if call.word == WITHOUT:
        return [wanted, not wanted]
    return [not wanted] if call.word == NOT else aims


def _rounds(fold: Fold, view: View, scene: Evaluation) -> Iterator[Clause]:
    """The domain of a loop, and what its body is for each item that counts."""
    yield watch(fold.domain, view, Evaluation(scene.plan))
    seen = 0
    for item in scene.plan.evaluate(fold.domain, view):
        inner = view.bound(fold.variable, item)
        if fold.condition is not None and not scene.plan.evaluate(fold.condition, inner):
            continue
        value = scene.plan.evaluate(fold.body, inner)
        if not value or seen == MOST_ITEMS:
            continue
        seen += 1
        holds = _holds(fold.body, value, scene.hex)
        sort = ELEMENT.get(fold.domain.sort, fold.domain.sort)
        yield Clause(fold.body, inner, value, holds, item=(fold.variable, sort, item))


# What a `define` stands for is put in its place when rules are read; here it is found again.


def defined(expr: Expr) -> DefinedWord | None:
    """The `define` whose name stands where the expression is used, if one does."""
    name = _WORD.match(expr.span.text)
    if name is None or isinstance(expr, Lit | Var) or _is_own(expr, name[0]):
        return None
    if not _is_one_word(expr.span.text[name.end() :]):
        return None
    for source in _sources(expr):
        found = re.search(rf'^define {name[0]}\b[^"\n]*"([^"\n]*)"', source.text, re.MULTILINE)
        if found:
            return DefinedWord(name[0], found[1], source.span(found.start(), found.end()))
    return None


def _is_own(expr: Expr, name: str) -> bool:
    """Whether a name is that of the expression's own word, and so of no `define`."""
    if isinstance(expr, Call | Fold) and expr.word.partition("(")[0] == name:
        return True
    return isinstance(expr, Call) and expr.word in ("option", "memory", "quantity")


def _is_one_word(rest: str) -> bool:
    """Whether what follows a name is nothing, or one pair of brackets with its arguments."""
    if not rest:
        return True
    depth = 0
    for at, character in enumerate(rest):
        depth += (character == "(") - (character == ")")
        if depth <= 0:
            return at == len(rest) - 1 and character == ")"
    return False


def _sources(expr: Expr) -> Iterable[Source]:
    """The texts that the expression and its parts are written in."""
    found = {expr.span.source: None}
    for part in parts_of(expr):
        found.update(dict.fromkeys(_sources(part)))
    return found
