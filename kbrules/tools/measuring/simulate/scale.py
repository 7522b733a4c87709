"""The scale that figures are drawn on."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

__all__ = ["scale"]

_STEPS = (1, 2, 5, 10)


def scale(values: Sequence[float], steps: int = 5) -> tuple[float, float, float]:
    """The ends of a scale on which all values lie, and its step: round numbers, 0 if near."""
    least, most = min([*values, 0.0]), max([*values, 1.0])
    rough = (most - least) / steps
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * each for each in _STEPS if unit * each >= rough)
    return floor(least / step) * step, -floor(-most / step) * step, step
