"""A box made smaller, as long as it shows the same: fewer declarations, lines and expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from kbrules.lang.typed import Sort
from tests.random_rules.boxes import Line, Part, RandomBox

Item = TypeVar("Item")

SHORT = {
    Sort.HEXES: ("mine", "board", "empty"),
    Sort.NUMBER: ("0", "1"),
    Sort.TRUTH: ("yes", "no"),
    Sort.GROUPS: ("rows",),
    Sort.PLAYER: ("me",),
    Sort.PLAYERS: ("players",),
}
"""What may stand for any expression of a sort."""


def smallest(box: RandomBox, shows: Callable[[RandomBox], bool]) -> RandomBox:
    """The box after every cut that still shows what it shows; one more cut, and it does not."""
    found: RandomBox | None = box
    while found is not None:
        box = found
        found = next((each for each in smaller(box) if shows(each)), None)
    return box


def smaller(box: RandomBox) -> Iterator[RandomBox]:
    """The box with one cut, the largest cuts first."""
    for some in _fewer(box.declarations):
        yield replace(box, declarations=some)
    if box.players > 2:
        yield replace(box, players=2)
    if box.options:
        yield replace(box, options=())
    for manifest in _less_data(box.manifest):
        yield replace(box, manifest=manifest)
    for at, declaration in enumerate(box.declarations):
        for line in _shorter_line(declaration):
            declarations = (*box.declarations[:at], line, *box.declarations[at + 1 :])
            yield replace(box, declarations=declarations)


def _less_data(manifest: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    table, sections = manifest["table"], manifest["sections"]
    for size in ({"rows": 1, "columns": 1}, {"rows": 1, "columns": 2}):
        if size != table and size["columns"] < table["rows"] * table["columns"]:
            yield {**manifest, "table": size}
    for key in ("sections", "pieces", "tiles", "cards", "tasks", "deck", "places", "terrains"):
        for id in manifest[key] if isinstance(manifest[key], dict) else ():
            yield {**manifest, key: {k: v for k, v in manifest[key].items() if k != id}}
        if isinstance(manifest[key], list):
            for at in range(len(manifest[key])):
                yield {**manifest, key: manifest[key][:at] + manifest[key][at + 1 :]}
    if "grids" in manifest:
        yield {
            **{key: value for key, value in manifest.items() if key != "grids"},
            "sections": {id: each for id, each in sections.items() if "grid" not in each},
        }


def _fewer(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """Without half of them, a quarter and so on, down to each one."""
    size = len(items)
    while size > 0:
        for at in range(0, len(items), size):
            yield (*items[:at], *items[at + size :])
        size //= 2


def _shorter_line(line: Line) -> Iterator[Line]:
    for body in _fewer(line.body):
        if body:
            yield replace(line, body=body)
    if " if {}" in line.form and "}:" not in line.form:
        yield Line(line.form.replace(" if {}", ""), line.parts[:-1], line.body)
    if line.form.endswith(" if {}:"):
        yield Line(line.form.removesuffix(" if {}:") + ":", line.parts[:-1], line.body)
    for at, inner in enumerate(line.body):
        if inner.body:
            yield replace(line, body=(*line.body[:at], *inner.body, *line.body[at + 1 :]))
        for shorter in _shorter_line(inner):
            yield replace(line, body=(*line.body[:at], shorter, *line.body[at + 1 :]))
    for at, part in enumerate(line.parts):
        for shorter_part in _shorter_part(part):
            yield replace(line, parts=(*line.parts[:at], shorter_part, *line.parts[at + 1 :]))


def _shorter_part(part: Part) -> Iterator[Part]:
    if part.parts:
        yield from (Part(part.sort, text) for text in SHORT.get(part.sort, ()))
    for inner in part.parts:
        if inner.sort is part.sort:
            yield inner
    for at, inner in enumerate(part.parts):
        for shorter in _shorter_part(inner):
            yield replace(part, parts=(*part.parts[:at], shorter, *part.parts[at + 1 :]))
