"""What the site shows: boxes with their declarations, what supports each, and pages as values."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import unescape
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

from kbrules import __version__, diagnostics, hooks
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library import discovery, store, validation, yaml
from kbrules.library.box import Box, box_file, shipped_box, shipped_boxes
from kbrules.library.reading import MANIFEST, data_root, read_source, real_path, within
from kbrules.library.ruleset import Ruleset
from kbrules.library.texts import TABLES, texts_folder
from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.project.project import Context, Project
from kbrules.tools.editors.highlight import TokenKind, rule_tokens
from kbrules.tools.reports.page import fill_template

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
    entries: Sequence[DeclarationEntry]
    visible: Sequence[DeclarationEntry] = field(repr=False)
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


class SiteContent(NamedTuple):
    """All boxes, an author's own first, and what kept them from being read."""

    boxes: tuple[BoxContent, ...]
    findings: Sequence[diagnostics.Diagnostic] = ()


def collect_content(
    boxes: Sequence[str],
    folders: Sequence[Path],
    language: str = "",
    on_progress: hooks.OnProgress = hooks.silent,
) -> SiteContent:
    """The boxes and folders named with what they need; if none is named, every shipped box.

    language: that of titles and wordings, as far as there are texts in it. on_progress: told how
    many files are read.
    """
    project = Project(folders, boxes, folders, files=store.Files(language, on_progress))
    contents: dict[str, BoxContent] = {}
    for context in _contexts(project):
        loaded = project.loaded(context)
        if loaded.ruleset is None or loaded.findings:
            return SiteContent((), loaded.findings)
        for content in _contents(project.texts, context, loaded.declarations, loaded.ruleset):
            contents.setdefault(content.id, content)
    in_order = sorted(contents.values(), key=lambda content: content.folder is None)
    return SiteContent(tuple(in_order))


def _contexts(project: Project) -> Iterable[Context]:
    """Return the contexts that are needed to show all: editions are never side by side."""
    if project.with_boxes or project.with_folders:
        return [project.further]
    return dict.fromkeys(project.context(shipped_box(id)) for id in shipped_boxes())


def _contents(
    files: store.Files, context: Context, declarations: Iterable[tree.Declaration], ruleset: Ruleset
) -> Iterator[BoxContent]:
    """Yield the boxes of a rule set: an author's, those that come with kbrules, what all share."""
    is_shipped = {id: id in shipped_boxes() for id in context.boxes}
    shipped = [shipped_box(id) for id in context.boxes if is_shipped[id]]
    installed = [box_file(id).parent for id in context.boxes if not is_shipped[id]]
    boxes = [box for file in shipped if (box := files.box(file)[0])]
    own = {
        real_path(folder): box
        for folder in (*context.folders, *installed)
        if (box := files.box(folder / MANIFEST)[0])
    }
    langs = {box.id: _langs(files, box) for box in (*boxes, *own.values())}
    found: dict[str, list[DeclarationEntry]] = {id: [] for id in (SHARED, *langs)}
    rules = {(rule.kind, rule.id): rule for rule in ruleset.rules}
    for each in declarations:
        if not isinstance(each, tree.Broken):
            id, file = _place_of(real_path(Path(each.span.source.name)), own)
            found[id].append(_entry(each, id, file, rules, langs.get(id, {})))
    visible = tuple(chain.from_iterable(found.values()))
    boxes.sort(key=lambda box: (len(box.model.needs), box.id))
    for folder, box in (*own.items(), *((None, box) for box in boxes)):
        yield BoxContent(
            box.id, box.model.title, box, ruleset, found[box.id], visible, folder, langs[box.id]
        )
    yield BoxContent(SHARED, "Shared definitions", None, ruleset, found[SHARED], visible)


def _langs(files: store.Files, box: Box) -> dict[str, str]:
    """Return the language of each text of a box that is translated."""
    language = files.language
    texts = files.texts(texts_folder(box) / f"{language}.yaml")[0] if language else None
    if texts is None:
        return {}
    keys = {"title"} if texts.model.title else set()
    for table in (*TABLES, "memories", "rules"):
        keys |= {f"{table}.{id}" for id in getattr(texts.model, table)}
    return dict.fromkeys(keys, language)


def _place_of(file: Path, own: Mapping[Path, Box]) -> tuple[str, str]:
    """Return the box of a rule file, and what the file is called to readers."""
    for folder, box in own.items():
        if file.is_relative_to(folder):
            return box.id, file.relative_to(folder).as_posix()
    within = file.relative_to(real_path(data_root("rules")))
    return within.parts[0] if len(within.parts) > 1 else SHARED, f"rules/{within.as_posix()}"


