"""Open texts over the files on disk, which of them are checked together, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import TypeVar

from kbrules.diagnostics import Diagnostic
from kbrules.library.box import shipped_boxes, shipped_in, usual_boxes
from kbrules.library.discovery import files_below, kind_of
from kbrules.library.load import Loaded, load_all, load_with_dependencies, needed
from kbrules.library.reading import (
    MANIFEST,
    RULES,
    SCENARIO,
    author_folder,
    data_root,
    is_shipped,
    real_path,
    shown_name,
)
from kbrules.library.store import Files, RuleFile
from kbrules.library.yaml import Document, read_yaml
from kbrules.project.project import Project
from kbrules.scenario.collection import Collection, collect
from kbrules.scenario.reader import scenarios_in
from kbrules.scenario.report import ScenarioOutcome
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCaches
from kbrules.text import Source, Span
from kbrules.tools.check import checked
from kbrules.tools.language_service.answers import (
    ExampleResult,
    Finding,
    Label,
    Place,
    TextEdit,
)
from kbrules.tools.lint.settings import LintSettings

# Which files are checked together: the box of a file, the boxes it needs, those that need it.


_SUFFIXES = frozenset({RULES, ".yaml", ".toml"})  # of files, never of folders


def may_hold_boxes(path: Path) -> bool:
    """Whether a path that is new or gone may be that of a box, or of a folder of boxes."""
    return path.name == MANIFEST or path.suffix not in _SUFFIXES


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files that are checked together: all below `paths`, with the boxes in `folders`.

    `home` is the author's folder that they lie in; None for shipped files and for single ones.
    """

    paths: tuple[Path, ...]
    home: Path | None = None
    folders: tuple[Path, ...] = ()


