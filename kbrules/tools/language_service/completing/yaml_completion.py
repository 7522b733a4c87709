"""What may be written in data files and scenarios: keys and values as the models say, ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kbrules.game.board import Catalog
from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.discovery import kind_of
from kbrules.library.rules.vocabulary import tables_of
from kbrules.library.validation import SchemaShape
from kbrules.library.yaml import Loc, read_yaml
from kbrules.primitives.vocabulary import KINDS
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import Completion, CompletionKind
from kbrules.tools.language_service.completing.snippets import SCENARIO, indented
from kbrules.tools.language_service.completing.translations import ids_to_translate
from kbrules.tools.language_service.texts import line_before, word_at
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.language_service.yaml_places import places_in, shape_of

_PLACEHOLDER = "kb_placeholder"
_FREE = frozenset({"title", "colour", "rows", "drawing", "letter", "move"})
"""Keys whose values are free text."""


def yaml_completions(workspace: Workspace, path: Path, offset: int) -> Iterator[Completion]:
    """The keys that may stand at a place, or the values."""
    source = workspace.source(path)
    word = word_at(source, offset)
    word = source.span(word.start, min(offset, word.end))
    if "#" in line_before(source, offset):
        return
    is_new = kind_of(path) == "scenario" and not source.text.strip()
    if is_new:
        text = "format: 1\n" + indented(SCENARIO, 0)
        yield Completion("scenario", CompletionKind.SNIPPET, word, text, is_snippet=True)
    found = _place(source, word)
    if found is None:
        return
    loc, is_key = found
    shape, data = shape_of(path), _data(source, word)
    if is_key:
        yield from _keys(shape.at(loc), _at(data, loc), word, source)
        ids = ids_to_translate if kind_of(path) == "texts" else _ids
        yield from ids(workspace, path, loc, word, ": ")
    elif kind_of(path) != "texts":
        yield from _values(shape.at(loc), word)
        yield from _ids(workspace, path, loc, word, "")


def _place(source: Source, word: Span) -> tuple[Loc, bool] | None:
    """The path to the table in which a key is typed, or to the value that is; True for a key."""
    for text in _attempts(source, word):
        document, _ = read_yaml(Source(source.name, text))
        for place in places_in(document) if document is not None else ():
            written = text[place.start : place.end]
            if _PLACEHOLDER in written:
                return (place.path[:-1], True) if place.is_key else (place.path, False)
    return None


def _attempts(source: Source, word: Span) -> Iterator[str]:
    """The text with a name in the place of the word; then without what follows."""
    before, after = source.text[: word.start], source.text[word.end :]
    line = before.rpartition("\n")[2]
    below = "\n" + after.partition("\n")[2]
    closing = "".join("]" if each == "[" else "}" for each in reversed(_open(line)))
    alone = not re.search(r":\s|[\[{,]", line + " ") or line.lstrip().startswith("- ")
    endings = (f"{_PLACEHOLDER}: 0", _PLACEHOLDER) if alone else (_PLACEHOLDER,)
    in_table = bool(_open(line)) and _open(line)[-1] == "{" and not re.search(r":\s*$", line)
    if in_table:
        endings = (f"{_PLACEHOLDER}: 0", _PLACEHOLDER)
    for ending in endings:
        if not after.startswith(":"):
            yield before + ending + after
        yield before + ending + closing + below
        yield before + ending + closing


def _open(line: str) -> list[str]:
    """The brackets that are open at the end of a line."""
    found: list[str] = []
    for sign in line:
        if sign in "[{":
            found.append(sign)
        elif sign in "]}" and found:
            found.pop()
    return found


def _data(source: Source, word: Span) -> Any:
    """The data without the line that is typed, as far as it can be read."""
    line = source.position(word.start)[0]
    lines = source.text.split("\n")
    document, _ = read_yaml(Source("", "\n".join([*lines[: line - 1], *lines[line:]])))
    return document.data if document is not None else None


def _at(data: Any, loc: Loc) -> Mapping[str, Any]:
    """The table at a path; empty if there is none."""
    for part in loc:
        if isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            data = data.get(part) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _keys(
    shape: SchemaShape, there: Mapping[str, Any], word: Span, source: Source
) -> Iterator[Completion]:
    """The keys of the model that are not there yet, those that must be there first."""
    required = {key for each in shape.schemas for key in each.get("required", ())}
    is_last = not source.text[word.end :].startswith(":")
    for key in sorted(shape.keys(), key=lambda key: (key not in required, key)):
        if key not in there:
            inner = shape.at((key,))
            text = f"{key}: " if is_last else key
            yield Completion(
                key, CompletionKind.KEY, word, text, inner.phrase(), inner.description()
            )


def _values(shape: SchemaShape, word: Span) -> Iterator[Completion]:
    """The values that can be chosen."""
    for schema in shape.schemas:
        chosen: Sequence[Any] = schema.get("enum") or [schema[k] for k in ("const",) if k in schema]
        if schema.get("type") == "boolean":
            chosen = [True, False]
        for value in chosen:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield Completion(text, CompletionKind.VALUE, word, text, "", shape.description())


def _ids(
    workspace: Workspace, path: Path, loc: Loc, word: Span, behind: str
) -> Iterator[Completion]:
    """The ids that fit below some keys: the innermost that tells of which kind they are."""
    names = [part for part in loc if isinstance(part, str)]
    if names and names[-1] in _FREE:
        return
    shape = shape_of(path).at(loc)
    texts = [s for s in shape.schemas if s.get("type") == "string" and "enum" not in s]
    takes_ids = not shape.keys() if behind else bool(texts)
    found = _by_key(workspace, path)
    key = next((name for name in reversed(names) if name in found), "")
    if takes_ids and key and not (kind_of(path) == "box" and len(loc) == 1 and behind):
        for id in found[key]:
            yield Completion(id, CompletionKind.THING, word, id + behind, key)


def _by_key(workspace: Workspace, path: Path) -> Mapping[str, Sequence[str]]:
    """The ids that are meant below a key of a box or scenario."""
    loaded = workspace.last_loaded(path)
    catalog: Catalog = loaded.catalog
    tables = dict(tables_of(catalog))
    declared = [each for each in loaded.declarations if hasattr(each, "kind")]
    cards = [d.name.text for d in declared if d.kind.text == "card"]
    options = [d.name.text for d in loaded.declarations if type(d).__name__ == "Option"]
    terrains, tiles = tables["terrains"], tables["tiles"]
    return {
        "needs": shipped_boxes(), "with": shipped_boxes(), "options": options,
        "cards": sorted({*tables["cards"], *cards}), "tasks": tables["tasks"], "tiles": tiles,
        "legend": tiles, "tile": tiles, "terrains": terrains, "played": terrains,
        "draw": terrains, "hand": terrains, "place": tables["places"], "kind": sorted(KINDS),
        "pieces": tables["pieces"], "supply": tables["pieces"], "numbers": tables["numbers"],
        "places": tiles, "gold": sorted({*tables["cards"], *cards}),
        "offered": [d.name.text for d in declared], "because": [d.name.text for d in declared],
        "choices": [d.name.text for d in declared], "done": [d.name.text for d in declared],
    }  # fmt: skip
