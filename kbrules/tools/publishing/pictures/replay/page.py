"""A whole game as one page that needs nothing else: the board once, then what changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import Markup

from kbrules.engine.logs.reading import Log
from kbrules.engine.logs.replay import Replay
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import MatchMove
from kbrules.game.board import Board
from kbrules.game.moves import read_move
from kbrules.progress import OnProgress, silent, with_progress
from kbrules.tools.publishing.pictures.hexes import badge_svg
from kbrules.tools.publishing.pictures.labels import piece_label, player_label
from kbrules.tools.publishing.pictures.layout import MARGIN, box_of, centre
from kbrules.tools.publishing.pictures.page import board_values
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.publishing.pictures.replay.timeline import STATUSES, Timeline, changes
from kbrules.tools.publishing.pictures.scenes import badges_of, game_title
from kbrules.tools.publishing.pictures.tokens import piece_svg
from kbrules.tools.reports.page import html_page
from kbrules.tools.reports.templates import render, source

_STYLES = "page", "pictures/board", "pictures/replay"
_SCRIPTS = "replay", "replay_marks", "replay_zoom", "replay_start"


def timeline_of(log: Log, played: Replay, on_progress: OnProgress = silent) -> Timeline:
    """The timeline of a log as far as its replay went; there must be a start.

    on_progress: told how many moves are done.
    """
    game, states = played.game, played.states
    assert game is not None and states
    words, moves = game.ruleset.move_words, []
    pairs = list(zip(states[:-1], log.moves, strict=False))
    for number, (before, record) in enumerate(with_progress(pairs, "moves", on_progress), 1):
        legal = game.legal_moves(before)
        move = read_move(record.data["move"], game.board, legal, words)
        moves.append(MatchMove(number, legal.player, before, move, game.play(before, move)))
    return Timeline(game, states[0], moves)


def replay_page(timeline: Timeline, at: int = 0, language: str = "") -> str:
    """The page of a timeline; it opens after `at` moves unless its address says otherwise.

    language: that of the titles and wordings of the boxes, if they are translated.
    """
    title = game_title(timeline.game, timeline.states[-1])
    style = "".join(source(f"{name}.css") for name in _STYLES)
    script = "".join(source(f"pictures/{name}.js") for name in _SCRIPTS)
    values = _values(timeline, title) | {"language": language}
    body = render("pictures/replay.html", title=title, **values)
    return html_page(title, body, style, script, _data(timeline, at))


def _values(timeline: Timeline, title: str) -> dict[str, Any]:
    """What stands on the page before its script runs."""
    game = timeline.game
    cards = (game.ruleset.rule(card) for card in game.cards)
    return {
        **_board(timeline, f"{title}, the board"),
        "badges": list(_badges(timeline)),
        "pieces": [Markup(piece_svg(game.board, *kind)) for kind in timeline.piece_kinds],
        "last": len(timeline.played),
        "players": [_player(game.board, player) for player in range(game.players)],
        "rows": timeline.score_history.titles,
        "cards": [rule for rule in cards if rule is not None],
    }


def _badges(timeline: Timeline) -> Iterator[tuple[int, Markup]]:
    """The drawing of each mark of the boxes that has an icon, with its number."""
    for number, badge in enumerate(badges_of(timeline.game, timeline.start)):
        if badge.icon:
            yield number, Markup(badge_svg(badge.icon))


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
        "high": _lowest(board),
        "trails": timeline.trails,
        "markIcons": [number for number, _ in _badges(timeline)],
        "markTitles": timeline.mark_titles,
        "countTitles": timeline.own_counts,
        "turns": list(timeline.turns()),
        "frames": list(changes(timeline.frames())),
    }


def _board(timeline: Timeline, title: str) -> dict[str, Any]:
    """The bare board, and the key to all that will stand on it."""
    board = timeline.game.board
    badges = tuple(badges_of(timeline.game, timeline.start))
    legend = board_values(Picture(board, badges=badges))["legend"]
    return {**board_values(Picture(board, title=title)), "legend": legend}


def _lowest(board: Board) -> float:
    """How far down the first grid reaches, with its coordinates."""
    _, top, _, height = box_of(board, board.grid.part(board.grid.parts[0].name))
    return round(top + height + MARGIN, 1)


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(number, 1) for number in numbers]
