"""The outcome of a scenario or an example, and pictures of boards as text for its findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from kbrules.diagnostics import Diagnostic, render_full
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.hex.sets import Mask, bits
from kbrules.library.boards.positions import NOBODY, draw_framed, drawn_tiles, legend_of

AGREED, SURPLUS, MISSING, LIFTED, EARNED = "+", "!", "?", "<", "*"
_MEANINGS = {
    AGREED: "expected and found",
    SURPLUS: "found, not expected",
    MISSING: "expected, not found",
    LIFTED: "lifted",
    EARNED: "pays",
}
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class ScenarioOutcome:
    """The findings of a scenario or an example, some with a picture."""

    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it passed; then it may have warnings."""
        return all(each.severity != "error" for each in self.diagnostics)

    @property
    def text(self) -> str:
        """The findings in full, each with its picture below it if it has one."""
        pairs = ((render_full(each), each.picture) for each in self.diagnostics)
        return "\n\n".join(filter(None, chain.from_iterable(pairs)))


def board_text(game: Game, state: State, signs: Mapping[str, Mask]) -> str:
    """Return the board with its pieces and signs, and lines that explain digits and signs."""
    lines = [drawing_text(game.board, state, signs, _MEANINGS)]
    marks = marked_hexes(game, state)
    lines += [f"{title}: {hex_names(game.board, mask)}" for title, mask in marks if mask]
    return "\n".join([*lines, *filter(None, [game.board.note])])


def drawing_text(
    board: Board, state: State, signs: Mapping[str, Mask], meanings: Mapping[str, str]
) -> str:
    """Return a drawing, a line with the tiles on the places, and one with what the signs mean."""
    shown = {sign: mask for sign, mask in signs.items() if mask}
    tiles = [f"{digit} {id}" for digit, id in legend_of(board).items()]
    for hex, tile in drawn_tiles(board).items():
        tiles.append(f"{board.grid.name(hex)} {board.catalog.tiles[tile].id}")
    words = (f"{sign} {meanings[sign]}" for sign in shown)
    lines = draw_framed(board, visible_pieces(state), shown), ", ".join(tiles), ", ".join(words)
    return "\n".join(filter(None, lines))


def compared(expected: Mask, actual: Mask, lifted: Mask = 0) -> dict[str, Mask]:
    """Return the signs of the hexes that were expected and of those that were found."""
    return {
        AGREED: expected & actual, SURPLUS: actual & ~expected, MISSING: expected & ~actual,
        LIFTED: lifted & ~(expected | actual),
    }  # fmt: skip


def differences(
    board: Board, expected: Mask, actual: Mask, missing: str, surplus: str
) -> list[str]:
    """Return which hexes are missing, and which are there as well, each behind its words."""
    pairs = ((missing, expected & ~actual), (surplus, actual & ~expected))
    return [f"{words} {hex_names(board, hexes)}" for words, hexes in pairs if hexes]


def marked_hexes(game: Game, state: State) -> Iterator[tuple[str, Mask]]:
    """The title of each mark of the boxes, and its hexes for the player whose turn it is."""
    view = game.view(state, state.active, {})
    titles = game.ruleset.parts.marks
    for id, expr in game.ruleset.marks.items():
        yield titles[id], game.plan.evaluate(expr, view)


def visible_pieces(state: State) -> dict[tuple[int, int], Mask]:
    """The hexes of each (player, piece), player -1 for nobody; of several on a hex the first."""
    visible: dict[tuple[int, int], Mask] = {}
    covered = 0
    owned = [(player, seat.pieces) for player, seat in enumerate(state.seats)]
    for player, pieces in [*owned, (NOBODY, state.neutral)]:
        for piece, mask in enumerate(pieces):
            if mask & ~covered:
                visible[player, piece] = mask & ~covered
            covered |= mask
    return visible


def hex_names(board: Board, hexes: Mask) -> str:
    """The names of hexes, separated by commas, the first `_MOST_NAMES` of them."""
    names = [board.grid.name(hex) for hex in bits(hexes)]
    rest = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")
