"""One game at the terminal: shows the state, reads decisions, writes the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..terminal.colours import Painter
from ..terminal.findings import exit_unwritten
from ..terminal.progress import Progress
from ..why import explain_at
from .line_editor import completions, line_reader
from .player_input import HELP, HINT, WHY, PlayerInput, offers_text, parse_input
from .table_view import show_hint, show_result, show_table, show_wordings

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.engine.logs.replay import Unfinished
    from kbrules.engine.logs.writing import LogFile, MatchInfo
    from kbrules.engine.matches import Bot, Checkpoint, MatchMove
    from kbrules.game.moves import Move
    from kbrules.game.state import State


@contextmanager
def _log_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        exit_unwritten("the log", error)


class Quit(Exception):
    """A person has had enough."""


@dataclass(frozen=True, slots=True)
class _OwnDecision:
    """A person's decision to which `undo` returns."""

    player: int
    checkpoint: Checkpoint


class PlaySession:
    """A match with what is told of it and what is kept of it."""

    def __init__(
        self,
        game: Game,
        seating: MatchInfo,
        bots: Sequence[Bot | None],
        painter: Painter,
        quiet: bool,
    ) -> None:
        from kbrules.engine.logs.writing import Recorder
        from kbrules.engine.matches import Match
        from kbrules.tools.narration import Narrator

        self.game = game
        self._recorder = Recorder(game, game.start(), seating)
        self.match = Match(game, seating.seed, bots, self._recorder.watch)
        self._has_person = None in bots
        self._painter = painter
        self._quiet = quiet
        self._narrator = Narrator(game)
        self._played: list[MatchMove] = []
        self._own_decisions: list[_OwnDecision] = []
        self._log: LogFile | None = None
        self._refused: Move | None = None
        self._shown_pieces: object = None
        self._read = line_reader(lambda text: completions(text, self.match.moves, self.game.board))

    @property
    def is_logged(self) -> bool:
        """Whether what was played is in a log that can be gone on with."""
        return self._log is not None

    def resume(self, unfinished: Unfinished) -> None:
        """Make the moves of a game that was broken off; to be called before `run`."""
        for move in unfinished.moves:
            self._save_decision()
            played = self.match.repeat(move)
            self._played.append(played)
            self._recorder.add(played.player, played.move, played.transition)
            self._narrator.add(played)
        self._recorder.resume(unfinished.lines)

    def _save_decision(self) -> None:
        """Let `undo` return to here, if a person has a choice."""
        if self.match.waits and len(self.match.moves) > 1:
            me, checkpoint = self.match.moves.player, self.match.checkpoint()
            self._own_decisions.append(_OwnDecision(me, checkpoint))

    def run(self, path: Path | None) -> None:
        """Play to the end; raises Quit if a person leaves before. The log is kept either way."""
        from kbrules.engine.logs.writing import refuse_in_use, write_log

        if path and not self._has_person:
            with _log_errors():
                refuse_in_use(path)
        with self._open_log(path) as self._log:
            self._play()
            self._write(self._recorder.close(self.match.state))
        if path and not self._has_person:
            with _log_errors():
                refuse_in_use(path)
                write_log(path, self._recorder.lines)

    def _open_log(self, path: Path | None) -> AbstractContextManager[LogFile | None]:
        """The log of a game with a person grows as they play; bots finish or leave nothing."""
        from kbrules.engine.logs.writing import LogFile

        if path is None or not self._has_person:
            return nullcontext()
        with _log_errors():
            return LogFile(path, self._recorder.lines)

    def _write(self, line: str) -> None:
        if self._log is not None:
            with _log_errors():
                self._log.write(line)

    def _play(self) -> None:
        while self.match.moves:
            with self._progress() as progress:
                for played in self.match:
                    self._record(played)
                    if progress is not None:
                        progress.show(_turn(played), None, "turns")
            if self.match.waits:
                if not self._make_only_choice():
                    self._decide()
                if self.match.moves and not self.match.waits:
                    self._show_changed()

    def _progress(self) -> AbstractContextManager[Progress | None]:
        """Shows the turn that bots are at, where nothing else tells it."""
        return Progress("playing") if self._quiet else nullcontext()

    def _record(self, played: MatchMove) -> None:
        self._played.append(played)
        self._write(self._recorder.add(played.player, played.move, played.transition))
        line = self._narrator.add(played)
        if line and not self._quiet:
            self._painter.say(line)

    # A person's decision

    def _make_only_choice(self) -> bool:
        """Make the move of a person who has no other, and tell it; whether there was only one."""
        from kbrules.engine.logs.writing import player_name
        from kbrules.game.moves import write_move

        moves = self.match.moves
        if len(moves) > 1:
            return False
        played = self.match.play(next(iter(moves)))
        what = write_move(played.move, self.game.board)
        self._painter.say(f"{player_name(played.player)}: {what}, the only choice")
        self._record(played)
        return True

    def _decide(self) -> None:
        from kbrules.text import visible

        self._show_decision()
        while True:
            words = self.game.ruleset.move_words
            answer = parse_input(self._read_line(), self.game.board, self.match.moves, words)
            if answer.move is not None:
                if self._try_move(answer.move):
                    return
            elif answer.command:
                if self._run_command(answer):
                    return
            else:
                self._painter.say(visible(answer.reply))

    def _show_decision(self) -> None:
        """Show the board when a turn begins, and what is offered now."""
        before = self._played[-1].player if self._played else -1
        if before != self.match.moves.player:
            self._show_board()
        else:
            self._show_changed()
        self._offers()

    def _show_board(self) -> None:
        """Show the table, and what is legal if a person decides now."""
        legal = 0
        if self.match.waits:
            for group in self.match.moves.groups:
                legal |= group.hexes
        state = self.match.state
        show_table(self._painter, self.game, state, legal)
        self._shown_pieces = _pieces(state)

    def _show_changed(self) -> None:
        """Show the table if pieces lie otherwise than it was shown last."""
        if _pieces(self.match.state) != self._shown_pieces:
            self._show_board()

    def _offers(self) -> None:
        from kbrules.engine.logs.writing import player_name

        state, catalog = self.match.state, self.game.board.catalog
        shown = ", ".join(map(catalog.card_title, state.shown))
        who = f"{player_name(self.match.moves.player)} decides"
        self._painter.strong(who + (f", card {shown}" if shown else ""))
        self._painter.say(offers_text(self.match.moves, self.game.board))

    def _read_line(self) -> str:
        try:
            return self._read("> ")
        except EOFError:
            self._painter.say()
            raise Quit from None
        except UnicodeDecodeError:
            return "\ufffd"

    def _try_move(self, move: Move) -> bool:
        """Carry out a move; if it is refused, say why."""
        from kbrules.engine.configuration import IllegalMove

        player, checkpoint = self.match.moves.player, self.match.checkpoint()
        try:
            played = self.match.play(move)
        except IllegalMove as error:
            self._refused = move
            self._painter.say(f"{error}\n  `why` shows all of it")
            return False
        self._refused = None
        self._own_decisions.append(_OwnDecision(player, checkpoint))
        self._record(played)
        return True

    def _run_command(self, answer: PlayerInput) -> bool:
        """Do what a command says; whether there is another decision now."""
        if answer.command == "quit":
            raise Quit
        if answer.command == "undo":
            return self._undo()
        if answer.command == "board":
            self._show_board()
        elif answer.command == "score":
            show_result(self._painter, self.game, self.match.state)
        elif answer.command == "offers":
            self._offers()
        elif answer.command == "rules":
            show_wordings(self._painter, self.game)
        elif answer.command == WHY:
            self._why(answer.words)
        elif answer.command == HINT:
            show_hint(self.game, self.match.state, answer.words, self._painter)
        else:
            self._painter.say(HELP)
        return False

    def _why(self, words: Sequence[str]) -> None:
        """Answer a question about the position; without words, about the move refused last."""
        from kbrules.game.moves import write_move

        if not words and self._refused is None:
            self._painter.say("no move was refused; ask `why not` and a hex, or `why a`, say")
            return
        if not words and self._refused is not None:
            words = write_move(self._refused, self.game.board).split()
        explain_at(self.game, self.match.state, words, self._painter)

    def _undo(self) -> bool:
        """Return to the last decision of whoever decides now; its draws will come again."""
        me = self.match.moves.player
        if all(own.player != me for own in self._own_decisions):
            self._painter.say("there is no earlier decision of yours")
            return False
        own = self._own_decisions.pop()
        while own.player != me:
            own = self._own_decisions.pop()
        count = self.match.number - own.checkpoint.number
        self._refused = None
        self.match.restore(own.checkpoint)
        del self._played[own.checkpoint.number :]
        self._recorder.drop(count)
        if self._log is not None:
            self._log.drop(count)
        self._retell_turn()
        return True

    def _retell_turn(self) -> None:
        """Bring the story of the turn under way to where the match is."""
        from kbrules.tools.narration import Narrator

        self._narrator = Narrator(self.game)
        for played in self._played:
            self._narrator.add(played)


def _pieces(state: State) -> object:
    """What of a state the picture of the board shows, as far as it changes."""
    return [seat.pieces for seat in state.seats], state.neutral, state.stock


def _turn(played: MatchMove) -> int:
    stage, turn = played.transition.state.stage
    return turn + 1 if stage == "turn" else 0
