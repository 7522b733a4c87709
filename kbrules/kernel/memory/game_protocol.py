"""What the memory of a kernel must know of the game that it is for."""

from __future__ import annotations

from typing import Protocol

from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.library.ruleset import Ruleset


class ConfiguredGame(Protocol):
    """A configuration at a table: rules, board, players and the ids of the cards in play."""

    @property
    def ruleset(self) -> Ruleset: ...

    @property
    def board(self) -> Board: ...

    @property
    def players(self) -> int: ...

    @property
    def cards(self) -> tuple[str, ...]: ...

    def empty(self) -> State:
        """The state before anything has happened."""
        ...
