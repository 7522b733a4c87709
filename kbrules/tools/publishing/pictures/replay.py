"""A whole game as one page that needs nothing else: the board once, then what changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from kbrules.engine.logs.replay import Log, Replay
from kbrules.engine.logs.writer import player_name
from kbrules.engine.matches.match import Played
from kbrules.game.board import Board
from kbrules.game.notation import read_move
from kbrules.tools.publishing.pictures.board import Picture
from kbrules.tools.publishing.pictures.film import STATUSES, Film, changes
from kbrules.tools.publishing.pictures.ground import centre
from kbrules.tools.publishing.pictures.labels import piece_words, player_words
from kbrules.tools.publishing.pictures.looks import piece_svg
from kbrules.tools.publishing.pictures.page import board_values, html_page, shipped
from kbrules.tools.reports.templates import render

__all__ = ["film_of", "replay_page"]


def film_of(log: Log, played: Replay) -> Film:
    """The film of a log as far as its replay went; there must be a start."""
    game, states = played.game, played.states
    assert game is not None and states
    words, moves = game.ruleset.move_words, []
    for number, (before, record) in enumerate(zip(states[:-1], log.moves, strict=False), 1):
        legal = game.legal_moves(before)
        move = read_move(record.data["move"], game.board, legal, words)
        moves.append(Played(number, legal.player, before, move, game.play(before, move)))
    return Film(game, states[0], moves)


def replay_page(film: Film, title: str, at: int = 0) -> str:
    """The page of a film; it opens after `at` moves unless its address says otherwise."""
    style = shipped("page.css") + shipped("replay.css")
    body = render("pictures/replay.html", title=title, **_values(film, title))
    return html_page(title, body, style, shipped("replay.js"), _data(film, at))


def _values(film: Film, title: str) -> dict[str, Any]:
    """What stands on the page before its script runs."""
    game = film.game
    cards = (game.ruleset.rule(card) for card in game.cards)
    return {
        **board_values(Picture(game.board, title=f"{title}, the board")),
        "pieces": [Markup(piece_svg(game.board, *kind)) for kind in film.kinds],
        "last": len(film.played),
        "players": [_player(game.board, player) for player in range(game.players)],
        "rows": film.score_history.titles,
        "cards": [rule for rule in cards if rule is not None],
    }


def _player(board: Board, player: int) -> dict[str, str]:
    piece = Markup(piece_svg(board, player, 0))
    return {"name": player_name(player), "words": player_words(player), "piece": piece}


def _data(film: Film, at: int) -> dict[str, Any]:
    """What the script is told; see `film` for the frames."""
    board = film.game.board
    catalog = board.catalog
    places = [film.hexes.index(hex) for hex in board.places]
    return {
        "at": at,
        "players": film.game.players,
        "hexes": [[board.grid.name(hex), *_rounded(centre(board, hex))] for hex in film.hexes],
        "kinds": [piece_words(board, player, piece) for player, piece in film.kinds],
        "pieces": [p.title if p.supply and not p.neutral else "" for p in catalog.pieces],
        "tiles": [tile.title for tile in catalog.tiles],
        "statuses": list(STATUSES),
        "places": places,
        "markTitles": list(film.game.ruleset.parts.marks.values()),
        "turns": list(film.turns()),
        "frames": list(changes(film.frames())),
    }


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(number, 1) for number in numbers]
