"""What is wrong with files of rules, data and texts: all errors, and no warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Catalog
from kbrules.lang.syntax import tree
from kbrules.library import texts as box_texts
from kbrules.library.load import Loaded
from kbrules.library.reading import shown_name
from kbrules.library.store import Files, Same
from kbrules.plan.whenever import unbounded_whenever_findings
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS

SHOWN = TILE_KINDS | CARD_KINDS
"""The declarations that are never without an example, unless others say what they are good for."""

IsSelected = Callable[[str], bool]


def errors_in(files: Files, loaded: Loaded, is_selected: IsSelected) -> list[Diagnostic]:
    """Return the errors in what was loaded, and those of examples and texts in selected files.

    is_selected: whether a file is, by the name it has in messages.
    """
    return [
        *loaded.findings,
        *example_findings(loaded, is_selected, files),
        *text_errors(files, loaded, is_selected),
        *unbounded_whenever_findings(loaded, is_selected),
    ]


def text_errors(files: Files, loaded: Loaded, is_selected: IsSelected) -> Iterator[Diagnostic]:
    """Yield the errors in the texts of the boxes that were loaded, if the files are selected."""
    for box in loaded.boxes:
        for path in filter(lambda path: is_selected(shown_name(path)), box_texts.texts_in(box)):
            texts, findings = files.texts(path)
            yield from findings
            if texts is not None and loaded.ruleset is not None:
                known = box_texts.originals(box, loaded.declarations)
                yield from box_texts.unknown_texts(path, texts, known)


def example_findings(loaded: Loaded, is_selected: IsSelected, files: Files) -> Iterator[Diagnostic]:
    """Yield errors about examples that are missing or cannot be read, in selected files.

    One that is as it was is not read again while the things of the boxes are.
    """
    for declaration in loaded.declarations:
        if isinstance(declaration, tree.Rule) and is_selected(declaration.span.source.name):
            yield from _without_example(declaration)
            if not loaded.blocking:  # else what an example speaks of may be what is missing
                yield from _in_rule(declaration, loaded.catalog, files)


def _in_rule(rule: tree.Rule, catalog: Catalog, files: Files) -> Iterator[Diagnostic]:
    def read(example: tree.Example) -> tuple[Diagnostic, ...]:
        from kbrules.scenario.example_lines import read_example

        return tuple(read_example(example, rule.name.text, catalog)[2])

    for number, example in enumerate(rule.examples):
        slot = rule.span.source.name, rule.name.text, number
        key = example.span.text, Same(catalog)
        found = files.store.value("example", slot, key, partial(read, example))
        is_here = all(each.span.source is example.span.source for each in found)
        # An error that has moved is at another place.
        yield from found if is_here else read(example)


def _without_example(rule: tree.Rule) -> Iterator[Diagnostic]:
    has_hole = any(isinstance(each, tree.Hole) for each in rule.body)
    statements = [each for each in rule.body if not isinstance(each, tree.Wording)]
    if rule.kind.text in SHOWN and statements and not rule.examples and not has_hole:
        help_ = "add `example:` with a drawing and what it offers or gives"
        message = f"`{rule.name.text}` has no example"
        yield Diagnostic("KB212", rule.name.span, message, help_)
