"""Places in data files and scenarios: the keys that lead there, and what the model says of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kbrules.library.discovery import kind_of
from kbrules.library.validation import SchemaShape
from kbrules.library.yaml import Document, Entry, Loc, Node, YamlList, YamlTable
from kbrules.tools.language_service.workspace import Workspace


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """The path to what stands at an offset; with `is_key`, the last part of it is the key there."""

    path: Loc
    is_key: bool
    start: int
    end: int


def shape_of(path: Path) -> SchemaShape:
    """What a file may hold, by its model."""
    if kind_of(path) == "scenario":
        from kbrules.scenario.models import ScenarioFile

        return SchemaShape.of(ScenarioFile)
    if kind_of(path) == "texts":
        from kbrules.library.models import TextsFile

        return SchemaShape.of(TextsFile)
    from kbrules.library.models import Expansion

    return SchemaShape.of(Expansion)


def place_at(document: Document, offset: int) -> YamlPlace | None:
    """The key or single value at an offset."""
    return next((p for p in _places(document.root, ()) if p.start <= offset <= p.end), None)


def places_in(document: Document) -> Iterator[YamlPlace]:
    """All keys and single values of a document, from top to bottom."""
    return _places(document.root, ())


def _places(node: Node, path: Loc) -> Iterator[YamlPlace]:
    if isinstance(node, YamlTable):
        for name, entry in node.entries.items():
            yield from _entry(name, entry, path)
    elif isinstance(node, YamlList):
        for index, item in enumerate(node.items):
            yield from _places(item, (*path, index))
    else:
        yield YamlPlace(path, False, node.start, node.end)


def _entry(name: str, entry: Entry, path: Loc) -> Iterator[YamlPlace]:
    yield YamlPlace((*path, name), True, entry.key.start, entry.key.end)
    yield from _places(entry.value, (*path, name))


def key_help(workspace: Workspace, path: Path, offset: int) -> str:
    """What the model says of the key at an offset, in Markdown; empty for anything else."""
    document = workspace.document(path)
    place = place_at(document, offset) if document is not None else None
    if place is None or not place.is_key or not place.path:
        return ""
    shape = shape_of(path)
    known = shape.at(place.path[:-1]).keys()
    if place.path[-1] not in known:
        return ""
    here = shape.at(place.path)
    description = here.description()
    return f"**{place.path[-1]}**: {here.phrase()}" + (f"\n\n{description}." if description else "")
