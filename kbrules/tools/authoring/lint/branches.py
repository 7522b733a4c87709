"""Choices between two things that are one."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, Label
from kbrules.lang import tree
from kbrules.tools.authoring.lint.index import inside
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.sameness import tree_key
from kbrules.tools.authoring.lint.subject import Subject

_HELP = "one of the two should be something else, or one will do"


@lint("KB721")
def same_branches(subject: Subject) -> Iterator[Diagnostic]:
    """Two ways that are the same: whatever decides between them changes nothing."""
    for choice in subject.written(tree.Choice):
        if choice.other is not None and tree_key(choice.value) == tree_key(choice.other):
            message = "both values are the same, whatever the condition says"
            labels = (Label(choice.value.span, "the first"),)
            yield Diagnostic("KB721", choice.other.span, message, _HELP, labels)
    for declaration in subject.declarations:
        for part in inside(declaration):
            body = getattr(part, "body", None)
            if isinstance(body, tuple):
                yield from _in_block(body)


def _in_block(statements: tree.Statements) -> Iterator[Diagnostic]:
    """An `otherwise` like its `if`, an `or` like one of those before it."""
    bodies: list[tree.Statements] = []
    for each in statements:
        if isinstance(each, tree.If) or (isinstance(each, tree.Branch) and each.kind == "either"):
            bodies = [each.body]
        elif isinstance(each, tree.Branch) and each.kind != "may":
            if any(tree_key(each.body) == tree_key(body) for body in bodies):
                first = each.span.source.span(each.span.start, each.span.start + len(each.kind))
                message = f"`{each.kind}:` does what the branch before it does"
                yield Diagnostic("KB721", first, message, _HELP)
            bodies.append(each.body)
        else:
            bodies = []
