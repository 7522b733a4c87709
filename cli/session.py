"""One game at the terminal: shows the state, reads decisions, writes the log."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import reduce
from importlib.util import find_spec
from operator import or_
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from kbrules.hooks import lazily

from .replay import show_hint, show_result, show_table
from .terminal import Painter, Progress, exit_unwritten
from .why import explain_at

with lazily():
    from kbrules import text as source_text
    from kbrules.engine import configuration, matches
    from kbrules.engine.logs import writing as log_writing
    from kbrules.game import moves as game_moves
    from kbrules.tools import bots as known_bots, narration

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.engine.logs.replay import Unfinished
    from kbrules.game.board import Board
    from kbrules.game.events import Event
    from kbrules.game.state import State


# A person at the terminal: what is offered, what was typed, and what that means.

WIDTH = 78
WHY, HINT = "why", "hint"
COMMANDS = {
    "?": "help", "help": "help", "undo": "undo", "u": "undo", "board": "board", "b": "board",
    "score": "score", "s": "score", "offers": "offers", "rules": "rules",
    "quit": "quit", "q": "quit", "exit": "quit",
}  # fmt: skip
HELP = """\
Type what you decide, then Enter:
  d7             the hex, if only one offer has it
  2 d7           the hex of offer number 2
  2              offer number 2, if it has only one hex or needs none
  build d7       with the verb or the name of the rule, if a hex alone says too little
  end            end your turn, when that is offered
Or one of these:
  offers   what you may do         board   the board as it is
  score    the score so far        rules   what lies on the table says
  undo     back to your decision before
  why      why your last move was refused; `why f7`, `why not build f7`, `why red`:
           any question about a hex, a move or a score, answered clause by clause
  hint     what a bot would do, and what it gains; `hint mc:100`: what that bot would do
  quit     leave; the log of the game so far is kept"""

_NO_WORDINGS = "nothing on the table has rules of its own"
_NUMBERED = re.compile(r"(\d{1,4})\s*[:.)]?\s*(\S+)?")


@dataclass(frozen=True, slots=True)
class PlayerInput:
    """What a person wants: a command, a move, or (if neither) what to tell them.

    `words` are those behind a command that takes some.
    """

    command: str = ""
    move: game_moves.Move | None = None
    reply: str = ""
    words: tuple[str, ...] = ()


def offers_text(moves: game_moves.MoveSet, board: Board) -> str:
    """The offers of a decision with numbers from 1, and their hexes."""
    numbered = enumerate(moves.groups, 1)
    return "\n".join(line for number, group in numbered for line in _offer(number, group, board))


def _offer(number: int, group: game_moves.MoveGroup, board: Board) -> Iterator[str]:
    what = game_moves.write_move(game_moves.Move(group.verb, group.rule), board)
    if group.hexes:
        names = board.names(group.hexes)
        what += f" on {names[0]}" if len(names) == 1 else f" on one of {' '.join(names)}"
    yield from wrap(f"{number:>3} {what}", WIDTH, subsequent_indent="      ")


def parse_input(
    text: str, board: Board, moves: game_moves.MoveSet, names: game_moves.MoveNames
) -> PlayerInput:
    """What a typed line means at a decision; `names` are those that moves may use."""
    words = " ".join(text.split()).lower()
    if not words:
        return PlayerInput(reply="type a hex or the number of an offer; `?` helps")
    if words in COMMANDS:
        return PlayerInput(command=COMMANDS[words])
    first, *rest = words.split()
    if first in (WHY, HINT):
        return PlayerInput(command=first, words=tuple(rest))
    numbered = _NUMBERED.fullmatch(words)
    if numbered is not None:
        return _of_number(int(numbered[1]), numbered[2], board, moves)
    return _read(words, board, moves, names)


def _of_number(
    number: int, hex: str | None, board: Board, moves: game_moves.MoveSet
) -> PlayerInput:
    if not 1 <= number <= len(moves.groups):
        return PlayerInput(reply=f"there is no offer {number}; they are 1 to {len(moves.groups)}")
    group = moves.groups[number - 1]
    choices = group.moves()
    if hex is not None and not group.hexes:
        return PlayerInput(reply=f"offer {number} takes no hex; type `{number}` alone")
    if hex is not None:
        try:
            # A hex that the offer does not have becomes a move that is refused with reasons.
            return PlayerInput(move=choices[0]._replace(hex=board.grid.index(hex)))
        except ValueError as error:
            return PlayerInput(reply=str(error))
    if len(choices) > 1:
        first = board.names(group.hexes)[0]
        return PlayerInput(reply=f"offer {number} needs a hex: `{number} {first}`, say")
    return PlayerInput(move=choices[0])


def _read(
    words: str, board: Board, moves: game_moves.MoveSet, names: game_moves.MoveNames
) -> PlayerInput:
    try:
        return PlayerInput(move=game_moves.read_move(words, board, moves, names))
    except game_moves.InvalidMove as error:
        return PlayerInput(reply=f"{error} (`?` helps)")
    except game_moves.AmbiguousMove as error:
        return PlayerInput(reply=f"{error}; put the number of the offer in front")


# The line that a person types, by prompt_toolkit where it is installed, and what may come next.

Completions = Callable[[str], Sequence[str]]
"""What may stand in the place of the last word of a text."""


def line_reader(completions: Completions) -> Callable[[str], str]:
    """What asks for a line, behind a prompt: with history and completion on a terminal.

    It raises EOFError at the end of input, and KeyboardInterrupt.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if not on_terminal or find_spec("prompt_toolkit") is None:
        return lambda prompt: input(prompt)
    return _editor(completions)


