"""What the site shows: boxes with their declarations, and what supports each of them."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kbrules.diagnostics import Diagnostic
from kbrules.hooks import OnProgress, silent
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library.box import Box, box_file, shipped_box, shipped_boxes, usual_boxes
from kbrules.library.file_cache import FileCache
from kbrules.library.load import Loaded, load_all, needed
from kbrules.library.reading import MANIFEST, data_root, read_source, real_path, within
from kbrules.library.ruleset import Ruleset
from kbrules.library.texts import TABLES, texts_folder
from kbrules.scenario.reader import SUFFIX
from kbrules.tools.docs.rulebook import Item, items
from kbrules.tools.editors.generated import schema

# What the site shows: boxes with their declarations, each seen among the boxes it plays with.


SHARED = "shared definitions"
"""The id of the definitions that every rule file may use; no box can have it."""

KINDS = {
    "card": "Cards", "task": "Tasks", "location": "Locations", "nomad": "Nomad tiles",
    "bonus": "Bonus tiles", "rule": "Rules", "define": "Definitions",
    "steps": "Steps by name", "option": "Options",
    "memory": "What is remembered",
}  # fmt: skip
"""The words that declarations begin with, in the order of pages, and what several are called."""


def folder_of(box: str) -> str:
    """The folder of the site with the pages of a box."""
    return "shared" if box == SHARED else f"boxes/{box}"


@dataclass(frozen=True, slots=True)
class DeclarationEntry:
    """A declaration of a box; `rule` is what it means if it is a rule that holds.

    `kind` is the word it begins with; `where` is its file and line. `lang` is the language of its
    title and wording if they are translated.
    """

    box: str
    kind: str
    name: str
    title: str
    wording: str
    where: str
    declaration: tree.Declaration
    rule: Rule | None
    lang: str = ""

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"{folder_of(self.box)}/{self.kind}-{self.name}.html"


@dataclass(frozen=True, slots=True)
class BoxContent:
    """A box with its declarations, and the rule set of all that it is played with.

    `visible` are all declarations of that rule set. There is no box behind the shared definitions.
    `langs` has the language of each translated text, by keys such as `title` and `terrains.ID`.
    """

    id: str
    title: str
    box: Box | None
    ruleset: Ruleset
    entries: tuple[DeclarationEntry, ...]
    visible: tuple[DeclarationEntry, ...] = field(repr=False)
    folder: Path | None = None
    langs: Mapping[str, str] = field(default_factory=dict)

    @property
    def lang(self) -> str:
        """The language of the title if it is translated."""
        return self.langs.get("title", "")

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"{folder_of(self.id)}/index.html"


@dataclass(frozen=True, slots=True)
class SiteContent:
    """All boxes, an author's own first, and what kept them from being read."""

    boxes: tuple[BoxContent, ...]
    findings: tuple[Diagnostic, ...] = ()


def collect_content(
    boxes: Sequence[str],
    folders: Sequence[Path],
    language: str = "",
    on_progress: OnProgress = silent,
) -> SiteContent:
    """The boxes and folders named with what they need; if none is named, every shipped box.

    language: that of titles and wordings, as far as there are texts in it. on_progress: told how
    many files are read.
    """
    files = FileCache(language, on_progress)
    contents: dict[str, BoxContent] = {}
    for names in _rulesets(files, boxes, folders):
        loaded = load_all(names, folders, files=files)
        if loaded.ruleset is None or loaded.findings:
            return SiteContent((), loaded.findings)
        for content in _Reader(files, loaded, loaded.ruleset, folders, names).contents():
            contents.setdefault(content.id, content)
    in_order = sorted(contents.values(), key=lambda content: content.folder is None)
    return SiteContent(tuple(in_order), ())


