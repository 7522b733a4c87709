"""Boards drawn for the reader of a report: what was expected and what was found."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.hex.masks import Mask, bits
from kbrules.library.positions import NOBODY, draw_framed, drawn_tiles, legend_of

__all__ = ["compare", "marked", "named", "picture", "standing"]

AGREED, SURPLUS, MISSING, LIFTED, EARNED = "+", "!", "?", "<", "*"
_MEANINGS = {
    AGREED: "expected and found",
    SURPLUS: "found, not expected",
    MISSING: "expected, not found",
    LIFTED: "lifted",
    EARNED: "pays",
}


def picture(game: Game, state: State, signs: dict[str, Mask]) -> str:
    """The board with its pieces and signs, and lines that say what digits and signs mean."""
    board = game.board
    used = {sign: mask for sign, mask in signs.items() if mask}
    lines = [draw_framed(board.catalog, board, standing(state), used)]
    if board.tiles:
        lines.append(", ".join(_tiles(board)))
    if used:
        lines.append(", ".join(f"{sign} {_MEANINGS[sign]}" for sign in used))
    lines += [f"{title}: {named(board, mask)}" for title, mask in marked(game, state) if mask]
    lines += [board.note] if board.note else []
    return "\n".join(lines)


def marked(game: Game, state: State) -> Iterator[tuple[str, Mask]]:
    """What players call each mark of the boxes, and its hexes for the player whose turn it is."""
    view = game.view(state, state.active, {})
    titles = game.ruleset.parts.marks
    for id, expr in game.ruleset.marks.items():
        yield titles[id], game.program.evaluate(expr, view)


def _tiles(board: Board) -> Iterator[str]:
    """What each digit means, and which tiles drawn by chance lie where."""
    yield from (f"{digit} {id}" for digit, id in legend_of(board).items())
    for hex, tile in drawn_tiles(board).items():
        yield f"{board.grid.name(hex)} {board.catalog.tiles[tile].id}"


def compare(game: Game, state: State, expected: Mask, found: Mask, lifted: Mask = 0) -> str:
    """The board with the hexes that were expected and those that were found."""
    signs = {
        AGREED: expected & found, SURPLUS: found & ~expected, MISSING: expected & ~found,
        LIFTED: lifted & ~(expected | found),
    }  # fmt: skip
    return picture(game, state, signs)


def standing(state: State) -> dict[tuple[int, int], Mask]:
    """The hexes of each (player, piece), player -1 for nobody; of several on a hex the first."""
    found: dict[tuple[int, int], Mask] = {}
    seen = 0
    owned = [(player, seat.pieces) for player, seat in enumerate(state.seats)]
    for player, pieces in [*owned, (NOBODY, state.neutral)]:
        for piece, mask in enumerate(pieces):
            if mask & ~seen:
                found[player, piece] = mask & ~seen
            seen |= mask
    return found


def named(board: Board, hexes: Mask) -> str:
    """The names of hexes in a row; a long row is cut short."""
    names = [board.grid.name(hex) for hex in bits(hexes)]
    rest = len(names) - 12
    return ", ".join(names[:12]) + (f" and {rest} more" if rest > 0 else "")