def _editor(completions: Completions) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import DynamicCompleter, WordCompleter

    def completer() -> WordCompleter:
        text = session.default_buffer.document.text_before_cursor
        return WordCompleter(list(completions(text)), WORD=True)

    session: PromptSession[str] = PromptSession(
        completer=DynamicCompleter(completer), complete_while_typing=False
    )
    return lambda prompt: str(session.prompt(prompt))


def completions(text: str, moves: game_moves.MoveSet, board: Board) -> list[str]:
    """What the last word of a text, perhaps begun, may be."""
    before = text.lower().split() if not text or text[-1].isspace() else text.lower().split()[:-1]
    verbs = list(dict.fromkeys(group.verb for group in moves.groups))
    if not before:
        rules = list(dict.fromkeys(f"{group.rule}:" for group in moves.groups))
        long = [word for word in COMMANDS if len(word) > 1]
        return [*_hexes(moves.groups, board), *verbs, *rules, *long, WHY, HINT]
    if before[0] == HINT:
        return list(known_bots.NAMES) if len(before) == 1 else []
    if before[0] == WHY:
        return ["not", *verbs, *_hexes(moves.groups, board)]
    fitting = [
        group for number, group in enumerate(moves.groups, 1) if _fits(number, group, before)
    ]
    follow = [group.verb for group in fitting] if before[-1].endswith(":") else []
    return [*dict.fromkeys(follow), *_hexes(fitting, board)]


def _fits(number: int, group: game_moves.MoveGroup, words: Sequence[str]) -> bool:
    names = {str(number), f"{number}:", f"{group.rule}:", group.rule, group.verb}
    return all(word in names for word in words)


def _hexes(groups: Sequence[game_moves.MoveGroup], board: Board) -> list[str]:
    union = _union(groups)
    return list(board.names(union)) if union else []


def _union(groups: Sequence[game_moves.MoveGroup]) -> int:
    return reduce(or_, (group.hexes for group in groups), 0)


@contextmanager
def _log_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        exit_unwritten("the log", error)


class Quit(Exception):
    """A person has had enough."""


