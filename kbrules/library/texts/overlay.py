"""The one place where texts are laid over a box: over its data, and over its declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kbrules.lang.syntax import tree
from kbrules.library.boxes.box import Box
from kbrules.library.texts.models import TextsFile

TABLES = ("terrains", "places", "pieces", "grids", "marks", "setups")
"""The keys of a box whose entries have titles; those of tiles are the titles of their rules."""


def box_in_language(box: Box, texts: TextsFile) -> Box:
    """A box with the titles that there are."""
    tables = {key: _titled(getattr(box.model, key), getattr(texts, key)) for key in TABLES}
    rules = {id: rule.title for id, rule in texts.rules.items()}
    changed: dict[str, Any] = {**tables, "tiles": _titled(box.model.tiles, rules)}
    if texts.title:
        changed["title"] = texts.title
    return replace(box, model=box.model.model_copy(update=changed))


def _titled(models: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    return {
        id: model.model_copy(update={"title": titles[id]}) if titles.get(id) else model
        for id, model in models.items()
    }


def declarations_in_language(
    declarations: Iterable[tree.Declaration], texts: TextsFile
) -> tuple[tree.Declaration, ...]:
    """Declarations with the titles and wordings that there are."""
    return tuple(_declaration(each, texts) for each in declarations)


def _declaration(each: tree.Declaration, texts: TextsFile) -> tree.Declaration:
    name = each.name.text
    if isinstance(each, tree.Rule) and name in texts.rules:
        translation = texts.rules[name]
        body = (
            _worded(each, translation.wording)
            if translation.wording and each.wordings
            else each.body
        )
        return replace(each, title=translation.title or each.title, body=body)
    if isinstance(each, tree.Memory) and texts.memories.get(name):
        title = texts.memories[name]
        notes = (replace(n, text=title) if n.kind == "title" else n for n in each.notes)
        return replace(each, notes=tuple(notes))
    return each


def _worded(rule: tree.Rule, wording: str) -> tree.Statements:
    """The body of a rule with another wording, in as many lines: places in it are counted."""
    lines = iter(_in_lines(wording, len(rule.wordings)))
    return tuple(
        replace(each, text=next(lines)) if isinstance(each, tree.Wording) else each
        for each in rule.body
    )


def _in_lines(text: str, count: int) -> list[str]:
    """A text cut between words into so many lines; the last ones are empty if it has fewer."""
    words = text.split()
    size = max(1, -(-len(words) // count))
    full = [" ".join(words[at : at + size]) for at in range(0, len(words), size)]
    return [*full, *[""] * (count - len(full))]
