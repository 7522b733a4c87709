"""Checking files: the selected ones are loaded with what they need, and findings reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial, reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, distinct, quoted
from kbrules.game.board import Catalog
from kbrules.hooks import OnProgress, with_progress
from kbrules.lang.syntax import tree
from kbrules.library import reading
from kbrules.library.box import shipped_in, usual_boxes
from kbrules.library.discovery import Kind, discover, kind_of
from kbrules.library.load import Loaded, load_all, needed
from kbrules.library.store import Files, RuleFile, Same
from kbrules.messages import Severity
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.scenario.unread import folders_of_one_id, unread_files
from kbrules.text import counted
from kbrules.tools.lint.flow import unbounded_whenever_findings
from kbrules.tools.texts import text_errors

if TYPE_CHECKING:
    from kbrules.scenario.setup import RulesetCaches
    from kbrules.tools.lint.run import LintSelection
    from kbrules.tools.lint.settings import LintSettings


# Checks of examples and scenarios that need no run.


SHOWN = TILE_KINDS | CARD_KINDS
"""The declarations that are never without an example, unless others say what they are good for."""


def example_findings(
    loaded: Loaded, is_selected: Callable[[str], bool], files: Files
) -> Iterator[Diagnostic]:
    """Yield examples that are missing or cannot be read, in the rules of selected files.

    With `files`, one that is as it was is not read again while the things of the boxes are.
    """
    for declaration in loaded.declarations:
        if isinstance(declaration, tree.Rule) and is_selected(declaration.span.source.name):
            yield from _without_example(declaration)
            if not loaded.blocking:  # else what an example speaks of may be what is missing
                yield from _in_rule(declaration, loaded.catalog, files)


def _in_rule(rule: tree.Rule, catalog: Catalog, files: Files) -> Iterator[Diagnostic]:
    examples = [each for each in rule.body if isinstance(each, tree.Example)]
    for number, example in enumerate(examples):
        slot = rule.span.source.name, rule.name.text, number
        key = example.span.text, Same(catalog)
        read = partial(_in_example, rule, example, catalog)
        found = files.store.value("example", slot, key, read)
        is_here = all(each.span.source is example.span.source for each in found)
        yield from found if is_here else read()  # an error that has moved is at another place


def _without_example(rule: tree.Rule) -> Iterator[Diagnostic]:
    examples = [each for each in rule.body if isinstance(each, tree.Example)]
    has_hole = any(isinstance(each, tree.Hole) for each in rule.body)
    statements = [each for each in rule.body if not isinstance(each, tree.Wording)]
    if rule.kind.text in SHOWN and statements and not examples and not has_hole:
        help_ = "add `example:` with a drawing and what it offers or gives"
        message = f"`{rule.name.text}` has no example"
        yield Diagnostic("KB212", rule.name.span, message, help_)


def _in_example(rule: tree.Rule, example: tree.Example, catalog: Catalog) -> tuple[Diagnostic, ...]:
    from kbrules.scenario.example_lines import read_example

    return tuple(read_example(example, rule.name.text, catalog)[2])


def scenario_findings(
    files: Sequence[Path],
    boxes: Sequence[str],
    folders: Sequence[Path],
    caches: RulesetCaches,
    warned: Collection[str] = (),
) -> Iterator[Diagnostic]:
    """What is wrong with scenarios as they are written and laid out.

    They are played only where there are codes to be warned of, and only these are reported.
    """
    from kbrules.scenario.collection import collect

    collection = collect(files, boxes, folders, caches)
    yield from collection.findings
    cases = collection.cases if warned else []
    for case in with_progress(cases, "scenarios", caches.files.on_progress):
        yield from (each for each in case.run().diagnostics if each.code in warned)


# The files that the paths of a command select: rule files, boxes and scenarios.


@dataclass(slots=True)
class FileSelection:
    """Files by their real paths, each with the path it was named by, and paths of no use."""

    rules: dict[Path, Path] = field(default_factory=dict)
    boxes: dict[Path, Path] = field(default_factory=dict)
    scenarios: dict[Path, Path] = field(default_factory=dict)
    texts: dict[Path, Path] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    unread: list[Diagnostic] = field(default_factory=list)
    """Files that were named though nothing reads them; they may be formatted all the same."""
    ignored: set[Path] = field(default_factory=set)
    """Those that git ignores, by their real paths; they are checked, but not written."""

    def all(self) -> dict[Path, Path]:
        """All files."""
        return {**self.rules, **self.boxes, **self.scenarios, **self.texts}

    def add(self, path: Path) -> None:
        """Take a file, or all files of a known kind below a folder."""
        if path.is_dir():
            found = discover(path)
            are_known = [self.add_file(file) for file in found.files]
            self.problems += [*found.findings, *unread_files(found.files)]
            self.ignored |= {reading.real_path(file) for file in found.ignored}
            if not any(are_known):
                self._refuse("KB007", path, "holds nothing that can be checked", reading.SLIP)
        elif not path.exists():
            self._refuse("KB001", path, "does not exist", reading.SLIP)
        elif not self.add_file(path):
            help_ = (
                f"rules end in {quoted(reading.RULES)}, scenarios in {quoted(reading.SCENARIO)}, "
            )
            help_ += f"and the data of a box is called {quoted(reading.MANIFEST)}"
            self._refuse("KB006", path, "is of no kind that can be checked", help_)
        else:
            self.unread += unread_files([path])

    def add_file(self, file: Path) -> bool:
        """Take a file, and return whether it is of a kind that can be checked."""
        kind = kind_of(file)
        if kind is not None:
            self._of(kind).setdefault(reading.real_path(file), file)
        return kind is not None

    def _of(self, kind: Kind) -> dict[Path, Path]:
        match kind:
            case "rules":
                return self.rules
            case "box":
                return self.boxes
            case "scenario":
                return self.scenarios
            case "texts":
                return self.texts

    def _refuse(self, code: str, path: Path, why: str, help_: str) -> None:
        self.problems.append(reading.file_finding(reading.shown_name(path), code, why, help_))


def select_files(paths: Sequence[Path], folders: Sequence[Path] = ()) -> FileSelection:
    """The files that paths name; without one, all there is, the author's folder, and `folders`."""
    selection = FileSelection()
    for path in paths or (*_default_paths(), *folders):
        selection.add(path)
    selection.ignored -= {reading.real_path(path) for path in paths}
    selection.problems += folders_of_one_id(selection.boxes.values())
    return selection


