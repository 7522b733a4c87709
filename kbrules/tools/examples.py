"""Checks of examples and scenarios that need no run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Catalog
from kbrules.lang.syntax import tree
from kbrules.library.load import Loaded
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.progress import with_progress

if TYPE_CHECKING:
    from kbrules.scenario.setup import RulesetCaches


SHOWN = TILE_KINDS | CARD_KINDS
"""The declarations that are never without an example, unless others say what they are good for."""


def example_findings(
    loaded: Loaded, is_selected: Callable[[str], bool], sound: set[str]
) -> Iterator[Diagnostic]:
    """Examples that are missing or cannot be read, in the rules of selected files.

    `sound` are texts of examples with which nothing is wrong by this catalog; they are not read
    again, and others are added.
    """
    for declaration in loaded.declarations:
        if isinstance(declaration, tree.Rule) and is_selected(declaration.span.source.name):
            yield from _without_example(declaration)
            if not loaded.blocking:  # else what an example speaks of may be what is missing
                yield from _in_rule(declaration, loaded.catalog, sound)


def _in_rule(rule: tree.Rule, catalog: Catalog, sound: set[str]) -> Iterator[Diagnostic]:
    is_whole = not any(isinstance(each, tree.Hole) for each in rule.body)
    for example in rule.body:
        if isinstance(example, tree.Example):
            text = f"{rule.name.text}\n{example.span.text}"
            if is_whole and text in sound:
                continue
            findings = [*_in_example(rule, example, catalog)]
            yield from findings
            if is_whole and not findings:
                sound.add(text)


def _without_example(rule: tree.Rule) -> Iterator[Diagnostic]:
    examples = [each for each in rule.body if isinstance(each, tree.Example)]
    has_hole = any(isinstance(each, tree.Hole) for each in rule.body)
    statements = [each for each in rule.body if not isinstance(each, tree.Wording)]
    if rule.kind.text in SHOWN and statements and not examples and not has_hole:
        help_ = "add `example:` with a drawing and what it offers or gives"
        message = f"`{rule.name.text}` has no example"
        yield Diagnostic("KB212", rule.name.span, message, help_)


def _in_example(rule: tree.Rule, example: tree.Example, catalog: Catalog) -> Iterator[Diagnostic]:
    from kbrules.scenario.example_lines import read_drawing, read_lines

    lines, findings = read_lines(example, catalog)
    yield from findings
    if catalog.hexes:
        yield from read_drawing(example, rule.name.text, lines, catalog)[1]


def scenario_findings(
    files: Sequence[Path],
    boxes: Sequence[str],
    folders: Sequence[Path],
    caches: RulesetCaches,
    warned: Collection[str] = (),
) -> Iterator[Diagnostic]:
    """What is wrong with scenarios as they are written and laid out.

    They are played only where there are codes to be warned of, and only these are reported.
    """
    from kbrules.scenario.collection import collect

    collection = collect(files, boxes, folders, caches)
    yield from collection.findings
    cases = collection.cases if warned else []
    for case in with_progress(cases, "scenarios", caches.files.on_progress):
        yield from (each for each in case.run().diagnostics if each.code in warned)
