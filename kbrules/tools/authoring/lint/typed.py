"""The typed expressions of the selected files, and the sort of each by its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbrules.lang import typed as core
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Sort
from kbrules.text import Span
from kbrules.tools.authoring.lint.index import EXPRESSIONS, outermost, statements_of, walk
from kbrules.tools.authoring.lint.subject import Subject


def typed_expressions(subject: Subject) -> Iterator[tuple[Span, core.Expr]]:
    """The outermost typed expressions of the selected files, each with its declaration's place."""
    declarations = {
        (each.name.span.source, each.name.span.start): each for each in subject.declarations
    }
    for rule in subject.rules:
        declaration_span = declarations[rule.span.source, rule.span.start].span
        for expr in outermost(statements_of(rule), EXPRESSIONS):
            yield declaration_span, expr
    definitions = subject.checked.scope.names.definitions
    for define in subject.nodes(tree.Define):
        yield define.span, definitions[define.name.text].body


def sorts(subject: Subject) -> Mapping[Span, Sort]:
    """The sort of each expression of the selected files by its place."""
    parts = (part for _, expr in typed_expressions(subject) for part in walk(expr))
    return {part.span: part.sort for part in parts if type(part) in EXPRESSIONS}
