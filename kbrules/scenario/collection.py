"""What can be run: scenarios in files and examples in rules, and the choice among them."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.syntax import tree
from kbrules.library.reading import place_of
from kbrules.scenario import examples, reader
from kbrules.scenario.position import build_start
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Span, visible

# Tests that are not run, because rules that they need have a mistake.


def not_run(span: Span, name: str, cause: Diagnostic | None = None) -> Diagnostic:
    """Return the finding that a test at a place needs a name that has a mistake.

    cause: a mistake that keeps all tests of these rules from being run.
    """
    message = f"this is not run: {quoted(name)} has a mistake"
    if cause is None:
        return Diagnostic("KB509", span, message, "mend it; the other tests run meanwhile")
    help = f"mend {cause.code} at {place_of(cause.span)} first: it changes what all rules mean"
    return Diagnostic("KB509", span, message, help)


def examples_left_out(cache: RulesetCache) -> Iterator[tuple[str, tree.Example]]:
    """The examples of rules that are left out, each with the name of its rule."""
    for declaration in cache.left_out.declarations:
        if isinstance(declaration, tree.Rule):
            yield from ((declaration.name.text, each) for each in declaration.examples)


def scenario_needs(scenario: reader.Scenario, cache: RulesetCache) -> str:
    """A name left out that a scenario writes, or that its cards or its board have; or nothing."""
    if not cache.left_out.names:
        return ""
    text = scenario.span("title").source.text
    written_names = {*re.findall(r"[a-z][a-z0-9_]*", text)}
    return min(cache.left_out.names & (written_names | _on_table(scenario, cache)), default="")


def _on_table(scenario: reader.Scenario, cache: RulesetCache) -> set[str]:
    start, _ = build_start(scenario, cache)
    if start is None:
        return set()
    game, catalog = start.game, cache.ruleset.catalog
    return {*game.cards, *(catalog.tiles[tile].id for tile in game.board.tiles.values())}


# The selection of cases: by the name behind `::` in `file.kb::name`, and by `-k` expressions.

Predicate = Callable[[str], bool]
_TOKEN = re.compile(r"[()]|[^\s()]+")
_KEYWORDS = ("and", "or", "not", "(", ")")
MAX_BRACKETS = 50


def cases_named(cases: Sequence[Case], name: str) -> list[Case]:
    """The cases that a name may mean: one if it is clear, several if it is ambiguous.

    A name is a title, the number of a case, how one title begins, or the rule of an example,
    also with its kind before it, as in `card rowers`.
    """
    if name.isdigit() and 0 < int(name) <= len(cases):
        return [cases[int(name) - 1]]
    exact = [case for case in cases if name in (case.title, case.id.partition("::")[2])]
    if exact:
        return exact[:1]
    prefixed = [case for case in cases if case.title.lower().startswith(name.lower())]
    rule = name.rpartition(" ")[2].lower()
    of_rule = [case for case in cases if _rule_of(case) == rule]
    return prefixed if len(prefixed) == 1 else of_rule or prefixed


def _rule_of(case: Case) -> str | None:
    it = case.definition
    return it.rule.id.lower() if isinstance(it, examples.RuleExample) else None


def shell_name(case: Case) -> str:
    """The name of a case on a command line, in quotes where a shell needs them."""
    return visible(shlex.quote(case.id))


def selector(expression: str) -> Predicate:
    """The predicate of ids for an expression of words, `and`, `or`, `not` and brackets.

    Upper and lower case are alike. Words side by side are one text. ValueError if it cannot be
    read.
    """
    parser = _Parser(_TOKEN.findall(_folded(expression)))
    predicate = parser.disjunction()
    if parser.rest:
        raise ValueError(f"`{parser.rest[0]}` is not expected here")
    return lambda id: predicate(_folded(id))


def _folded(text: str) -> str:
    """Return a text in small letters and one form; macOS writes accents in names apart."""
    return unicodedata.normalize("NFC", text.lower())


class _Parser:
    """A parser by recursive descent; `rest` has the tokens still to be read."""

    def __init__(self, tokens: list[str]) -> None:
        self.rest = tokens
        self._open = 0

    def disjunction(self) -> Predicate:
        """Terms joined by `or`."""
        terms = [self._conjunction()]
        while self._accept("or"):
            terms.append(self._conjunction())
        return lambda id: any(term(id) for term in terms)

    def _conjunction(self) -> Predicate:
        terms = [self._negation()]
        while self._accept("and"):
            terms.append(self._negation())
        return lambda id: all(term(id) for term in terms)

    def _negation(self) -> Predicate:
        negated = False
        while self._accept("not"):
            negated = not negated
        inner = self._atom()
        return lambda id: inner(id) != negated

    def _atom(self) -> Predicate:
        if self._accept("("):
            return self._bracketed()
        words: list[str] = []
        while self.rest and self.rest[0] not in _KEYWORDS:
            words.append(self.rest.pop(0))
        if not words:
            raise ValueError("a word is missing")
        text = " ".join(words)
        return lambda id: text in id

    def _bracketed(self) -> Predicate:
        self._open += 1
        if self._open > MAX_BRACKETS:
            raise ValueError(f"more than {MAX_BRACKETS} brackets are open")
        inner = self.disjunction()
        if not self._accept(")"):
            raise ValueError("a bracket is not closed")
        self._open -= 1
        return inner

    def _accept(self, token: str) -> bool:
        is_next = self.rest[:1] == [token]
        if is_next:
            self.rest.pop(0)
        return is_next


# The collection of what can be run.


@dataclass(slots=True)
class Collection:
    """What can be run, in the order of files and lines, and why the rest cannot.

    `not_run` has a finding for each test that a mistake in rules keeps from being run. `rules` are
    the rule sets that were asked for, by the contexts of files; None where there is none.
    """

    cases: list[Case] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    not_run: list[Diagnostic] = field(default_factory=list)
    rules: Mapping[Any, RulesetCache | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)
