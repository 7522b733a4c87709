"""Wording held against the rule it words: its numbers, and the things it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.catalog import Catalog
from kbrules.lang import core, tree
from kbrules.lang.sorts import Sort
from kbrules.text import Span
from kbrules.tools.authoring.lint.index import inside, statements_of
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.subject import Subject

__all__ = ["RuleFacts", "facts_of"]

_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMBERS = {word: value for value, word in enumerate(_WORDS, 2)} | {"twice": 2}
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
_PAIR = r"two(?= gold| or )|(?<=every )two|(?<=each )two|(?<=least )two|(?<=exactly )two"
# "The four sectors" and "all six neighbours" say how many there are, not how many are asked for.
_NUMBER = re.compile(
    rf"\b(?<!\bthe )(?<!\ball )"
    rf"(?:{'|'.join(each for each in _NUMBERS if each != 'two')}|[0-9]+|{_PAIR})\b",
    re.IGNORECASE,
)
_PLACED = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})(?= most| fewest| place\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """What a rule speaks of: numbers, ranks, and things by their ids."""

    numbers: frozenset[int]
    ranks: frozenset[int]
    things: frozenset[str]


def facts_of(rule: core.Rule, catalog: Catalog, options: Mapping[str, int]) -> RuleFacts:
    """What the typed statements of a rule speak of, its defines included.

    options: what each is if nobody chooses; wording speaks of that.
    """
    numbers: set[int] = set()
    things: set[str] = set()
    ranks: set[int] = set()
    for part in inside(statements_of(rule)):
        match part:
            case core.Lit(sort=Sort.NUMBER, value=value):
                numbers.add(value)
            case core.Lit(sort=Sort.PIECE, value=value):
                things.add(catalog.pieces[value].id)
                numbers.add(catalog.pieces[value].size)
            case core.Lit(sort=sort, value=value) if sort in _TABLES:
                things.add(_thing(sort, value, catalog))
            case core.Lit(sort=Sort.WORD | Sort.MEMORY, value=name):
                things |= {name, *name.split("_")}
            case core.Call(word="quantity", arguments=(core.Lit(value=name),)):
                numbers.add(catalog.numbers.get(name, 0))
            case core.Call(word="option", arguments=(core.Lit(value=name),)):
                numbers.add(int(options[name]))
            case core.Call(word=">(number,number)", arguments=(_, core.Lit(value=value))):
                numbers.add(value + 1)  # more than two are three or more
            case core.Call(word="<(number,number)", arguments=(_, core.Lit(value=value))):
                numbers.add(value - 1)
            case core.Call(word=word, arguments=()):
                things.add(word.removesuffix("()"))
            case core.Award(every=every, rank=rank):
                numbers.add(every)
                ranks |= {rank} if rank else set()
    return RuleFacts(frozenset(numbers), frozenset(ranks), frozenset(things))


_TABLES = {Sort.TERRAIN, Sort.PLACE, Sort.TILE, Sort.CARD}


def _thing(sort: Sort, value: int, catalog: Catalog) -> str:
    match sort:
        case Sort.TILE:
            return catalog.tiles[value].id
        case Sort.CARD:
            return catalog.cards[value]
        case _:
            return catalog.hexes[value].id


@lint("KB710")
def wording_number(subject: Subject) -> Iterator[Diagnostic]:
    """A number in the wording that the rule does not know."""
    for wording, said in subject.shared(_worded):
        for found in _NUMBER.finditer(wording.text):
            value = _NUMBERS.get(found[0].casefold()) or int(found[0])
            if value > 1 and value not in said.numbers:
                yield _number_not_in_rule("KB710", wording, found, said.numbers, "number")
        for found in _PLACED.finditer(wording.text):
            if said.ranks and _ORDINALS[found[0].casefold()] not in said.ranks:
                yield _number_not_in_rule("KB710", wording, found, said.ranks, "rank")


def _number_not_in_rule(
    code: str, wording: tree.Wording, found: re.Match[str], known: frozenset[int], noun: str
) -> Diagnostic:
    has = ", ".join(str(each) for each in sorted(known) if each > 0) or "none"
    message = f"the wording says {quoted(found[0])}, but the rule has no such {noun}"
    return Diagnostic(code, _place(wording, found), message, f"its {noun}s: {has}")


def _worded(subject: Subject) -> list[tuple[tree.Wording, RuleFacts]]:
    """The lines of wordings that are asked for, each with what its rule speaks of."""
    worded: list[tuple[tree.Wording, RuleFacts]] = []
    by_place = {(rule.span.source, rule.span.start): rule for rule in subject.rules}
    for written in subject.written(tree.Rule):
        rule = by_place.get((written.name.span.source, written.name.span.start))
        if rule is not None:
            said = facts_of(rule, subject.catalog, subject.ruleset.options)
            in_boxes = _numbers_in_boxes({*said.things, rule.id}, subject)
            said = replace(said, numbers=said.numbers | in_boxes)
            worded += [(wording, said) for wording in written.wordings]
    return worded


def _numbers_in_boxes(ids: Set[str], subject: Subject) -> frozenset[int]:
    """The numbers that the boxes give for some things, such as how many of a piece there are."""
    found: set[int] = set()
    for model in (box.model for box in subject.loaded.boxes):
        tables = (model.tiles, model.pieces, model.places, model.terrains)
        for table in tables:
            for id in ids & table.keys():
                found.update(_numbers_in(table[id].model_dump()))
    return frozenset(found)


def _numbers_in(value: object) -> Iterator[int]:
    match value:
        case bool():
            return
        case int():
            yield value
        case dict():
            for each in value.values():
                yield from _numbers_in(each)
        case list() | tuple():
            for each in value:
                yield from _numbers_in(each)


def _place(wording: tree.Wording, found: re.Match[str]) -> Span:
    at = wording.span.text.find(wording.text)
    start = wording.span.start + max(at, 0) + found.start()
    return wording.span.source.span(start, start + len(found[0]))


@lint("KB711")
def wording_thing(subject: Subject) -> Iterator[Diagnostic]:
    """A terrain, place or piece in the wording that the rule does not speak of."""
    names = _names(subject.catalog)
    listed = "|".join(sorted(names, reverse=True))
    pattern = re.compile(rf"\b(?:{listed})(?:s|es)?\b", re.IGNORECASE)
    for wording, said in subject.shared(_worded):
        for found in pattern.finditer(wording.text) if names and said.things else ():
            kind = names[_single(found[0], names)]
            if not (kind.ids & said.things):
                message = f"the wording names {quoted(found[0])}, of which the rule does not speak"
                yield Diagnostic("KB711", _place(wording, found), message, "correct one of the two")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A thing that wording may name: the words by which rules speak of it."""

    ids: frozenset[str]


def _names(catalog: Catalog) -> dict[str, _Kind]:
    """What wording may call terrains, in small letters, and the words rules have for them."""
    found = {}
    for kind in catalog.hexes:
        for name in (kind.title, kind.id.replace("_", " ")):
            found[re.escape(name.casefold())] = _Kind(frozenset((kind.id, *kind.tags)))
    return found


def _single(name: str, names: dict[str, _Kind]) -> str:
    small = re.escape(name.casefold())
    return next(each for each in (small, small[:-1], small[:-2]) if each in names)
