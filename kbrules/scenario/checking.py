"""One expectation that failed: how it is said, and drawn."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, Label
from kbrules.game.state import State
from kbrules.library.document import Loc
from kbrules.scenario.setting import Setting

__all__ = ["Failure", "Moment"]

Failure = tuple[Diagnostic, str]  # and a picture, which may be empty


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A state of a scenario, and where in the scenario something is expected of it."""

    setting: Setting
    state: State
    at: Loc

    def failure(
        self, loc: Loc, message: str, drawn: str = "", help: str = "",
        labels: tuple[Label, ...] = (),
    ) -> Failure:
        """An expectation that does not hold; `loc` is where it stands below `at`."""
        span = self.setting.names.case.span(*self.at, *loc)
        return Diagnostic("KB505", span, message, help, labels), drawn
