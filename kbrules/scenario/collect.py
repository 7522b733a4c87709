"""Finding what can be run: scenarios in files, examples in rules, in what folders are given.

A file that lies in an author's folder, one with an `expansion.yaml`, is run by the rules there.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.boxes import shipped_boxes, shipped_in, usual_boxes
from kbrules.library.load import MANIFEST
from kbrules.library.reading import read_source, shown_name, within
from kbrules.library.resources import data_root
from kbrules.scenario.case import SUFFIX, Case, read_cases
from kbrules.scenario.examples import RuleExample, examples_of
from kbrules.scenario.items import Item
from kbrules.scenario.names import MOST, unknown
from kbrules.scenario.partly import names_wrong, right_parts
from kbrules.scenario.ready import ready
from kbrules.scenario.shelf import Shelf, Shelves
from kbrules.text import Source, Span

__all__ = ["Collection", "asked_files", "collect", "home_of"]

RULES = ".kb"
_UP = 4  # folders above a file that may be its author's
_SKIPPED = ("__pycache__", "node_modules")


@dataclass(slots=True)
class Collection:
    """What can be run, in the order of files and lines, and why the rest cannot."""

    items: list[Item] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)


def collect(
    paths: Sequence[Path] = (),
    boxes: Sequence[str] = (),
    folders: Sequence[Path] = (),
    shelves: Shelves | None = None,
) -> Collection:
    """All scenarios and examples below some files and folders, with further boxes and folders.

    Without paths: the examples of the shipped rules, and the author's folder we are in.
    """
    collecting = _Collecting(tuple(boxes), tuple(folders), shelves or Shelves())
    for path in paths or _here():
        collecting.path(path)
    return collecting.result()


def asked_files(paths: Sequence[Path] = ()) -> tuple[list[Path], list[Diagnostic]]:
    """The files that `collect` would read, as they are named, and the paths that are of no use."""
    collecting = _Collecting((), (), Shelves())
    for path in paths or _here():
        collecting.path(path)
    return collecting.files()


def _here() -> list[Path]:
    home = home_of(Path.cwd() / MANIFEST)
    return [data_root("rules"), *([home] if home is not None else [])]


def home_of(file: Path) -> Path | None:
    """The author's folder a file lies in, if it lies in one."""
    for folder in [*file.absolute().parents][:_UP]:
        if (folder / MANIFEST).is_file():
            here = Path.cwd()
            return folder.relative_to(here) if folder.is_relative_to(here) else folder
    return None


