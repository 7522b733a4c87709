"""Tests that are not run, because a card, a tile or a word they need has a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.syntax import tree
from kbrules.scenario.format.reader import Scenario
from kbrules.scenario.setup.cache import RulesetCache
from kbrules.scenario.setup.prepare import build_start
from kbrules.text import Span


def not_run(span: Span, name: str) -> Diagnostic:
    """The finding that a test at a place needs a name that could not be read."""
    message = f"this is not run: {quoted(name)} has a mistake"
    return Diagnostic("KB509", span, message, "mend it; the other tests run meanwhile")


def examples_left_out(cache: RulesetCache) -> Iterator[tuple[str, tree.Example]]:
    """The examples of rules that are left out, each with the name of its rule."""
    for declaration in cache.left_out.declarations:
        for line in declaration.body if isinstance(declaration, tree.Rule) else ():
            if isinstance(line, tree.Example):
                yield declaration.name.text, line


def scenario_needs(scenario: Scenario, cache: RulesetCache) -> str:
    """A name left out that a scenario writes, or that its cards or its board have; or nothing."""
    if not cache.left_out.names:
        return ""
    text = scenario.span("title").source.text
    written_names = {*re.findall(r"[a-z][a-z0-9_]*", text)}
    return min(cache.left_out.names & (written_names | _on_table(scenario, cache)), default="")


def _on_table(scenario: Scenario, cache: RulesetCache) -> set[str]:
    start, _ = build_start(scenario, cache)
    if start is None:
        return set()
    game, catalog = start.setup.game, cache.ruleset.catalog
    return {*game.cards, *(catalog.tiles[tile].id for tile in game.board.tiles.values())}
