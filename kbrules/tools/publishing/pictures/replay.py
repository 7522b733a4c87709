"""A whole game as one page that needs nothing else: the board once, then what changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from kbrules.engine.logs.replay import Log, Replay
from kbrules.engine.logs.writer import player_name
from kbrules.engine.matches.match import Played
from kbrules.game.notation import read_move
from kbrules.tools.publishing.pictures.board import Picture, board_svg
from kbrules.tools.publishing.pictures.film import STATUSES, Film, changes
from kbrules.tools.publishing.pictures.ground import centre
from kbrules.tools.publishing.pictures.labels import piece_words, player_words
from kbrules.tools.publishing.pictures.looks import piece_svg
from kbrules.tools.publishing.pictures.page import html_page, key_html, note_html, shipped

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
    board = Picture(film.game.board, title=f"{title}, the board")
    last = len(film.played)
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<svg class=stamps aria-hidden=true><defs>{''.join(_stamps(film))}</defs></svg>",
        "<div class=table>",
        f"<main>{board_svg(board)}{_CONTROLS.format(last=last)}</main>",
        f"<aside>{_players(film)}{_scores(film)}{_cards(film)}</aside>",
        "</div>",
        _TURNS,
        key_html(board),
        note_html(board),
        "<noscript><p>Without scripts only the empty board is shown.</p></noscript>",
    ]
    style = shipped("page.css") + shipped("replay.css")
    return html_page(title, "\n".join(body), style, shipped("replay.js"), _data(film, at))


_CONTROLS = """
<p id="event" role="status" aria-live="polite"></p>
<p class="move"><span id="when"></span> <span id="cards"></span> <span id="move"></span></p>
<div class="controls" role="group" aria-label="Moves">
<button type="button" id="first">First</button>
<button type="button" id="back">Back</button>
<button type="button" id="play" aria-pressed="false">Play</button>
<button type="button" id="next">Next</button>
<button type="button" id="last">Last</button>
<output id="number" for="slider"></output>
<input type="range" id="slider" min="0" max="{last}" step="1" value="0" aria-label="Move">
</div>
<p class="hint">Arrow keys, Home, End and space go through the game; on the board, reached by the
tab key, arrow keys go from hex to hex.</p>
<p id="marks"></p>
"""
_TURNS = '<details class="turns"><summary>All turns</summary><ol id="turns"></ol></details>'


def _stamps(film: Film) -> Iterator[str]:
    """Each kind of piece once, to be put on the hexes."""
    for number, (player, piece) in enumerate(film.kinds):
        yield f'<g id="q{number}">{piece_svg(film.game.board, player, piece)}</g>'


def _players(film: Film) -> str:
    lines = "".join(
        f'<li id="player{p}"><svg viewBox="-16 -16 32 32" aria-hidden="true">'
        f"{piece_svg(film.game.board, p, 0)}</svg><div><b>{escape(player_words(p))}</b> "
        f'<span class="turn"></span><br><span class="held"></span></div></li>'
        for p in range(film.game.players)
    )
    return f'<h2>Players</h2><ul class="players">{lines}</ul>'


def _scores(film: Film) -> str:
    """The score sheet, to be filled by the script."""
    seats = range(film.game.players)
    heads = "".join(f'<th scope="col">{escape(player_name(p))}</th>' for p in seats)
    rows = "".join(
        f'<tr><th scope="row">{escape(title)}</th>'
        + "".join(f'<td id="g{player}-{row}"></td>' for player in seats)
        + "</tr>"
        for row, title in enumerate(film.score_history.titles)
    )
    return (
        '<h2>If the game ended here</h2><table id="scores">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _cards(film: Film) -> str:
    """The scoring cards on the table, with what they say."""
    rules = (film.game.ruleset.rule(card) for card in film.game.cards)
    lines = "".join(
        f"<dt>{escape(rule.title or rule.id)}</dt><dd>{escape(rule.wording)}</dd>"
        for rule in rules
        if rule is not None
    )
    return f'<h2>Cards</h2><dl class="cards">{lines}</dl>' if lines else ""


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
