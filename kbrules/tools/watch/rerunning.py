"""Running scenarios and examples again, after a change only those that may come out otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.scenario.collect import asked_files, collect
from kbrules.scenario.items import Item
from kbrules.scenario.runner import Result, run_all
from kbrules.scenario.shelf import Shelf, Shelves
from kbrules.tools.watch.difference import may_differ

__all__ = ["Rerunner", "Whole"]


@dataclass(frozen=True, slots=True)
class Whole:
    """What all came to, what was wrong with files, and how many items were run for it just now."""

    results: Sequence[Result]
    findings: Sequence[Diagnostic]
    run: int


@dataclass(slots=True)
class _File:
    """What came of a file, and the rule sets it was run by."""

    results: Sequence[Result]
    findings: Sequence[Diagnostic]
    shelves: Sequence[Shelf]


@dataclass(slots=True)
class Rerunner:
    """Runs what lies in files and folders, and keeps what came of it."""

    paths: Sequence[Path]
    boxes: Sequence[str]
    folders: Sequence[Path]
    chooses: Callable[[str], bool]
    _shelves: Shelves = field(default_factory=Shelves)
    _files: dict[Path, _File] = field(default_factory=dict)
    _run: int = 0

    def test(self, changed: Set[Path] = frozenset()) -> Whole:
        """Run what has not been run yet, and what the files that have changed may change."""
        self._shelves.renew()
        self._run = 0
        files, lost = asked_files(self.paths)
        self._files = {path: self._of(path, path.absolute() in changed) for path in files}
        results = [result for file in self._files.values() for result in file.results]
        findings = [*lost, *(each for file in self._files.values() for each in file.findings)]
        return Whole(results, sorted(dict.fromkeys(findings)), self._run)

    def _of(self, path: Path, is_changed: bool) -> _File:
        """What comes of a file: what came of it before, if that still holds."""
        before = self._files.get(path)
        if before is not None and not is_changed and self._stands(before):
            return before
        collection = collect([path], self.boxes, self.folders, self._shelves)
        items = [item for item in collection if self.chooses(item.id)]
        kept = {} if before is None or is_changed else {r.item.id: r for r in before.results}
        results = list(self._results(items, kept))
        return _File(results, collection.findings, _shelves_of(collection))

    def _stands(self, file: _File) -> bool:
        known = file.shelves and not file.findings
        return bool(known) and self._shelves.are_current(file.shelves)

    def _results(self, items: Iterable[Item], kept: dict[str, Result]) -> Iterator[Result]:
        for item in items:
            before = kept.get(item.id)
            if before is not None and not may_differ(before.item, item):
                yield before
                continue
            self._run += 1
            yield from run_all([item])


def _shelves_of(items: Iterable[Item]) -> list[Shelf]:
    return list({id(item.shelf): item.shelf for item in items}.values())
