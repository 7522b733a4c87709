"""The printed pages of what the boxes hold, and of the rule book: who says it, who checks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kbrules.game.board import stand_in_note
from kbrules.lang.syntax import tree
from kbrules.lang.tables import parse_with_tables
from kbrules.library.box import Box, read_box, shipped_box, shipped_boxes
from kbrules.library.discovery import discover, files_in
from kbrules.library.reading import RULES, data_root, read_source
from kbrules.primitives import registry
from kbrules.primitives.vocabulary import vocabulary
from kbrules.scenario.reader import SUFFIX, read_scenarios
from kbrules.tools.docs.box_pages import changes_of, players_of
from kbrules.tools.docs.content import Item, items

# The page of what the boxes hold, printed from their data and rules: tiles, cards.


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
    for name, listed in (
        ("Sections", model.sections), ("Pieces", model.pieces),
        ("Named below a board", model.marks),
    ):  # fmt: skip
        if listed:
            yield from (f"{name}: {_names_text(listed)}.", "")
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


def _names_text(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


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


# The page that lists every item of the rule book, who says it and which scenarios check it.
#
# Its data, `docs/rulebook.yaml`, names declarations and scenario files; where those stand is
# looked up here.


@dataclass(frozen=True, slots=True)
class DeclarationPlace:
    """Where something is declared, and whether examples stand beside it."""

    file: str
    line: int
    has_examples: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@lru_cache(maxsize=1)
def declarations() -> Mapping[str, DeclarationPlace]:
    """Every declaration of the shipped rules by its kind and name, and every word and step."""
    root = data_root("rules")
    places: dict[str, DeclarationPlace] = {}
    for file in discover(root).of("rules"):
        source, _ = read_source(file)
        for each in parse_with_tables(source)[1] if source is not None else ():
            name = f"rules/{file.relative_to(root).as_posix()}"
            places[_name(each)] = DeclarationPlace(name, each.name.span.line, _has_examples(each))
    vocabulary()  # registers every word and step
    names = [f"word {word.signature.name}" for word in registry.WORDS]
    names += [f"step {step.signature.name}" for step in registry.STEPS]
    return places | dict.fromkeys(names, DeclarationPlace("docs/words.md", 0))


def _name(declaration: tree.Declaration) -> str:
    if isinstance(declaration, tree.Rule):
        return f"{declaration.kind.text} {declaration.name.text}"
    return f"{type(declaration).__name__.lower()} {declaration.name.text}"


def _has_examples(declaration: tree.Declaration) -> bool:
    body = declaration.body if isinstance(declaration, tree.Rule) else ()
    return any(isinstance(part, tree.Example) for part in body)


def place_of(reference: str) -> DeclarationPlace:
    """Where a reference of an item leads; KeyError if it leads nowhere."""
    box, colon, path = reference.partition(": ")
    if not colon:
        return declarations()[reference]
    if box not in shipped_boxes():
        raise KeyError(reference)
    keys = tuple(path.split("."))
    manifest, _ = read_box(shipped_box(box))
    if manifest is None or manifest.document.place(keys).path != keys:
        raise KeyError(reference)
    return DeclarationPlace(f"expansions/{shipped_box(box).name}", manifest.key(*keys).line)


def count_scenarios(file: str, folder: Path) -> int:
    """How many scenarios a file holds; KeyError if there is no such file."""
    path = folder / f"{file}{SUFFIX}"
    if not path.is_file():
        raise KeyError(file)
    return len(read_scenarios(path)[0])


def rulebook_page(docs: Path, folder: Path) -> Iterator[str]:
    """The lines of the page; `folder` holds the scenario files."""
    for section, by_name in items(docs).items():
        yield from (f"## {section}", "", "| item | said by | checked by |", "| --- | --- | --- |")
        yield from (_item_row(name, item, folder) for name, item in by_name.items())
        yield ""


def _item_row(name: str, item: Item, folder: Path) -> str:
    places = {reference: place_of(reference) for reference in item.by}
    sources = [f"{_link(reference, place)}" for reference, place in places.items()]
    checks = [f"`{file}` ({count_scenarios(file, folder)})" for file in item.checked]
    if any(place.has_examples for place in places.values()):
        checks.append("its examples")
    return f"| **{name}**: {item.says} | {'<br>'.join(sources)} | {', '.join(checks)} |"


def _link(reference: str, place: DeclarationPlace) -> str:
    if not place.line:
        kind, _, name = reference.partition(" ")
        return f"the {kind} [`{name}`](words.md)"
    return f"`{reference}` [{place}](../{place.file}#L{place.line})"
