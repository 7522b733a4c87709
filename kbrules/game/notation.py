"""Moves as text, and back: `rule: verb hex`, with anything left out that is plain without it."""

from __future__ import annotations

import re

from kbrules.diagnostics import suggest
from kbrules.game.board import Board
from kbrules.game.moves import Move, MoveSet

_FORM = re.compile(r"^(?:([a-z][a-z0-9_]*)\s*:\s*)?(.*)$")


class InvalidMove(Exception):
    """A text that is no move at all. Code KB501."""

    code = "KB501"


class AmbiguousMove(Exception):
    """A text that could be several moves; its message lists them. Code KB503."""

    code = "KB503"


def write_move(move: Move, board: Board) -> str:
    """The full text of a move: `mill: build a5`, `end turn`, `draw x`, `choose x`."""
    if move.verb == "draw":
        return f"draw {_card(move.hex, board)}"
    if move.verb == "end":
        return "end turn"
    if move.verb == "choose":
        return f"choose {move.rule}"
    where = f" {board.grid.name(move.hex)}" if move.hex >= 0 else ""
    return f"{move.rule}: {move.verb}{where}"


def _card(card: int, board: Board) -> str:
    known = 0 <= card < len(board.catalog.deck)
    return board.catalog.card_name(card) if known else "?"


def read_move(text: str, board: Board, moves: MoveSet) -> Move:
    """The move a text stands for among (or beside) the legal ones.

    Any of rule, verb and hex may be left out if the rest says enough: `d7`, `build d7`,
    `mill d7`, `end`. Raises InvalidMove if the text cannot be read, AmbiguousMove if more
    than one legal move fits. A readable move that is not legal is returned as it is.
    """
    words = " ".join(text.split())
    if words in ("end", "end turn"):
        return Move("end", "turn")
    if words.startswith("draw "):
        return _draw(words[5:], board)
    rule, rest = _split(words, text)
    names, hex = _parts(rest, board, text)
    if rule:
        names.append(rule)
    fitting = [m for m in _candidates(moves, hex) if _fits(m, names)]
    if len({(m.verb, m.rule) for m in fitting}) > 1:
        listed = ", ".join(f"`{write_move(m, board)}`" for m in fitting)
        raise AmbiguousMove(f"`{words}` could be {listed}")
    return fitting[0] if fitting else _illegal(names, hex, moves, words)


def _draw(name: str, board: Board) -> Move:
    card = board.catalog.card_named(name)
    if card is None:
        known = [board.catalog.card_name(i) for i in range(len(board.catalog.deck))]
        near = suggest(name, known)
        hint = f"; did you mean `{near}`?" if near else ""
        raise InvalidMove(f"there is no card `{name}`{hint}")
    return Move("draw", "", card)


def _split(words: str, text: str) -> tuple[str, str]:
    match = _FORM.match(words)
    if match is None or not words:
        raise InvalidMove(f"`{text}` is not a move; write `rule: verb hex`, such as `build d7`")
    return match.group(1) or "", match.group(2)


def _parts(rest: str, board: Board, text: str) -> tuple[list[str], int]:
    names: list[str] = []
    hex = -1
    for word in rest.split(" ") if rest else []:
        if word in ("by", "with", "to", "from"):
            continue
        try:
            found = board.grid.index(word)
        except ValueError as error:
            if re.fullmatch(r"[a-z][a-z_]*", word):
                names.append(word)
                continue
            raise InvalidMove(f"`{word}` in `{text}` is no hex: {error}") from None
        if hex >= 0:
            raise InvalidMove(f"`{text}` names two hexes; a move has one, write two moves")
        hex = found
    return names, hex


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


def _illegal(names: list[str], hex: int, moves: MoveSet, words: str) -> Move:
    """The readable move that nobody offers: the best guess of what was meant."""
    for group in moves.groups:
        if _fits(Move(group.verb, group.rule), names) and (hex < 0 or group.hexes):
            return Move(group.verb, group.rule, hex)
    if not names and hex < 0:
        raise InvalidMove(f"`{words}` is not a move; write `rule: verb hex`, such as `build d7`")
    verb = names[0] if names else "build"
    return Move(verb if len(names) < 3 else names[-2], names[-1] if names else "", hex)
