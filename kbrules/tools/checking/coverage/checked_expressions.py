"""What the checker made of each expression, found by where it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kbrules.lang.syntax import tree
from kbrules.lang.typed.core import Call, Expr, Lit, Rule, Var
from kbrules.lang.typed.sorts import Sort
from kbrules.text import Span
from kbrules.tools.authoring.lint.sampled.places import expressions_of, is_about_options
from kbrules.tools.tracing.operands import Place, children, place_of


@dataclass(frozen=True, slots=True)
class CheckedExpression:
    """The sort of an expression, the word it calls if any, and how much of it can vary.

    is_fixed: whether the board alone decides it. is_plain: whether it is a literal.
    is_name: whether it is a name that a loop or an event bound.
    """

    sort: Sort
    word: str
    is_fixed: bool
    is_plain: bool
    is_name: bool

    @classmethod
    def of(cls, expr: Expr) -> CheckedExpression:
        """The meaning of a core expression."""
        word = expr.word if isinstance(expr, Call) else ""
        fixed = isinstance(expr, Call) and expr.fixed and not is_about_options(expr)
        return cls(expr.sort, word, fixed, isinstance(expr, Lit), isinstance(expr, Var))


class CheckedExpressions:
    """The meanings of all expressions of some rules, and where defined words are used."""

    def __init__(self, rules: Iterable[Rule], declarations: Iterable[tree.Declaration]) -> None:
        self._expressions: dict[Place, CheckedExpression] = {}
        self._defined_words: dict[Place, str] = {}
        self._uses: dict[str, set[Place]] = {}
        for rule in rules:
            for expr in expressions_of(rule):
                self._expressions.setdefault(place_of(expr.span), CheckedExpression.of(expr))
        for declaration in declarations:
            self._index(declaration)

    def _index(self, declaration: tree.Declaration) -> None:
        if isinstance(declaration, tree.Define):
            self._defined_words[place_of(declaration.body.span)] = declaration.name.text
        for node in _names_in(declaration):
            word = node.text if isinstance(node, tree.Name) else node.name
            self._uses.setdefault(word, set()).add(place_of(node.span))

    def at(self, span: Span) -> CheckedExpression | None:
        """What stands at a place means. What a word is defined as means what its uses mean."""
        uses = self.places(span)
        return next((self._expressions[use] for use in uses if use in self._expressions), None)

    def places(self, span: Span) -> list[Place]:
        """A place and, if a word is defined there, where that word is used, however far away."""
        places = [place_of(span)]
        for place in places:
            word = self._defined_words.get(place)
            uses = sorted(self._uses.get(word, ())) if word is not None else ()
            places += [use for use in uses if use not in places]
        return places

    def bits(self, span: Span, recorded: Mapping[Place, int]) -> int:
        """What was seen at a place, or wherever the word that is defined there is used."""
        bits = 0
        for place in self.places(span):
            bits |= recorded.get(place, 0)
        return bits


def _names_in(item: object) -> Iterator[tree.Name | tree.Call]:
    if isinstance(item, tree.Name | tree.Call):
        yield item
    for _, part in children(item):
        yield from _names_in(part)