def _entry(
    declaration: tree.Rule | tree.WordDeclaration,
    box: str,
    file: str,
    rules: dict[tuple[str, str], Rule],
    langs: Mapping[str, str],
) -> DeclarationEntry:
    name = declaration.name.text
    where = f"{file}:{declaration.span.line}"
    wording = declaration.wording
    if not isinstance(declaration, tree.Rule):
        kind = type(declaration).__name__.lower()
        return DeclarationEntry(box, kind, name, name, wording, where, declaration, None)
    kind, title = declaration.kind.text, declaration.title or name
    rule = rules.get((kind, name))
    if rule is not None and not declaration.span.holds(rule.span):
        rule = None  # it stands in for what is declared here
    lang = langs.get(f"rules.{name}", "")
    return DeclarationEntry(box, kind, name, title, wording, where, declaration, rule, lang)


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
_TERM = re.compile(r"[a-z][a-z0-9_]+")
_PROSE = re.compile(r"#.*|\btitle: *(?:\"[^\"\n]*\"|'[^'\n]*'|[^,\n]*)")
_BECAUSE = re.compile(r"\bbecause: *([a-z][a-z0-9_]*)")
_MAX_NAMED = 8  # scenarios that are named one by one


class Item(BaseModel):
    """One item: what it says, what says so in this repository, which scenarios check it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    says: str = Field(min_length=3)
    by: list[str] = Field(min_length=1)
    checked: list[str] = Field(min_length=1)


class _RulebookPage(RootModel[dict[str, dict[str, Item]]]):
    """Items by section and name."""


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
    roots = [(folder, folder) for folder in folders]
    roots.append((home, home / "tests" / "scenarios"))
    scenarios = [each for top, root in roots for each in _scenarios(top, root)]
    book = _items(home / "docs") if (home / "docs").is_dir() else {}
    return Evidence(scenarios, book, coverage)


def _scenarios(top: Path, root: Path) -> Iterator[ScenarioText]:
    for file in sorted(discovery.discover(root).of("scenario")):
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
            yield ScenarioText(name, title, _terms(body), frozenset(_BECAUSE.findall(body)))


def _terms(text: str) -> frozenset[str]:
    """The words of a scenario, but for the keys that every scenario may have."""
    return frozenset(_TERM.findall(_key_pattern().sub("", text)))


@cache
def _key_pattern() -> re.Pattern[str]:
    files = (data_root("schemas") / f"{name}.schema.json" for name in ("position", "scenario"))
    schemas = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    names = sorted({name for schema in schemas for name in _keys(schema)})
    return re.compile(rf"\b(?:{'|'.join(names)}):")


def _keys(schema: object) -> Iterator[str]:
    """The names of all properties in a schema, however deep."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for part in schema.values():
            yield from _keys(part)


def items(docs: Path) -> Mapping[str, Mapping[str, Item]]:
    """The items of `rulebook.yaml` in a folder; ValueError lists what is wrong with it."""
    source, found = read_source(docs / "rulebook.yaml")
    document, more = yaml.read_yaml(source) if source is not None else (None, [])
    model, wrong = (
        validation.validate(document, _RulebookPage) if document is not None else (None, [])
    )
    if model is None:
        raise ValueError("; ".join(each.message for each in (*found, *more, *wrong)))
    return model.root


def _items(docs: Path) -> dict[str, list[tuple[str, Item]]]:
    """The items of the rule book by what says them."""
    items_by_source: dict[str, list[tuple[str, Item]]] = {}
    for by_name in items(docs).values():
        for name, item in by_name.items():
            for reference in item.by:
                items_by_source.setdefault(reference, []).append((name, item))
    return items_by_source


# Pages of the site as values, and their text: a template and the frame around it.


Token = tuple[TokenKind, str, str | None, str]
"""A token of a rule text: its kind, the text, the address it leads to, and what hovering shows."""
LANDING = "index.html"
BOXES = ("Boxes", "boxes/index.html")
PARTS = WRITE, LOOK_UP, USE, MORE = "Write", "Look up", "Use", "More"
"""The parts of the menu."""


@dataclass(eq=False)
class Page:
    """A page by its address: the name of its template, and the values that the template shows.

    `about` is found before the text, and shown with what is found. `above` are the pages on the
    way to it, (title, address). `group` is what it and its neighbours in a list of pages are.
    `lang` is the language of the title if it is not that of the site.
    """

    path: str
    title: str
    kind: str
    template: str
    values: Mapping[str, Any]
    about: str = ""
    above: tuple[tuple[str, str], ...] = ()
    group: str = ""
    lang: str = ""

    @cached_property
    def body(self) -> Markup:
        """What stands below the title."""
        return _render(self, self.template, **self.values)


def _render(page: Page, template: str, /, **values: Any) -> Markup:
    root = "../" * page.path.count("/")
    return fill_template(f"site/{template}.html", root=root, **values)


