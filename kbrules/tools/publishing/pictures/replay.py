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
from kbrules.tools.publishing.pictures.labels import piece_label, player_label
from kbrules.tools.publishing.pictures.layout import centre
from kbrules.tools.publishing.pictures.page import board_values
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.publishing.pictures.timeline import STATUSES, Timeline, changes
from kbrules.tools.publishing.pictures.tokens import piece_svg
from kbrules.tools.reports.page import html_page
from kbrules.tools.reports.templates import render, source

__all__ = ["replay_page", "timeline_of"]


def timeline_of(log: Log, played: Replay) -> Timeline:
    """The timeline of a log as far as its replay went; there must be a start."""
    game, states = played.game, played.states
    assert game is not None and states
    words, moves = game.ruleset.move_words, []
    for number, (before, record) in enumerate(zip(states[:-1], log.moves, strict=False), 1):
        legal = game.legal_moves(before)
        move = read_move(record.data["move"], game.board, legal, words)
        moves.append(Played(number, legal.player, before, move, game.play(before, move)))
    return Timeline(game, states[0], moves)


def replay_page(timeline: Timeline, title: str, at: int = 0) -> str:
    """The page of a timeline; it opens after `at` moves unless its address says otherwise."""
    style = source("page.css") + source("pictures/replay.css")
    body = render("pictures/replay.html", title=title, **_values(timeline, title))
    return html_page(title, body, style, source("pictures/replay.js"), _data(timeline, at))


def _values(timeline: Timeline, title: str) -> dict[str, Any]:
    """What stands on the page before its script runs."""
    game = timeline.game
    cards = (game.ruleset.rule(card) for card in game.cards)
    return {
        **board_values(Picture(game.board, title=f"{title}, the board")),
        "pieces": [Markup(piece_svg(game.board, *kind)) for kind in timeline.piece_kinds],
        "last": len(timeline.played),
        "players": [_player(game.board, player) for player in range(game.players)],
        "rows": timeline.score_history.titles,
        "cards": [rule for rule in cards if rule is not None],
    }


def _player(board: Board, player: int) -> dict[str, str]:
    piece = Markup(piece_svg(board, player, 0))
    return {"name": player_name(player), "words": player_label(player), "piece": piece}


def _data(timeline: Timeline, at: int) -> dict[str, Any]:
    """What the script is told; see `timeline` for the frames."""
    board = timeline.game.board
    catalog = board.catalog
    places = [timeline.hexes.index(hex) for hex in board.places]
    return {
        "at": at,
        "players": timeline.game.players,
        "hexes": [[board.grid.name(hex), *_rounded(centre(board, hex))] for hex in timeline.hexes],
        "kinds": [piece_label(board, player, piece) for player, piece in timeline.piece_kinds],
        "pieces": [p.title if p.supply and not p.neutral else "" for p in catalog.pieces],
        "tiles": [tile.title for tile in catalog.tiles],
        "statuses": list(STATUSES),
        "places": places,
        "markTitles": timeline.mark_titles,
        "countTitles": timeline.own_counts,
        "turns": list(timeline.turns()),
        "frames": list(changes(timeline.frames())),
    }


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(number, 1) for number in numbers]
