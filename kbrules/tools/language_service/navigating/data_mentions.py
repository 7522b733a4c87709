"""The names that data files, scenarios and texts mention: no keys of the format, no free text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbrules.library.validation import SchemaShape
from kbrules.library.yaml import Document, Loc
from kbrules.tools.language_service.navigating.mentions import Domain, Mention
from kbrules.tools.language_service.yaml_places import YamlPlace, places_in

_NAME = re.compile(r"(?<![\w#])[a-z][a-z0-9_]*(?!\w)")
_TABLES = ("terrains", "places", "pieces", "tiles", "numbers", "grids", "marks")
_LISTS = ("cards", "tasks")
_SECTIONS = ("sections", "section_sets")
_DEPTH_OF_THINGS = 2
_SETUPS = "setups"  # their ids are no names
_OF_TEXTS = ("rules", "memories", "stamps")
_FREE = frozenset({"title", "colour", "rows", "drawing", "letter", "kind"})
_OF_RULES = frozenset({"because", "done", "choices", "offered", "steps", "move", "refused", "gold"})
_OF_BOXES, _OF_SCENARIOS = frozenset({"needs", "id"}), "with"


def data_mentions(document: Document, shape: SchemaShape, is_box: bool) -> list[Mention]:
    """The names in a data file, by place; `is_box` if it declares things, and no scenario does."""
    found = (m for place in places_in(document) for m in _mentions(document, shape, place, is_box))
    return sorted(found, key=lambda each: each.start)


def translated_names(document: Document) -> Iterator[Mention]:
    """The names of things and rules in a file of texts, those in its stamps too, by place."""
    for place in places_in(document):
        match place.path:
            case (str(table), str(id)) if place.is_key and table != _SETUPS:
                name = id.rpartition(".")[2]
                start = place.end - len(name)
                if document.source.text[start : place.end] == name:
                    domain: Domain = "any" if table in _OF_TEXTS else "word"
                    yield Mention(name, start, place.end, domain)


def _mentions(
    document: Document, shape: SchemaShape, place: YamlPlace, is_box: bool
) -> Iterator[Mention]:
    names = [part for part in place.path if isinstance(part, str)]
    if not place.is_key and (
        not names or names[-1] in _FREE or not _takes_names(shape, place.path)
    ):
        return
    if place.is_key and names[-1] in shape.at(place.path[:-1]).keys():  # noqa: SIM118 (a shape)
        return
    domain = _domain(place.path, place.is_key)
    declares = is_box and _declares(place)
    text = document.source.text[place.start : place.end]
    for found in _NAME.finditer(text):
        start, end = place.start + found.start(), place.start + found.end()
        yield Mention(found[0], start, end, domain, declares)


def _takes_names(shape: SchemaShape, path: Loc) -> bool:
    """Whether the value at a path is a text of the author's choice."""
    schemas = shape.at(path).schemas
    return any(s.get("type") == "string" and "enum" not in s and "const" not in s for s in schemas)


def _domain(path: Loc, is_key: bool) -> Domain:
    names = [part for part in path if isinstance(part, str)]
    if names[0] in _OF_BOXES or names[-1] == _OF_SCENARIOS:
        return "box"
    if names[0] == "sections":
        return "section" if is_key and len(path) == _DEPTH_OF_THINGS else "word"
    if any(name in _SECTIONS for name in names):
        return "section"
    if "grids" in names and names[0] != "grids" and not is_key:
        return "section"
    return "any" if any(name in _OF_RULES for name in names) else "word"


def _declares(place: YamlPlace) -> bool:
    """Whether a thing of the box begins to be there by this."""
    match place.path:
        case (table, str()) if place.is_key:
            return table in (*_TABLES, "sections")
        case (table, int()):
            return table in _LISTS
        case (_, _, "tags", int()):
            return True
    return False
