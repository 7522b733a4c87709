"""What can be run: scenarios in files and examples in rules, and the choice among them."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.hooks import with_progress
from kbrules.lang.syntax import tree
from kbrules.library import reading
from kbrules.library.box import shipped_in, usual_boxes
from kbrules.library.discovery import discover, kind_of
from kbrules.library.store import Files
from kbrules.scenario.examples import RuleExample, examples_of
from kbrules.scenario.position import build_start, unknown_boxes
from kbrules.scenario.reader import MAX_FINDINGS, SUFFIX, Scenario, readable_scenarios, scenarios_in
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCache, RulesetCaches
from kbrules.scenario.unread import unread_files
from kbrules.text import Source, Span, visible

# Tests that are not run, because a card, a tile or a word they need has a mistake.


def not_run(span: Span, name: str) -> Diagnostic:
    """The finding that a test at a place needs a name that could not be read."""
    message = f"this is not run: {quoted(name)} has a mistake"
    return Diagnostic("KB509", span, message, "mend it; the other tests run meanwhile")


def examples_left_out(cache: RulesetCache) -> Iterator[tuple[str, tree.Example]]:
    """The examples of rules that are left out, each with the name of its rule."""
    for declaration in cache.left_out.declarations:
        for line in declaration.body if isinstance(declaration, tree.Rule) else ():
            if isinstance(line, tree.Example):
                yield declaration.name.text, line


def scenario_needs(scenario: Scenario, cache: RulesetCache) -> str:
    """A name left out that a scenario writes, or that its cards or its board have; or nothing."""
    if not cache.left_out.names:
        return ""
    text = scenario.span("title").source.text
    written_names = {*re.findall(r"[a-z][a-z0-9_]*", text)}
    return min(cache.left_out.names & (written_names | _on_table(scenario, cache)), default="")


def _on_table(scenario: Scenario, cache: RulesetCache) -> set[str]:
    start, _ = build_start(scenario, cache)
    if start is None:
        return set()
    game, catalog = start.setup.game, cache.ruleset.catalog
    return {*game.cards, *(catalog.tiles[tile].id for tile in game.board.tiles.values())}


# The selection of cases: by the name behind `::` in `file.kb::name`, and by `-k` expressions.

Predicate = Callable[[str], bool]
_TOKEN = re.compile(r"[()]|[^\s()]+")
_KEYWORDS = ("and", "or", "not", "(", ")")
MAX_BRACKETS = 50


def cases_named(cases: Sequence[Case], name: str) -> list[Case]:
    """The cases that a name may mean: one if it is clear, several if it is ambiguous.

    A name is a title, the number of a case, how one title begins, or the rule of an example,
    also with its kind before it, as in `card rowers`.
    """
    if name.isdigit() and 0 < int(name) <= len(cases):
        return [cases[int(name) - 1]]
    exact = [case for case in cases if name in (case.title, case.id.partition("::")[2])]
    if exact:
        return exact[:1]
    prefixed = [case for case in cases if case.title.lower().startswith(name.lower())]
    rule = name.rpartition(" ")[2].lower()
    of_rule = [case for case in cases if _rule_of(case) == rule]
    return prefixed if len(prefixed) == 1 else of_rule or prefixed


def _rule_of(case: Case) -> str | None:
    it = case.definition
    return it.rule.id.lower() if isinstance(it, RuleExample) else None


def shell_name(case: Case) -> str:
    """The name of a case on a command line, in quotes where a shell needs them."""
    return visible(shlex.quote(case.id))


def selector(expression: str) -> Predicate:
    """The predicate of ids for an expression of words, `and`, `or`, `not` and brackets.

    Upper and lower case are alike. Words side by side are one text. ValueError if it cannot be
    read.
    """
    parser = _Parser(_TOKEN.findall(_folded(expression)))
    predicate = parser.disjunction()
    if parser.rest:
        raise ValueError(f"`{parser.rest[0]}` is not expected here")
    return lambda id: predicate(_folded(id))


def _folded(text: str) -> str:
    """Return a text in small letters and one form; macOS writes accents in names apart."""
    return unicodedata.normalize("NFC", text.lower())


class _Parser:
    """A parser by recursive descent; `rest` has the tokens still to be read."""

    def __init__(self, tokens: list[str]) -> None:
        self.rest = tokens
        self._open = 0

    def disjunction(self) -> Predicate:
        """Terms joined by `or`."""
        terms = [self._conjunction()]
        while self._accept("or"):
            terms.append(self._conjunction())
        return lambda id: any(term(id) for term in terms)

    def _conjunction(self) -> Predicate:
        terms = [self._negation()]
        while self._accept("and"):
            terms.append(self._negation())
        return lambda id: all(term(id) for term in terms)

    def _negation(self) -> Predicate:
        negated = False
        while self._accept("not"):
            negated = not negated
        inner = self._atom()
        return lambda id: inner(id) != negated

    def _atom(self) -> Predicate:
        if self._accept("("):
            return self._bracketed()
        words: list[str] = []
        while self.rest and self.rest[0] not in _KEYWORDS:
            words.append(self.rest.pop(0))
        if not words:
            raise ValueError("a word is missing")
        text = " ".join(words)
        return lambda id: text in id

    def _bracketed(self) -> Predicate:
        self._open += 1
        if self._open > MAX_BRACKETS:
            raise ValueError(f"more than {MAX_BRACKETS} brackets are open")
        inner = self.disjunction()
        if not self._accept(")"):
            raise ValueError("a bracket is not closed")
        self._open -= 1
        return inner

    def _accept(self, token: str) -> bool:
        is_next = self.rest[:1] == [token]
        if is_next:
            self.rest.pop(0)
        return is_next


# The collection of what can be run: scenarios in files, examples in rules, below given folders.
#
# A file in an author's folder, one with an `expansion.yaml`, is run by the rules there.

_UNKNOWN_NAME = frozenset({"KB413", "KB501", "KB506"})


@dataclass(slots=True)
class Collection:
    """What can be run, in the order of files and lines, and why the rest cannot.

    `not_run` has a finding for each test of a card or tile whose rule has a mistake.
    """

    cases: list[Case] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    not_run: list[Diagnostic] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)


def joined(parts: Iterable[Collection]) -> Collection:
    """Return what several collections have, in the order of files and lines."""
    found = [*parts]
    if len(found) == 1:
        return found[0]
    cases = (case for part in found for case in part.cases)
    return Collection(
        sorted(cases, key=lambda case: (case.span.source.name, case.span.start)),
        sorted({each for part in found for each in part.findings}),
        sorted({each for part in found for each in part.not_run}),
    )


def collect(
    paths: Sequence[Path] = (),
    boxes: Sequence[str] = (),
    folders: Sequence[Path] = (),
    caches: RulesetCaches | None = None,
) -> Collection:
    """All scenarios and examples below some files and folders, with further boxes and folders.

    Without paths: the examples of the shipped rules, and the author's folder we are in.
    """
    caches = caches or RulesetCaches()
    files = _runnable_files(paths, caches.files)
    collector = _Collector(tuple(boxes), tuple(folders), caches, files.findings)
    cases = [*collector.scenarios(files.scenarios), *collector.examples(files.rules)]
    sorted_cases = sorted(cases, key=lambda case: (case.span.source.name, case.span.start))
    not_run = sorted(set(collector.not_run))
    return Collection(list(_with_ids(sorted_cases)), sorted(set(collector.findings)), not_run)


def runnable_files(paths: Sequence[Path] = ()) -> tuple[list[Path], list[Diagnostic]]:
    """The files that `collect` would read, as they are named, and the paths that are of no use."""
    files = _runnable_files(paths, Files())
    return [*files.scenarios, *files.rules], files.findings


# Files


class _RunnableFiles:
    """Files by their real paths, each with the path by which it was named."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._scenarios: dict[Path, Path] = {}
        self._rules: dict[Path, Path] = {}
        self.findings: list[Diagnostic] = []

    @property
    def scenarios(self) -> Sequence[Path]:
        """The scenario files, as they were named."""
        return [*self._scenarios.values()]

    @property
    def rules(self) -> Sequence[Path]:
        """The rule files, as they were named."""
        return [*self._rules.values()]

    def add(self, path: Path) -> None:
        """Add a file, or all files below a folder."""
        if path.is_dir():
            found = discover(path)
            self.findings += [*found.findings, *unread_files(found.files)]
            for file in found.files:
                self._add_file(file)
        elif path.name == reading.MANIFEST:
            self.add(path.parent)
        elif not (is_there := self._files.is_there(path)) or not self._add_file(path):
            code = "KB006" if is_there else "KB001"
            why = "is of no kind that can be run" if is_there else "does not exist"
            help = f"scenarios end in {quoted(SUFFIX)}, rules in {quoted(reading.RULES)}"
            self.findings.append(reading.file_finding(reading.shown_name(path), code, why, help))

    def _add_file(self, file: Path) -> bool:
        """Whether the file is of a kind that can be run."""
        kind = kind_of(file)
        if kind == "scenario":
            self._scenarios.setdefault(reading.real_path(file), file)
        elif kind == "rules":
            self._rules.setdefault(reading.real_path(file), file)
        return kind in ("scenario", "rules")


