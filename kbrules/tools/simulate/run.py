"""The run of a simulation: deals are played, stored, and summed until the stop rule holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import groupby, islice, product
from math import inf, lcm
from operator import attrgetter, itemgetter
from sqlite3 import OperationalError
from time import perf_counter
from typing import Any

from kbrules.diagnostics import RulesError
from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import Bot, Outcome, outcome
from kbrules.engine.simulation import kernels, playouts
from kbrules.tools.bots import RANDOM, bot_named, native_bot_named
from kbrules.tools.processes import Growing, Parallel, RulesChanged, WorkerPool
from kbrules.tools.simulate.figures import Estimate, Tally, share
from kbrules.tools.simulate.question import (
    Deal,
    GameRows,
    Question,
    QuestionTables,
    Row,
    Seating,
)
from kbrules.tools.simulate.results_file import DealSpan, PlayedSpan, Store

# Plays deals: every seating on every side; a row for each player of each game.


SpanPool = WorkerPool[DealSpan, PlayedSpan]


@dataclass(frozen=True, slots=True)
class PlayMethod:
    """How games are played. What comes of them is the same.

    engine: what plays those of players who choose evenly; the native one plays many tables in one
    call. by_states: what answers other bots. bot: who plays others, by name.
    """

    engine: str
    by_states: str
    bot: Callable[[str], Bot]


REFERENCE_METHOD = PlayMethod(PYTHON, REFERENCE, bot_named)
FALLBACK_METHOD = PlayMethod(REFERENCE, REFERENCE, bot_named)
NATIVE_METHOD = PlayMethod(NATIVE, NATIVE, native_bot_named)
"""By the native kernel, which needs the extra `fast`."""


def play(
    tables: QuestionTables, span: DealSpan, method: PlayMethod = REFERENCE_METHOD
) -> PlayedSpan:
    """Play some deals. What comes of it is a function of the question and the span alone."""
    start = perf_counter()
    deals = [tables.question.deal(span.first + number) for number in range(span.deals)]
    seatings, sides = tables.question.seatings, range(tables.per_deal)
    in_one_call = [each for each in seatings if _plays_tables(method, each, deals)]
    others = [each for each in seatings if each not in in_one_call]
    parts = [
        _play_tables(tables, deals, side, seating) for side, seating in product(sides, in_one_call)
    ]
    parts.append(_by_table(tables, deals, sides, others, method))
    rows = (row for each in parts for row in each.rows)
    return PlayedSpan(
        span,
        tuple(sorted(rows, key=itemgetter(slice(5)))),
        perf_counter() - start,
        frozenset(id for each in parts for id in each.stand_ins),
        sum(each.by_reference for each in parts),
    )


def prepare(
    question: Question, digests: tuple[str, ...], method: PlayMethod = REFERENCE_METHOD
) -> Callable[[DealSpan], PlayedSpan]:
    """What plays spans in a process of its own; RulesChanged if the rules are no longer those."""
    try:
        tables = QuestionTables(question)
    except RulesError:
        raise RulesChanged from None
    if tables.digests != digests:
        raise RulesChanged
    return lambda span: play(tables, span, method)


def pool_for(
    tables: QuestionTables,
    jobs: int,
    method: PlayMethod = REFERENCE_METHOD,
    executor: Executor | None = None,
    is_timed: bool = False,
) -> SpanPool:
    """Return the pool that plays tables: an executor, or this process with so many of our own.

    is_timed: whether it has to end in time, and be it in the middle of a game, which only others
    can.
    """
    job = jobs, prepare, tables.question, tables.digests, method
    if is_timed or executor is not None:
        return Parallel(*job, executor=executor)
    return Growing(lambda span: play(tables, span, method), *job)


def _plays_tables(method: PlayMethod, seating: Seating, deals: Sequence[Deal]) -> bool:
    """Return whether the games of players who sit in one way are played in one call."""
    is_random, end_seeds = {*seating.bots} == {RANDOM}, (deals[0].seed, deals[-1].seed)
    return method.engine == NATIVE and is_random and all(map(playouts.is_kernel_seed, end_seeds))


def _play_tables(
    tables: QuestionTables, deals: Sequence[Deal], side: int, seating: Seating
) -> GameRows:
    """The games of some deals on one side by players who sit in one way, in one call."""
    from kbrules.tools.simulate.native import play_natively  # it needs numpy

    played = play_natively(tables, deals, side, seating)
    rest = _by_table(tables, played.unplayed, [side], [seating], FALLBACK_METHOD)
    return GameRows(played.rows + rest.rows, played.stand_ins, by_reference=len(played.unplayed))


def _by_table(
    tables: QuestionTables,
    deals: Sequence[Deal],
    sides: Sequence[int],
    seatings: Sequence[Seating],
    method: PlayMethod,
) -> GameRows:
    """The games of some deals, one table after another, each of which is laid once."""
    rows: list[Row] = []
    fallbacks: list[int] = []
    stand_ins: set[str] = set()
    of_tables = [[*of_table] for _, of_table in groupby(deals, key=attrgetter("table"))]
    for table_deals, side in product(of_tables if seatings else (), sides):
        game, seeds = tables.game(table_deals[0], side), [deal.seed for deal in table_deals]
        row_writer, tiles_present = tables.row_writer(game, side), {*game.board.tiles.values()}
        stand_ins.update(game.board.stand_ins)
        for seating in seatings:
            outcomes = _outcomes(game, seeds, seating, method, fallbacks)
            for deal, played in zip(table_deals, outcomes, strict=True):
                rows += row_writer.rows(deal, side, seating, played, tiles_present)
    return GameRows(rows, frozenset(stand_ins), by_reference=len(fallbacks))


def _outcomes(
    game: Game,
    seeds: Sequence[int],
    seating: Seating,
    method: PlayMethod,
    fallbacks: list[int],
) -> Iterable[Outcome]:
    """Players who choose evenly have a faster way; what comes of the games is the same."""
    if {*seating.bots} == {RANDOM}:
        return random_outcomes(game, seeds, method.engine, fallbacks)
    bots = [method.bot(name) for name in seating.bots]
    fast = game if game.engine == method.by_states else game.with_engine(method.by_states)
    return (_outcome(game, fast, seed, bots, fallbacks) for seed in seeds)


def random_outcomes(
    game: Game, seeds: Sequence[int], engine: str, fallbacks: list[int]
) -> Iterator[Outcome]:
    """The games of players who choose evenly.

    Those that need more room than the engine has are played by the reference; their seeds are added
    to `fallbacks`, so that whoever asks can say so.
    """
    at = 0
    while at < len(seeds):
        try:
            for played in game.playouts(seeds[at:], engine):
                yield played
                at += 1
        except kernels.OutOfRoom:
            fallbacks.append(seeds[at])
            yield game.playout(seeds[at], REFERENCE)
            at += 1


def _outcome(
    game: Game, fast: Game, seed: int, bots: Sequence[Bot], fallbacks: list[int]
) -> Outcome:
    """A game by an engine; one that needs more room, by the reference, with its seed noted."""
    try:
        return outcome(fast, seed, bots)
    except kernels.OutOfRoom:
        fallbacks.append(seed)
        return outcome(game, seed, bots)


# What the rows of a simulation say: sums for every question that is asked of them, by SQL.
#
# Tables are what counts as independent: the players, seatings and deals of one table share its
# luck.


_AT_ONCE = 40  # measures asked about in one query
_COUNTED = "CASE WHEN n{0} THEN s{0} END"
_SUMS = (
    _COUNTED, "n{0}", f"{_COUNTED} * s{{0}}", f"{_COUNTED} * n{{0}}", "n{0} * n{0}",
)  # fmt: skip
FiguresByKey = dict[tuple[str | int, ...], list[Estimate]]


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is asked of rows: a sum over a weight, both in SQL; scale is what 1 is.

    condition: which rows tell it, in SQL. bound: what no mean of it can be above, nor below 0, and
    no difference of two either way; 0 if there is none. weight_differs: whether the weight is
    another on each side, so that no table has a difference.
    """

    sum: str
    weight: str
    scale: float = 1
    condition: str = "1"
    bound: float = 0
    weight_differs: bool = False

    def where(self, condition: str) -> Measure:
        """The same, told by these rows alone."""
        return replace(self, condition=condition)


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of the first deals of a store.

    error: how often an interval may miss the truth.
    """

    store: Store
    deals: int
    error: float

    def per_player(self, column: str) -> Measure:
        """The mean of a column, over the players of whose game it is part."""
        return Measure(f'"{column}"', f'"{column}" IS NOT NULL')

    def per_game(self, what: str) -> Measure:
        """The mean of something every row of a game says alike, over games."""
        return Measure(f"({what})", "1", condition="player = 0")

    @property
    def wins(self) -> Measure:
        """How many of a hundred games are won; those who share a win have equal parts of it."""
        share = lcm(*range(1, self.store.question.players + 1))
        return Measure(f"won * {share} / winners", "winners > 0", share / 100, bound=100)

    @property
    def ties(self) -> Measure:
        """How many of a hundred games have more than one winner."""
        return Measure("winners > 1", "1", 1 / 100, condition="player = 0", bound=100)

    @property
    def pace(self) -> Measure:
        """Decisions a turn; of all turns of a game each player has as many."""
        return Measure("decisions", "turns", 1 / self.store.question.players, weight_differs=True)

    def means(self, measures: Sequence[Measure], by: Sequence[str]) -> FiguresByKey:
        """Each measure for each value of the columns `by`."""
        return self._figures(measures, by, _columns_of_sides, self._bounded_share)

    def differences(self, measures: Sequence[Measure], by: Sequence[str]) -> FiguresByKey:
        """By how much the second side has more of each than the first, on the same tables.

        Only tables count on which both have it as often.
        """
        return self._figures(measures, by, _columns_of_difference, _bounded_difference)

    def _figures(
        self,
        measures: Sequence[Measure],
        by: Sequence[str],
        columns_of: Callable[[Measure], TableColumns],
        bounded: Callable[[Estimate, float], Estimate],
    ) -> FiguresByKey:
        found: FiguresByKey = {}
        for start in range(0, len(measures), _AT_ONCE):
            some = measures[start : start + _AT_ONCE]
            for key, tallies in self._tallies(list(map(columns_of, some)), by):
                figures = [self._figure(*each) for each in zip(some, tallies, strict=True)]
                bounds = zip(figures, some, strict=True)
                of_key = found.setdefault(key, [])
                of_key += [bounded(f, m.bound) if m.bound else f for f, m in bounds]
        return found

    def _tallies(
        self, columns: Sequence[TableColumns], by: Sequence[str]
    ) -> Iterator[TalliesOfKey]:
        """Yield a tally of each of some columns for each value of `by`."""
        rows = self._rows(_query(columns, by))
        if rows is None or not all(_are_numbers(row[len(by) :]) for row in rows):
            yield from self._long_tallies(columns, by)
            return
        for row in rows:
            sums = iter(row[len(by) :])
            yield row[: len(by)], [Tally(*islice(sums, 6)) for _ in columns]

    def _rows(self, query: str) -> list[Any] | None:
        """Return what a query finds, None if a sum does not fit into 64 bits."""
        try:
            return [*self.store.rows(query, (self.deals,))]
        except OperationalError as error:
            if "overflow" not in str(error):
                raise
            return None

    def _long_tallies(
        self, columns: Sequence[TableColumns], by: Sequence[str]
    ) -> Iterator[TalliesOfKey]:
        """Yield the same without a limit: the tables are added up here, not by SQLite."""
        found: dict[tuple[Any, ...], list[Tally]] = {}
        for row in self._rows(_query_of_tables(columns, by)) or ():
            key, pairs = row[: len(by)], row[len(by) :]
            tallies = found.setdefault(key, [Tally() for _ in columns])
            for tally, total, weight in zip(tallies, pairs[::2], pairs[1::2], strict=True):
                if weight is not None:
                    if not _are_numbers((total, weight)):
                        raise self.store.damaged("what its games came to")
                    tally.add(total, weight)
        yield from found.items()

    def _figure(self, measure: Measure, tally: Tally) -> Estimate:
        found, scale = tally.figure(self.error), measure.scale
        return Estimate(found.value / scale, found.low / scale, found.high / scale, found.games)

    def _bounded_share(self, figure: Estimate, bound: float) -> Estimate:
        """A share with an interval that can be: what never happened in so many games still may."""
        if figure.value in (0, bound):
            interval = share(round(figure.games * figure.value / bound), figure.games, self.error)
            return replace(figure, low=interval.low * bound, high=interval.high * bound)
        return replace(figure, low=max(figure.low, 0), high=min(figure.high, bound))


def _bounded_difference(figure: Estimate, bound: float) -> Estimate:
    return replace(figure, low=max(figure.low, -bound), high=min(figure.high, bound))


def _are_numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int) for value in values)


TalliesOfKey = tuple[tuple[str | int, ...], list[Tally]]
TableColumns = tuple[str, str]
"""What a table has of a measure in all, and how often it has it; NULL if that cannot be told."""


def _columns_of_sides(measure: Measure) -> TableColumns:
    condition = measure.condition
    return (
        f"sum(CASE WHEN {condition} THEN {measure.sum} END)",
        f"nullif(sum(CASE WHEN {condition} THEN {measure.weight} END), 0)",
    )


def _columns_of_difference(measure: Measure) -> TableColumns:
    condition, sum, weight = measure.condition, measure.sum, measure.weight
    before, after = (f"sum(CASE WHEN {condition} AND side = {s} THEN {weight} END)" for s in (0, 1))
    return (
        f"sum(CASE WHEN {condition} THEN ({sum}) * (2 * side - 1) END)",
        f"CASE WHEN {before} = {after} THEN nullif({after}, 0) END",
    )


def _query(columns: Sequence[TableColumns], by: Sequence[str]) -> str:
    """For each value of `by` the sums from which tallies are made, measure after measure."""
    keys = "".join(f"{column}, " for column in by)
    outer = ", ".join(
        f"count(n{i}), " + ", ".join(f"coalesce(sum({what.format(i)}), 0)" for what in _SUMS)
        for i in range(len(columns))
    )
    grouped = f"GROUP BY {', '.join(by)}" if by else ""
    return f"SELECT {keys}{outer} FROM ({_query_of_tables(columns, by)}) {grouped}"


def _query_of_tables(columns: Sequence[TableColumns], by: Sequence[str]) -> str:
    """For each value of `by` and each table its sum and weight, measure after measure."""
    keys = "".join(f"{column}, " for column in by)
    inner = ", ".join(f"{s} AS s{i}, {n} AS n{i}" for i, (s, n) in enumerate(columns))
    return f"SELECT {keys}{inner} FROM results WHERE deal < ? GROUP BY {keys}table_seed"


SPAN_SECONDS = 0.25  # that a span should take: to hand one out costs a few thousandths
MAX_SPAN = 4096  # deals in a span
MIN_GRACE_SECONDS = 10.0  # at least, to finish what has been begun


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
    by_reference: int = 0,
) -> int:
    """Play what of so many deals is missing; nothing new is begun after the deadline.

    deadline: by `time.perf_counter`. What several processes have begun by then they finish if it
    takes no longer than all before, or than a moment. What is done is kept at once. by_reference:
    games of this run that the reference had to play before; with those of now it is returned.
    """
    span_size, missing = _SpanSize(per_table), [*store.missing(deals)]
    missing_deals = sum(span.deals for span in missing)
    start, done, first = 0.0, 0, 0
    on_progress(RunProgress(deals - missing_deals, deals, 0.0, by_reference))
    cutoff = deadline + max(MIN_GRACE_SECONDS, deadline - perf_counter())

    def seconds_left() -> float:
        return span_size.seconds_per_deal * (missing_deals - done)

    for played in pool.run(span_size.spans(missing, deadline), cutoff, seconds_left):
        store.add(played)
        span_size.adapt(played)
        done += played.span.deals
        by_reference += played.by_reference
        if not first:  # until then the processes had to get ready
            start, first = perf_counter(), done
        rate = (done - first) / max(perf_counter() - start, 1e-9)
        on_progress(RunProgress(deals - missing_deals + done, deals, rate, by_reference))
    return by_reference


class _SpanSize:
    """How many deals make a span of the length that is wanted: what the last ones took says so."""

    def __init__(self, per_table: int) -> None:
        self._per_table = per_table
        self.count = per_table
        self.seconds_per_deal = 0.0

    def adapt(self, played: PlayedSpan) -> None:
        self.seconds_per_deal = max(played.seconds / played.span.deals, 1e-9)
        wanted = min(MAX_SPAN, 4 * self.count, max(1, round(SPAN_SECONDS / self.seconds_per_deal)))
        self.count = max(1, wanted // self._per_table) * self._per_table

    def spans(self, missing: list[DealSpan], deadline: float) -> Iterator[DealSpan]:
        """Yield what is missing in spans of the length of the moment, until the deadline."""
        for span in missing:
            first, end = span.first, span.first + span.deals
            while first < end and perf_counter() < deadline:
                count = min(self.count, end - first)
                yield DealSpan(first, count)
                first += count
