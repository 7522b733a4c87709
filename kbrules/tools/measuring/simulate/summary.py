"""What the rows of a simulation say: sums for every question that is asked of them, by SQL.

Tables are what counts as independent: the players, seatings and deals of one table share its luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import lcm
from sqlite3 import OperationalError
from typing import Any

from kbrules.tools.measuring.simulate.figures import Estimate, Tally, share
from kbrules.tools.measuring.simulate.store import Store

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


class Summary:
    """The figures of the first deals of a store.

    error: how often an interval may miss the truth.
    """

    def __init__(self, store: Store, deals: int, error: float) -> None:
        self.store = store
        self.deals = deals
        self.error = error
        self._share = lcm(*range(1, store.question.players + 1))

    def per_player(self, column: str) -> Measure:
        """The mean of a column, over the players of whose game it is part."""
        return Measure(f'"{column}"', f'"{column}" IS NOT NULL')

    def per_game(self, what: str) -> Measure:
        """The mean of something every row of a game says alike, over games."""
        return Measure(f"({what})", "1", condition="player = 0")

    @property
    def wins(self) -> Measure:
        """How many of a hundred games are won; those who share a win have equal parts of it."""
        share = self._share
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
