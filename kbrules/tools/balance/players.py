"""Who plays the seeds of a question: this process, and others with it if it takes long.

What comes of a seed does not depend on who plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance.dealing import Question
from kbrules.tools.balance.playing import Result, played
from kbrules.tools.crew import Changed, Many
from kbrules.tools.simulate.playing import PLAINLY, Way

__all__ = ["Played", "Players"]

_PART = 0.25  # seconds that a part should take: to hand one out costs a few thousandths of one
_WORTH = 4.0  # seconds of play from which on it pays to have others read the rules, too


@dataclass(frozen=True, slots=True)
class Played:
    """The results of some seeds in a row, and how long it took in seconds."""

    seeds: range
    results: tuple[Result, ...]
    seconds: float


class Players:
    """Plays seeds; calls for others when it sees that it takes long.

    jobs: processes, at most. way: how games are played. To be left as a context, so that nobody
    goes on without us.
    """

    def __init__(self, ruleset: Ruleset, asked: Question, jobs: int, way: Way = PLAINLY) -> None:
        self._ruleset, self._way = ruleset, way
        self._asked = asked
        self._jobs = jobs
        self._others: Many[range, Played] | None = None

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *fault: object) -> None:
        if self._others is not None:
            self._others.dismiss()

    def play(self, seeds: range) -> Iterator[Played]:
        """What comes of the seeds, a few at a time; in any order once there are others."""
        begun = perf_counter()
        for at, seed in enumerate(seeds, 1):
            yield _played(self._ruleset, self._asked, range(seed, seed + 1), self._way)
            each = (perf_counter() - begun) / at
            left = seeds[at:]
            if self._jobs > 1 and (self._others is not None or each * len(left) > _WORTH):
                count = max(1, round(_PART / each))
                parts = (left[at : at + count] for at in range(0, len(left), count))
                yield from self._with_others().play(parts)
                return

    def _with_others(self) -> Many[range, Played]:
        if self._others is None:
            given = self._asked, self._ruleset.digest, self._way
            self._others = Many(self._jobs, _get_ready, *given)
        return self._others


def _get_ready(asked: Question, digest: str, way: Way) -> Callable[[range], Played]:
    ruleset = load(*asked.boxes, folders=asked.folders)
    if ruleset.digest != digest:
        raise Changed
    return lambda seeds: _played(ruleset, asked, seeds, way)


def _played(ruleset: Ruleset, asked: Question, seeds: range, way: Way) -> Played:
    begun = perf_counter()
    results = tuple(played(ruleset, asked, seeds, way))
    return Played(seeds, results, perf_counter() - begun)
