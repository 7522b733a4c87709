"""Running scenarios and examples again, after a change only those that may come out otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.scenario.running.cases import Case, Result, run_all
from kbrules.scenario.running.collect import collect
from kbrules.scenario.setup.cache import RulesetCache, RulesetCaches
from kbrules.tools.checking.testing import Request, files_of
from kbrules.tools.checking.watch.difference import may_differ

__all__ = ["Rerunner", "Whole"]


@dataclass(frozen=True, slots=True)
class Whole:
    """What all came to, what was wrong with files, and how many cases were run for it just now."""

    results: Sequence[Result]
    findings: Sequence[Diagnostic]
    run: int


@dataclass(slots=True)
class _File:
    """What came of a file, each result with its case, and the rule sets it was run by."""

    results: Sequence[tuple[Case, Result]]
    findings: Sequence[Diagnostic]
    caches: Sequence[RulesetCache]


@dataclass(slots=True)
class Rerunner:
    """Runs what lies in files and folders, and keeps what came of it."""

    request: Request
    _caches: RulesetCaches = field(default_factory=RulesetCaches)
    _files: dict[Path, _File] = field(default_factory=dict)
    _run: int = 0

    def test(self, changed: Set[Path] = frozenset()) -> Whole:
        """Run what has not been run yet, and what the files that have changed may change."""
        self._caches.invalidate()
        self._run = 0
        files, lost = files_of(self.request)
        self._files = {path: self._of(path, path.absolute() in changed) for path in files}
        results = [result for file in self._files.values() for _, result in file.results]
        findings = [*lost, *(each for file in self._files.values() for each in file.findings)]
        return Whole(results, sorted(dict.fromkeys(findings)), self._run)

    def _of(self, path: Path, is_changed: bool) -> _File:
        """What comes of a file: what came of it before, if that still holds."""
        before = self._files.get(path)
        if before is not None and not is_changed and self._stands(before):
            return before
        collection = collect([path], self.request.boxes, self.request.folders, self._caches)
        cases = [case for case in collection if self.request.matches(case.id)]
        kept = (
            {}
            if before is None or is_changed
            else {case.id: (case, result) for case, result in before.results}
        )
        results = list(self._results(cases, kept))
        findings = [*collection.findings, *collection.not_run]
        return _File(results, findings, _caches_of(collection))

    def _stands(self, file: _File) -> bool:
        known = file.caches and not file.findings
        return bool(known) and self._caches.are_current(file.caches)

    def _results(
        self, cases: Iterable[Case], kept: dict[str, tuple[Case, Result]]
    ) -> Iterator[tuple[Case, Result]]:
        for case in cases:
            before = kept.get(case.id)
            if before is not None and not may_differ(before[0], case):
                yield case, before[1]
                continue
            self._run += 1
            yield from ((case, result) for result in run_all([case]))


def _caches_of(cases: Iterable[Case]) -> list[RulesetCache]:
    return list({id(case.cache): case.cache for case in cases}.values())
