"""The page of what the boxes hold, printed from their data and rules: tiles, cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.game.board import stand_in_note
from kbrules.lang.syntax import tree
from kbrules.lang.tables import parse_with_tables
from kbrules.library.boxes.box import Box, read_box, shipped_box, shipped_boxes
from kbrules.library.discovery import files_in
from kbrules.library.reading import RULES, data_root, read_source
from kbrules.tools.show import value_text

_BOX_KINDS = {
    "expansion": "",
    "edition": "The boxes below are other makes of the game; each is in play only if it is named.",
    "variant": "What follows are house variants, none of them official; each is in play only if it "
    "is named.",
}
KINDS = ("location", "nomad", "bonus", "card", "task", "rule")


def boxes_page() -> Iterator[str]:
    """The lines of the page, box by box: the one that the others need first."""
    boxes = [box for box, _ in (read_box(shipped_box(id)) for id in shipped_boxes()) if box]
    for kind, note in _BOX_KINDS.items():
        of_kind = [box for box in boxes if box.model.kind == kind]
        if of_kind and note:
            yield from (note, "")
        for box in sorted(of_kind, key=lambda box: (len(box.model.needs), box.id)):
            yield from _box(box)


def _box(box: Box) -> Iterator[str]:
    model = box.model
    needs = f" Needs {_names_text([need.id for need in model.needed])}." if model.needs else ""
    yield from (f"## {model.title} (`{model.id}`)", "", f"{players_of(box)}{needs}", "")
    for name, items in (
        ("Sections", model.sections), ("Pieces", model.pieces),
        ("Named below a board", model.marks),
    ):  # fmt: skip
        if items:
            yield from (f"{name}: {_names_text(items)}.", "")
    stand_ins = [f"`{id}`" for id, section in model.sections.items() if section.map == "stand-in"]
    if stand_ins:
        yield from (f"Not all is as printed: {stand_in_note(stand_ins)}.", "")

    if changes := list(changes_of(box)):
        yield from (f"In place of what other boxes say: {', '.join(changes)}.", "")
    declared = [each for file in _files(model.id) for each in _declarations(file)]
    for kind in KINDS:
        rules = [d for d in declared if isinstance(d, tree.Rule) and d.kind.text == kind]
        rows = [(rule.name.text, rule.title, rule.wording) for rule in rules]
        yield from _table(_plural(kind).capitalize(), ("name", "title", "what it says"), rows)
    if any(isinstance(each, tree.Option) for each in declared):
        yield from (f"[Its options](rulings.md#{model.id}), by the question that each answers.", "")


def _plural(noun: str) -> str:
    return noun + ("es" if noun.endswith("s") else "s")


def players_of(box: Box) -> str:
    """For how many players the box is."""
    least, most = box.model.players.least, box.model.players.most
    if least and most:
        return f"For {least} to {most} players."
    return f"For up to {most} players." if most else "For as many players as the other boxes."


def changes_of(box: Box) -> Iterator[str]:
    """What the box says in place of what others say."""
    instead = box.model.instead
    yield from (f"`{id}` is {value}" for id, value in instead.numbers.items())
    if instead.table is not None:
        yield f"a table has {instead.table.rows} by {instead.table.columns} sections"
    for id, value in instead.options.items():
        yield f"the option `{id}` is {value if isinstance(value, str) else value_text(value)}"


def _names_text(names: object) -> str:
    return ", ".join(f"`{name}`" for name in names)  # type: ignore[attr-defined]


def _files(box: str) -> list[Path]:
    return files_in(data_root("rules") / box, RULES)


def _declarations(file: Path) -> list[tree.Declaration]:
    source, _ = read_source(file)
    return parse_with_tables(source)[1] if source is not None else []


def _table(title: str, head: tuple[str, ...], rows: list[tuple[str, str, str]]) -> Iterator[str]:
    if rows:
        yield from (f"### {title}", "", f"| {' | '.join(head)} |", "| --- | --- | --- |")
        yield from (f"| `{name}` | {second} | {text} |" for name, second, text in rows)
        yield ""
