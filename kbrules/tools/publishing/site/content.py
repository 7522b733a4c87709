"""What the site shows: boxes with their declarations, each seen among the boxes it plays with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library.boxes.box import Box, box_file, shipped_box, shipped_boxes, usual_boxes
from kbrules.library.file_cache import FileCache
from kbrules.library.load import Loaded, load_all, needed
from kbrules.library.reading import MANIFEST, data_root, real_path
from kbrules.library.ruleset import Ruleset
from kbrules.library.texts import TABLES, texts_folder
from kbrules.progress import OnProgress, silent

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
