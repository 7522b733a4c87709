"""What a rule lacks: a wording, or an example, which is tried so that it holds."""

from __future__ import annotations

import re
from pathlib import Path

from kbrules.diagnostics import Edit
from kbrules.lang.syntax import tree
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import Edits, edited
from kbrules.tools.language_service.editing.entering import entered_in_box
from kbrules.tools.language_service.texts import declaration_at
from kbrules.tools.language_service.workspace import Workspace

_WORDING = '    "Say what it does, in your own words."\n'
_DRAWING = "        | .a .a .  .\n        |  .  .  .a .\n        | .  .  .  .\n"
_CARD = "    example:\n" + _DRAWING + "        gives {}\n"
_TILE = "    example:\n" + _DRAWING + "        offers none\n"
_GIVES = re.compile(r"gives (-?\d+), not 0")


def missing_wording(workspace: Workspace, path: Path, name: Span) -> Edits:
    """The edit that begins the body of a rule with a wording; none if there is no body."""
    source = workspace.source(path)
    line = source.position(name.start)[0]
    if line >= source.line_count or not source.line_text(line).rstrip().endswith(":"):
        return {}
    start = source.offset(line + 1, 1)
    return {path: (Edit(source.span(start, start), _WORDING),)}


def missing_example(workspace: Workspace, path: Path, name: Span) -> Edits:
    """The edit that adds an example to a rule: of a card with what it pays there."""
    source = workspace.source(path)
    kind = next(
        (
            each.kind.text
            for each in workspace.rules(path).declarations
            if isinstance(each, tree.Rule) and each.name.text == name.text
        ),
        "",
    )
    text = _CARD.format(0) if kind in CARD_KINDS else _TILE
    edit = _below(source, name, text)
    if kind in CARD_KINDS:
        edit = _below(source, name, _CARD.format(_paid(workspace, path, edit, name)))
    return {path: (edit,)}


def _below(source: Source, name: Span, text: str) -> Edit:
    """A text at the end of the declaration of a name."""
    around = declaration_at(source, name.start)
    body = re.sub(r"(\n[ \t]*(#[^\n]*)?)+\Z", "", around.text.rstrip())
    end = around.start + len(body)
    return Edit(source.span(end, end), "\n" + text.rstrip("\n"))


def _paid(workspace: Workspace, path: Path, edit: Edit, name: Span) -> int:
    """What a card pays in an example that expects nothing; 0 if it cannot be run."""
    trial = workspace.trial()
    trial.open_text(path, edited(workspace.source(path), [edit]))
    if name.text not in trial.loaded(path).catalog.cards:
        _, entered = entered_in_box(trial, path, name) or ("", {})
        for box, edits in entered.items():
            trial.open_text(box, edited(trial.source(box), edits))
    begin, end = edit.span.start, edit.span.start + len(edit.text)
    for each in trial.examples(path):
        if begin <= each.span.start <= end and (found := _GIVES.search(each.found)):
            return int(found[1])
    return 0
