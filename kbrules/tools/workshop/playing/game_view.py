"""What the page shows of a game: the board, what is offered, what players have, what happened."""

from __future__ import annotations

from typing import Any

from kbrules.engine.logs.writing import player_name
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.scenes import picture_of_state
from kbrules.tools.playing.state_text import marks_text, players_text, sheet_text
from kbrules.tools.workshop.playing.game_internals import game_internals
from kbrules.tools.workshop.playing.table import GameInProgress


def game_view(play: GameInProgress) -> dict[str, Any]:
    """A game as the page shows it, in values of JSON."""
    game, state = play.game, play.match.state
    catalog = game.board.catalog
    sheet = game.score(state)
    return {
        "svg": board_svg(picture_of_state(game, state, "The table")),
        "player": play.decider(),
        "over": not play.match.moves,
        "shown": [catalog.card_name(card) for card in state.shown],
        "offered": play.offered(),
        "players": [
            {"name": player_name(number), "bot": play.seating.bots[number], "total": total}
            for number, total in enumerate(sheet.totals)
        ],
        "cards": [_card(play, card) for card in play.seating.table.cards],
        "holdings": "\n".join(filter(None, (players_text(game, state), marks_text(game, state)))),
        "sheet": sheet_text(game, sheet),
        "turns": play.turns,
        "number": len(play.moves),
        "can_undo": play.can_undo,
        "can_redo": play.can_redo,
        "inside": game_internals(play),
        "hash": state.hash(),
    }


def _card(play: GameInProgress, card: str) -> dict[str, str]:
    rule = play.ruleset.rule(card)
    return {"id": card, "title": card if rule is None else rule.title or card}
