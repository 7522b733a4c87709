"""The interface of `Game` for the modules that `Game` imports, and what a move returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kbrules.engine.fingerprint import Fingerprint
from kbrules.engine.refusal import Refusal
from kbrules.engine.scoring.sheet import Scoring, Sheet
from kbrules.game.board import Board
from kbrules.game.events import Event
from kbrules.game.moves import Move, MoveSet
from kbrules.game.state import Draft, State
from kbrules.game.view import View
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan
from kbrules.reference.legal_hexes import LegalHexes


@dataclass(frozen=True, slots=True)
class Transition:
    """What a move led to: the next state, and the events in order."""

    state: State
    events: tuple[Event, ...]


class GameLike(Protocol):
    """A table at which states go in and states come out; `Game` says what each part does."""

    ruleset: Ruleset
    board: Board
    players: int
    cards: tuple[str, ...]
    card_indexes: tuple[int, ...]
    options: dict[str, bool | int]
    cache: dict[Any, Any]
    plan: Plan
    choices: LegalHexes
    engine: str
    scoring: Scoring

    @property
    def fingerprint(self) -> Fingerprint:
        """What makes this table."""
        ...

    def empty(self) -> Draft:
        """A draft of the table before set-up."""
        ...

    def start(self) -> State:
        """The first state that needs a decision."""
        ...

    def opening(self) -> Transition:
        """The first state that needs a decision, and what happened until then."""
        ...

    def legal_moves(self, state: State) -> MoveSet:
        """The moves of whoever must decide; empty when the game is over."""
        ...

    def apply(self, state: State, move: Move) -> State:
        """The state after a move; IllegalMove if the rules refuse it."""
        ...

    def play(
        self, state: State, move: Move, watch: Callable[[Event, State], Any] | None = None
    ) -> Transition:
        """The state after a move and what happened."""
        ...

    def view(self, state: State, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it."""
        ...

    def explain(self, state: State, move: Move) -> Refusal:
        """Why a move is not legal now."""
        ...

    def score(self, state: State) -> Sheet:
        """The score sheet, as if the game ended in this state."""
        ...

    def totals(self, state: State) -> tuple[int, ...]:
        """The total gold of each player, as if the game ended in this state."""
        ...
