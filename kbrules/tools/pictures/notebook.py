"""What notebooks show of values: boards and states as pictures, moves and scores as tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.scoring import Sheet
from kbrules.game.board import Board
from kbrules.game.moves import CHANCE, MoveSet
from kbrules.game.state import State
from kbrules.hooks import HTML, SVG
from kbrules.tools.pictures.board import Picture, board_svg
from kbrules.tools.pictures.replay import game_title, picture_of_state
from kbrules.tools.reports.page import fill_template


def rendered(value: object, form: str) -> str | None:
    """A value in a form of `display`; None for one that has no such form."""
    for (kind, its_form), draw in _RENDERERS.items():
        if form == its_form and isinstance(value, kind):
            return draw(value)
    return None


def _board(board: Board) -> str:
    return board_svg(Picture(board))


def _game_picture(game: Game) -> str:
    return board_svg(Picture(game.board, title=game_title(game, game.start())))


def _game(game: Game) -> str:
    """What lies on the table, in words and as a picture."""
    rules = [game.ruleset.rule(card) for card in game.cards]
    picture = Markup(_game_picture(game))
    cards = [(rule.title or rule.id, rule.wording) for rule in rules if rule is not None]
    return fill_template("notebook/game.html", picture=picture, cards=cards, players=game.players)


def _state(state: State) -> str | None:
    """The board of the game that made the state, with its pieces; None if nobody knows that."""
    game = None if state.cache is None else state.cache.game
    if not isinstance(game, Game):
        return None
    return board_svg(picture_of_state(game, state, game_title(game, state)))


def _moves(moves: MoveSet) -> str:
    """Who decides, and each group of moves with how many it has; of cards, how many are left."""
    who = "chance" if moves.player == CHANCE else player_name(moves.player)
    groups = [
        (group.rule, group.verb, group.hexes.bit_count() or 1)
        for group in ([] if moves.weights else moves.groups)
    ]
    return fill_template("notebook/moves.html", who=who, groups=groups, left=sum(moves.weights))


def _sheet(sheet: Sheet) -> str:
    """What each rule pays each player, the totals, and who wins."""
    rows = [(lines[0].title, [line.gold for line in lines]) for lines in sheet.rows]
    if any(sheet.gained):
        rows.append(("gained in play", list(sheet.gained)))
    names = [player_name(player) for player in range(len(sheet.totals))]
    winners = [player_name(player) for player in sheet.winners]
    return fill_template(
        "notebook/sheet.html", rows=rows, totals=sheet.totals, names=names,
        winners=winners if sheet.is_final else [],
    )  # fmt: skip


_RENDERERS: dict[tuple[type, str], Callable[[Any], str | None]] = {
    (Board, SVG): _board,
    (Game, SVG): _game_picture,
    (Game, HTML): _game,
    (State, SVG): _state,
    (MoveSet, HTML): _moves,
    (Sheet, HTML): _sheet,
}
