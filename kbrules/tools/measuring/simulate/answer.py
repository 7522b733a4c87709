"""The answer to a question: plays until the stop rule holds, and computes figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from time import perf_counter

from kbrules.tools.measuring.simulate.command_text import side_names, simulate_command
from kbrules.tools.measuring.simulate.figure_tables import (
    DIFFERENCE,
    TOTAL,
    FigureTable,
    figure_tables,
)
from kbrules.tools.measuring.simulate.figures import ERROR, Estimate, looks
from kbrules.tools.measuring.simulate.question import Question
from kbrules.tools.measuring.simulate.run import OnProgress, SpanPool, play_until
from kbrules.tools.measuring.simulate.store import Store
from kbrules.tools.measuring.simulate.summary import Summary

MOST = 10**9


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a run ends: after so many deals, after so many seconds, or as soon as the interval of
    the figure asked for reaches no further than `until` to either side."""

    deals: int = MOST
    seconds: float = inf
    until: float = 0.0


@dataclass(frozen=True)
class Answer:
    """The figures of the first deals of a store.

    error: how often an interval may miss; less than usual if the run looked more than once.
    until: how well the run had to know before it stopped; 0 if that was no matter.
    """

    store: Store
    deals: int
    error: float = ERROR
    until: float = 0.0

    @cached_property
    def question(self) -> Question:
        """What was asked."""
        return self.store.question

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """What rules and tiles are called."""
        return self.store.fact("titles", dict[str, str])

    @property
    def version(self) -> str:
        """Of kbrules, when the games were played."""
        return self.store.facts["version"]

    @property
    def rules(self) -> tuple[str, ...]:
        """The digest of the rules of each side."""
        return tuple(self.store.fact("rules", list[str]))

    @property
    def command(self) -> str:
        """The command that gives these figures again."""
        return simulate_command(self.question, self.deals, self.until)

    @property
    def sides(self) -> tuple[str, ...]:
        """What each side is called; empty if there is only one."""
        return side_names(self.question, self.titles)

    @property
    def games(self) -> int:
        """How many games that were."""
        return self.deals * len(self.question.sides) * len(self.question.seatings)

    @cached_property
    def tables(self) -> tuple[FigureTable, ...]:
        """All figures."""
        return tuple(figure_tables(self._summary, self.chosen_cards))

    @property
    def _summary(self) -> Summary:
        return Summary(self.store, self.deals, self.error)

    @property
    def figures(self) -> Iterator[Estimate | None]:
        """All of them, one by one."""
        return (f for table in self.tables for line in table.lines for f in line.figures)

    @property
    def chosen_cards(self) -> tuple[str, ...]:
        """The cards that were asked for on any side."""
        return tuple(dict.fromkeys(c for side in reversed(self.question.sides) for c in side.cards))

    @property
    def target_figures(self) -> tuple[Estimate, ...]:
        """The figures that the question is about: what the first card pays, or all gold; between
        two sides the difference in all gold. One for each kind of players."""
        two = len(self.question.sides) > 1
        id = TOTAL if two or not self.chosen_cards else self.chosen_cards[0]
        table = next(figure_tables(self._summary, self.chosen_cards))
        line = table.line(id) or table.line(TOTAL)
        figures = zip(table.columns, line.figures if line else (), strict=bool(line))
        return tuple(f for c, f in figures if f and (c.side == DIFFERENCE) == two)


def answer_question(
    store: Store, pool: SpanPool, stop_rule: StopRule, on_progress: OnProgress
) -> Answer:
    """Play what is missing of a question that `store` was begun with, and tell the figures.

    Looks only at moments that are fixed beforehand, by numbers of games and never by what they
    say, and each look spends its part of the error: so the intervals hold what they say even of a
    run that stopped because it liked what it saw.
    """
    per_table, deadline = store.question.per_table, perf_counter() + stop_rule.seconds
    store.set_target(stop_rule.until)
    return _answer_at_looks(
        store,
        stop_rule,
        lambda deals: play_until(store, pool, deals, per_table, on_progress, deadline),
    )


def answer_in_file(store: Store) -> Answer:
    """What a store says: the same as the run that was asked last, if that came to its end."""
    store.check()
    return _answer_at_looks(store, StopRule(store.done, until=store.until), lambda deals: None)


def _answer_at_looks(store: Store, stop_rule: StopRule, play: Callable[[int], None]) -> Answer:
    """The answer after as many looks as it takes. play: sees to it that so many deals are done."""
    if not stop_rule.until:
        play(stop_rule.deals)
        return Answer(store, min(store.done, stop_rule.deals))
    per_table = store.question.per_table
    for look in looks(-(-stop_rule.deals // per_table)):
        deals = min(look.games * per_table, stop_rule.deals)
        play(deals)
        answer = Answer(store, min(store.done, deals), look.error, stop_rule.until)
        if answer.deals < deals or all(f.is_known(stop_rule.until) for f in answer.target_figures):
            break
    return answer
