"""A game under way that is summed up: a digest for each transition, decision and position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kbrules import Game, IllegalMove, Move, MoveSet, State
from kbrules.game.events import Event
from tests.golden.kept import Chain, digest
from tests.golden.texts import Texts


class Walk:
    """A game played move by move; `happened` is what the last move led to, in words."""

    def __init__(self, game: Game) -> None:
        self.game, self.texts = game, Texts(game)
        self.number = 0
        self.happened: list[str] = []
        self._transitions, self._decisions = Chain(), Chain()
        opening = game.opening()
        self.state: State = opening.state
        self.happened = [self.texts.event(event) for event in opening.events]

    @property
    def moves(self) -> MoveSet:
        """What can be decided now."""
        return self.game.legal_moves(self.state)

    def opened(self) -> str:
        """The digest of what happened before the first move."""
        return self._transitions.add(*self.happened, self.texts.state(self.state))

    def offered(self) -> str:
        """The digest of what is offered now."""
        return self._decisions.add(self.texts.offers(self.moves))

    def play(self, move: Move) -> str:
        """The digest of what a move leads to: each event with the table after it, and the state.

        The state is the one that `apply` answers; `play` tells the events. The game goes on from
        the one and the other in turn.
        """
        said: list[str] = []
        self.happened = []

        def watch(event: Event, table: State) -> None:
            self.happened.append(self.texts.event(event))
            said.extend((self.happened[-1], self.texts.table(table)))

        applied = self.game.apply(self.state, move)
        played = self.game.play(self.state, move, watch)
        told = [self.texts.event(event) for event in played.events]
        said.append("" if told == self.happened else "\n".join(told))
        self.number += 1
        self.state = applied if self.number % 2 else played.state
        return self._transitions.add(*said, self.texts.state(applied))

    def position(self, illegal: Sequence[str]) -> dict[str, Any]:
        """This position looked at more closely; `illegal` are the moves to be tried."""
        return {
            "state": digest(self.texts.state(self.state)),
            "offers": digest(self.texts.offers(self.moves)),
            "score": digest("\n".join(self.sheet())),
            "refusals": [[text, digest(self.refused(text))] for text in illegal],
        }

    def sheet(self) -> list[str]:
        """The score sheet in words, and the totals if they are found otherwise."""
        sheet, totals = self.game.score(self.state), self.game.totals(self.state)
        return self.texts.sheet(sheet) + ([f"totals {totals}"] if totals != sheet.totals else [])

    def refused(self, text: str) -> str:
        """What is said to a move that is not legal."""
        move = self.texts.read(text)
        why = str(self.game.explain(self.state, move))
        try:
            self.game.apply(self.state, move)
        except IllegalMove as refused:
            said = self.texts.refusal(str(refused))
            return said if str(refused) == why else f"{said}\nbut explained: {why}"
        return "it was not refused"
