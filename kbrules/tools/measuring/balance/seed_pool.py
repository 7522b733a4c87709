"""The pool for the seeds of a question: this process, and others with it if it takes long.

What comes of a seed does not depend on who plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from time import perf_counter

from kbrules.diagnostics import RulesError
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress, silent
from kbrules.tools.measuring.balance.playing import SeedPayments, results_of_seeds
from kbrules.tools.measuring.balance.tables import BalanceQuestion
from kbrules.tools.measuring.simulate.playing import REFERENCE_METHOD, PlayMethod
from kbrules.tools.processes.pool import Parallel, RulesChanged

_PART_SECONDS = (
    0.25  # seconds that a part should take: to hand one out costs a few thousandths of one
)
_STARTED = "processes started"
_PARALLEL_SECONDS = 4.0  # seconds of play from which on it pays to have others read the rules, too


@dataclass(frozen=True, slots=True)
class PlayedSeeds:
    """The results of some seeds in a row, and how long it took in seconds.

    by_reference: games that needed more room than the engine has, and were played by the reference.
    """

    seeds: range
    results: tuple[SeedPayments, ...]
    seconds: float
    by_reference: int = 0


class SeedPool:
    """Plays seeds; calls for others when it sees that it takes long.

    jobs: processes, at most. method: how games are played. executor: see `Parallel`. on_progress:
    told how many of the others play, for it takes them a while to start. To be left as a context,
    so that nobody goes on without us.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        question: BalanceQuestion,
        jobs: int,
        method: PlayMethod = REFERENCE_METHOD,
        executor: Executor | None = None,
        on_progress: OnProgress = silent,
    ) -> None:
        self._ruleset, self._method, self._executor = ruleset, method, executor
        self._question, self._on_progress = question, on_progress
        self._jobs = self._started = jobs
        self._pool: Parallel[range, PlayedSeeds] | None = None

    def __enter__(self) -> SeedPool:
        return self

    def __exit__(self, *fault: object) -> None:
        if self._pool is not None:
            self._pool.close()

    def run(self, seeds: range) -> Iterator[PlayedSeeds]:
        """What comes of the seeds, a few at a time; in any order once there are others."""
        start = perf_counter()
        for at, seed in enumerate(seeds, 1):
            yield _timed_results(self._ruleset, self._question, range(seed, seed + 1), self._method)
            seconds_per_seed = max((perf_counter() - start) / at, 1e-9)
            left = seeds[at:]
            has_others = self._jobs > 1 or self._executor is not None
            if has_others and (
                self._pool is not None or seconds_per_seed * len(left) > _PARALLEL_SECONDS
            ):
                count = max(1, round(_PART_SECONDS / seconds_per_seed))
                parts = (left[at : at + count] for at in range(0, len(left), count))
                pool = self._started_pool()
                for played in pool.run(parts):
                    self._count_started()
                    yield played
                return

    def _started_pool(self) -> Parallel[range, PlayedSeeds]:
        if self._pool is None:
            arguments = self._question, self._ruleset.digest, self._method
            self._pool = Parallel(self._jobs, _prepare, *arguments, executor=self._executor)
            self._started = 0
            self._on_progress(0, self._jobs, _STARTED)
        return self._pool

    @property
    def is_starting(self) -> bool:
        """Whether there are others of whom nothing has come yet: the rate is not theirs so far."""
        return self._started < self._jobs

    def _count_started(self) -> None:
        """Take note of something that has come from others."""
        if self.is_starting:
            self._started += 1
            self._on_progress(self._started, self._jobs, _STARTED)


def _prepare(
    question: BalanceQuestion, digest: str, method: PlayMethod
) -> Callable[[range], PlayedSeeds]:
    try:
        ruleset = load(*question.boxes, folders=question.folders)
    except RulesError:
        raise RulesChanged from None
    if ruleset.digest != digest:
        raise RulesChanged
    return lambda seeds: _timed_results(ruleset, question, seeds, method)


def _timed_results(
    ruleset: Ruleset, question: BalanceQuestion, seeds: range, method: PlayMethod
) -> PlayedSeeds:
    start = perf_counter()
    fallbacks: list[int] = []
    results = tuple(results_of_seeds(ruleset, question, seeds, method, fallbacks))
    return PlayedSeeds(seeds, results, perf_counter() - start, len(fallbacks))
