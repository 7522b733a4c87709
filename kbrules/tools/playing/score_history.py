"""The score sheets of a whole game, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from kbrules.engine.scoring import Sheet

_GAINED, _TOTAL = "gained in play", "total"


@dataclass(eq=False)
class ScoreHistory:
    """The score sheets of a whole game, row by row.

    Rows for all sheets: rules and cards, then what is gained, the total, what decides.
    """

    sheets: Sequence[Sheet]

    @property
    def titles(self) -> list[str]:
        """The title of each row."""
        return [title for title, _ in self.rows(self.sheets[0])]

    def columns(self) -> Iterator[list[list[int]]]:
        """For each sheet, for each player, what stands in each row."""
        for sheet in self.sheets:
            rows = [cells for _, cells in self.rows(sheet)]
            yield [list(column) for column in zip(*rows, strict=True)]

    def rows(self, sheet: Sheet) -> Iterator[tuple[str, Sequence[int]]]:
        """The rows of a sheet: a title, and a number for each player."""
        for lines in sheet.rows:
            yield lines[0].title, [line.gold for line in lines]
        if self._gains:
            yield _GAINED, sheet.gained
        if self._has_gold or not sheet.decided_by:
            yield _TOTAL, sheet.totals
        if self._has_win_values:
            yield sheet.decided_by, sheet.win_values

    @cached_property
    def _gains(self) -> bool:
        return any(any(sheet.gained) for sheet in self.sheets)

    @cached_property
    def _has_gold(self) -> bool:
        return self._gains or bool(self.sheets[0].rows)

    @cached_property
    def _has_win_values(self) -> bool:
        """Whether something else than the totals decides, in any of the sheets."""
        if not self.sheets[0].decided_by:
            return False
        return not self._has_gold or any(s.win_values != s.totals for s in self.sheets)