class _Collecting:
    def __init__(self, boxes: tuple[str, ...], folders: tuple[Path, ...], shelves: Shelves) -> None:
        self._boxes = boxes
        self._folders = folders
        self._shelves = shelves
        self._known = shipped_boxes()
        self._scenarios: dict[Path, Path] = {}  # real path -> as it was named
        self._rules: dict[Path, Path] = {}
        self._findings: list[Diagnostic] = []

    # files

    def path(self, path: Path) -> None:
        """Note a file, or all files below a folder."""
        if path.is_dir():
            for file in _files(path):
                self._file(file)
        elif path.name == MANIFEST:
            self.path(path.parent)
        elif not path.exists() or not self._file(path):
            code = "KB006" if path.exists() else "KB001"
            why = "is of no kind that can be run" if path.exists() else "does not exist"
            name = shown_name(path)
            help = f"scenarios end in {quoted(SUFFIX)}, rules in {quoted(RULES)}"
            found = Diagnostic(code, Span.none(name), f"{quoted(name)} {why}", help)
            self._findings.append(found)

    def _file(self, file: Path) -> bool:
        if file.name.endswith(SUFFIX):
            self._scenarios.setdefault(file.resolve(), file)
        elif file.suffix == RULES:
            self._rules.setdefault(file.resolve(), file)
        else:
            return False
        return True

    def files(self) -> tuple[list[Path], list[Diagnostic]]:
        """The files noted, and what was wrong with paths."""
        return [*self._scenarios.values(), *self._rules.values()], self._findings

    # items

    def result(self) -> Collection:
        """What can be run of all files noted."""
        found: list[tuple[Shelf, Case | RuleExample]] = [*self._all_cases(), *self._all_examples()]
        pairs = sorted(found, key=lambda pair: _place(pair[1]))
        unique = dict.fromkeys(self._findings)
        return Collection(list(_with_ids(pairs)), sorted(unique))

    def _all_cases(self) -> Iterator[tuple[Shelf, Case]]:
        for file in self._scenarios.values():
            home = home_of(file)
            outside = within(home, file) if home is not None else []
            cases, found = ([], outside) if outside else read_cases(file)
            self._findings += found
            if found and not outside:
                self._look_up(right_parts(file), home)
            yield from self._laid(cases, home)

    def _look_up(self, cases: Iterable[Case], home: Path | None) -> None:
        """Add the wrong names in the right parts of a file of a wrong shape."""
        for case in cases:
            shelf = self._shelf_for(case, home)
            if shelf is not None and len(self._findings) < MOST:
                self._findings += names_wrong(case, shelf)

    def _laid(self, cases: Iterable[Case], home: Path | None) -> Iterator[tuple[Shelf, Case]]:
        """The cases of a file that can be played."""
        wrong: dict[Diagnostic, None] = {}
        for case in cases:
            shelf = self._shelf_for(case, home) if len(wrong) < MOST else None
            found = _unready(case, shelf) if shelf is not None else []
            wrong.update(dict.fromkeys(found))
            if shelf is not None and not found:
                yield shelf, case
        self._findings += [*wrong][:MOST]

    def _shelf_for(self, case: Case, home: Path | None) -> Shelf | None:
        shipped = self._known
        strange = [i for i, box in enumerate(case.model.boxes) if box not in shipped]
        for index in strange:
            span = case.span("with", index)
            self._findings.append(unknown("box", case.model.boxes[index], shipped, span))
        folders = _once(home, self._folders)
        if strange:
            return None
        boxes = self._shelves.boxes_for((*case.model.boxes, *self._boxes), folders)
        return self._shelf(boxes, folders)

    def _shelf(
        self, boxes: tuple[str, ...], folders: tuple[Path, ...], texts: tuple[Source, ...] = ()
    ) -> Shelf | None:
        shelf, found = self._shelves.of(boxes, folders, texts)
        self._findings += found
        return shelf

    def _all_examples(self) -> Iterator[tuple[Shelf, RuleExample]]:
        for home in {home_of(file): None for file in self._rules.values()}:
            files = [file for file in self._rules.values() if home_of(file) == home]
            if home is None:
                yield from self._shipped_or_loose(files)
                continue
            folders = _once(home, self._folders)
            shelf = self._shelf(self._shelves.boxes_for(self._boxes, folders), folders)
            yield from _examples_in(shelf, files)

    def _shipped_or_loose(self, files: Sequence[Path]) -> Iterator[tuple[Shelf, RuleExample]]:
        root = data_root("rules").resolve()
        shipped = [file for file in files if file.resolve().is_relative_to(root)]
        if shipped:
            yield from self._shipped(shipped)
        for file in files:
            if file in shipped:
                continue
            source, found = read_source(file)
            self._findings += found
            if source is not None:
                boxes = self._shelves.boxes_for(self._boxes, self._folders)
                shelf = self._shelf(boxes, self._folders, (source,))
                yield from _examples_in(shelf, [file])

    def _shipped(self, files: Sequence[Path]) -> Iterator[tuple[Shelf, RuleExample]]:
        """The examples of the usual boxes, all loaded, and of each other box with its needs."""
        apart = sorted({shipped_in(file) for file in files} - {"", *usual_boxes()})
        usual = [file for file in files if shipped_in(file) not in apart]
        if usual:
            yield from _examples_in(self._shelf((), self._folders), usual)
        for box in apart:
            boxes = self._shelves.boxes_for([box], self._folders)
            own = [file for file in files if shipped_in(file) == box]
            yield from _examples_in(self._shelf(boxes, self._folders), own)


def _unready(case: Case, shelf: Shelf) -> list[Diagnostic]:
    """What is wrong with a case; a fault of ours shows, and is told, when it is run."""
    try:
        return ready(case, shelf)[1]
    except Exception:
        return []


def _once(home: Path | None, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    if home is None or home.resolve() in [folder.resolve() for folder in folders]:
        return folders
    return (home, *folders)


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder, sorted, those in hidden folders left out."""
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        yield from (Path(top) / name for name in sorted(names))


def _examples_in(shelf: Shelf | None, files: Iterable[Path]) -> Iterator[tuple[Shelf, RuleExample]]:
    wanted = {file.resolve() for file in files}
    for example in examples_of(shelf.ruleset) if shelf is not None else ():
        if Path(example.example.span.source.name).resolve() in wanted:
            assert shelf is not None
            yield shelf, example


def _place(what: Case | RuleExample) -> tuple[str, int]:
    span = what.span("title") if isinstance(what, Case) else what.example.span
    return span.source.name, span.start


def _with_ids(pairs: Iterable[tuple[Shelf, Case | RuleExample]]) -> Iterator[Item]:
    """Items named by file and title; the second of a name gets a number."""
    seen: Counter[str] = Counter()
    for shelf, what in pairs:
        title = what.model.title if isinstance(what, Case) else what.title
        id = f"{_place(what)[0]}::{title}"
        seen[id] += 1
        yield Item(id if seen[id] == 1 else f"{id} ({seen[id]})", what, shelf)
