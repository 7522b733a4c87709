"""What speaks for a declaration: scenarios, items of the rule book, coverage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kbrules.library.reading import read_source, within
from kbrules.library.resources import data_root
from kbrules.scenario.format.reader import SUFFIX
from kbrules.tools.editors.schemas import schema
from kbrules.tools.publishing.rulebook import Item, items
from kbrules.tools.publishing.site.covered import Covered
from kbrules.tools.publishing.site.frame import section
from kbrules.tools.publishing.site.markup import Html, element
from kbrules.tools.publishing.site.shelf import Entry

__all__ = ["Witness", "witness_of"]

_TITLE = re.compile(r"^ *(?:- *\{? *)?title: *(.+?),?$", re.MULTILINE)
_WORD = re.compile(r"[a-z][a-z0-9_]+")
_PROSE = re.compile(r"#.*|\btitle: *(?:\"[^\"\n]*\"|'[^'\n]*'|[^,\n]*)")
_BECAUSE = re.compile(r"\bbecause: *([a-z][a-z0-9_]*)")
_MOST = 8  # scenarios that are named one by one


@dataclass(frozen=True, slots=True)
class Told:
    """A scenario: its file, its title, the words it is written with, the rules it names."""

    file: str
    title: str
    words: frozenset[str]
    rules: frozenset[str]

    def speaks_of(self, entry: Entry) -> bool:
        """Whether a declaration matters in it; what a rule is called may be any word."""
        if entry.kind in ("define", "memory"):
            return False
        return entry.name in (self.rules if entry.kind == "rule" else self.words)


@dataclass(frozen=True, slots=True)
class Witness:
    """The scenarios, the items of the rule book, and the coverage, as far as they are at hand."""

    scenarios: Sequence[Told] = ()
    items: Mapping[str, Sequence[tuple[str, Item]]] = field(default_factory=dict)
    covered: Covered = field(default_factory=Covered)

    def parts(self, entry: Entry) -> Iterator[Html | None]:
        """What speaks for a declaration, as parts of its page."""
        yield self._rulebook(entry)
        yield self._scenarios(entry)
        if entry.kind not in ("option", "memory"):
            yield self.covered.part(entry)

    def _rulebook(self, entry: Entry) -> Html | None:
        said = self.items.get(f"{entry.kind} {entry.name}", ())
        if not said:
            return None
        rows = (
            element("li", element("strong", name), f": {item.says} (checked by ",
                    element("code", ", ".join(item.checked)), ")")
            for name, item in said
        )  # fmt: skip
        return section("In the rule book", element("ul", *rows))

    def _scenarios(self, entry: Entry) -> Html | None:
        found = [each for each in self.scenarios if each.speaks_of(entry)]
        if not found:
            return None
        files = {each.file: [e.title for e in found if e.file == each.file] for each in found}
        rows = (element("li", element("code", file), *_titles(of)) for file, of in files.items())
        return section("Scenarios that speak of it", element("ul", *rows))


def _titles(titles: Sequence[str]) -> Iterator[Html | str]:
    if len(titles) > _MOST:
        yield f": {len(titles)} scenarios"
    else:
        yield element("ul", *(element("li", title) for title in titles))


def witness_of(folders: Sequence[Path], covered: Covered) -> Witness:
    """What there is: scenarios of folders, and those of a checkout with its rule book."""
    home = data_root("rules").parent
    roots = [(folder, folder / "scenarios") for folder in folders]
    roots.append((home, home / "tests" / "scenarios"))
    told = [each for top, root in roots for each in _told(top, root)]
    book = _items(home / "docs") if (home / "docs").is_dir() else {}
    return Witness(told, book, covered)


def _told(top: Path, root: Path) -> Iterator[Told]:
    for file in sorted(root.rglob(f"*{SUFFIX}")):
        source, _ = read_source(file)
        if source is None or within(top, file):
            continue
        text, name = source.text, file.relative_to(top).as_posix()
        starts = [found.start() for found in _TITLE.finditer(text)]
        titles = [found[1].strip("\"'") for found in _TITLE.finditer(text)]
        ends = [*starts[1:], len(text)]
        head = text[: starts[0]] if starts else ""
        for title, start, end in zip(titles, starts, ends, strict=True):
            own = _PROSE.sub("", head + text[start:end])
            yield Told(name, title, _words(own), frozenset(_BECAUSE.findall(own)))


def _words(text: str) -> frozenset[str]:
    """The words of a scenario, but for the keys that every scenario may have."""
    return frozenset(_WORD.findall(_key().sub("", text)))


@cache
def _key() -> re.Pattern[str]:
    names = sorted({*_keys(schema("scenario"))})
    return re.compile(rf"\b(?:{'|'.join(names)}):")


def _keys(schema: object) -> Iterator[str]:
    """The names of all properties in a schema, however deep."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for part in schema.values():
            yield from _keys(part)


def _items(docs: Path) -> dict[str, list[tuple[str, Item]]]:
    """The items of the rule book by what says them."""
    found: dict[str, list[tuple[str, Item]]] = {}
    for of in items(docs).values():
        for name, item in of.items():
            for reference in item.by:
                found.setdefault(reference, []).append((name, item))
    return found
