"""The page that lists every item of the rule book, who says it and which scenarios check it.

Its data, `docs/rulebook.yaml`, names declarations and scenario files; where those stand is looked
up here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, RootModel

from kbrules.lang.syntax import tree
from kbrules.lang.tables import parse_with_tables
from kbrules.library.boxes.box import read_box, shipped_box, shipped_boxes
from kbrules.library.discovery import discover
from kbrules.library.reading import data_root, read_source
from kbrules.library.validation import validate
from kbrules.library.yaml import read_yaml
from kbrules.primitives import registry
from kbrules.primitives.vocabulary import vocabulary
from kbrules.scenario.reader import SUFFIX, read_scenarios


class Item(BaseModel):
    """One item: what it says, what says so in this repository, which scenarios check it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    says: str = Field(min_length=3)
    by: list[str] = Field(min_length=1)
    checked: list[str] = Field(min_length=1)


class _RulebookPage(RootModel[dict[str, dict[str, Item]]]):
    """Items by section and name."""


@dataclass(frozen=True, slots=True)
class DeclarationPlace:
    """Where something is declared, and whether examples stand beside it."""

    file: str
    line: int
    has_examples: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def items(docs: Path) -> Mapping[str, Mapping[str, Item]]:
    """The items of `rulebook.yaml` in a folder; ValueError lists what is wrong with it."""
    source, found = read_source(docs / "rulebook.yaml")
    document, more = read_yaml(source) if source is not None else (None, [])
    model, wrong = validate(document, _RulebookPage) if document is not None else (None, [])
    if model is None:
        raise ValueError("; ".join(each.message for each in (*found, *more, *wrong)))
    return model.root


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
        yield from (_row(name, item, folder) for name, item in by_name.items())
        yield ""


def _row(name: str, item: Item, folder: Path) -> str:
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
