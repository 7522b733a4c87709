"""Bots that play each other, rated in points of Elo, and the report on that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import exp, inf, log, sqrt
from operator import mul
from typing import NamedTuple

from kbrules.game.board import stand_in_note
from kbrules.text import visible
from kbrules.tools.reports import charts, report
from kbrules.tools.reports.data import Part
from kbrules.tools.simulate import report as answers, results_file
from kbrules.tools.simulate.figures import ERROR, Estimate, quantile
from kbrules.tools.simulate.question import Question, ladder_command, lineup_name

# The model of Bradley and Terry: a rating for each player, from who won how often against whom.
#
# The odds of a win are `exp(a - b)` for ratings a and b; a shared win is half a win. To each pair
# that met, one game that nobody won is added, so that a player who has won every game has a rating
# too. The ratings are those under which what happened is most likely.
#
# How sure they are comes from the tables, not from the games: all games of one table share its
# luck. The covariance is the robust one (the inverse of the curvature, around what the tables
# stray), with the tables as what is independent.


Pair = tuple[int, int]
_Matrix = list[list[float]]
_PRIOR_GAMES = 1.0  # games that nobody won, for each pair that met
_MAX_ITERATIONS = 200
_TOLERANCE = 1e-12
_MAX_STEP = 2.0  # a rating moves by no more in one step


class Meeting(NamedTuple):
    """What two players came to at one table: the wins of the first, shared ones half, of games."""

    table: int
    pair: Pair
    wins: float
    games: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings, of which the first is 0, and how they vary together; tables is how many there are.

    curvature: the covariance if games were independent. It is that of players of which one won
    all or none, of whom tables tell nothing about how they stray.
    """

    values: tuple[float, ...]
    robust: tuple[tuple[float, ...], ...]
    curvature: tuple[tuple[float, ...], ...]
    one_sided: frozenset[int]
    tables: int

    def gap(self, player: int, other: int) -> float:
        """By how much a player is rated higher than another."""
        return self.values[player] - self.values[other]

    def variance(self, player: int, other: int) -> float:
        """The variance of their gap; without end if nothing is known of it."""
        if self.tables < 2:
            return inf
        robust = _gap_variance(self.robust, player, other)
        if self.one_sided & {player, other}:
            return max(robust, _gap_variance(self.curvature, player, other))
        return robust


def fit_ratings(meetings: Sequence[Meeting], players: int) -> Ratings:
    """The ratings of so many players; those of whom nobody is linked to the first are near 0."""
    wins, games = _sums(meetings)
    values = _most_likely(wins, games, players)
    inverse = _inverse(_curvature(values, games))
    score_covariance, tables = _score_covariance(meetings, values)
    robust = _product(_product(inverse, score_covariance), inverse)
    return Ratings(
        values, _with_anchor(robust), _with_anchor(inverse), _one_sided(meetings, players), tables
    )


def _sums(meetings: Iterable[Meeting]) -> tuple[dict[Pair, float], dict[Pair, float]]:
    """Wins of the first and games of each pair, with what is added."""
    wins: dict[Pair, float] = {}
    games: dict[Pair, float] = {}
    for _, pair, won, played in meetings:
        wins[pair] = wins.get(pair, _PRIOR_GAMES / 2) + won
        games[pair] = games.get(pair, _PRIOR_GAMES) + played
    return wins, games


def _most_likely(
    wins: Mapping[Pair, float], games: Mapping[Pair, float], players: int
) -> tuple[float, ...]:
    """By Newton's steps; what is maximised has one top, and the first rating stays 0."""
    values = [0.0] * players
    for _ in range(_MAX_ITERATIONS):
        gradient = [0.0] * players
        for (one, other), played in games.items():
            residual = wins[one, other] - played * _chance(values, one, other)
            gradient[one] += residual
            gradient[other] -= residual
        inverse = _inverse(_curvature(values, games))
        steps = [sum(map(mul, row, gradient[1:])) for row in inverse]
        largest = max(map(abs, steps), default=0.0)
        damping = min(1.0, _MAX_STEP / largest) if largest else 1.0
        values[1:] = [value + damping * step for value, step in zip(values[1:], steps, strict=True)]
        if largest < _TOLERANCE:
            break
    return tuple(values)


def _chance(values: Sequence[float], one: int, other: int) -> float:
    """How likely a win is."""
    return 1 / (1 + exp(values[other] - values[one]))


def _curvature(values: Sequence[float], games: Mapping[Pair, float]) -> _Matrix:
    """That of all ratings but the first; a player who met nobody has one of its own."""
    found = [[0.0] * len(values) for _ in values]
    for (one, other), played in games.items():
        chance = _chance(values, one, other)
        weight = played * chance * (1 - chance)
        for row, column, sign in (
            (one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1),
        ):  # fmt: skip
            found[row][column] += sign * weight
    for player, line in enumerate(found):
        line[player] += _TOLERANCE
    return [line[1:] for line in found[1:]]


