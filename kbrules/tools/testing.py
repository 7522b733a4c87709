"""Running the tests of many files by a worker pool, file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.progress import OnProgress, silent, with_progress
from kbrules.scenario.collection import collect, runnable_files, selector
from kbrules.scenario.running import Result, run_all
from kbrules.scenario.setup import RulesetCaches
from kbrules.tools.processes import Parallel, Serial

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


def files_of(request: Request) -> tuple[list[Path], list[Diagnostic]]:
    """The files with tests, in the order of their names, and the paths that are of no use."""
    files, findings = runnable_files(request.paths)
    return sorted(files, key=str), findings


def run_files(request: Request, files: Sequence[Path], jobs: int) -> Iterator[FileResults]:
    """The results of each file in the order given, as soon as those before it are there."""
    jobs = min(jobs, len(files))
    pool = Parallel(jobs, _eager_runner, request) if jobs > 1 else Serial(_runner(request))
    finished: dict[int, FileResults] = {}
    next_number = 0
    try:
        for number, results in pool.run(enumerate(files)):
            finished[number] = results
            while next_number in finished:
                yield finished.pop(next_number)
                next_number += 1
    finally:
        pool.close()


def _runner(request: Request) -> _Runner:
    return partial(_run_part, request, RulesetCaches())


def _eager_runner(request: Request) -> _Runner:
    run_part = _runner(request)

    def run(part: _Part) -> tuple[int, FileResults]:
        number, results = run_part(part)
        return number, replace(results, results=list(results.results))

    return run


def _run_part(request: Request, caches: RulesetCaches, part: _Part) -> tuple[int, FileResults]:
    number, file = part
    return number, collect_and_run([file], request, caches)


def collect_and_run(
    paths: Sequence[Path],
    request: Request,
    caches: RulesetCaches,
    on_progress: OnProgress = silent,
) -> FileResults:
    """The results of all files below paths, collected at once.

    on_progress: told how many tests are run.
    """
    collection = collect(paths, request.boxes, request.folders, caches)
    chosen = [case for case in collection if request.matches(case.id)]
    results = run_all(with_progress(chosen, "tests", on_progress))
    return FileResults(results, [*collection.findings, *collection.not_run], len(collection))
