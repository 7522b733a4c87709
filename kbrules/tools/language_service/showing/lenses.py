"""What stands beside examples, scenarios and cards: what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.lang.syntax import tree
from kbrules.library.discovery import kind_of
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.text import Span
from kbrules.tools.language_service.answers import ExampleResult, Lens
from kbrules.tools.language_service.showing.balances import balances_in
from kbrules.tools.language_service.workspace import Workspace

_LONGEST = 80  # characters of a title


def lenses(workspace: Workspace, path: Path) -> tuple[Lens, ...]:
    """The lenses of a file, from top to bottom; those of examples run them."""
    found = [_of_result(each) for each in workspace.examples(path)]
    if kind_of(path) == "rules":
        found += _of_cards(workspace, path)
    return tuple(sorted(found, key=lambda each: each.span.start))


def _of_result(result: ExampleResult) -> Lens:
    title = "holds" if result.holds else result.found.partition("\n")[0] or "does not hold"
    title = title if len(title) <= _LONGEST else f"{title[: _LONGEST - 3]}..."
    return Lens(_heading(result.span), title, result.id, result.holds)


def _of_cards(workspace: Workspace, path: Path) -> Iterator[Lens]:
    """What the cards of a file paid on average when they were last measured."""
    cards = [
        each
        for each in workspace.rules(path).declarations
        if isinstance(each, tree.Rule) and each.kind.text in CARD_KINDS
    ]
    home = workspace.group(path).home
    ruleset = workspace.last_loaded(path).ruleset
    balances = balances_in(home if home is not None else Path()) if cards else {}
    for card in cards:
        if (balance := balances.get(card.name.text)) is not None:
            yield Lens(_heading(card.name.span), balance.sentence(ruleset))


def _heading(span: Span) -> Span:
    """The first line of a span, where the author wrote it."""
    start, end = span.source.written(span.start, span.end)
    line = span.source.text[start:end].partition("\n")[0].rstrip()
    return span.source.span(start, start + len(line))