def _score_covariance(meetings: Iterable[Meeting], values: Sequence[float]) -> tuple[_Matrix, int]:
    """How what tables say strays, for all ratings but the first, and how many tables there are."""
    gradients: dict[int, list[float]] = {}
    for table, (one, other), wins, games in meetings:
        gradient = gradients.setdefault(table, [0.0] * len(values))
        residual = wins - games * _chance(values, one, other)
        gradient[one] += residual
        gradient[other] -= residual
    size, tables = len(values) - 1, len(gradients)
    found = [[0.0] * size for _ in range(size)]
    for _, *gradient in gradients.values():
        for row, a in enumerate(gradient):
            for column, b in enumerate(gradient):
                found[row][column] += a * b * tables / max(tables - 1, 1)
    return found, tables


def _one_sided(meetings: Iterable[Meeting], players: int) -> frozenset[int]:
    """The players who have won all of their games, or none."""
    wins, games = [0.0] * players, [0] * players
    for _, (one, other), won, played in meetings:
        wins[one] += won
        wins[other] += played - won
        games[one] += played
        games[other] += played
    return frozenset(at for at in range(players) if wins[at] in (0, games[at]))


def _inverse(matrix: _Matrix) -> _Matrix:
    """By Gauss and Jordan; of a matrix that is positive definite, so that no pivot is 0."""
    size = len(matrix)
    rows = [[*row, *(float(at == n) for at in range(size))] for n, row in enumerate(matrix)]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [v - factor * p for v, p in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]


def _product(one: _Matrix, other: _Matrix) -> _Matrix:
    columns = [*zip(*other, strict=True)]
    return [[sum(map(mul, row, column)) for column in columns] for row in one]


def _with_anchor(matrix: _Matrix) -> tuple[tuple[float, ...], ...]:
    """With the first player, whose rating is fixed."""
    return ((0.0,) * (len(matrix) + 1), *((0.0, *row) for row in matrix))


def _gap_variance(matrix: Sequence[Sequence[float]], player: int, other: int) -> float:
    """The variance of a difference."""
    variance = matrix[player][player] + matrix[other][other] - 2 * matrix[player][other]
    return max(0.0, variance)


# The standings of bots: ratings in points of Elo with intervals, from the games of a file.


