"""A game on the page: decisions of people and bots, undone and made again, by rules as typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kbrules.engine.configuration import IllegalMove
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import MatchInfo, Recorder, player_name
from kbrules.engine.matches import Bot, Checkpoint, Match
from kbrules.engine.setup import game_at
from kbrules.game.moves import CHANCE, AmbiguousMove, InvalidMove, Move, read_move, write_move
from kbrules.library.ruleset import Ruleset
from kbrules.tools.playing.bots import bot_named
from kbrules.tools.playing.narration import Narrator
from kbrules.tools.workshop.requests import Refused

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision to which `undo` and `redo` go; all lists as long as they were there."""

    checkpoint: Checkpoint
    lines: tuple[str, ...]
    moves: tuple[Move, ...]
    turns: tuple[str, ...]


class GameInProgress:
    """A match, and the decisions of it that a person made.

    Raises SetupError if the table cannot be laid, UnknownBot for a bot that there is not.
    """

    def __init__(self, ruleset: Ruleset, seating: MatchInfo) -> None:
        self.ruleset, self.seating = ruleset, seating
        self.game: Game = game_at(ruleset, seating.table)
        bots: Sequence[Bot | None] = [
            None if name == HUMAN else bot_named(name) for name in seating.bots
        ]
        self._recorder = Recorder(self.game, self.game.start(), seating)
        self.match = Match(self.game, seating.seed, bots, self._recorder.watch)
        self._moves: list[Move] = []
        self._turns: list[str] = []
        self._narrator = Narrator(self.game)
        self._decisions: list[_Decision] = []
        self._position = -1

    def begin(self) -> None:
        """Let chance and bots play up to the first decision."""
        self._run()

    def _run(self) -> None:
        for played in self.match:
            self._record(played)
        self._save_decision()

    def _record(self, played: Any) -> None:
        self._moves.append(played.move)
        self._recorder.add(played.player, played.move, played.transition)
        line = self._narrator.add(played)
        if line:
            self._turns.append(line)

    def _save_decision(self) -> None:
        del self._decisions[self._position + 1 :]
        lines = tuple(self._recorder.lines)
        decision = _Decision(self.match.checkpoint(), lines, tuple(self._moves), tuple(self._turns))
        self._decisions.append(decision)
        self._position = len(self._decisions) - 1

    def move(self, text: str) -> None:
        """Make a move as logs write it. Raises Refused, with the clauses, if it is not legal."""
        if not self.match.waits:
            raise Refused("nobody is to decide now", "begin a game, or undo")
        try:
            move_ = read_move(text, self.game.board, self.match.moves, self.ruleset.move_words)
            self._record(self.match.play(move_))
        except (InvalidMove, AmbiguousMove, IllegalMove) as error:
            raise Refused(str(error), "choose one of the marked hexes", "KB501") from None
        self._run()

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier decision."""
        return self._position > 0

    @property
    def can_redo(self) -> bool:
        """Whether a decision was undone, and no other made since."""
        return self._position + 1 < len(self._decisions)

    def step(self, offset: int) -> None:
        """Go to another decision that was made: -1 undoes, 1 makes again."""
        if not 0 <= self._position + offset < len(self._decisions):
            raise Refused("there is nothing to undo" if offset < 0 else "there is nothing to redo")
        self._position += offset
        decision = self._decisions[self._position]
        self.match.restore(decision.checkpoint)
        self._recorder.lines[:] = decision.lines
        self._moves, self._turns = list(decision.moves), list(decision.turns)
        self._narrator = Narrator(self.game)

    def repeat(self, texts: Sequence[str]) -> int:
        """Make moves as logs write them, up to one that is not legal here; how many were made."""
        for number, text in enumerate(texts):
            try:
                moves = self.match.moves
                move = read_move(text, self.game.board, moves, self.ruleset.move_words)
                self._record(self.match.repeat(move))
            except (InvalidMove, AmbiguousMove, IllegalMove):
                return number
            if self.match.waits:
                self._save_decision()
        self._run()
        return len(texts)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the log so far, the header first."""
        return tuple(self._recorder.lines)

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far, draws among them."""
        return tuple(self._moves)

    def log(self) -> str:
        """The log as far as it got; of a game that is over, with its last line."""
        lines = list(self._recorder.lines)
        if not self.match.moves:
            closing = self._recorder.close(self.match.state)
            self._recorder.lines[:] = lines
            lines.append(closing)
        return "".join(lines)

    @property
    def turns(self) -> list[str]:
        """A line for each turn, the one under way too."""
        return [*self._turns, *filter(None, [self._narrator.so_far])]

    def decider(self) -> str:
        """Who decides now; empty when the game is over."""
        moves = self.match.moves
        return player_name(moves.player) if moves and moves.player != CHANCE else ""

    def offered(self) -> list[dict[str, Any]]:
        """What can be decided: the text of the move without its hex, and the hexes."""
        board = self.game.board
        return [
            {
                "text": write_move(Move(group.verb, group.rule), board),
                "rule": group.rule,
                "verb": group.verb,
                "title": self._title(group.rule),
                "hexes": list(board.names(group.hexes)) if group.hexes else [],
            }
            for group in (self.match.moves.groups if self.match.waits else ())
        ]

    def _title(self, rule: str) -> str:
        found = self.ruleset.rule(rule)
        return rule if found is None else found.title or rule
