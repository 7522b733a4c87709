"""The run of a simulation: spans of deals are played and stored until the stop rule holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from time import perf_counter

from kbrules.tools.measuring.results_file import DealSpan
from kbrules.tools.measuring.simulate.playing import PlayedSpan
from kbrules.tools.measuring.simulate.store import Store
from kbrules.tools.processes.pool import WorkerPool

SPAN_SECONDS = 0.25  # that a span should take: to hand one out costs a few thousandths
MAX_SPAN = 4096  # deals in a span
MIN_GRACE_SECONDS = 10.0  # at least, to finish what has been begun
SpanPool = WorkerPool[DealSpan, PlayedSpan]


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is: deals done, deals wanted, and deals per second since the first were.

    by_reference: games of this run that were played by the reference, for want of room.
    """

    done: int
    wanted: int
    rate: float
    by_reference: int = 0

    @property
    def left(self) -> float:
        """Seconds until it is done; without end as long as nothing is."""
        return (self.wanted - self.done) / self.rate if self.rate else float("inf")


OnProgress = Callable[[RunProgress], object]


def play_until(
    store: Store,
    pool: SpanPool,
    deals: int,
    per_table: int,
    on_progress: OnProgress,
    deadline: float = inf,
) -> None:
    """Play what of so many deals is missing; nothing new is begun after the deadline.

    deadline: by `time.perf_counter`. What several processes have begun by then they finish if it
    takes no longer than all before, or than a moment. What is done is kept at once.
    """
    span_size = _SpanSize(per_table)
    missing = [*store.missing(deals)]
    missing_deals = sum(span.deals for span in missing)
    start, done, first, by_reference = 0.0, 0, 0, 0
    cutoff = deadline + max(MIN_GRACE_SECONDS, deadline - perf_counter())
    for played in pool.run(_next_spans(missing, span_size, deadline), cutoff):
        store.add(played)
        span_size.adapt(played)
        done += played.span.deals
        by_reference += played.by_reference
        if not first:  # until then the processes had to get ready
            start, first = perf_counter(), done
        rate = (done - first) / max(perf_counter() - start, 1e-9)
        on_progress(RunProgress(deals - missing_deals + done, deals, rate, by_reference))


class _SpanSize:
    """How many deals make a span of the length that is wanted: what the last ones took says so."""

    def __init__(self, per_table: int) -> None:
        self._per_table = per_table
        self.count = per_table

    def adapt(self, played: PlayedSpan) -> None:
        each = max(played.seconds / played.span.deals, 1e-9)
        wanted = min(MAX_SPAN, 4 * self.count, max(1, round(SPAN_SECONDS / each)))
        self.count = max(1, wanted // self._per_table) * self._per_table


def _next_spans(
    missing: list[DealSpan], span_size: _SpanSize, deadline: float
) -> Iterator[DealSpan]:
    for span in missing:
        first, end = span.first, span.first + span.deals
        while first < end and perf_counter() < deadline:
            count = min(span_size.count, end - first)
            yield DealSpan(first, count)
            first += count