def _rulesets(
    files: FileCache, boxes: Sequence[str], folders: Sequence[Path]
) -> Iterator[list[str]]:
    """The boxes of each rule set that is needed to show all: editions are never side by side."""
    if boxes or folders:
        yield needed(files, boxes, folders)
        return
    yield usual_boxes()
    for id in shipped_boxes():
        if id not in usual_boxes():
            yield needed(files, [id], ())


@dataclass(frozen=True, slots=True)
class _Reader:
    """The boxes of one rule set."""

    files: FileCache
    loaded: Loaded
    ruleset: Ruleset
    folders: Sequence[Path]
    names: Sequence[str]

    def contents(self) -> Iterator[BoxContent]:
        shipped = {*shipped_boxes()}
        boxes = {id: self.files.box(shipped_box(id))[0] for id in self.names if id in shipped}
        own = {id: (box, folder) for id, box, folder in self._own_boxes()}
        every = boxes | {id: box for id, (box, _) in own.items()}
        langs = {id: self._langs(box) for id, box in every.items() if box is not None}
        found = {id: self._entries(id, langs.get(id, {})) for id in (SHARED, *every)}
        visible = tuple(entry for entries in found.values() for entry in entries)
        for id, (box, folder) in own.items():
            yield BoxContent(
                id, box.model.title, box, self.ruleset, found[id], visible, folder, langs[id]
            )
        for box in sorted(filter(None, boxes.values()), key=lambda b: (len(b.model.needs), b.id)):
            yield BoxContent(
                box.id, box.model.title, box, self.ruleset, found[box.id], visible, None,
                langs[box.id],
            )  # fmt: skip
        yield BoxContent(SHARED, "Shared definitions", None, self.ruleset, found[SHARED], visible)

    def _own_boxes(self) -> Iterator[tuple[str, Box, Path]]:
        shipped = {*shipped_boxes()}
        installed = [box_file(id).parent for id in self.names if id not in shipped]
        for folder in (*self.folders, *installed):
            box, _ = self.files.box(folder / MANIFEST)
            if box is not None:
                yield box.id, box, folder

    def _langs(self, box: Box) -> dict[str, str]:
        """The language of each text of a box that is translated."""
        language = self.files.language
        texts = self.files.texts(texts_folder(box) / f"{language}.yaml")[0] if language else None
        if texts is None:
            return {}
        keys = {"title"} if texts.model.title else set()
        for table in (*TABLES, "memories", "rules"):
            keys |= {f"{table}.{id}" for id in getattr(texts.model, table)}
        return dict.fromkeys(keys, language)

    def _entries(self, id: str, langs: Mapping[str, str]) -> tuple[DeclarationEntry, ...]:
        rules = {(rule.kind, rule.id): rule for rule in self.ruleset.rules}
        names = {each.span.source.name for each in self.loaded.declarations}
        places = {name: self._place_of(real_path(Path(name))) for name in names}
        return tuple(
            _entry(each, id, places[each.span.source.name][1], rules, langs)
            for each in self.loaded.declarations
            if places[each.span.source.name][0] == id and not isinstance(each, tree.Broken)
        )

    def _place_of(self, file: Path) -> tuple[str, str]:
        """The box of a rule file, and what the file is called to readers."""
        for id, _, folder in self._own_boxes():
            if file.is_relative_to(real_path(folder)):
                return id, file.relative_to(real_path(folder)).as_posix()
        within = file.relative_to(real_path(data_root("rules")))
        return within.parts[0] if len(within.parts) > 1 else SHARED, f"rules/{within.as_posix()}"


def _entry(
    declaration: tree.Declaration,
    box: str,
    file: str,
    rules: dict[tuple[str, str], Rule],
    langs: Mapping[str, str],
) -> DeclarationEntry:
    name = declaration.name.text
    where = f"{file}:{declaration.span.line}"
    match declaration:
        case tree.Rule(kind=tree.Word(kind), title=title, wording=wording):
            rule = rules.get((kind, name))
            meaning = rule if rule is not None and _means(rule, declaration) else None
            lang = langs.get(f"rules.{name}", "")
            return DeclarationEntry(
                box, kind, name, title or name, wording, where, declaration, meaning, lang
            )
        case tree.Broken():
            raise AssertionError(declaration)
        case _:
            kind = type(declaration).__name__.lower()
            return DeclarationEntry(
                box, kind, name, name, declaration.wording, where, declaration, None
            )


