"""What the cards and tiles of a table say, as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from kbrules.engine.game import Game

__all__ = ["wordings_text"]

WIDTH = 78


def wordings_text(game: Game) -> str:
    """The title and the wording of each card in play, then of each tile on the board."""
    return "\n".join(line for id in _ids(game) for line in _lines_of(game, id))


def _ids(game: Game) -> Iterator[str]:
    board = game.board
    yield from game.cards
    tiles_on_board = {board.tiles[hex] for hex in board.places}
    yield from (tile.id for kind, tile in enumerate(board.catalog.tiles) if kind in tiles_on_board)


def _lines_of(game: Game, id: str) -> Iterator[str]:
    rule = game.ruleset.rule(id)
    if rule is not None:
        indent = "  "
        yield rule.title or rule.id
        yield from wrap(rule.wording, WIDTH, initial_indent=indent, subsequent_indent=indent)