@dataclass(slots=True)
class FileGroups:
    """The boxes of a workspace, and what depends on what."""

    roots: Sequence[Path]
    files: Files
    _homes: dict[Path, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rescan()

    def rescan(self, opened: Iterable[Path] = ()) -> None:
        """Look again for boxes below the roots, and around open texts."""
        self._homes.clear()
        manifests = (file for file in self.files_below_roots() if file.name == MANIFEST)
        for file in (*manifests, *opened):
            self.note(file)

    def note(self, path: Path) -> None:
        """Learn of the box that a file lies in."""
        if (home := author_folder(path)) is not None:
            self._homes[home.absolute()] = None

    @property
    def homes(self) -> list[Path]:
        """The folders of boxes that are there, sorted."""
        return sorted(home for home in self._homes if (home / MANIFEST).is_file())

    def of(self, path: Path) -> FileGroup:
        """The group of a file."""
        if is_shipped(path):
            return FileGroup((data_root("rules"), data_root("expansions")))
        home = author_folder(path)
        if home is None:
            return FileGroup((path,))
        return FileGroup((home,), home, tuple(self._needed(home.absolute())))

    def affected(self, path: Path) -> list[FileGroup]:
        """The group of a file, and the groups that need its box."""
        own = self.of(path)
        if own.home is None:
            return [own]
        here = own.home.absolute()
        others = (self.of(home / MANIFEST) for home in self.homes if home != here)
        return [own, *(group for group in others if here in group.folders)]

    def scenarios(self) -> Iterator[Path]:
        """The scenarios below the roots that lie in no box."""
        for file in self.files_below_roots():
            if file.name.endswith(SCENARIO) and author_folder(file) is None:
                yield file

    def files_below_roots(self) -> Iterator[Path]:
        """The files below the roots; of a very large folder the first."""
        yield from files_below(self.roots)

    def _needed(self, home: Path) -> Iterator[Path]:
        """The folders of other boxes that a box needs, each once; of two of one id the first."""
        by_id: dict[str, Path] = {}
        shipped = shipped_boxes()
        for each in self.homes:
            by_id.setdefault(self._id(each), each)
        seen, waiting = {home}, [*self._needs(home)]
        while waiting:
            other = by_id.get(id := waiting.pop(0))
            if other is not None and id not in shipped and other not in seen:
                seen.add(other)
                waiting += self._needs(other)
                yield other

    def _id(self, home: Path) -> str:
        box, _ = self.files.box(home / MANIFEST)
        return box.id if box is not None else ""

    def _needs(self, home: Path) -> Iterable[str]:
        box, _ = self.files.box(home / MANIFEST)
        return box.model.needs if box is not None else ()


# Open texts over the files on disk, and what is wrong with them.


Findings = Mapping[Path, tuple[Diagnostic, ...]]
Made = TypeVar("Made")


class Cancelled(Exception):
    """What was asked for is not wanted any more."""


class Workspace:
    """Open texts over the files on disk; there may be several boxes below its roots, or none.

    Answers name a file by the path it was opened by, others by their real path. Nothing here raises
    for any text. Several threads may ask at the same time; `lints` and `examples` keep nobody
    waiting who asks for something else.
    """

    def __init__(self, roots: Sequence[Path] = ()) -> None:
        self.files = Files()
        self._lock = RLock()
        self._groups = FileGroups(roots, self.files)
        self._caches = RulesetCaches(_files=self.files)
        self._open: dict[Path, Path] = {}
        self._version = 0
        self._cache: dict[Hashable, tuple[int, object]] = {}

    # Texts

    def open_text(self, path: Path, text: str) -> None:
        """From now on a file has this text; also for each later change."""
        real = real_path(path)
        with self._lock:
            self._open[real] = path
            self._edit(real, text)
            self._groups.note(path)
            self._version += 1

    def _edit(self, real: Path, text: str | None) -> None:
        self.files = self._groups.files = self.files.edited({real: text})

    def close_text(self, path: Path) -> None:
        """From now on a file has the text that it has on disk."""
        real = real_path(path)
        with self._lock:
            self._open.pop(real, None)
            self._edit(real, None)
            self._version += 1

    def changed_on_disk(self, paths: Iterable[Path]) -> None:
        """Files were written, created, deleted or renamed there."""
        with self._lock:
            if any(map(may_hold_boxes, paths)):
                self._groups.rescan(self._open.values())
                self._cache.clear()  # what a box that comes back was is not what it is
            self._version += 1

    def text(self, path: Path) -> str:
        """The text of a file, with line feeds as line ends; empty if it cannot be read."""
        return self.source(path).text

    def source(self, path: Path) -> Source:
        """The same as a source, in which offsets have lines and columns."""
        source, findings = self.files.source(path)
        if source is not None:
            return source
        sources = (each.span.source for each in findings)
        return next((each for each in sources if each.text), Source(shown_name(path), ""))

    def path_of(self, span: Span) -> Path:
        """The file that a span lies in."""
        real = real_path(Path(span.source.name))
        return self._open.get(real, real)

    def path_named(self, path: Path) -> Path:
        """The path by which answers name a file."""
        real = real_path(path)
        return self._open.get(real, real)

    # What is known of a file

    def rules(self, path: Path) -> RuleFile:
        """A rule file as it was parsed, with the declarations of its tables."""
        return self.files.rules(path)

    def document(self, path: Path) -> Document | None:
        """A YAML file as data with places; None if it is none."""
        source, _ = self.files.source(path)
        if source is None:
            return None
        return self.files.memoized(("yaml", path), [source], lambda: read_yaml(source))[0]

    def loaded(self, path: Path) -> Loaded:
        """Everything that the box of a file, and what it needs, says together."""
        return self._memoized(self._key_of_rules(path), lambda: self._load(path))

    def last_loaded(self, path: Path) -> Loaded:
        """The same as it was when it was last looked at, for answers that must not wait."""
        with self._lock:
            cached = self._cache.get(self._key_of_rules(path))
        return self.loaded(path) if cached is None else cached[1]  # type: ignore[return-value]

    def _key_of_rules(self, path: Path) -> Hashable:
        """What files that are loaded together have alike."""
        home = author_folder(path)
        if home is not None or not is_shipped(path):
            return "loaded", home or path
        box = shipped_in(path)
        return "loaded", "" if box in usual_boxes() else box

    def group(self, path: Path) -> FileGroup:
        """The files that are checked together with a file."""
        return self._memoized(("group", path), lambda: self._groups.of(path))

    def related(self, path: Path) -> list[Path]:
        """The files that may mention what a file declares, and those that declare what it mentions.

        These are all files of its box, of the boxes that it needs, and of those that need it; with
        a shipped box the scenarios of the workspace that lie in no box.
        """
        return self._memoized(("related", path), lambda: self._related(path))

    def _related(self, path: Path) -> list[Path]:
        found: dict[Path, Path] = {real_path(path): path}
        for group in self._groups.affected(path):
            found |= {each.real: each.path for each in self._project(group).files()}
            first = path if group.home is None else group.home / MANIFEST
            sources = (Path(source.name) for source in self.loaded(first).sources)
            found |= {real_path(each): each for each in sources}
        if is_shipped(path):
            found |= {real_path(each): each for each in self._groups.scenarios()}
        return [self._open.get(real, real) for real in found]

    def files_of_roots(self) -> list[Path]:
        """The rule files, boxes and scenarios below the roots, and those that are open."""
        return self._memoized(("roots",), self._below_roots)

    def _below_roots(self) -> list[Path]:
        found = {
            real_path(path): path for path in self._groups.files_below_roots() if kind_of(path)
        }
        return [
            *(self._open.get(real, path) for real, path in found.items()),
            *(path for real, path in self._open.items() if real not in found),
        ]

    def holds(self, path: Path) -> bool:
        """Whether a file lies below a root of the workspace, or is open."""
        real = real_path(path)
        return real in self._open or any(_is_in(real, root) for root in self._groups.roots)

    @property
    def homes(self) -> list[Path]:
        """The folders of the boxes in the workspace."""
        return self._groups.homes

    def _load(self, path: Path) -> Loaded:
        group = self.group(path)
        if group.home is not None:
            folders = [group.home, *group.folders]
            return load_all(needed(self.files, [], folders), folders, files=self.files)
        if kind_of(path) == "scenario":
            return load_with_dependencies(self._named_boxes(path), [], files=self.files)
        if group.paths == (path,):
            return load_all(usual_boxes(), [], [self.files.rules(path)], self.files)
        box = shipped_in(path)
        together = not box or box in usual_boxes()
        return load_all(
            usual_boxes() if together else needed(self.files, [box], []), files=self.files
        )

    def _named_boxes(self, path: Path) -> list[str]:
        """The shipped boxes that a scenario names."""
        document = self.document(path)
        data = document.data if document is not None else None
        named = data.get("with") if isinstance(data, dict) else None
        shipped = shipped_boxes()
        return [id for id in named if id in shipped] if isinstance(named, list) else []

    # What is wrong

    def syntax(self, path: Path) -> tuple[Diagnostic, ...]:
        """What is wrong with a file by itself."""
        match kind_of(path):
            case "rules":
                return self.files.syntax(path)
            case "box":
                return tuple(self.files.box(path)[1])
            case "scenario":
                return tuple(self._in_scenarios(path))
            case "texts":
                return tuple(self.files.texts(path)[1])
        return ()

    def _in_scenarios(self, path: Path) -> list[Diagnostic]:
        source, found = self.files.source(path)
        if source is None:
            return found
        return self.files.memoized(
            ("scenarios", path), [source], lambda: scenarios_in(source, found)
        )[1]

    def findings(self, *paths: Path) -> Findings:
        """What is wrong with all files of the boxes of files, and of the boxes that need these.

        Each file of them has an entry, so that what was said of it before can be withdrawn. The
        same as `kbrules check` without its warnings.
        """
        checked = self._memoized(("findings", *paths), lambda: self._findings(paths))
        found = {path: [*of] for path, of in checked.items()}
        for each in LintSettings().problems(checked):  # settings change without being told of
            found.setdefault(self.path_of(each.span), []).append(each)
        return _frozen(found)

    def _findings(self, paths: Sequence[Path]) -> Findings:
        found: dict[Path, list[Diagnostic]] = {}
        firsts = {self.group(path): path for path in paths}
        groups = (each for path in firsts.values() for each in self._groups.affected(path))
        for group in dict.fromkeys(groups):
            self._add(found, self._check(group, None))
        for path in firsts.values():
            self.loaded(path)
        return _frozen(found)

    def current_findings(self, path: Path) -> tuple[Diagnostic, ...]:
        """What is known to be wrong with a file as it is, warnings too if they were looked for."""
        found = self.findings(path).get(path, ())
        with self._lock:
            cached = self._cache.get(("lints", path))
        is_current = cached is not None and cached[0] == self._version
        lints: Findings = cached[1] if cached is not None and is_current else {}  # type: ignore[assignment]
        return (*found, *lints.get(path, ()))

    def lints(self, path: Path, cancelled: Callable[[], bool] = lambda: False) -> Findings:
        """The warnings of `kbrules check` for the box of a file; none while there is an error.

        Of a shipped box only the file itself is looked at, for all of it would take a minute.
        `cancelled` is asked often. Raises Cancelled if it says so.
        """

        def check_cancelled() -> None:
            if cancelled():
                raise Cancelled

        check_cancelled()
        version = self._version
        selection = LintSettings(check_cancelled=check_cancelled)
        found: dict[Path, list[Diagnostic]] = {}
        group = self.group(path)
        group = group if group.home is not None else FileGroup((path,))
        self._add(found, self._check(group, selection))
        lints = _frozen({p: [e for e in of if e.severity == "warning"] for p, of in found.items()})
        with self._lock:
            self._cache["lints", path] = version, lints
        return lints

    def _check(
        self, group: FileGroup, lints: LintSettings | None
    ) -> tuple[Iterable[Path], Iterable[Diagnostic]]:
        project = self._project(group)
        report = checked(project, lints)
        return [file.path for file in project.files()], report.all

    def _project(self, group: FileGroup) -> Project:
        """The files of a group, those that are not on disk yet among them."""
        roots = [path for path in group.paths if self.files.is_there(path)]
        return Project(roots, folders=group.folders, files=self.files)

    def _add(
        self,
        found: dict[Path, list[Diagnostic]],
        checked: tuple[Iterable[Path], Iterable[Diagnostic]],
    ) -> None:
        files, findings = checked
        for file in files:
            real = real_path(file)
            found.setdefault(self._open.get(real, real), [])
        for each in findings:
            found.setdefault(self.path_of(each.span), []).append(each)

    # Examples and scenarios

    def cases(self, path: Path) -> list[Case]:
        """The examples or scenarios of a file that can be run."""
        return self.collection(path).cases

    def collection(self, path: Path) -> Collection:
        """The same, and why others cannot be run."""
        return self._memoized(("cases", path), lambda: self._collect(path))

    def place(self, span: Span) -> Place:
        """Where the author wrote a span, in any file."""
        return Place(str(self.path_of(span)), *span.source.written(span.start, span.end))

    def finding(self, each: Diagnostic) -> Finding:
        """A finding as a plain value."""
        labels = (
            Label(self.place(label.span), label.text)
            for label in each.labels
            if label.span.source.text
        )
        fix = (TextEdit(self.place(edit.span), edit.text) for edit in each.fix)
        return Finding(
            self.place(each.span), each.code, each.severity, each.message, each.help, each.claim,
            tuple(labels), tuple(fix),
        )  # fmt: skip

    def examples(self, path: Path) -> tuple[ExampleResult, ...]:
        """What came of each example or scenario of a file; none while its box has an error."""
        cases = self.cases(path)
        with self._lock:
            version, cached = self._version, self._cache.get(("results", path))
        if cached is not None and cached[0] == version:
            return cached[1]  # type: ignore[return-value]  # of this key it is always of this kind
        ran = [(case, case.run()) for case in cases]
        found = tuple(self.result(case, outcome) for case, outcome in ran)
        with self._lock:
            self._cache["results", path] = version, found
            self._cache["failures", path] = version, _of_failures(ran)
        return found

    def result(self, case: Case, outcome: ScenarioOutcome | None = None) -> ExampleResult:
        outcome = outcome or case.run()
        found = outcome.diagnostics
        sentences = (
            f"{each.message} ({each.help})" if each.help else each.message for each in found
        )
        return ExampleResult(
            case.id, case.title, self.place(case.span), outcome.passed,
            "" if outcome.passed else "\n".join(sentences),
            "\n\n".join(filter(None, outcome.pictures)), tuple(map(self.finding, found)),
        )  # fmt: skip

    def failures(self, path: Path) -> Sequence[Diagnostic]:
        """What was found where examples did not hold; none if the texts changed since they ran."""
        with self._lock:
            cached = self._cache.get(("failures", path))
        return cached[1] if cached is not None and cached[0] == self._version else ()  # type: ignore[return-value]

    def _collect(self, path: Path) -> Collection:
        if kind_of(path) not in ("rules", "scenario"):
            return Collection()
        self._caches.invalidate(self.files)
        found = collect([path], [], self.group(path).folders, self._caches)
        real = real_path(path)
        found.cases = [e for e in found.cases if real_path(Path(e.span.source.name)) == real]
        return found

    def trial(self) -> Workspace:
        """A workspace of the same texts in which others can be tried."""
        with self._lock:
            made = Workspace()
            made.files = self.files
            made._groups = FileGroups((), made.files, dict(self._groups._homes))
            made._open = dict(self._open)
            made._caches = RulesetCaches(_files=made.files)
            return made

    def _memoized(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is made of the texts as they are, made again if one changes."""
        with self._lock:
            cached = self._cache.get(key)
            if cached is None or cached[0] != self._version:
                cached = self._cache[key] = self._version, make()
        made: Made = cached[1]  # type: ignore[assignment]  # of this key it is always of this kind
        return made


def _is_in(real: Path, place: Path) -> bool:
    """Whether a file is a path or lies below it."""
    return real.is_relative_to(real_path(place))


def _frozen(found: Mapping[Path, list[Diagnostic]]) -> Findings:
    return {path: tuple(sorted(of)) for path, of in found.items()}


def _of_failures(ran: Iterable[tuple[Case, ScenarioOutcome]]) -> list[Diagnostic]:
    return [each for _, outcome in ran if not outcome.passed for each in outcome.diagnostics]
