"""What can stand beside a board in a picture: the key, the players, the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from xml.sax.saxutils import escape

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.game.state import State
from kbrules.tools.playing.score_history import ScoreHistory
from kbrules.tools.playing.state_text import players_text
from kbrules.tools.publishing.pictures.labels import player_label
from kbrules.tools.publishing.pictures.legend import legend_of_picture
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.publishing.pictures.styles import INK, LINE
from kbrules.tools.publishing.pictures.text_layout import LEADING, fit_text
from kbrules.tools.publishing.pictures.tokens import piece_svg

PANEL_WIDTH = 270.0
_TEXT, _HEAD, _GAP = 10.5, 13.0, 5.0
_DRAWING, _CELL, _EDGE = 26.0, 26.0, 14.0


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A drawing around the point 0, 0, or none; words; and numbers, each under the one above."""

    words: str
    drawing: str = ""
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """A heading with rows below it, in columns that are read one after the other."""

    title: str
    rows: tuple[PanelRow, ...]
    columns: int = 1

    @property
    def width(self) -> float:
        """How wide a column is."""
        return (PANEL_WIDTH - _EDGE) / self.columns


def legend(picture: Picture) -> Panel:
    """The key to a picture."""
    rows = (PanelRow(entry.words, entry.drawing) for entry in legend_of_picture(picture))
    return Panel("On the board", tuple(rows), 2)


def players(game: Game, state: State) -> Panel:
    """The players with their colours, and what they hold that all may see."""
    lines = filter(None, players_text(game, state).split("\n"))
    texts = dict(line.split(": ", 1) for line in lines)
    rows = (
        PanelRow(
            ": ".join(filter(None, (player_label(player), texts.get(player_name(player), "")))),
            piece_svg(game.board, player, 0),
        )
        for player in range(game.players)
    )
    return Panel("Players", tuple(rows))


def score(game: Game, state: State) -> Panel:
    """The gold of each player by rule and card, as if the game ended there."""
    history = ScoreHistory([game.score(state)])
    (columns,) = history.columns()
    names = tuple(player_name(player) for player in range(game.players))
    lines = zip(history.titles, zip(*columns, strict=True), strict=True)
    rows = (PanelRow(title, cells=tuple(map(str, cells))) for title, cells in lines)
    title = "Score" if state.is_over else "If the game ended here"
    return Panel(title, (PanelRow("", cells=names), *rows))


def panels_svg(panels: Sequence[Panel], left: float, top: float) -> tuple[list[str], float]:
    """The panels one below the other from a point on, and how far down they reach."""
    parts: list[str] = []
    for panel in panels:
        parts.append(_text(left, top + _HEAD, panel.title, _HEAD, "start", ' font-weight="bold"'))
        rows_top = lowest = top + _HEAD + 2 * _GAP
        size = ceil(len(panel.rows) / panel.columns)
        for column in range(panel.columns):
            top = rows_top
            for row in panel.rows[column * size : (column + 1) * size]:
                parts += _row(row, left + column * panel.width, top, panel.width)
                top += _height(row, panel.width) + _GAP
            lowest = max(lowest, top)
        top = lowest + 2 * _GAP
    return parts, top


def _lines(row: PanelRow, width: float) -> tuple[str, ...]:
    """The words of a row as lines that leave room for the rest of it."""
    room = width - (_DRAWING if row.drawing else 0) - _CELL * len(row.cells)
    return fit_text(row.words, room, 1000, _TEXT).lines


def _height(row: PanelRow, width: float) -> float:
    return max(20.0 if row.drawing else 0.0, max(1, len(_lines(row, width))) * _TEXT * LEADING)


def _row(row: PanelRow, left: float, top: float, width: float) -> Iterator[str]:
    lines, high = _lines(row, width), _height(row, width)
    if row.drawing:
        middle = f"{left + 10:.1f} {top + high / 2:.1f}"
        yield f'<g transform="translate({middle}) scale(.5)">{row.drawing}</g>'
    start = left + (_DRAWING if row.drawing else 0)
    first = top + (high - len(lines) * _TEXT * LEADING) / 2 + _TEXT
    for number, line in enumerate(lines):
        yield _text(start, first + number * _TEXT * LEADING, line, _TEXT, "start")
    right = left + width
    for number, cell in enumerate(reversed(row.cells)):
        yield _text(right - number * _CELL, top + _TEXT, cell, _TEXT, "end")
    if row.cells:
        low = top + high + _GAP / 2
        yield f'<path d="M{left:.1f} {low:.1f}H{right:.1f}" stroke="{LINE}" stroke-opacity=".3"/>'


def _text(x: float, y: float, text: str, size: float, anchor: str, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{INK}"{more}>{escape(text)}</text>'
    )
