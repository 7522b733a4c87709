"""The tests of many files run by a worker pool, and again after a change."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter, sleep

from kbrules.diagnostics import Diagnostic
from kbrules.hooks import OnProgress, silent, with_progress
from kbrules.lang.typed import Rule
from kbrules.library.discovery import discover
from kbrules.library.ruleset import IN_PLAY, Ruleset
from kbrules.library.store import Files
from kbrules.plan.plan import LinkerFactory
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.project.files import SourceFile
from kbrules.project.project import Context, Project
from kbrules.scenario.collection import Collection, selector
from kbrules.scenario.reader import Scenario
from kbrules.scenario.running import Case, Result, run_all
from kbrules.scenario.setup import RulesetCache
from kbrules.tools.processes import Parallel, WorkerPool

# Running the tests of many files by a worker pool, file by file.


_Part = tuple[int, Path]
_FILES_PER_WORKER = 20  # with fewer, a process takes longer to start than it saves


@dataclass(frozen=True, slots=True)
class Request:
    """Which tests to run: those below paths, with boxes and folders, whose id `only` chooses."""

    paths: tuple[Path, ...] = ()
    boxes: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    only: str = ""

    @property
    def matches(self) -> Callable[[str], bool]:
        """The predicate of ids; ValueError if `only` cannot be read."""
        return selector(self.only) if self.only else lambda id: True

    def project(self, files: Files | None = None, linking: LinkerFactory | None = None) -> Project:
        """Return the project of the paths; it is the same in every process."""
        return Project.to_test(self.paths, self.boxes, self.folders, files=files, linking=linking)


@dataclass(frozen=True, slots=True)
class FileResults:
    """The results of a file, what was wrong with it, and how many tests it has, chosen or not.

    In this process a test runs when its result is read.
    """

    results: Iterable[Result]
    findings: Sequence[Diagnostic]
    tests: int


_Runner = Callable[[_Part], tuple[int, FileResults]]


def useful_processes(files: int) -> int:
    """How many processes so many files keep busy."""
    return max(1, files // _FILES_PER_WORKER)


def files_of(project: Project) -> list[SourceFile]:
    """Return the files in which something can be run, in the order of their names."""
    return sorted(project.files("rules", "scenario"), key=lambda file: str(file.path))


def run_files(request: Request, files: Sequence[Path], jobs: int) -> Iterator[FileResults]:
    """Yield the results of each file in the order given, as soon as those before it are there."""
    jobs = min(jobs, len(files))
    pool = Parallel(jobs, _eager_runner, request) if jobs > 1 else WorkerPool(_runner(request))
    finished: dict[int, FileResults] = {}
    next_number = 0
    with closing(pool):
        for number, results in pool.run(enumerate(files)):
            finished[number] = results
            while next_number in finished:
                yield finished.pop(next_number)
                next_number += 1


def _runner(request: Request) -> _Runner:
    return partial(_run_part, request, request.project())


def _eager_runner(request: Request) -> _Runner:
    run_part = _runner(request)

    def run(part: _Part) -> tuple[int, FileResults]:
        number, results = run_part(part)
        return number, replace(results, results=list(results.results))

    return run


def _run_part(request: Request, project: Project, part: _Part) -> tuple[int, FileResults]:
    number, file = part
    return number, collected_results(project.cases([project.file(file)]), request)


def collected_results(
    collection: Collection, request: Request, on_progress: OnProgress = silent
) -> FileResults:
    """Return the results of what was collected; what is not run is among the findings.

    on_progress: told how many tests are run.
    """
    chosen = [case for case in collection if request.matches(case.id)]
    results = run_all(with_progress(chosen, "tests", on_progress))
    return FileResults(results, [*collection.findings, *collection.not_run], len(collection))


# Watching files: changes are found by their times, and waited for with the system's help.
#
# With the extra `watch` (watchfiles) the system tells of a save and nothing is done until then;
# without it the times are read again and again.


ENDINGS = (".kb", ".yaml")
PAUSE = 0.02  # seconds between two scans
LONG_PAUSE = 0.3  # the same if the system tells of saves; it does not tell of all on every disk
SHARE = 10  # times longer than a scan takes is the pause, so that scanning stays cheap
SETTLED = 0.03  # seconds without a change after which a save is complete
MOST_SCANS = 40  # of a file that is written again and again

Stamp = tuple[int, int, int]


def watched_paths(paths: Sequence[Path], folders: Sequence[Path]) -> list[Path]:
    """Where changes matter: the paths, the boxes by which their files are judged, and `folders`."""
    project = Project.to_test(paths, (), folders)
    contexts = {project.context(file) for file in project.files()}
    homes = sorted(folder for context in contexts for folder in context.folders)
    roots = list(paths) or [*project.roots, Path()]
    return list(dict.fromkeys(path.absolute() for path in [*roots, *homes, *folders]))


def watcher_of(paths: Sequence[Path]) -> FileWatcher:
    """The watcher of some paths, notified of saves by the system if watchfiles is installed."""
    try:
        from watchfiles import watch
    except ImportError:
        return FileWatcher(paths)
    existing = [path for path in paths if path.exists()]
    changes = watch(*existing, watch_filter=None, step=5, rust_timeout=30, yield_on_timeout=True)

    def pause(seconds: float) -> None:
        end = perf_counter() + seconds
        while perf_counter() < end and not next(changes, None):
            pass

    return FileWatcher(paths, pause, LONG_PAUSE)


class FileSaved(Exception):
    """A file was saved while a slow answer was computed: the answer is out of date."""


@dataclass(slots=True)
class FileWatcher:
    """The rule files, scenarios and data of boxes below some paths, with their last known times.

    `pause` waits for so many seconds, or less if something was saved; `min_pause` is the least
    between two scans.
    """

    paths: Sequence[Path]
    pause: Callable[[float], None] = sleep
    min_pause: float = PAUSE
    stamps: dict[Path, Stamp] = field(default_factory=dict)
    _last_check: float = 0.0

    def __post_init__(self) -> None:
        self.scan()

    def scan(self) -> set[Path]:
        """The files that are new, gone or changed since the last scan, by their absolute paths."""
        before, self.stamps = self.stamps, self._now()
        all_paths = before.keys() | self.stamps.keys()
        return {path for path in all_paths if before.get(path) != self.stamps.get(path)}

    def raise_if_saved(self) -> None:
        """Raise FileSaved if anything has changed since the last scan; looks every 20 ms."""
        now = perf_counter()
        if now - self._last_check > PAUSE:
            if self._now() != self.stamps:
                raise FileSaved
            self._last_check = perf_counter()

    def wait(self, timeout: float | None = None) -> set[Path]:
        """What has changed, as soon as something has; nothing after so many seconds without."""
        elapsed = 0.0
        while timeout is None or elapsed < timeout:
            start = perf_counter()
            if changed := self.scan():
                return changed | self._until_settled()
            pause = max(self.min_pause, SHARE * (perf_counter() - start))
            self.pause(pause)
            elapsed += pause
        return set()

    def _now(self) -> dict[Path, Stamp]:
        return {path: stamp for each in self.paths for path, stamp in _below(each)}

    def _until_settled(self) -> set[Path]:
        """What changes right after, until no file is half-written and all are saved."""
        saved: set[Path] = set()
        for _ in range(MOST_SCANS):
            self.pause(SETTLED)
            changed = self.scan()
            if not changed:
                break
            saved |= changed
        return saved


def _below(path: Path) -> Iterator[tuple[Path, Stamp]]:
    """Yield the files at a path with their times, without those that cannot be read."""
    found = [f for f in discover(path).files if f.suffix in ENDINGS] if path.is_dir() else [path]
    for file in found:
        with suppress(OSError):
            status = os.stat(file)
            yield file, (status.st_mtime_ns, status.st_size, status.st_ino)


# Running scenarios and examples again, after a change only those that may come out otherwise.


_BETWEEN = "cards that differ from"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What all came to, what was wrong with files, and how many cases were run for it just now."""

    results: Sequence[Result]
    findings: Sequence[Diagnostic]
    run: int