def _runnable_files(paths: Sequence[Path], cache: Files) -> _RunnableFiles:
    files = _RunnableFiles(cache)
    for path in paths or _default_paths():
        files.add(path)
    return files


def _default_paths() -> list[Path]:
    box_folder = reading.author_folder(Path.cwd() / reading.MANIFEST)
    return [reading.data_root("rules"), *([box_folder] if box_folder is not None else [])]


# Cases


class _Collector:
    """Reads files with the caches for their boxes and folders, and collects findings."""

    def __init__(
        self,
        boxes: tuple[str, ...],
        folders: tuple[Path, ...],
        caches: RulesetCaches,
        findings: list[Diagnostic],
    ) -> None:
        self._boxes = boxes
        self._folders = folders
        self._caches = caches
        self.findings = findings
        self.not_run: list[Diagnostic] = []

    def scenarios(self, files: Sequence[Path]) -> Iterator[Case]:
        """The scenarios of files that can be played."""
        for file in with_progress(files, "scenario files", self._caches.files.on_progress):
            box_folder = reading.author_folder(file)
            outside = reading.within(box_folder, file) if box_folder is not None else []
            source_and_findings = (None, outside) if outside else self._caches.files.source(file)
            scenarios, findings = self._scenarios_of(file, *source_and_findings)
            self.findings += findings
            if findings and not outside:
                self._check_names(readable_scenarios(source_and_findings[0]), box_folder)
            yield from self._runnable_cases(scenarios, box_folder)

    def _scenarios_of(
        self, file: Path, source: Source | None, findings: list[Diagnostic]
    ) -> tuple[list[Scenario], list[Diagnostic]]:
        """The scenarios of a file; those of the same text are read once."""
        if source is None:
            return [], findings
        files = self._caches.files
        return files.memoized(("scenarios", file), [source], lambda: scenarios_in(source, findings))

    def _check_names(self, scenarios: Iterable[Scenario], box_folder: Path | None) -> None:
        """Add the unknown names in the readable scenarios of a file of a wrong shape.

        Other findings may come of the keys that were left out.
        """
        for scenario in scenarios:
            cache = self._cache_for(scenario, box_folder)
            if cache is not None and len(self.findings) < MAX_FINDINGS:
                findings = build_start(scenario, cache)[1]
                self.findings += [each for each in findings if each.code in _UNKNOWN_NAME]

    def _runnable_cases(
        self, scenarios: Iterable[Scenario], box_folder: Path | None
    ) -> Iterator[Case]:
        problems: dict[Diagnostic, None] = {}
        for scenario in scenarios:
            cache = self._cache_for(scenario, box_folder) if len(problems) < MAX_FINDINGS else None
            if cache is not None and (lacking := scenario_needs(scenario, cache)):
                self.not_run.append(not_run(scenario.span("title"), lacking))
                continue
            findings = _preparation_findings(scenario, cache) if cache is not None else []
            problems.update(dict.fromkeys(findings))
            if cache is not None and not findings:
                yield Case("", scenario, cache)
        self.findings += [*problems][:MAX_FINDINGS]

    def _cache_for(self, scenario: Scenario, box_folder: Path | None) -> RulesetCache | None:
        findings = unknown_boxes(scenario.position.boxes, scenario)
        self.findings += findings
        return (
            None if findings else self._cache((*scenario.position.boxes, *self._boxes), box_folder)
        )

    def _cache(
        self, boxes: Sequence[str], box_folder: Path | None, texts: tuple[Source, ...] = ()
    ) -> RulesetCache | None:
        """The cache for boxes, with what they need, and the folders, an author's before others."""
        folders = self._folders
        if box_folder is not None and reading.real_path(box_folder) not in [
            reading.real_path(each) for each in folders
        ]:
            folders = (box_folder, *folders)
        return self._usable_cache(self._caches.boxes_for(boxes, folders), folders, texts)

    def _usable_cache(
        self, boxes: tuple[str, ...], folders: tuple[Path, ...], texts: tuple[Source, ...] = ()
    ) -> RulesetCache | None:
        cache, findings = self._caches.usable_for(boxes, folders, texts)
        self.findings += findings
        return cache

    def examples(self, files: Sequence[Path]) -> Iterator[Case]:
        """The examples in rule files, by author's folder."""
        box_folders = {file: reading.author_folder(file) for file in files}
        for box_folder in dict.fromkeys(box_folders.values()):
            files_there = [file for file in files if box_folders[file] == box_folder]
            if box_folder is not None:
                yield from self._examples_in(self._cache(self._boxes, box_folder), files_there)
            else:
                yield from self._shipped_or_single(files_there)

    def _shipped_or_single(self, files: Sequence[Path]) -> Iterator[Case]:
        root = reading.real_path(reading.data_root("rules"))
        shipped = [file for file in files if reading.real_path(file).is_relative_to(root)]
        if shipped:
            yield from self._shipped(shipped)
        for file in files:
            if file in shipped:
                continue
            source, findings = self._caches.files.source(file)
            self.findings += findings
            if source is not None:
                yield from self._examples_in(self._cache(self._boxes, None, (source,)), [file])

    def _shipped(self, files: Sequence[Path]) -> Iterator[Case]:
        """The examples of the usual boxes, all loaded, and of each other box with its needs."""
        others = sorted({shipped_in(file) for file in files} - {"", *usual_boxes()})
        usual = [file for file in files if shipped_in(file) not in others]
        if usual:
            yield from self._examples_in(self._usable_cache((), self._folders), usual)
        for box in others:
            files_there = [file for file in files if shipped_in(file) == box]
            yield from self._examples_in(self._cache([box], None), files_there)

    def _examples_in(self, cache: RulesetCache | None, files: Iterable[Path]) -> Iterator[Case]:
        if cache is None:
            return
        paths = {reading.real_path(file) for file in files}
        self.not_run += (
            not_run(example.span, name)
            for name, example in examples_left_out(cache)
            if reading.real_path(Path(example.span.source.name)) in paths
        )
        for each in examples_of(cache.ruleset):
            if reading.real_path(Path(each.example.span.source.name)) in paths:
                yield Case("", each, cache)


def _preparation_findings(scenario: Scenario, cache: RulesetCache) -> list[Diagnostic]:
    """What is wrong with a scenario; an exception of ours is reported when it is run."""
    try:
        return build_start(scenario, cache)[1]
    except Exception:
        return []


def _with_ids(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases with ids of file and title; the second of an id gets a number."""
    seen: Counter[str] = Counter()
    for case in cases:
        id = f"{case.span.source.name}::{case.title}"
        seen[id] += 1
        yield replace(case, id=id if seen[id] == 1 else f"{id} ({seen[id]})")