class PlaySession:
    """A match with what is told of it and what is kept of it."""

    def __init__(
        self,
        game: Game,
        seating: log_writing.MatchInfo,
        bots: Sequence[matches.Bot | None],
        painter: Painter,
        quiet: bool,
    ) -> None:
        self.game = game
        self._recorder = log_writing.Recorder(game, game.start(), seating)
        self.match = matches.Match(game, seating.seed, bots, self._recorder.watch)
        self._has_person = None in bots
        self._painter = painter
        self._quiet = quiet
        self._narrator = narration.Narrator(game)
        self._played: list[matches.MatchMove] = []
        self._own_decisions: list[tuple[int, matches.Checkpoint]] = []
        self._log: log_writing.LogFile | None = None
        self._refused: game_moves.Move | None = None
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
            self._own_decisions.append((self.match.moves.player, self.match.checkpoint()))

    def run(self, path: Path | None) -> None:
        """Play to the end; raises Quit if a person leaves before. The log is kept either way."""
        if path and not self._has_person:
            with _log_errors():
                log_writing.refuse_in_use(path)
        with self._open_log(path) as self._log:
            self._play()
            self._write(self._recorder.close(self.match.state))
        if path and not self._has_person:
            with _log_errors():
                log_writing.refuse_in_use(path)
                log_writing.write_log(path, self._recorder.lines)

    def _open_log(self, path: Path | None) -> AbstractContextManager[log_writing.LogFile | None]:
        """The log of a game with a person grows as they play; bots finish or leave nothing."""
        if path is None or not self._has_person:
            return nullcontext()
        with _log_errors():
            return log_writing.LogFile(path, self._recorder.lines)

    def _write(self, line: str) -> None:
        if self._log is not None:
            with _log_errors():
                self._log.write(line)

    def _play(self) -> None:
        while self.match.moves:
            # The turn that bots are at is shown where nothing else tells it.
            with Progress("playing") if self._quiet else nullcontext() as progress:
                for played in self.match:
                    self._record(played)
                    if progress is not None:
                        progress.show(_turn(played), None, "turns")
            if self.match.waits:
                if not self._make_only_choice():
                    self._decide()
                if self.match.moves and not self.match.waits:
                    self._show_changed()

    def _record(self, played: matches.MatchMove) -> None:
        self._played.append(played)
        self._write(self._recorder.add(played.player, played.move, played.transition))
        line = self._narrator.add(played)
        if line and not self._quiet:
            self._painter.say(line)

    # A person's decision

    def _make_only_choice(self) -> bool:
        """Make the move of a person who has no other, and tell it; whether there was only one."""
        moves = self.match.moves
        if len(moves) > 1:
            return False
        played = self.match.play(next(iter(moves)))
        what = game_moves.write_move(played.move, self.game.board)
        self._painter.say(f"{log_writing.player_name(played.player)}: {what}, the only choice")
        self._record(played)
        return True

    def _decide(self) -> None:
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
                self._painter.say(source_text.visible(answer.reply))

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
        legal = _union(self.match.moves.groups) if self.match.waits else 0
        state = self.match.state
        show_table(self._painter, self.game, state, legal)
        self._shown_pieces = _pieces(state)

    def _show_changed(self) -> None:
        """Show the table if pieces lie otherwise than it was shown last."""
        if _pieces(self.match.state) != self._shown_pieces:
            self._show_board()

    def _offers(self) -> None:
        state, catalog = self.match.state, self.game.board.catalog
        shown = ", ".join(map(catalog.card_title, state.shown))
        who = f"{log_writing.player_name(self.match.moves.player)} decides"
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

    def _try_move(self, move: game_moves.Move) -> bool:
        """Carry out a move; if it is refused, say why."""
        decision = self.match.moves.player, self.match.checkpoint()
        try:
            played = self.match.play(move)
        except configuration.IllegalMove as error:
            self._refused = move
            self._painter.say(f"{error}\n  `why` shows all of it")
            return False
        self._refused = None
        self._own_decisions.append(decision)
        self._record(played)
        return True

    def _run_command(self, answer: PlayerInput) -> bool:
        """Do what a command says; whether there is another decision now."""
        if answer.command == "quit":
            raise Quit
        if answer.command == "undo":
            return self._undo()
        painter, game, state = self._painter, self.game, self.match.state
        actions: dict[str, Callable[[], None]] = {
            "help": lambda: painter.say(HELP),
            "board": self._show_board,
            "score": lambda: show_result(painter, game, state),
            "offers": self._offers,
            "rules": lambda: painter.say(narration.wordings_text(game) or _NO_WORDINGS),
            WHY: lambda: self._why(answer.words),
            HINT: lambda: show_hint(game, state, answer.words, painter),
        }
        actions[answer.command]()
        return False

    def _why(self, words: Sequence[str]) -> None:
        """Answer a question about the position; without words, about the move refused last."""
        if not words and self._refused is None:
            self._painter.say("no move was refused; ask `why not` and a hex, or `why a`, say")
            return
        if not words and self._refused is not None:
            words = game_moves.write_move(self._refused, self.game.board).split()
        explain_at(self.game, self.match.state, words, self._painter, self._events)

    def _events(self) -> Iterator[Event]:
        """Yield what has happened in the game."""
        yield from self.game.opening().events
        for played in self._played:
            yield from played.transition.events

    def _undo(self) -> bool:
        """Return to the last decision of whoever decides now; its draws will come again."""
        players = [player for player, _ in self._own_decisions]
        me = self.match.moves.player
        if me not in players:
            self._painter.say("there is no earlier decision of yours")
            return False
        at = len(players) - 1 - players[::-1].index(me)
        _, checkpoint = self._own_decisions[at]
        del self._own_decisions[at:]
        count = self.match.number - checkpoint.number
        self._refused = None
        self.match.restore(checkpoint)
        del self._played[checkpoint.number :]
        self._recorder.drop(count)
        if self._log is not None:
            self._log.drop(count)
        self._narrator = narration.Narrator(self.game)
        for played in self._played:  # brings its story of the turn to where the match is
            self._narrator.add(played)
        return True


def _pieces(state: State) -> object:
    """What of a state the picture of the board shows, as far as it changes."""
    return [seat.pieces for seat in state.seats], state.neutral, state.stock


def _turn(played: matches.MatchMove) -> int:
    stage, turn = played.transition.state.stage
    return turn + 1 if stage == "turn" else 0
