"""Moves as text, and back: `rule: verb hex`, with anything left out that is plain without it."""

from __future__ import annotations

from operator import index as as_index

from kbrules.diagnostics import check_kind, quoted
from kbrules.game.board import Board
from kbrules.game.move_text import DRAW, ENDS, MoveNames, move_text_errors, move_words
from kbrules.game.moves import Move, MoveSet


class InvalidMove(Exception):
    """A text that is no move at all. Code KB501, or that of the name it gets wrong."""

    def __init__(self, message: str, code: str = "KB501") -> None:
        self.code = code
        super().__init__(message)


class AmbiguousMove(Exception):
    """A text that could be several moves; its message lists them. Code KB503."""

    code = "KB503"


def write_move(move: Move, board: Board) -> str:
    """The full text of a move: `mill: build a5`, `end turn`, `draw x`, `choose x`."""
    check_kind(board, Board, "a board is wanted, as `game.board` is one")
    verb, rule, hex = move
    move = Move(verb, rule, as_index(hex))
    if move.verb == "draw":
        return f"draw {_card(move.hex, board)}"
    if move.verb == "end":
        return "end turn"
    if move.verb == "choose":
        return f"choose {move.rule}"
    hex_part = f" {_hex(move.hex, board)}" if move.hex >= 0 else ""
    return f"{move.rule}: {move.verb}{hex_part}" if move.rule else f"{move.verb}{hex_part}"


def _hex(index: int, board: Board) -> str:
    return board.grid.name(index) if board.grid.full >> index & 1 else "?"


def _card(card: int, board: Board) -> str:
    known = 0 <= card < len(board.catalog.deck)
    return board.catalog.card_name(card) if known else "?"


def read_move(text: str, board: Board, moves: MoveSet, words: MoveNames | None = None) -> Move:
    """The move a text stands for among (or beside) the legal ones.

    Any of rule, verb and hex may be left out if the rest says enough: `d7`, `build d7`,
    `mill d7`, `end`. `words` are the names there are; without them any may be a verb or a rule.
    Raises InvalidMove if the text cannot be read, AmbiguousMove if more than one legal move
    fits. A readable move that is not legal is returned as it is.
    """
    check_kind(text, str, "a move is read from a text")
    check_kind(board, Board, "a board is wanted, as `game.board` is one")
    check_kind(moves, MoveSet, "moves are wanted, as `game.legal_moves` returns them")
    words = words or MoveNames.of(board.catalog)
    for error in move_text_errors(text, board.grid, words):
        raise InvalidMove(error.sentence, error.code)
    plain = " ".join(text.split())
    if plain in ENDS:
        return Move("end", "turn")
    if plain.startswith(DRAW):
        card = board.catalog.card_named(plain.removeprefix(DRAW))
        assert card is not None
        return Move("draw", "", card)
    return _read(text, board, moves, words)


def _read(text: str, board: Board, moves: MoveSet, words: MoveNames) -> Move:
    parts = move_words(text, board.grid)
    hex = board.grid.index(parts.hexes[0].text) if parts.hexes else -1
    names = [part.text for part in (*parts.names, *parts.rule)]
    fitting = [m for m in _candidates(moves, hex) if _fits(m, names)]
    if len({(m.verb, m.rule) for m in fitting}) > 1:
        listed = ", ".join(f"`{write_move(m, board)}`" for m in fitting)
        raise AmbiguousMove(f"{quoted(text)} could be {listed}")
    return fitting[0] if fitting else _illegal(names, hex, moves, words)


def _candidates(moves: MoveSet, hex: int) -> list[Move]:
    if moves.weights:
        return []
    found = []
    for group in moves.groups:
        if hex < 0 and not group.hexes:
            found.append(Move(group.verb, group.rule))
        elif hex >= 0 and group.hexes >> hex & 1:
            found.append(Move(group.verb, group.rule, hex))
    return found


def _fits(move: Move, names: list[str]) -> bool:
    return all(name in (move.verb, move.rule) for name in names)


def _illegal(names: list[str], hex: int, moves: MoveSet, words: MoveNames) -> Move:
    """The readable move that nobody offers: the best guess of what was meant."""
    for group in moves.groups:
        if _fits(Move(group.verb, group.rule), names) and (hex < 0 or group.hexes):
            return Move(group.verb, group.rule, hex)
    verbs = [name for name in names if words.has_verb(name)]
    rules = [name for name in names if words.has_rule(name) and name not in verbs[:1]]
    return Move(verbs[0] if verbs else "build", rules[-1] if rules else "", hex)