def unlinked(tokens: Iterable[tuple[TokenKind, str]]) -> list[Token]:
    """The tokens of a rule text that leads nowhere."""
    return [(kind, text, None, "") for kind, text in tokens]


# The way through the site: which pages lie below which, what the menu shows, what comes next.


_MAX_LISTED = 80  # pages of one list in the menu; of a longer one, the group of the page is shown
_HEADING = re.compile(r'<h([23]) id="([^"]*)">(.*?)</h\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_MIN_HEADINGS = 2  # headings that are worth a list


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A page in the menu; below it, in groups with a name each, the pages that lie below."""

    title: str
    path: str
    is_current: bool
    lang: str = ""
    groups: tuple[tuple[str, tuple[MenuItem, ...]], ...] = ()


class Navigation:
    """All pages of a site in their order; those that nothing lies above of are in the menu.

    The group of such a page is the part of the menu that it stands in; pages without are in none.
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        self._langs = {page.path: page.lang for page in pages if page.lang}
        self._below: dict[str, list[Page]] = {}
        for page in pages:
            self._below.setdefault(page.above[-1][1] if page.above else "", []).append(page)
        self._below[""].sort(key=lambda page: ("", *PARTS).index(page.group))
        self._neighbours: dict[str, tuple[Page | None, Page | None]] = {}
        for _, tops in groupby(self._below[""], key=lambda page: page.group):
            part = [page for top in tops for page in self._in_order(top)]
            for before, page, after in zip([None, *part], part, [*part[1:], None], strict=False):
                self._neighbours[page.path] = before, after

    def _in_order(self, page: Page) -> Iterator[Page]:
        yield page
        for each in self._below.get(page.path, ()):
            yield from self._in_order(each)

    def html(self, page: Page) -> str:
        """Return the whole text of a page."""
        before, after = self._neighbours[page.path]
        is_landing = page.path == LANDING
        text = _render(
            page,
            "page",
            page=page,
            menu=self._groups("", page),
            before=before,
            after=after,
            contents=[] if is_landing else contents(page.body),
            langs=self._langs,
            is_landing=is_landing,
            version=__version__,
        )
        return str(text)

    def _groups(self, path: str, current: Page) -> tuple[tuple[str, tuple[MenuItem, ...]], ...]:
        """Return the pages below one by groups, as the menu of the current page shows them."""
        below = self._below.get(path, [])
        if not path:
            below = [page for page in below if page.group]
        elif len(below) > _MAX_LISTED:
            below = [page for page in below if page.group == current.group]
        items_by_group: dict[str, list[MenuItem]] = {}
        for page in below:
            items_by_group.setdefault(page.group, []).append(self._item(page, current))
        return tuple((name, tuple(items)) for name, items in items_by_group.items())

    def _item(self, page: Page, current: Page) -> MenuItem:
        is_open = page is current or page.path in {path for _, path in current.above}
        groups = self._groups(page.path, current) if is_open else ()
        return MenuItem(page.title, page.path, page is current, page.lang, groups)


def contents(body: Markup) -> list[tuple[int, str, str]]:
    """The headings of a page, (level, id, text), if there are enough to be listed."""
    headings = [
        (int(level), id, unescape(_TAG.sub("", text))) for level, id, text in _HEADING.findall(body)
    ]
    return headings if len(headings) >= _MIN_HEADINGS else []


# Where a name in a rule leads: to the page of the word, or of what a box declares.


WORDS = "reference/words.html"
STEPS = "reference/steps.html"
EVENTS_PAGE = "reference/events.html"
COMPONENTS = "things.html"


def section_path(box: str, id: str) -> str:
    """The address of the page of a section."""
    return f"{folder_of(box)}/section-{id}.html"


def piece_path(box: str, id: str) -> str:
    """The address of the page of a piece."""
    return f"{folder_of(box)}/piece-{id}.html"


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of the names that a rule may use, by what they are there.

    What follows `when` are `events`, what follows `replaces` are `rules`. `uses` has the names in
    each declaration by the address of its page, `reaches` those in its definitions as well.
    `pages` say in a sentence what is found at an address of a word or a declaration.
    """

    declared: Mapping[str, str]
    words: Mapping[str, str]
    verbs: Mapping[str, str]
    events: Mapping[str, str]
    rules: Mapping[str, str]
    uses: Mapping[str, frozenset[str]]
    reaches: Mapping[str, frozenset[str]]
    pages: Mapping[str, str]

    def address(self, kind: TokenKind, name: str) -> str | None:
        """Where a piece of a rule leads, if it leads anywhere."""
        match kind:
            case TokenKind.WORD:
                return self.words.get(name)
            case TokenKind.VERB:
                return self.verbs.get(name)
            case TokenKind.NAME:
                return self.declared.get(name) or self.words.get(name)
        return None

    def link(self, tokens: Iterable[tuple[TokenKind, str]]) -> list[Token]:
        """The tokens of a rule text with the addresses that its names lead to."""
        linked_tokens: list[Token] = []
        after_when = after_replaces = False
        for kind, text in tokens:
            if kind is TokenKind.KEYWORD or text == ":":
                after_when, after_replaces = text == "when", text == "replaces"
            is_name = kind in (TokenKind.NAME, TokenKind.WORD)
            if is_name and (after_when or after_replaces):
                address = (self.events if after_when else self.rules).get(text)
            else:
                address = self.address(kind, text)
            linked_tokens.append((kind, text, address, self.pages.get(address or "", "")))
        return linked_tokens


def links_of(boxes: Sequence[BoxContent], content: BoxContent) -> Links:
    """The names as a rule of a box may use them, if these boxes have pages."""
    known = {each.id for each in boxes}
    entries = [each for each in content.visible if each.box in known]
    rules = {each.name: each.path for each in entries}
    declared = {each.name: each.path for each in entries if each.kind != "rule"}
    words = {*vocabulary().words, *vocabulary().folds}
    uses = {entry.path: _uses(entry) for entry in content.visible}
    defined = {e.name: uses[e.path] for e in content.visible if e.kind == "define"}
    return Links(
        dict(_components(boxes, content)) | declared,
        {name: f"{WORDS}#{name}" for name in words},
        {verb: f"{STEPS}#{verb}" for verb in vocabulary().steps},
        {name: f"{EVENTS_PAGE}#{name}" for name in EVENTS},
        rules,
        uses,
        {path: _reachable(names, defined) for path, names in uses.items()},
        {path: about for _, _, path, about in language_entries()}
        | {each.path: each.wording for each in entries},
    )


def language_entries() -> Iterator[tuple[str, str, str, str]]:
    """The words, steps and events of the language: (title, kind, address, what it is)."""
    known = vocabulary()
    for name, words in sorted({**known.folds, **known.words}.items()):
        yield name, "word", f"{WORDS}#{name}", _first_sentence(words[0].page)
    for verb, steps in sorted(known.steps.items()):
        yield verb, "step", f"{STEPS}#{verb}", _first_sentence(steps[0].page)
    for event in EVENTS.values():
        yield event.name, "event", f"{EVENTS_PAGE}#{event.name}", _first_sentence(event.page)


def _first_sentence(page: str) -> str:
    """The first sentence of the page of a word."""
    first, dot, _ = " ".join(page.split()).partition(". ")
    return first + "." * bool(dot)


def _reachable(names: frozenset[str], defined: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Names with those in the definitions among them, and so on."""
    reachable, pending = set[str](), set(names)
    while pending:
        name = pending.pop()
        reachable.add(name)
        pending |= defined.get(name, frozenset()) - reachable
    return frozenset(reachable)


def _uses(entry: DeclarationEntry) -> frozenset[str]:
    text = entry.declaration.span.text
    return frozenset(name for kind, name in rule_tokens(text) if kind is TokenKind.NAME)


def _components(boxes: Sequence[BoxContent], content: BoxContent) -> Iterator[tuple[str, str]]:
    """Terrains, places, pieces, numbers and tags of the boxes that this one is seen among."""
    for each in boxes:
        if each.box is None or each.id not in content.ruleset.boxes:
            continue
        model = each.box.model
        page = f"{folder_of(each.id)}/{COMPONENTS}"
        for table in (model.terrains, model.places, model.grids, model.pieces):
            for id, component in table.items():
                yield id, f"{page}#{id}"
                yield from ((tag, f"{page}#tag-{tag}") for tag in component.tags)
        yield from ((id, piece_path(each.id, id)) for id in model.pieces)
        yield from ((id, f"{page}#{id}") for id in model.numbers)


# What the search looks through, as a script that only holds data.


_NOT_TEXT = re.compile(r"<svg .*?</svg>|<[^>]*>", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w{2,}")


def search_index(pages: Iterable[Page]) -> str:
    """Rows (title, kind, address, about, words of the text) of pages and of known words.

    No text of an author can end an element, whatever page would hold the rows.
    """
    rows = [[p.title, p.kind, p.path, p.about, _words(p.body)] for p in pages]
    rows += [[*each, ""] for each in language_entries()]
    data = json.dumps(rows, ensure_ascii=True, separators=(",", ":")).replace("<", r"\u003c")
    return f"const INDEX = {data};\n"


def _words(body: str) -> str:
    """The words that stand on a page, each once."""
    text = unescape(_NOT_TEXT.sub(" ", body))
    return " ".join(sorted({word.lower() for word in _WORD.findall(text)}))
