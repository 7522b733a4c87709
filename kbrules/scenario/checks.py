"""What a scenario expects of a moment, compared with what is so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kbrules.scenario import decisions, holdings, verdicts
from kbrules.scenario.moment import Failure, Moment
from kbrules.scenario.reaching import reachable, unreachable

if TYPE_CHECKING:
    from kbrules.scenario.expected import ExpectModel, HoldsModel

__all__ = ["failures"]

_CHECKS = (
    decisions.offered, decisions.choices, decisions.refused,
    holdings.tiles, holdings.left, holdings.numbers, holdings.supply, holdings.pieces,
    holdings.hand, holdings.shown, holdings.piles, holdings.memory,
    verdicts.gold, verdicts.turn, verdicts.last_round, verdicts.over, verdicts.winners,
)  # fmt: skip


def failures(moment: Moment, expect: ExpectModel) -> list[Failure]:
    """Everything expected that does not hold, in the order in which it may be written."""
    found = list(_of_now(moment, expect))
    if expect.reachable is not None:
        found += reachable(moment, expect.reachable, _of_now)
    if expect.unreachable is not None:
        found += unreachable(moment, expect.unreachable, _of_now)
    return found


def _of_now(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    return (failure for check in _CHECKS for failure in check(moment, expect))