def _default_paths() -> Iterator[Path]:
    yield reading.data_root("rules")
    yield reading.data_root("expansions")
    if Path(reading.MANIFEST).is_file():
        yield Path()


IsSelected = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The names of the files checked, what is wrong in them, and what could not be checked."""

    names: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    problems: tuple[Diagnostic, ...] = ()
    ignored: frozenset[Path] = frozenset()
    """Files that git ignores and that are not named, by their real paths: they are not fixed."""

    @property
    def files(self) -> int:
        """How many files were checked."""
        return len(self.names)

    @property
    def all(self) -> list[Diagnostic]:
        """Problems and findings together, sorted by place."""
        return sorted((*self.problems, *self.findings))

    @property
    def exit_code(self) -> int:
        """0 if all is well, 1 with findings, 2 if something could not be checked."""
        return self.exit_code_at("warning")

    def exit_code_at(self, min_severity: Severity | Callable[[Path], Severity]) -> int:
        """Return the same where the least that counts is given, or that for each file."""
        if self.problems:
            return 2

        def counts(finding: Diagnostic) -> bool:
            level = min_severity
            if callable(level):
                level = level(Path(finding.span.source.name))
            return level in (finding.severity, "warning")

        return int(any(map(counts, self.findings)))

    @property
    def summary(self) -> str:
        """All of it in one line."""
        if not self.all:
            return f"all good: {counted(self.files, 'file')}"
        names = {finding.span.source.name for finding in self.all}
        return f"{counted(len(self.all), 'finding')} in {counted(len(names), 'file')}"


class FileChecker:
    """Checks files, and does not read again what has not changed since it last did."""

    def __init__(self, files: Files | None = None) -> None:
        self.files = files or Files()

    @cached_property
    def _caches(self) -> RulesetCaches:
        """The rule sets of scenarios, made of the same files."""
        from kbrules.scenario.setup import (
            RulesetCaches,  # slow to load, and not needed without one
        )

        return RulesetCaches(_files=self.files)

    def check(
        self,
        paths: Sequence[Path] = (),
        boxes: Sequence[str] = (),
        folders: Sequence[Path] = (),
        lints: LintSelection | LintSettings | None = None,
    ) -> CheckResult:
        """Everything that is wrong with files and folders; without a path, with all there is.

        A file is checked together with all files of the expansion it lies in, the boxes that
        expansion needs, and the boxes and folders given. Without `lints` there are no warnings.
        """
        return self.check_selection(
            select_files(paths, folders), boxes, folders, lints, bool(paths)
        )

    def check_selection(
        self,
        selection: FileSelection,
        boxes: Sequence[str] = (),
        folders: Sequence[Path] = (),
        lints: LintSelection | LintSettings | None = None,
        names_paths: bool = True,
    ) -> CheckResult:
        """The same of files that were selected; `names_paths` if somebody named them."""
        check = _CheckRun(
            self.files, self._current_caches, selection, boxes, folders, lints, names_paths
        )
        wrong = lints.problems(selection.all().values()) if lints is not None else []
        findings = tuple(check.findings())
        names = tuple(map(reading.shown_name, selection.all().values()))
        problems = tuple(sorted([*selection.problems, *selection.unread, *wrong]))
        return CheckResult(names, findings, problems, frozenset(selection.ignored))

    def _current_caches(self) -> RulesetCaches:
        self._caches.invalidate(self.files)
        return self._caches

    def override_text(self, real: Path, text: str | None) -> None:
        """From now on a file, by its real path, has this text; with None, its own again."""
        self.files = self.files.edited({real: text})


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Files that are judged together, and the loading of what that takes."""

    load: Callable[[], Loaded]
    files: Sequence[Path]


