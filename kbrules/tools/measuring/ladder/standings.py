"""The standings of bots: ratings in points of Elo with intervals, from the games of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import inf, log, sqrt

from kbrules.tools.measuring.ladder.bradley_terry import Meeting, Pair, Ratings, fit_ratings
from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.figures import ERROR, Estimate
from kbrules.tools.measuring.simulate.question import Question, party_name
from kbrules.tools.measuring.simulate.store import Store
from kbrules.tools.measuring.simulate.student_t import quantile

ELO = 400 / log(10)
"""Points for a rating of 1: a gap of 400 are odds of ten to one."""
_GAMES = (
    "SELECT table_seed, party, bot, "
    "sum(CASE WHEN winners = 0 THEN 0.5 ELSE 1.0 * won / winners END), count(*) "
    "FROM results WHERE deal < ? GROUP BY table_seed, party, bot"
)


@dataclass(frozen=True, slots=True)
class BotStanding:
    """Where a bot stands: its points over the first bot that was named, and over the next below.

    score: of a hundred of its games it wins so many, shared ones counted half.
    """

    bot: str
    elo: Estimate
    score: float
    games: int
    over_next: Estimate | None


@dataclass(frozen=True)
class Standings:
    """The ratings of bots from what they came to when they met."""

    bots: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    error: float = ERROR

    @cached_property
    def ratings(self) -> Ratings:
        """As the model has them."""
        return fit_ratings(self.meetings, len(self.bots))

    @cached_property
    def places(self) -> tuple[BotStanding, ...]:
        """The bots, the strongest first."""
        order = sorted(range(len(self.bots)), key=lambda at: -self.ratings.values[at])
        below: list[int | None] = [*order[1:], None]
        return tuple(self._place(*each) for each in zip(order, below, strict=True))

    def gap(self, player: int, other: int) -> Estimate:
        """By how many points one bot is ahead of another, by numbers in `bots`."""
        value, variance = self.ratings.gap(player, other), self.ratings.variance(player, other)
        margin = inf
        if variance < inf:
            margin = quantile(self.error, self.ratings.tables - 1) * sqrt(variance)
        ends = (ELO * (value - margin), ELO * (value + margin))
        return Estimate(ELO * value, *ends, self.ratings.tables)

    def _place(self, at: int, below: int | None) -> BotStanding:
        wins, games = self._won(at)
        score = 100 * wins / games if games else 0.0
        over = None if below is None else self.gap(at, below)
        return BotStanding(self.bots[at], self.gap(at, 0), score, games, over)

    def _won(self, at: int) -> tuple[float, int]:
        """Its wins, shared ones half, and its games."""
        own = [each for each in self.meetings if at in each.pair]
        wins = sum(m.wins if m.pair[0] == at else m.games - m.wins for m in own)
        return wins, sum(each.games for each in own)

    def between(self, one: int, other: int) -> tuple[float, int]:
        """The wins of one bot against another, shared ones half, and their games."""
        pair = min(one, other), max(one, other)
        own = [each for each in self.meetings if each.pair == pair]
        wins, games = sum(each.wins for each in own), sum(each.games for each in own)
        return (wins if one < other else games - wins), games


def pairings(bots: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Everybody with everybody: the parties of a question, each of them turned round the table."""
    return tuple(combinations(bots, 2))


def bots_of(question: Question) -> tuple[str, ...]:
    """The bots of a question whose parties are pairings; none if they are not."""
    bots = tuple(dict.fromkeys(bot for party in question.parties for bot in party))
    return bots if set(question.parties) == set(pairings(bots)) else ()


def standings_of(answer: Answer) -> Standings:
    """The standings that the games of an answer give."""
    bots = bots_of(answer.question)
    return Standings(bots, tuple(_meetings(answer.store, answer.deals, bots)), answer.error)


def _meetings(store: Store, deals: int, bots: Sequence[str]) -> Iterator[Meeting]:
    pairs: dict[str, Pair] = {
        party_name((bots[one], bots[other])): (one, other)
        for one, other in combinations(range(len(bots)), 2)
    }
    for table, party, bot, wins, games in store.rows(_GAMES, (deals,)):
        if not isinstance(wins, float) or not isinstance(games, int) or party not in pairs:
            raise store.damaged("what its games came to")
        if bot == bots[pairs[party][0]]:
            yield Meeting(table, pairs[party], wins, games)
