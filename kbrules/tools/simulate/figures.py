"""Figures with their certainty: means, shares and differences with intervals that hold 95 %."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist

# Student's distribution: how far chance alone strays, where the spread itself is estimated.


_MAX_FREEDOM = 100_000
"""Degrees of freedom from which on nothing changes in the first five digits."""
_HALVINGS = 80
_TOLERANCE = 1e-15
_TERMS = 2_000
_TINY = 1e-300


def tail_probability(t: float, freedom: int) -> float:
    """How often chance strays by `t` deviations or more, to either side: a p-value."""
    n = min(freedom, _MAX_FREEDOM)
    return _beta(n / (n + t * t), n / 2, 0.5)


@lru_cache(maxsize=4096)
def quantile(error: float, freedom: int) -> float:
    """The deviations by which chance strays as rarely as `error` says, to either side."""
    n = min(freedom, _MAX_FREEDOM)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _beta(middle, n / 2, 0.5) < error:
            low = middle
        else:
            high = middle
    return sqrt(n * (1 - high) / high)


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # there the fraction of the other side is the short one
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    return front * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Its continued fraction, from the front, by Lentz's method."""
    over, under = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = under
    for part in _coefficients(x, a, b):
        under = 1 / _away_from_zero(1 + part * under)
        over = _away_from_zero(1 + part / over)
        value *= over * under
        if abs(over * under - 1) < _TOLERANCE:
            break
    return value


def _coefficients(x: float, a: float, b: float) -> Iterator[float]:
    for m in range(1, _TERMS):
        yield m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


# Figures: what is counted is counted in whole numbers, so that the same games give the same
# figures in any order and from any number of processes.


ERROR = 0.05
"""How often an interval may miss what it is said to hold."""
EQUAL_GAMES_TO_KNOW = 500
"""Games from which on a figure that was the same in each is known: of others, not one in a hundred
is otherwise."""
FIRST_LOOK = 32
"""Games before the first look: with fewer, a spread is hardly known."""
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate, the interval in which the truth lies but for the error allowed, and its games.

    Of a single game nothing is known of the others: the interval has no end. Of what was the same
    in each of many it has no width, which says how it was and not how it must be.
    """

    value: float
    low: float
    high: float
    games: int

    def __neg__(self) -> Estimate:
        return Estimate(-self.value, -self.high, -self.low, self.games)

    @property
    def margin(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    @property
    def has_ends(self) -> bool:
        """Whether the interval can be told by its ends."""
        return 0 < self.margin < inf

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval; where it has none, the value itself."""
        return (self.low, self.high) if self.margin < inf else (self.value, self.value)

    def is_known(self, until: float) -> bool:
        """Whether the truth lies within so much to either side."""
        return self.margin <= until and (self.margin > 0 or self.games >= EQUAL_GAMES_TO_KNOW)

    def text(self, digits: int = 2, sign: str = "", label: str = "95 %: ", unit: str = "") -> str:
        """As people read it: `9.8 (95 %: 9.1 to 10.5)`; `9.8 (each time)` of what never changed.

        The unit follows the value alone, as in `60.0 % (95 %: 36.5 to 83.5)`.
        """
        ends = (self.value, self.low, self.high)
        value, low, high = (f"{end:{sign}.{digits}f}" for end in ends)
        value += unit
        if not self.margin:
            return f"{value} (each time)"
        return f"{value} ({label}{low} to {high})" if self.has_ends else value


