"""A person at the terminal: what is offered, what was typed, and what that means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbrules.game.board import Board
    from kbrules.game.moves import Move, MoveGroup, MoveNames, MoveSet

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

_NUMBERED = re.compile(r"(\d{1,4})\s*[:.)]?\s*(\S+)?")


@dataclass(frozen=True, slots=True)
class PlayerInput:
    """What a person wants: a command, a move, or (if neither) what to tell them.

    `words` are those behind a command that takes some.
    """

    command: str = ""
    move: Move | None = None
    reply: str = ""
    words: tuple[str, ...] = ()


def offers_text(moves: MoveSet, board: Board) -> str:
    """The offers of a decision with numbers from 1, and their hexes."""
    numbered = enumerate(moves.groups, 1)
    return "\n".join(line for number, group in numbered for line in _offer(number, group, board))


def _offer(number: int, group: MoveGroup, board: Board) -> Iterator[str]:
    from kbrules.game.moves import Move, write_move

    what = write_move(Move(group.verb, group.rule), board)
    if group.hexes:
        names = board.names(group.hexes)
        what += f" on {names[0]}" if len(names) == 1 else f" on one of {' '.join(names)}"
    yield from wrap(f"{number:>3} {what}", WIDTH, subsequent_indent="      ")


def parse_input(text: str, board: Board, moves: MoveSet, names: MoveNames) -> PlayerInput:
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


def _of_number(number: int, hex: str | None, board: Board, moves: MoveSet) -> PlayerInput:
    if not 1 <= number <= len(moves.groups):
        return PlayerInput(reply=f"there is no offer {number}; they are 1 to {len(moves.groups)}")
    group = moves.groups[number - 1]
    choices = group.moves()
    if hex is not None and not group.hexes:
        return PlayerInput(reply=f"offer {number} takes no hex; type `{number}` alone")
    if hex is not None:
        return _hex_of(group, hex, board)
    if len(choices) > 1:
        return PlayerInput(
            reply=f"offer {number} needs a hex: `{number} {_first(group, board)}`, say"
        )
    return PlayerInput(move=choices[0])


def _hex_of(group: MoveGroup, hex: str, board: Board) -> PlayerInput:
    try:
        index = board.grid.index(hex)
    except ValueError as error:
        return PlayerInput(reply=str(error))
    # A hex that the offer does not have becomes a move that is refused with reasons.
    return PlayerInput(move=group.moves()[0]._replace(hex=index))


def _first(group: MoveGroup, board: Board) -> str:
    return board.names(group.hexes)[0]


def _read(words: str, board: Board, moves: MoveSet, names: MoveNames) -> PlayerInput:
    from kbrules.game.moves import AmbiguousMove, InvalidMove, read_move

    try:
        return PlayerInput(move=read_move(words, board, moves, names))
    except InvalidMove as error:
        return PlayerInput(reply=f"{error} (`?` helps)")
    except AmbiguousMove as error:
        return PlayerInput(reply=f"{error}; put the number of the offer in front")
