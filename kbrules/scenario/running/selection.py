"""The selection of cases: by the name behind `::` in `file.kb::name`, and by `-k` expressions."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Sequence

from kbrules.scenario.examples.setup import RuleExample
from kbrules.scenario.running.cases import Case
from kbrules.text import visible

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
    return it.rule.id.lower() if isinstance(it, RuleExample) else None


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
