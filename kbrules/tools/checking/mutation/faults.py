"""Faults: every small change of a declaration that the tests should notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kbrules.lang.formatting import output_lines
from kbrules.lang.syntax import tree
from kbrules.text import Span
from kbrules.tools.checking.mutation.expression_faults import expression_faults
from kbrules.tools.checking.mutation.mutation_points import MutationPoint, mutation_points
from kbrules.tools.checking.mutation.sentence_faults import sentence_faults
from kbrules.tools.checking.mutation.swaps import Swaps

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "number": "a number is one more or one less",
        "truth": "`yes` stands for `no`, or `no` for `yes`",
        "connective": "`or` stands for `and`, or `|` for `&`, or the other way round",
        "comparison": "`<` stands for `<=`, `>` for `>=`, `=` for `!=`, or the other way round",
        "range": "another of `at least`, `at most` and `exactly` stands there",
        "negation": "a `not` is left out",
        "clause": "one of the clauses is left out",
        "branch": "one of two cases is taken always",
        "freed": "hexes beside or near others become all hexes",
        "thing": "another terrain, place, piece, tile or card is named",
        "word": "another word that says the same sort stands there",
        "condition": "a condition is left out",
        "sentence": "a whole sentence is left out",
        "kind": "a sentence is of the opposite kind",
        "phrase": "a phrase of a step is left out, or an adverb is added",
        "rank": "another rank is paid",
        "verb": "one of the verbs is left out",
        "event": "an event is left out, or another one or another player counts",
        "option": "an option has another default",
        "memory": "a memory lasts for another time or is another player's",
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
    known_sentences = {tuple(before)}
    for point in mutation_points(declaration):
        for kind, replacement in _replacements(point, swaps):
            changed = point.put(replacement)
            after = _sentences(changed)
            if tuple(after) not in known_sentences:
                known_sentences.add(tuple(after))
                was, now = _difference(before, after)
                yield Fault(kind, declaration, changed, _span(point), was, now)


def _replacements(point: MutationPoint, swaps: Swaps) -> Iterator[tuple[str, object]]:
    yield from sentence_faults(point, swaps)
    yield from expression_faults(point, swaps)


def _span(point: MutationPoint) -> Span:
    span: Span = point.node.span if hasattr(point.node, "span") else point.parent.span
    return span


def _sentences(declaration: tree.Declaration) -> list[str]:
    return [" ".join(row.text.split()) for row in output_lines(declaration)]


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