@dataclass(slots=True)
class _File:
    """What came of a file, each result with its case, and the rule sets it was run by."""

    results: Sequence[tuple[Case, Result]]
    findings: Sequence[Diagnostic]
    contexts: Mapping[Context, RulesetCache | None]


@dataclass(slots=True)
class Rerunner:
    """Runs what lies in files and folders, and keeps what came of it."""

    request: Request
    _project: Project | None = None
    _files: dict[Path, _File] = field(default_factory=dict)
    _run: int = 0

    def test(self, changed: Set[Path] = frozenset()) -> RunSummary:
        """Run what has not been run yet, and what the files that have changed may change."""
        before = self._project
        project = self._project = self.request.project() if before is None else before.refreshed()
        self._run = 0
        self._files = {
            file.path: self._run_file(project, file, file.path.absolute() in changed)
            for file in files_of(project)
        }
        results = [result for file in self._files.values() for _, result in file.results]
        findings = [
            *project.unusable,
            *(each for file in self._files.values() for each in file.findings),
        ]
        return RunSummary(results, sorted(dict.fromkeys(findings)), self._run)

    def _run_file(self, project: Project, file: SourceFile, is_changed: bool) -> _File:
        """What comes of a file: what came of it before, if that still holds."""
        before = self._files.get(file.path)
        if before is not None and not is_changed and _is_current(before, project):
            return before
        collection = project.cases([file])
        cases = [case for case in collection if self.request.matches(case.id)]
        known = () if before is None or is_changed else before.results
        earlier = {case.id: (case, result) for case, result in known}
        results = list(self._results(cases, earlier))
        findings = [*collection.findings, *collection.not_run]
        return _File(results, findings, collection.rules)

    def _results(
        self, cases: Iterable[Case], earlier: dict[str, tuple[Case, Result]]
    ) -> Iterator[tuple[Case, Result]]:
        for case in cases:
            before = earlier.get(case.id)
            if before is not None and not may_differ(before[0], case):
                yield case, before[1]
                continue
            self._run += 1
            yield from ((case, result) for result in run_all([case]))


