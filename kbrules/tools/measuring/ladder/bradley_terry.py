"""The model of Bradley and Terry: a rating for each player, from who won how often against whom.

The odds of a win are `exp(a - b)` for ratings a and b; a shared win is half a win. To each pair
that met, one game that nobody won is added, so that a player who has won every game has a rating
too. The ratings are those under which what happened is most likely.

How sure they are comes from the tables, not from the games: all games of one table share its luck.
The covariance is the robust one (the inverse of the curvature, around what the tables stray), with
the tables as what is independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import NamedTuple

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
        steps = [sum(map(_times, row, gradient[1:])) for row in inverse]
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
    return [[sum(map(_times, row, column)) for column in columns] for row in one]


def _times(a: float, b: float) -> float:
    return a * b


def _with_anchor(matrix: _Matrix) -> tuple[tuple[float, ...], ...]:
    """With the first player, whose rating is fixed."""
    return ((0.0,) * (len(matrix) + 1), *((0.0, *row) for row in matrix))


def _gap_variance(matrix: Sequence[Sequence[float]], player: int, other: int) -> float:
    """The variance of a difference."""
    variance = matrix[player][player] + matrix[other][other] - 2 * matrix[player][other]
    return max(0.0, variance)
