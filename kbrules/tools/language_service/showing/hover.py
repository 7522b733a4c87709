"""What is known of the word at a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kbrules.lang.syntax import tree
from kbrules.lang.typed import SORT_NAMES
from kbrules.library.boards.positions import OWNERS
from kbrules.library.discovery import kind_of
from kbrules.library.load import Loaded
from kbrules.messages import CODES
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import Hover
from kbrules.tools.language_service.probing import Probe, probe
from kbrules.tools.language_service.showing.pages import (
    code_markdown,
    entry_markdown,
    pages_of,
    rule_markdown,
)
from kbrules.tools.language_service.texts import sign_at, word_at, zone_at
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.language_service.yaml_places import key_help
from kbrules.tools.lookup import LookupEntry

_CODE = re.compile(r"KB[0-9]{3}")
_PARTS = ("a part of", "a step", "a verb of", "an event", "in an example")
_CELL = re.compile(r"[^\s|]+")


def hover(workspace: Workspace, path: Path, offset: int) -> Hover | None:
    """The signature and page of the word at a place of a file; None if nothing is known of it."""
    source = workspace.source(path)
    kind, loaded = kind_of(path), workspace.last_loaded(path)
    zone = zone_at(source, offset) if kind == "rules" else "code"
    if zone == "comment":
        return _code(source, offset)
    if zone == "drawing":
        return _cell(source, offset, loaded)
    if kind is None or zone == "text":
        return None
    word = word_at(source, offset)
    word = word if word.text else sign_at(source, offset)
    if not word.text:
        return None
    if kind == "rules":
        return _word(workspace, path, word, loaded)
    return _in_data(workspace, path, word, loaded)


def _code(source: Source, offset: int) -> Hover | None:
    word = word_at(source, offset)
    if not _CODE.fullmatch(word.text) or word.text not in CODES:
        return None
    return Hover(word, code_markdown(CODES[word.text]))


def _cell(source: Source, offset: int, loaded: Loaded) -> Hover | None:
    """What the signs of a hex in a drawing mean."""
    line = source.position(offset)[0]
    start = source.offset(line, 1)
    for found in _CELL.finditer(source.line_text(line)):
        if found.start() <= offset - start < found.end():
            markdown = "\n\n".join(_signs(found[0], loaded))
            span = source.span(start + found.start(), start + found.end())
            return Hover(span, markdown) if markdown else None
    return None


def _signs(word: str, loaded: Loaded) -> list[str]:
    catalog = loaded.catalog
    kinds = {each.letter: each.title or each.id for each in catalog.hexes}
    pieces = [each for each in catalog.pieces if not each.neutral]
    meanings = [f"`{word[0]}`: {kinds[word[0]]}"] if word[0] in kinds else []
    if word[0] == ".":
        meanings.append("`.`: any terrain")
    if len(word) > 1 and word[1] in OWNERS and pieces:
        letter = word[2:3]
        piece = next((each for each in pieces if each.letter == letter), pieces[0])
        meanings.append(
            f"`{word[1:3] if letter == piece.letter else word[1]}`: "
            f"{piece.title or piece.id} of player {word[1]}"
        )
    return meanings


def _word(workspace: Workspace, path: Path, word: Span, loaded: Loaded) -> Hover | None:
    scope = loaded.checked.scope if loaded.checked is not None else None
    found = probe(word.source, word, scope) if scope is not None else None
    if found is not None and found.is_expression and word.text in found.variables:
        sort = found.variables[word.text]
        text = f"```kb\n{word.text}: {sort}\n```\n\n{_sentence(SORT_NAMES[sort])}, bound here."
        return Hover(word, text)
    rules = _rules_named(word.text, found, loaded)
    pages = _fitting(pages_of(workspace, path).get(word.text, ()), found)
    if rules:
        return Hover(word, "\n\n---\n\n".join(map(rule_markdown, rules)))
    return Hover(word, entry_markdown(pages)) if pages else None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rules_named(name: str, found: Probe | None, loaded: Loaded) -> list[tree.Rule]:
    """The rules, tiles or cards of a name, where one may be meant."""
    is_part = found is not None and not found.is_expression
    if is_part and found is not None and not isinstance(found.path[-2][0], tree.Rule):
        return []
    rules = (each for each in loaded.declarations if isinstance(each, tree.Rule))
    return [rule for rule in rules if rule.name.text == name]


def _fitting(pages: Sequence[LookupEntry], found: Probe | None) -> Sequence[LookupEntry]:
    """The pages that speak of a word in such a place; if none does, those of no other place."""
    wanted = _kinds(found)
    fitting = [each for each in pages if wanted and each.kind.startswith(wanted)]
    return fitting or [each for each in pages if not each.kind.startswith(_PARTS)] or pages


def _kinds(found: Probe | None) -> tuple[str, ...]:
    if found is None or found.is_expression:
        return ()
    match found.path[-2][0] if len(found.path) > 1 else None:
        case tree.Step():
            return ("a step", "in an example") if found.path[-2][1] == "verb" else ("a part of",)
        case tree.Norm():
            return ("a verb of norms",)
        case tree.When() | tree.Section():
            return ("an event",)
    return ()


def _in_data(workspace: Workspace, path: Path, word: Span, loaded: Loaded) -> Hover | None:
    """A key, or a thing of the boxes, in a data file or a scenario."""
    if markdown := key_help(workspace, path, word.start):
        return Hover(word, markdown)
    rules = [r for r in loaded.declarations if isinstance(r, tree.Rule)]
    named = [rule for rule in rules if rule.name.text == word.text]
    if named:
        return Hover(word, "\n\n---\n\n".join(map(rule_markdown, named)))
    pages = [p for p in pages_of(workspace, path).get(word.text, ()) if p.kind.startswith("one of")]
    return Hover(word, entry_markdown(pages)) if pages else None
