"""Faults: every small change of a declaration that the tests should notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kbrules.lang import tree
from kbrules.lang.format import is_same, rows
from kbrules.text import Span
from kbrules.tools.mutate.expressions import planted_in_expression
from kbrules.tools.mutate.places import Place, places
from kbrules.tools.mutate.sentences import planted_in_sentence
from kbrules.tools.mutate.swaps import Swaps

__all__ = ["KINDS", "Fault", "faults_of", "name_of"]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "number": "a number is one more, or one less",
        "truth": "`yes` for `no`, and `no` for `yes`",
        "connective": "`and` for `or`, `&` for `|`, and the other way round",
        "comparison": "`<` for `<=`, `>` for `>=`, `=` for `!=`, and the other way round",
        "range": "`at least`, `at most` and `exactly` for one another",
        "negation": "a `not` is left out",
        "clause": "one of two joined by `and`, `or`, `&`, `|`, `+` is left out, or what `-` takes",
        "branch": "of `(this if ... otherwise that)` only the one, or only the other, is left",
        "freed": "`board` for the hexes that lie next to others, or else somehow to them",
        "thing": "a terrain, place, piece, tile or card for another one",
        "word": "a word for another one that takes and says the same sorts",
        "condition": "what follows `if` is left out, so that it always holds",
        "sentence": "a norm, an award, a step, a trigger, an action ... is left out",
        "kind": "`permit` for `prefer`, `forbid` for `deny`, `increase` for `decrease`, "
        "`repeat` for `up to`, `action` for `required action`, and the other way round",
        "phrase": "a phrase of a step, such as `on ...` or `freely`, is left out, or an adverb added",
        "rank": "`first` for `second`, and so on",
        "verb": "one of several verbs of a norm is left out",
        "event": "one of several events is left out, or another one is waited for, or by others",
        "option": "the default of an option is another",
        "memory": "what is remembered is remembered for another time, or by another",
    }
)
"""The kinds of fault and what each does."""


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """A declaration and what a small change makes of it.

    `was` and `now` are the sentences that differ, in their one style; `now` is empty if they are
    left out. `span` is the part that is changed.
    """

    kind: str
    declaration: tree.Declaration
    changed: tree.Declaration
    span: Span
    was: str
    now: str

    @property
    def name(self) -> str:
        """The declaration it is in, by kind and name."""
        return name_of(self.declaration)


def name_of(declaration: tree.Declaration) -> str:
    """The kind and the name of a declaration, as in `card rowers`."""
    match declaration:
        case tree.Rule(kind=kind, name=name) | tree.Broken(kind=kind, name=name):
            return f"{kind.text} {name.text}"
        case _:
            return f"{type(declaration).__name__.lower()} {declaration.name.text}"


def faults_of(declaration: tree.Declaration, swaps: Swaps) -> Iterator[Fault]:
    """Every fault of a declaration, in the order of its text; no two come to the same."""
    before = _sentences(declaration)
    seen = {tuple(before)}
    for place in places(declaration):
        for kind, instead in _planted(place, swaps):
            changed = place.put(instead)
            after = _sentences(changed)
            if tuple(after) not in seen:
                seen.add(tuple(after))
                was, now = _difference(before, after)
                yield Fault(kind, declaration, changed, _span(place), was, now)


def _planted(place: Place, swaps: Swaps) -> Iterator[tuple[str, object]]:
    yield from planted_in_sentence(place, swaps)
    yield from planted_in_expression(place, swaps)


def _span(place: Place) -> Span:
    span: Span = place.node.span if hasattr(place.node, "span") else place.parent.span
    return span


def _sentences(declaration: tree.Declaration) -> list[str]:
    return [" ".join(row.text.split()) for row in rows(declaration)]


def _difference(before: list[str], after: list[str]) -> tuple[str, str]:
    """The sentences that are not the same, of each of the two."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    shorter = min(len(before), len(after)) - start
    while end < shorter and before[len(before) - 1 - end] == after[len(after) - 1 - end]:
        end += 1
    parts = before[start : len(before) - end], after[start : len(after) - end]
    was, now = (" / ".join(part) for part in parts)
    return was, now
