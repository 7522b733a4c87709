"""The context of a check: a state of a scenario, the place of the expectation, failures and moves.

A failure is the finding that an expectation does not hold, with a board as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.engine.game import Game
from kbrules.engine.refusal import Refusal
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import AmbiguousMove, InvalidMove, read_move
from kbrules.game.state import State
from kbrules.hex.masks import Mask
from kbrules.library.yaml import Loc
from kbrules.scenario.format.reader import Where
from kbrules.scenario.report import FindingWithBoard, board_text, comparison_text
from kbrules.scenario.setup.game import GameSetup
from kbrules.scenario.setup.resolver import NameResolver


@dataclass(frozen=True, slots=True, eq=False)
class CheckContext:
    """A state of a scenario; `at` is the place in the scenario of what is expected of it.

    `events` are those of the moves that led to it.
    """

    setup: GameSetup
    state: State
    at: Loc
    events: tuple[Event, ...] = ()

    @property
    def game(self) -> Game:
        """The game of the scenario."""
        return self.setup.game

    @property
    def resolver(self) -> NameResolver:
        """The resolver of names, which collects those that are unknown."""
        return self.setup.resolver

    def where(self, *loc: str | int) -> Where:
        """Where the value at a place below `at` is written."""
        return self.resolver.scenario.where(*self.at, *loc)

    def where_key(self, *loc: str | int) -> Where:
        """Where the key at a place below `at` is written."""
        return self.resolver.scenario.where_key(*self.at, *loc)

    def board(self, signs: dict[str, Mask]) -> str:
        """The board as text, with signs on it."""
        return board_text(self.game, self.state, signs)

    def comparison(self, expected: Mask, actual: Mask) -> str:
        """The board as text, with the hexes that were expected and those that were found."""
        return comparison_text(self.game, self.state, expected, actual)

    def refusal_labels(self, move: Move) -> tuple[Label, ...]:
        """The sentences of the rules that refuse a move."""
        return refusal_labels(self.game.explain(self.state, move))

    def failure(
        self, loc: Loc, message: str, board: str = "", labels: tuple[Label, ...] = ()
    ) -> FindingWithBoard:
        """The failure of what is expected at `loc` below `at`."""
        return Diagnostic("KB505", self.where(*loc)(), message, "", labels), board


class ContextWithoutBoards(CheckContext):
    """A context whose failures are only counted: it makes no board and no label."""

    __slots__ = ()

    def board(self, signs: dict[str, Mask]) -> str:
        """An empty text."""
        return ""

    def comparison(self, expected: Mask, actual: Mask) -> str:
        """An empty text."""
        return ""

    def refusal_labels(self, move: Move) -> tuple[Label, ...]:
        """No label."""
        return ()


def comma_separated(words: Iterable[str]) -> str:
    """Words separated by commas, or `nothing`."""
    return ", ".join(words) or "nothing"


# Moves


def move_of(game: Game, state: State, text: str, where: Where) -> Move | Diagnostic:
    """The move a text stands for, legal or not, or why it stands for none."""
    try:
        return read_move(text, game.board, game.legal_moves(state), game.ruleset.move_words)
    except InvalidMove as error:
        return Diagnostic(error.code, where(), str(error))
    except AmbiguousMove as error:
        return Diagnostic(error.code, where(), str(error), "write it as one of these")


def illegal_move_finding(
    game: Game, state: State, move: Move, text: str, where: Where
) -> Diagnostic | None:
    """The finding about a move that is not legal; None if it is."""
    moves = game.legal_moves(state)
    if moves.group_of(move) is not None:
        return None
    labels: tuple[Label, ...] = ()
    help = ""
    if state.is_over:
        message = f"{quoted(text)} comes after the end of the game"
    elif move.verb == "draw":
        why = "there is none left" if moves.player == CHANCE else "nobody is to draw now"
        message = f"{quoted(text)} cannot be drawn: {why}"
        help = "leave it out, or put it where a card is due"
    elif moves.player == CHANCE and not moves.weights:
        message = "chance has to choose a hex before this"
        help = "say which hex, as a move, before this"
    elif moves.player == CHANCE:
        message = "a terrain card is due before this"
        help = "say which by `draw: ...` before this, or give the scenario a `seed`"
    else:
        refusal = game.explain(state, move)
        reasons = "; ".join(f"{reason.rule}: {reason.text}" for reason in refusal.reasons)
        message = f"{quoted(text)} is refused; {reasons}"
        labels, help = refusal_labels(refusal), refusal.nearest_text
    return Diagnostic("KB502", where(), message, help, labels)


def refusal_labels(refusal: Refusal, prefix: str = "") -> tuple[Label, ...]:
    """The sentences of the rules that refuse a move, each with a prefix."""
    return tuple(
        Label(reason.span, prefix + reason.text)
        for reason in refusal.reasons
        if reason.span is not None
    )