def _means(rule: Rule, declaration: tree.Declaration) -> bool:
    """Whether a rule is what a declaration says, not one that stands in for it."""
    here, there = rule.span, declaration.span
    return here.source is there.source and there.start <= here.start < there.end


# Coverage as `kbrules test --coverage-json` writes it, by declaration.


_COVERED = ("both", "reached")
_LARGEST = 50_000_000  # bytes of a file; all boxes make less than a fiftieth of it


class _MeasuredClause(BaseModel):
    model_config = ConfigDict(strict=True)

    key: str = ""
    line: int = Field(ge=1)
    column: int = Field(ge=1)
    end_line: int = Field(ge=1)
    end_column: int = Field(ge=1)
    verdict: str


class _MeasuredFile(BaseModel):
    model_config = ConfigDict(strict=True)

    file: str
    of: list[_MeasuredClause]


class _CoverageFile(BaseModel):
    model_config = ConfigDict(strict=True)

    format: Literal[1]
    files: list[_MeasuredFile]


@dataclass(frozen=True, slots=True)
class SiteCoverage:
    """The clauses of each file that was measured; None if nothing was."""

    clauses: dict[Path, Sequence[_MeasuredClause]] | None = None

    @property
    def is_measured(self) -> bool:
        """Whether there is anything to say."""
        return self.clauses is not None

    def summary(self, entries: Sequence[DeclarationEntry]) -> str:
        """How much of some declarations was reached, in one line; empty if none was measured."""
        clauses = [clause for entry in entries for clause in self._clauses_in(entry)]
        if not clauses:
            return ""
        covered = sum(clause.verdict in _COVERED for clause in clauses)
        never = sum(clause.verdict == "never reached" for clause in clauses)
        return f"{covered} of {len(clauses)} clauses seen in full, {never} never reached"

    def gaps(self, entry: DeclarationEntry) -> list[tuple[str, str]]:
        """The clauses of a declaration that were not seen in full, each with its verdict."""
        gaps = (clause for clause in self._clauses_in(entry) if clause.verdict not in _COVERED)
        return [(_text(entry, clause), clause.verdict) for clause in gaps]

    def _clauses_in(self, entry: DeclarationEntry) -> Iterator[_MeasuredClause]:
        span, own = entry.declaration.span, f"{entry.kind}/{entry.name}/"
        first, last = span.line, span.line + span.text.rstrip().count("\n")
        for clause in (self.clauses or {}).get(real_path(Path(span.source.name)), ()):
            is_of_row = not span.is_derived or clause.key.startswith(own)
            if first <= clause.line <= last and is_of_row:
                yield clause


def _text(entry: DeclarationEntry, clause: _MeasuredClause) -> str:
    """The words of a clause, on one line."""
    source = entry.declaration.span.source
    start = source.offset(clause.line, clause.column)
    end = source.offset(clause.end_line, clause.end_column)
    return " ".join(source.span(start, end).text.split())


def read_coverage(path: Path) -> SiteCoverage:
    """What a file of coverage says; its names of files count from where we are.

    OSError if it cannot be read, ValueError if it is something else.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError("it is not a plain file")
    if path.stat().st_size > _LARGEST:
        raise ValueError("it is too large")
    try:
        measured = _CoverageFile.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{place}: {first['msg']}" if place else first["msg"]) from None
    return SiteCoverage({real_path(Path(each.file)): each.of for each in measured.files})


# What supports a declaration: scenarios, items of the rule book, coverage.


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
