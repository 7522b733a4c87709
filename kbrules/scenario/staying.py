"""Tiles that came from no place: whether they leave their holder after a turn cannot be told."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.engine.game import Game
from kbrules.game.events import TurnEnded
from kbrules.game.moves import Move
from kbrules.game.state import FRESH, State
from kbrules.scenario.names import PLAYERS
from kbrules.scenario.setting import Setting
from kbrules.text import Span

__all__ = ["why_staying"]

_HELP = "say its place by `from`, drawn by a digit of the `legend`, or end before the turn does"


def why_staying(setting: Setting, state: State, move: Move, span: Span) -> Diagnostic | None:
    """The finding about a move that ends a turn whose player holds such a tile; None if it is good.

    Rules lose tiles by the places they came from. Only tiles that come to a place by chance are
    meant: they serve for a time, while others are lost where something leaves their place.
    """
    game = setting.game
    if not any(_homeless(game, state, player) for player in range(game.players)):
        return None
    transition = game.play(state, move)
    for event in transition.events:
        held = isinstance(event, TurnEnded) and _homeless(game, transition.state, event.player)
        if held:
            message = f"{PLAYERS[event.player]}'s turn ends, and {quoted(held)} came from no place"
            return Diagnostic("KB504", span, message, _HELP)
    return None


def _homeless(game: Game, state: State, player: int) -> str:
    """The first tile of chance that a player may use, or has used, and that has no place."""
    return next(_homeless_of(game, state, player), "")


def _homeless_of(game: Game, state: State, player: int) -> Iterator[str]:
    for tile in state.seats[player].tiles:
        kind = game.board.catalog.tiles[tile.kind]
        is_here = tile.origin >= 0 and game.board.grid.full >> tile.origin & 1
        if kind.place and kind.copies and not is_here and tile.status != FRESH:
            yield kind.id
