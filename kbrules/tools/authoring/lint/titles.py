"""Titles that do not tell things apart, or differ for one thing."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, Label
from kbrules.lang import tree
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.text import Span
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.subject import Subject


@lint("KB709")
def title_differs(subject: Subject) -> Iterator[Diagnostic]:
    """A tile that is called one thing in its rule and another in the box."""
    titles = {id: of.title for box in subject.loaded.boxes for id, of in box.model.tiles.items()}
    for rule in subject.written(tree.Rule):
        name = rule.name.text
        title = titles.get(name) if rule.kind.text in TILE_KINDS else None
        if title and rule.title and title.casefold() != rule.title.casefold():
            labels = tuple(
                Label(box.key("tiles", name), "named here")
                for box in subject.loaded.boxes
                if name in box.model.tiles
            )
            message = f'`{name}` is "{rule.title}" here, but "{title}" in its box'
            yield Diagnostic("KB709", rule.name.span, message, "use one title", labels)


@lint("KB728")
def same_title(subject: Subject) -> Iterator[Diagnostic]:
    """Two cards or tiles with one title: nobody at the table can tell which is meant."""
    seen: dict[str, tuple[str, Span]] = {}
    rules = [each for each in subject.loaded.declarations if isinstance(each, tree.Rule)]
    for rule in sorted(rules, key=lambda rule: subject.concerns(rule.span)):
        if rule.kind.text not in CARD_KINDS | TILE_KINDS or not rule.title or rule.replaces:
            continue
        name, title = rule.name, rule.title.casefold()
        earlier, span = seen.setdefault(title, (name.text, name.span))
        if span is not name.span and subject.concerns(name.span):
            message = f'`{name.text}` has the title "{rule.title}", and so has `{earlier}`'
            labels = (Label(span, "the other one"),)
            yield Diagnostic("KB728", name.span, message, "give one of them another title", labels)
