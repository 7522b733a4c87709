"""What a scenario expects of a moment, compared with what is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbrules.scenario import decisions, holdings, verdicts
from kbrules.scenario.moment import Failure, Moment

if TYPE_CHECKING:
    from kbrules.scenario.expected import ExpectModel

__all__ = ["failures"]

_CHECKS = (
    decisions.offered, decisions.choices, decisions.refused,
    holdings.tiles, holdings.left, holdings.supply, holdings.pieces, holdings.hand,
    holdings.shown, holdings.piles, holdings.memory,
    verdicts.gold, verdicts.turn, verdicts.last_round, verdicts.over, verdicts.winners,
)  # fmt: skip


def failures(moment: Moment, expect: ExpectModel) -> list[Failure]:
    """Everything expected that does not hold, in the order in which it may be written."""
    return [failure for check in _CHECKS for failure in check(moment, expect)]