ELO = 400 / log(10)
"""Points for a rating of 1: a gap of 400 are odds of ten to one."""
_GAMES = (
    "SELECT table_seed, lineup, bot, "
    "sum(CASE WHEN winners = 0 THEN 0.5 ELSE 1.0 * won / winners END), count(*) "
    "FROM results WHERE deal < ? GROUP BY table_seed, lineup, bot"
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
        own = [each for each in self.meetings if at in each.pair]
        wins = sum(m.wins if m.pair[0] == at else m.games - m.wins for m in own)
        games = sum(each.games for each in own)
        score = 100 * wins / games if games else 0.0
        over = None if below is None else self.gap(at, below)
        return BotStanding(self.bots[at], self.gap(at, 0), score, games, over)

    def between(self, one: int, other: int) -> tuple[float, int]:
        """The wins of one bot against another, shared ones half, and their games."""
        pair = min(one, other), max(one, other)
        own = [each for each in self.meetings if each.pair == pair]
        wins, games = sum(each.wins for each in own), sum(each.games for each in own)
        return (wins if one < other else games - wins), games


def pairings(bots: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Everybody with everybody: the line-ups of a question, each of them turned round the table."""
    return tuple(combinations(bots, 2))


def bots_of(question: Question) -> tuple[str, ...]:
    """The bots of a question whose line-ups are pairings; none if they are not."""
    bots = tuple(dict.fromkeys(bot for lineup in question.lineups for bot in lineup))
    return bots if set(question.lineups) == set(pairings(bots)) else ()


def _meetings(store: results_file.Store, deals: int, bots: Sequence[str]) -> Iterator[Meeting]:
    pairs: dict[str, Pair] = {
        lineup_name((bots[one], bots[other])): (one, other)
        for one, other in combinations(range(len(bots)), 2)
    }
    for table, lineup, bot, wins, games in store.rows(_GAMES, (deals,)):
        if not isinstance(wins, float) or not isinstance(games, int) or lineup not in pairs:
            raise store.damaged("what its games came to")
        if bot == bots[pairs[lineup][0]]:
            yield Meeting(table, pairs[lineup], wins, games)


# The report on a ladder: who is how strong, a chart, a table, who beat whom, and its origin.


_HEADS = ("bot", "Elo", "wins %", "games", "over the next")
_UNIT = "points of Elo"


def ladder_report(answer: answers.Answer) -> report.Report:
    """The report for people and programs."""
    bots = bots_of(answer.question)
    standings = Standings(bots, tuple(_meetings(answer.store, answer.deals, bots)), answer.error)
    lines = tuple(_sentences(answer, standings))
    chart = _chart(standings)
    table = report.ReportTable(_HEADS, tuple(map(_row, standings.places)))
    figure = report.Figure(chart.title, chart, table, (table,))
    notes = report.Notes(tuple(_notes(answer, standings)))
    blocks = report.Sentences(lines), figure, _results(standings), notes
    title, data = f"Ladder: {len(standings.bots)} bots", _data(answer, standings, lines)
    return report.Report(title, blocks, data, lines, caption="How strong the bots are")


def _sentences(answer: answers.Answer, standings: Standings) -> Iterator[str]:
    deals, games = f"{answer.deals:,} deals", f"{answer.games:,} games"
    yield f"{len(standings.bots)} bots met each other in {deals}, both ways round: {games}."
    for place, below in zip(standings.places, standings.places[1:], strict=False):
        if place.over_next is not None:
            yield _gap_sentence(place, below, place.over_next)


def _gap_sentence(place: BotStanding, below: BotStanding, over: Estimate) -> str:
    if over.low > 0:
        return f"{place.bot} is stronger than {below.bot}, by {over.text(0)} {_UNIT}."
    return f"Too few games to say whether {place.bot} is stronger than {below.bot}: {over.text(0)}."


def _chart(standings: Standings) -> charts.Chart:
    lines: list[charts.ChartLine] = []
    for bot, elo in ((place.bot, place.elo) for place in standings.places):
        mark = charts.ChartMark(elo.value, *elo.ends, f"{bot}: {elo.text(0)}")
        lines.append(charts.ChartLine(bot, bot, (mark,)))
    return charts.Chart(f"{_UNIT}, {standings.bots[0]} is 0", tuple(lines))


def _row(place: BotStanding) -> tuple[str, ...]:
    over = "" if place.over_next is None else place.over_next.text(0, "+", label="")
    # The bot from which the others are counted has no interval.
    elo = place.elo.text(0, label="") if place.elo.margin else f"{place.elo.value:.0f}"
    return place.bot, elo, f"{place.score:.1f}", f"{place.games:,}", over


def _results(standings: Standings) -> report.ReportTable:
    """Who won how many of a hundred games against whom, the strongest first."""
    order = [standings.bots.index(place.bot) for place in standings.places]

    def cell(at: int, other: int) -> str:
        wins, games = standings.between(at, other)
        return "" if at == other else f"{100 * wins / games:.1f}" if games else "-"

    rows = ((standings.bots[at], *(cell(at, other) for other in order)) for at in order)
    heads = ("wins % against", *(standings.bots[at] for at in order))
    return report.ReportTable(heads, tuple(rows))


def _notes(answer: answers.Answer, standings: Standings) -> Iterator[str]:
    yield (
        f"In brackets: where the truth lies with {100 * (1 - ERROR):g} %; tables count as "
        f"independent, games of one table do not. {standings.bots[0]} is 0; 100 points more win "
        "64 of 100 games, 400 points 91."
    )
    yield answers.origin(answer)
    if note := stand_in_note(answer.stand_ins):
        yield note
    yield f"again: {visible(ladder_command(answer.question, answer.deals, standings.bots))}"


class PlaceData(Part):
    """A bot and its rating."""

    bot: str
    elo: answers.FigureData
    score: float
    """Wins in a hundred games."""
    games: int
    over_next: answers.FigureData | None
    """By how many points it is above the next; null for the last."""


class MeetingData(Part):
    """The games of two bots."""

    bot: str
    other: str
    wins: float
    """Games that `bot` won; a shared win counts half."""
    games: int


class LadderData(answers.GamesData):
    """What `kbrules ladder` found."""

    sentences: tuple[str, ...]
    anchor: str
    """The bot whose rating is 0."""
    places: tuple[PlaceData, ...]
    """The strongest first."""
    meetings: tuple[MeetingData, ...]


def _data(answer: answers.Answer, standings: Standings, lines: tuple[str, ...]) -> LadderData:
    bots, figure = standings.bots, answers.figure_data
    places = (
        PlaceData.from_value(each, elo=figure(each.elo), over_next=figure(each.over_next))
        for each in standings.places
    )
    pairs = ((*pair, *standings.between(*pair)) for pair in combinations(range(len(bots)), 2))
    return LadderData.from_value(
        answer,
        question=answer.question.to_json(),
        command=ladder_command(answer.question, answer.deals, bots),
        sentences=lines,
        anchor=bots[0],
        places=tuple(places),
        meetings=tuple(
            MeetingData(bot=bots[one], other=bots[other], wins=wins, games=games)
            for one, other, wins, games in pairs
        ),
    )