def _is_current(file: _File, project: Project) -> bool:
    """Whether a file without findings would be run by the same rule sets as before."""
    is_clean = file.contexts and not file.findings
    rules = ((project.rules(context), rules) for context, rules in file.contexts.items())
    return bool(is_clean) and all(now is before for now, before in rules)


# What may come out otherwise by other rules: sound, not exact. Yes may be said where nothing
# changes, never no where something does.


def may_differ(before: Case, now: Case) -> bool:
    """Whether a case whose own file is as it was may come out otherwise than before."""
    if before.cache is now.cache:
        return False
    old, new = before.cache.ruleset, now.cache.ruleset
    cached = new.derived.get(_BETWEEN)
    if cached is None or cached[0] is not old:  # found once for all cases
        cached = new.derived[_BETWEEN] = old, cards_between(old, new)
    cards: frozenset[str] | None = cached[1]
    return cards is None or any(_may_use(now, card) for card in cards)


def cards_between(old: Ruleset, new: Ruleset) -> frozenset[str] | None:
    """The cards that are all two rule sets differ in; None if they differ in anything else.

    Only cards that do nothing before the end of the game count: where they are not in play,
    nobody ever asks what they say.
    """
    is_same_box = old.catalog is new.catalog and old.parts is new.parts
    if not is_same_box or (old.options, old.memories) != (new.options, new.memories):
        return None
    old_rules, new_rules = (
        {(rule.kind, rule.id): rule for rule in each.rules} for each in (old, new)
    )
    names = old_rules.keys() | new_rules.keys()
    pairs = ((old_rules.get(name), new_rules.get(name)) for name in names)
    changed = [rule for pair in pairs if pair[0] != pair[1] for rule in pair if rule is not None]
    if old.marks != new.marks or not all(_only_pays(rule, new) for rule in changed):
        return None
    return frozenset(rule.id for rule in changed)


def _only_pays(rule: Rule, ruleset: Ruleset) -> bool:
    """Whether a rule is a card that only pays at the end, whatever else is in play."""
    reads_play = ruleset.mentions(rule.awards, IN_PLAY)
    return rule.kind in CARD_KINDS and not rule.acts_in_play and not reads_play


def _may_use(case: Case, card: str) -> bool:
    """Whether a card may be in play in a case."""
    if isinstance(case.definition, Scenario):
        return card in case.definition.model.cards
    return card == case.definition.rule.id or card in case.definition.example.span.text
