"""Student's distribution: how far chance alone strays, where the spread itself is estimated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt

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
