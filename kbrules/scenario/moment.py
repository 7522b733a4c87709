"""A moment of a scenario, and how it is said that something expected of it does not hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, Label
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.hex.masks import Mask
from kbrules.library.document import Loc
from kbrules.scenario.moving import labels
from kbrules.scenario.names import Names
from kbrules.scenario.pictures import compare, picture
from kbrules.scenario.setting import Setting
from kbrules.text import Span

__all__ = ["Failure", "Glance", "Moment", "listed"]

Failure = tuple[Diagnostic, str]  # and a picture, which may be empty


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A state of a scenario; `at` is where in the scenario something is expected of it."""

    setting: Setting
    state: State
    at: Loc

    @property
    def names(self) -> Names:
        """What looks up names and collects those that are unknown."""
        return self.setting.names

    def span(self, *loc: str | int) -> Span:
        """Where the value at a place below `at` is written."""
        return self.setting.names.case.span(*self.at, *loc)

    def key(self, *loc: str | int) -> Span:
        """Where the key at a place below `at` is written."""
        return self.setting.names.case.key(*self.at, *loc)

    def picture(self, signs: dict[str, Mask]) -> str:
        """The board with signs on it."""
        return picture(self.setting.game, self.state, signs)

    def drawn(self, wanted: Mask, found: Mask) -> str:
        """The board with the hexes that were expected and those that were found."""
        return compare(self.setting.game, self.state, wanted, found)

    def against(self, move: Move) -> tuple[Label, ...]:
        """The sentences of the rules that stand against a move."""
        return labels(self.setting.game.explain(self.state, move))

    def failure(
        self, loc: Loc, message: str, drawn: str = "", labels: tuple[Label, ...] = ()
    ) -> Failure:
        """What is expected at `loc` below `at` does not hold."""
        return Diagnostic("KB505", self.span(*loc), message, "", labels), drawn


class Glance(Moment):
    """A moment of which only is asked what fails, not why: one of many."""

    __slots__ = ()

    def picture(self, signs: dict[str, Mask]) -> str:
        """Nothing: nobody looks at it."""
        return ""

    def drawn(self, wanted: Mask, found: Mask) -> str:
        """Nothing: nobody looks at it."""
        return ""

    def against(self, move: Move) -> tuple[Label, ...]:
        """Nothing: nobody reads it."""
        return ()


def listed(words: Iterable[str]) -> str:
    """Words in a row, or `nothing`."""
    return ", ".join(words) or "nothing"