@dataclass(slots=True)
class _CheckRun:
    """One run: the selected files by the expansion they belong to, each of which is loaded once."""

    files: Files
    caches: Callable[[], RulesetCaches]
    selection: FileSelection
    boxes: Sequence[str]
    folders: Sequence[Path]
    lints: LintSelection | LintSettings | None
    names_paths: bool
    _real: dict[str, Path] = field(default_factory=dict)

    def findings(self) -> list[Diagnostic]:
        """All that is wrong with the selected files, each finding once."""
        findings = [*self._in_rules()]
        if self.selection.scenarios:
            findings += self._in_scenarios()
        return sorted(distinct({_identity(each): each for each in findings}.values()))

    def _in_scenarios(self) -> Iterator[Diagnostic]:
        files, codes = list(self.selection.scenarios.values()), frozenset[str]()
        if self.lints is not None:
            from kbrules.tools.lint.run import SCENARIO_LINTS

            codes = self._wanted_of(files).codes & SCENARIO_LINTS
        found = scenario_findings(files, self.boxes, self.folders, self.caches(), codes)
        return filter(self._is_wanted, found)

    def _wanted_of(self, files: Iterable[Path]) -> LintSelection:
        """Return all warnings that are wanted of any of some files."""
        assert self.lints is not None
        return reduce(or_, map(self.lints.of, files))

    def _is_wanted(self, finding: Diagnostic) -> bool:
        """Return whether a finding is an error, or a warning that is wanted of its file."""
        if self.lints is None or finding.severity == "error":
            return True
        return self.lints.of(Path(finding.span.source.name)).wants(finding)

    def _in_rules(self) -> Iterator[Diagnostic]:
        groups = self._groups()
        sampled = [group for group in groups if any(self._is_named(str(f)) for f in group.files)]
        for group in groups:
            loaded, real_paths = group.load(), {reading.real_path(file) for file in group.files}
            is_selected = partial(self._is_one_of, real_paths)
            blocking = {id(each) for each in loaded.blocking}
            errors = [*loaded.findings, *example_findings(loaded, is_selected, self.files)]
            errors += text_errors(self.files, loaded, is_selected)
            errors += unbounded_whenever_findings(loaded, is_selected)
            yield from (e for e in errors if id(e) in blocking or self._is_in_selection(e))
            if self.lints is not None and group.files and not errors:
                number = sampled.index(group) if group in sampled else 0
                on_progress = partial(self._tell, number, len(sampled))
                lints = self._wanted_of(group.files)
                warnings = self._warnings(loaded, is_selected, lints, on_progress)
                yield from filter(self._is_wanted, warnings)

    def _warnings(
        self,
        loaded: Loaded,
        is_selected: IsSelected,
        lints: LintSelection,
        on_progress: OnProgress,
    ) -> Iterator[Diagnostic]:
        """What lints say of the files for whose sake something was loaded."""
        from kbrules.tools.lint.run import lint_findings

        is_named = cache(self._is_named)
        yield from lint_findings(loaded, self.files, is_selected, is_named, lints, on_progress)

    def _tell(self, number: int, groups: int, done: int, wanted: int | None, unit: str) -> None:
        """Tell how far all groups are, by how far the one of a number is."""
        each = wanted or 0
        self.files.on_progress(number * each + done, groups * each, unit)

    def _is_named(self, name: str) -> bool:
        """Whether somebody named a file or its folder, or works in that folder."""
        return self.names_paths or not reading.is_shipped(Path(name))

    def _groups(self) -> list[_Group]:
        """Everything that has to be loaded to judge the files, each with those it is to judge."""
        selection = self.selection
        files = [*selection.rules.values(), *selection.boxes.values(), *selection.texts.values()]
        return [*self._shipped_groups(files), *self._own_groups(files)]

    def _shipped_groups(self, files: Sequence[Path]) -> Iterator[_Group]:
        shipped = _shipped_by_box(files)
        if shipped:
            yield _Group(partial(self._load, usual_boxes(), self.folders), shipped.pop("", []))
        for box, box_files in sorted(shipped.items()):
            boxes = needed(self.files, [box], self.folders)
            yield _Group(partial(self._load, boxes, self.folders), box_files)

    def _own_groups(self, files: Sequence[Path]) -> Iterator[_Group]:
        """Those of authors' folders, and of each file that lies in none."""
        box_folders = {
            file: reading.author_folder(file) for file in files if not reading.is_shipped(file)
        }
        for box_folder in dict.fromkeys(
            box_folder for box_folder in box_folders.values() if box_folder is not None
        ):
            is_given = reading.real_path(box_folder) in [
                reading.real_path(folder) for folder in self.folders
            ]
            folders = [*self.folders] if is_given else [box_folder, *self.folders]
            boxes = needed(self.files, self.boxes, folders)
            files_there = [file for file, folder in box_folders.items() if folder == box_folder]
            yield _Group(partial(self._load, boxes, folders), files_there)
        for file in (file for file, box_folder in box_folders.items() if box_folder is None):
            rules = [self.files.rules(file)]
            yield _Group(partial(self._load, usual_boxes(), self.folders, rules), [file])

    def _load(
        self, boxes: Sequence[str], folders: Sequence[Path], more: Sequence[RuleFile] = ()
    ) -> Loaded:
        return load_all(boxes, folders, more, self.files)

    def _is_in_selection(self, finding: Diagnostic) -> bool:
        """Whether a finding is in a selected file, or names one."""
        places = [finding.span, *(label.span for label in finding.labels)]
        return any(self._is_selected(place.source.name) for place in places)

    def _is_selected(self, name: str) -> bool:
        return self._is_one_of(self.selection.all(), name)

    def _is_one_of(self, files: Collection[Path], name: str) -> bool:
        """Whether one of some files, by their real paths, is shown by a name."""
        if name not in self._real:
            self._real[name] = reading.real_path(Path(name))
        return self._real[name] in files


def _shipped_by_box(files: Sequence[Path]) -> dict[str, list[Path]]:
    """Shipped files by the box they are checked with; those that are checked together have none."""
    usual = ["", *usual_boxes()]
    by_box: dict[str, list[Path]] = {}
    for file in filter(reading.is_shipped, files):
        box = shipped_in(file)
        by_box.setdefault("" if box in usual else box, []).append(file)
    return by_box


def _identity(finding: Diagnostic) -> tuple[str, str, int, str]:
    return finding.span.source.name, finding.code, finding.span.start, finding.message
