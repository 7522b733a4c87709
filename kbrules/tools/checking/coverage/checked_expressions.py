"""What the checker made of each expression, found by where it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kbrules.lang.syntax import tree
from kbrules.lang.typed import Call, Expr, Rule
from kbrules.text import Span
from kbrules.tools.authoring.lint.sampled.places import expressions_of, is_about_options
from kbrules.tools.tracing.operands import Place, children, place_of


def is_fixed(expr: Expr) -> bool:
    """Whether the board alone decides an expression."""
    return isinstance(expr, Call) and expr.fixed and not is_about_options(expr)


class CheckedExpressions:
    """The checked expressions of some rules by their places, and where defined words are used."""

    def __init__(self, rules: Iterable[Rule], declarations: Iterable[tree.Declaration]) -> None:
        self._expressions: dict[Place, Expr] = {}
        self._defined_words: dict[Place, str] = {}
        self._uses: dict[str, set[Place]] = {}
        for rule in rules:
            for expr in expressions_of(rule):
                self._expressions.setdefault(place_of(expr.span), expr)
        for declaration in declarations:
            self._index(declaration)

    def _index(self, declaration: tree.Declaration) -> None:
        if isinstance(declaration, tree.Define):
            self._defined_words[place_of(declaration.body.span)] = declaration.name.text
        for node in _names_in(declaration):
            word = node.text if isinstance(node, tree.Name) else node.name
            self._uses.setdefault(word, set()).add(place_of(node.span))

    def at(self, span: Span) -> Expr | None:
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
