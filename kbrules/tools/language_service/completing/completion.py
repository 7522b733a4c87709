"""What may be written at a place, best first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.library.discovery import kind_of
from kbrules.tools.language_service.answers import Completion
from kbrules.tools.language_service.completing.drawing_completion import signs_of_drawings
from kbrules.tools.language_service.completing.rule_completion import (
    codes_to_ignore,
    heading_words,
    sentence_words,
    words_within,
)
from kbrules.tools.language_service.completing.rule_place import RulePlace
from kbrules.tools.language_service.completing.yaml_completion import yaml_completions
from kbrules.tools.language_service.texts import line_before, zone_at
from kbrules.tools.language_service.workspace import Workspace


def complete(workspace: Workspace, path: Path, offset: int) -> tuple[Completion, ...]:
    """The proposals at a place of a file, each label of a kind once; none where none can help."""
    match kind_of(path):
        case "rules":
            found = _in_rules(workspace, path, offset)
        case "box" | "scenario" | "texts":
            found = yaml_completions(workspace, path, offset)
        case None:
            return ()
    unique: dict[tuple[str, str, str], Completion] = {}
    for each in found:
        unique.setdefault((each.label, each.kind, each.text), each)
    return tuple(unique.values())


def _in_rules(workspace: Workspace, path: Path, offset: int) -> Iterator[Completion]:
    source = workspace.source(path)
    place = RulePlace.at(source, offset)
    match zone_at(source, offset):
        case "comment":
            return codes_to_ignore(place)
        case "drawing":
            return signs_of_drawings(workspace.last_loaded(path).catalog, source, offset)
        case "text":
            return iter(())
    before = line_before(source, place.word.start)
    if not before:
        return heading_words(place)
    if not before.strip():
        return sentence_words(workspace, path, place)
    return words_within(workspace, path, place)
