"""One game of `kbrules play` from its first line on the terminal to its last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..terminal.colours import Painter
from ..terminal.findings import INTERRUPTED, exit_with, printable
from .game_output import show_game_json
from .resuming import command_to_continue
from .session import PlaySession, Quit
from .table_view import show_result, show_sheet, show_table

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.engine.logs.replay import Unfinished
    from kbrules.engine.logs.writing import MatchInfo
    from kbrules.engine.matches import Bot

HUMAN, GREEDY = "human", "greedy"


@dataclass(frozen=True, slots=True)
class GameRun:
    """A game that is to be played: its seats, its log, and what `--with` said.

    bots: one per seat, None for a person. unfinished: the game that is gone on with, if it is one.
    """

    game: Game
    seating: MatchInfo
    bots: Sequence[Bot | None]
    path: Path | None
    with_: Sequence[str]
    unfinished: Unfinished | None = None

    def play(self, painting: bool, quiet: bool, as_json: bool) -> None:
        """Play the game, tell it, and keep its log; ends the command if somebody interrupts it."""
        if as_json and HUMAN in self.seating.bots:
            exit_with("KB009", "a person needs a board to play", "name bots: `--bots greedy`")
        painter = Painter(self.game.board, painting and not as_json)
        session = PlaySession(self.game, self.seating, self.bots, painter, quiet or as_json)
        if self.unfinished is not None:
            session.resume(self.unfinished)
        try:
            self._play(session, painter, quiet, as_json)
        except KeyboardInterrupt:
            typer.echo("\ninterrupted", err=True)
            if session.is_logged:
                typer.echo(self._how_to_continue(), err=True)
            raise typer.Exit(INTERRUPTED) from None

    def _play(self, session: PlaySession, painter: Painter, quiet: bool, as_json: bool) -> None:
        if not quiet and not as_json:
            self._introduce(session, painter)
        try:
            session.run(self.path)
        except Quit:
            painter.say(self._how_to_continue() if self.path else "the game is broken off")
            return
        if as_json:
            show_game_json(self.game, session.match.state, session.match.number, self.path)
            return
        self._show_end(session, painter, quiet)
        if self.path:
            painter.say(f"log: {printable(self.path)}")

    def _how_to_continue(self) -> str:
        assert self.path is not None
        command = command_to_continue(self.path, self.with_)
        return f"the unfinished log is in {printable(self.path)}; to go on: {command}"

    def _introduce(self, session: PlaySession, painter: Painter) -> None:
        from kbrules.tools.narration import legend

        painter.say(_introduction(self.seating))
        if HUMAN not in self.seating.bots:  # a person is shown the board when it is their turn
            show_table(painter, self.game, session.match.state)
        painter.say(legend(self.game, session.match.state))
        painter.say()

    def _show_end(self, session: PlaySession, painter: Painter, quiet: bool) -> None:
        state = session.match.state
        if quiet:
            show_sheet(painter, self.game, state)
            return
        painter.say()
        show_table(painter, self.game, state)
        painter.say()
        show_result(painter, self.game, state)


def _introduction(seating: MatchInfo) -> str:
    seats = ", ".join(f"{'abcdef'[seat]} {name}" for seat, name in enumerate(seating.bots))
    table = seating.table
    cards = f"cards {', '.join(table.cards)}; " if table.cards else ""
    return f"seed {seating.seed}; {seats}; {cards}sections {table.layout}"
