"""Which rules have to be left out so that the other things of a folder can be used."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic
from kbrules.game.catalog import Catalog
from kbrules.lang.syntax import tree
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.text import Span

MAX_ROUNDS = 8
"""How often rules are left out: a card may need a word that needs another that is wrong."""
_NO_RULE = "KB409"


@dataclass(frozen=True, slots=True)
class Omission:
    """Declarations that are left out, and the names of things that thereby have no rule."""

    declarations: tuple[tree.Declaration, ...] = ()
    names: frozenset[str] = frozenset()

    def __or__(self, other: Omission) -> Omission:
        return Omission(self.declarations + other.declarations, self.names | other.names)


def omission(
    findings: Sequence[Diagnostic], declarations: Sequence[tree.Declaration], catalog: Catalog
) -> Omission | None:
    """The declarations in which all findings lie; None if one lies elsewhere, or there is none.

    Only what a card or a tile does, and definitions, can be left out: every other rule changes
    what the rest means.
    """
    things = {*catalog.cards, *(tile.id for tile in catalog.tiles)}
    without_rule = {each.span.text for each in findings if each.code == _NO_RULE}
    found = _owners((each for each in findings if each.code != _NO_RULE), declarations)
    if not findings or any(each is None or not _can_be_omitted(each, things) for each in found):
        return None
    own = {id(each): each for each in found if each is not None}.values()
    return Omission(tuple(own), frozenset({*without_rule, *(each.name.text for each in own)}))


def _can_be_omitted(declaration: tree.Declaration, things: set[str]) -> bool:
    """Whether nothing but the thing itself, and what names it, needs a declaration."""
    if isinstance(declaration, tree.Rule | tree.Broken):
        kind = declaration.kind.text
        return kind in CARD_KINDS | TILE_KINDS or declaration.name.text in things
    return isinstance(declaration, tree.Define)


def _owners(
    findings: Iterable[Diagnostic], declarations: Iterable[tree.Declaration]
) -> list[tree.Declaration | None]:
    """The declarations that the findings lie in; None for a finding that lies in none."""
    by_source: dict[str, list[tree.Declaration]] = {}
    for declaration in sorted(declarations, key=lambda each: each.span.start):
        by_source.setdefault(declaration.span.source.name, []).append(declaration)
    sources = {name: _Declared.of(own) for name, own in by_source.items()}
    found: list[tree.Declaration | None] = []
    for finding in findings:
        declared = sources.get(finding.span.source.name)
        found += (declared.around(finding.span) if declared else []) or [None]
    return found


@dataclass(frozen=True, slots=True)
class _Declared:
    """The declarations of a file by their first lines, and those that its tables make."""

    by_line: dict[int, list[tree.Declaration]]
    lines: list[int]
    derived: list[tree.Declaration]

    @classmethod
    def of(cls, declarations: Sequence[tree.Declaration]) -> _Declared:
        """From declarations in the order of their text."""
        by_line: dict[int, list[tree.Declaration]] = {}
        for declaration in declarations:
            by_line.setdefault(declaration.span.line, []).append(declaration)
        derived = [each for each in declarations if each.span.is_derived]
        return cls(by_line, sorted(by_line), derived)

    def around(self, place: Span) -> list[tree.Declaration]:
        """The last that begins before a place: of a table the one of a row, or those of all."""
        if place.is_derived:
            starts = [each.span.start for each in self.derived]
            before = bisect_right(starts, place.start)
            return self.derived[max(before - 1, 0) : before]
        before = bisect_right(self.lines, place.line)
        return self.by_line[self.lines[before - 1]] if before else []