@dataclass(slots=True)
class Tally:
    """The sums from which a mean per player, or per anything a game has several of, is told.

    The players of one game share its table and its cards, so that only games count as independent
    of each other, however many sit at each. Tallies of different games add up.
    """

    games: int = 0
    total: int = 0
    weight: int = 0
    _squares: int = 0
    _products: int = 0
    _weights: int = 0

    def add(self, total: int, weight: int = 1) -> None:
        """Take in a game: what its players got together, and how many they are."""
        self.games += 1
        self.total += total
        self.weight += weight
        self._squares += total * total
        self._products += total * weight
        self._weights += weight * weight

    @property
    def mean(self) -> float:
        """The mean per player; of nothing, 0."""
        return self.total / self.weight if self.weight else 0.0

    @property
    def deviation(self) -> float:
        """By how much the mean of one game strays; what a mean of n games does, times sqrt(n)."""
        if self.games < 2 or not self.weight:
            return inf
        total, weight = self.total, self.weight
        # exactly, in whole numbers: the sum of (total of a game - mean * weight of the game)^2
        off = self._squares * weight**2 - 2 * self._products * total * weight
        off += self._weights * total**2
        return self.games / weight**2 * sqrt(off / (self.games - 1))

    def figure(self, error: float = ERROR) -> Estimate:
        """The mean per player with its interval, by Student's distribution.

        A few games that happen to be alike tell no more than a single one; see `chance`.
        """
        deviation, margin = self.deviation, inf
        if deviation < inf and (deviation or self._coins < error):
            margin = quantile(error, self.games - 1) * deviation / sqrt(self.games)
        return Estimate(self.mean, self.mean - margin, self.mean + margin, self.games)

    def chance(self, of: float = 0.0) -> float:
        """How often chance alone would lead so far away from `of`: the p-value, to either side.

        Never less than how often as many coins all fall on the same side: a few games that happen
        to be alike are no certainty.
        """
        gap, deviation = abs(self.mean - of), self.deviation / sqrt(max(1, self.games))
        if deviation == inf or not gap:
            return 1.0
        return max(
            self._coins, tail_probability(gap / deviation, self.games - 1) if deviation else 0.0
        )

    @property
    def _coins(self) -> float:
        """How often as many coins all fall on the same side."""
        return 2.0 ** (1 - self.games)


def share(hits: int, games: int, error: float = ERROR) -> Estimate:
    """In what share of the games something came true, with Wilson's interval."""
    if not games:
        return Estimate(0.0, 0.0, 1.0, 0)
    z = _NORMAL.inv_cdf(1 - error / 2)
    middle = (hits + z * z / 2) / (games + z * z)
    off = z * sqrt(hits * (games - hits) / games + z * z / 4) / (games + z * z)
    low = 0.0 if not hits else middle - off
    high = 1.0 if hits == games else middle + off
    return Estimate(hits / games, low, high, games)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values of several questions asked at once, made such that 0.05 means 0.05 for them all.

    By Holm's step-down: the chance of even one false alarm among them stays below the error.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, largest = [1.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class InterimAnalysis:
    """A moment at which a run may stop: after so many games, with intervals of this error."""

    games: int
    error: float


def interim_analyses(
    max_games: int, first: int = FIRST_LOOK, error: float = ERROR
) -> Iterator[InterimAnalysis]:
    """Yield the interim analyses of a run that stops once it knows enough.

    They are at 32, 64, 128 ... and `max_games` games.

    Whoever looks ten times and stops at the best of them is wrong more often than 5 %. So each
    look spends its part of the error, the k-th 1 / k(k+1) of it; together they never spend more,
    however late the run stops and for whatever reason, and whoever goes on with it later is as
    right as before.
    """
    games, number = min(first, max_games), 1
    while True:
        yield InterimAnalysis(games, error / (number * (number + 1)))
        if games >= max_games:
            return
        games, number = min(2 * games, max_games), number + 1


def power(gap: float, deviation: float, games: int, error: float = ERROR) -> float:
    """How often so many games show a true gap: that the interval leaves out 0.

    deviation: by how much one game strays (`Tally.deviation`).
    """
    if games < 2:
        return 0.0
    if not deviation:
        return float(gap != 0)
    threshold = quantile(error, games - 1)
    return _NORMAL.cdf(abs(gap) / deviation * sqrt(games) - threshold)


def detectable(deviation: float, games: int, wanted: float = 0.8, error: float = ERROR) -> float:
    """The smallest true gap that so many games show as often as wanted."""
    if games < 2:
        return inf
    return (quantile(error, games - 1) + _NORMAL.inv_cdf(wanted)) * deviation / sqrt(games)


def games_needed(gap: float, deviation: float, wanted: float = 0.8, error: float = ERROR) -> int:
    """The fewest games that show a true gap as often as wanted."""
    if not gap:
        raise ValueError("no number of games shows a gap of nothing")
    high = 2
    while power(gap, deviation, high, error) < wanted:
        high *= 2
    games = range(high + 1)
    return bisect_left(games, wanted, 2, high, key=lambda n: power(gap, deviation, n, error))
