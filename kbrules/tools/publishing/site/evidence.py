"""What supports a declaration: scenarios, items of the rule book, coverage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kbrules.library.reading import data_root, read_source, within
from kbrules.scenario.reader import SUFFIX
from kbrules.tools.editors.schemas import schema
from kbrules.tools.publishing.rulebook import Item, items
from kbrules.tools.publishing.site.content import DeclarationEntry
from kbrules.tools.publishing.site.coverage import SiteCoverage

_TITLE = re.compile(r"^ *(?:- *\{? *)?title: *(.+?),?$", re.MULTILINE)
_WORD = re.compile(r"[a-z][a-z0-9_]+")
_PROSE = re.compile(r"#.*|\btitle: *(?:\"[^\"\n]*\"|'[^'\n]*'|[^,\n]*)")
_BECAUSE = re.compile(r"\bbecause: *([a-z][a-z0-9_]*)")
_MAX_NAMED = 8  # scenarios that are named one by one


@dataclass(frozen=True, slots=True)
class ScenarioText:
    """A scenario: its file, its title, the words it is written with, the rules it names."""

    file: str
    title: str
    words: frozenset[str]
    rules: frozenset[str]

    def mentions(self, entry: DeclarationEntry) -> bool:
        """Whether a declaration matters in it; what a rule is called may be any word."""
        if entry.kind in ("define", "steps", "memory"):
            return False
        return entry.name in (self.rules if entry.kind == "rule" else self.words)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The scenarios, the items of the rule book, and the coverage, as far as they are at hand."""

    scenarios: Sequence[ScenarioText]
    items: Mapping[str, Sequence[tuple[str, Item]]]
    coverage: SiteCoverage

    def values(self, entry: DeclarationEntry) -> dict[str, Any]:
        """What the page of a declaration shows of it."""
        files: dict[str, list[str]] = {}
        for scenario in self.scenarios:
            if scenario.mentions(entry):
                files.setdefault(scenario.file, []).append(scenario.title)
        return {
            "items": self.items.get(f"{entry.kind} {entry.name}", ()),
            "scenarios": list(files.items()),
            "most_titles": _MAX_NAMED,
            "has_coverage": entry.kind not in ("option", "memory"),
            "is_measured": self.coverage.is_measured,
            "coverage": self.coverage.summary([entry]),
            "gaps": self.coverage.gaps(entry),
        }


def collect_evidence(folders: Sequence[Path], coverage: SiteCoverage) -> Evidence:
    """What there is: scenarios of folders, and those of a checkout with its rule book."""
    home = data_root("rules").parent
    roots = [(folder, folder / "scenarios") for folder in folders]
    roots.append((home, home / "tests" / "scenarios"))
    scenarios = [each for top, root in roots for each in _scenarios(top, root)]
    book = _items(home / "docs") if (home / "docs").is_dir() else {}
    return Evidence(scenarios, book, coverage)


def _scenarios(top: Path, root: Path) -> Iterator[ScenarioText]:
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
            body = _PROSE.sub("", head + text[start:end])
            yield ScenarioText(name, title, _words(body), frozenset(_BECAUSE.findall(body)))


def _words(text: str) -> frozenset[str]:
    """The words of a scenario, but for the keys that every scenario may have."""
    return frozenset(_WORD.findall(_key_pattern().sub("", text)))


@cache
def _key_pattern() -> re.Pattern[str]:
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
    items_by_source: dict[str, list[tuple[str, Item]]] = {}
    for by_name in items(docs).values():
        for name, item in by_name.items():
            for reference in item.by:
                items_by_source.setdefault(reference, []).append((name, item))
    return items_by_source
