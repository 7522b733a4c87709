"""The words of the grammar, and where in a sentence each may stand: read off the grammar itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from lark.grammar import NonTerminal, Rule, Symbol

from kbrules.lang.syntax.grammar import parser

_SENTENCES = ("_line", "_block", "note", "table")
_LETTERS = re.compile(r"[a-z]+")
_FIRM = 2  # the priority of terminals that stand for several words


@dataclass(frozen=True, slots=True)
class Keywords:
    """Keyword patterns (regular expressions without groups, longer ones first) by their place.

    `headings` begin a declaration, `openers` a sentence of one; `inner` ones stand further right.
    A keyword may have several places. `terminals` are the names of all in the grammar.
    """

    headings: tuple[str, ...]
    openers: tuple[str, ...]
    inner: tuple[str, ...]
    terminals: frozenset[str]


@lru_cache(maxsize=1)
def keywords() -> Keywords:
    """The keywords of the grammar."""
    rules = parser().rules
    words = _words()
    sentences = _leftmost(rules, _SENTENCES)
    headings = _leftmost(rules, ("start",))
    inner = {s.name for rule in rules for s in _inner(rule, sentences | headings)}
    return Keywords(
        _patterns(words, _first(rules, headings)),
        _patterns(words, _first(rules, sentences)),
        _patterns(words, inner),
        frozenset(words),
    )


def _words() -> dict[str, str]:
    """The pattern of each terminal that stands for words of the language, not of the author."""
    found = {}
    for each in parser().terminals:
        if each.priority == _FIRM or _LETTERS.fullmatch(each.pattern.value):
            found[each.name] = re.sub(r"\((?!\?)", "(?:", each.pattern.value)
    return found


def _leftmost(rules: Iterable[Rule], origins: Iterable[str]) -> frozenset[str]:
    """The names of what may stand first in these, themselves included."""
    found, added = set[str](), set(origins)
    while added:
        found |= added
        firsts = (r.expansion[0] for r in rules if r.expansion and r.origin.name in added)
        added = {s.name for s in firsts if isinstance(s, NonTerminal)} - found
    return frozenset(found)


def _first(rules: Iterable[Rule], origins: frozenset[str]) -> set[str]:
    return {r.expansion[0].name for r in rules if r.expansion and r.origin.name in origins}


def _inner(rule: Rule, leftmost: frozenset[str]) -> Iterable[Symbol]:
    """The symbols of a rule that do not begin a sentence with it."""
    return rule.expansion[1:] if rule.origin.name in leftmost else rule.expansion


def _patterns(words: dict[str, str], names: set[str]) -> tuple[str, ...]:
    """Those of more than one word first, since another may be their first word."""
    found = (words[name] for name in names if name in words)
    return tuple(sorted(found, key=lambda pattern: (" " not in pattern, pattern)))
