"""`kbrules why`: why a move is legal or not, and why a card pays what it pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from .boxes import boxes_and_folders
from .options import NoColor, With
from .output import FULL, Html, ReportForm, ReportOptions, Svg, end_with, form_option
from .terminal import Painter, Progress, exit_with, exit_with_findings

with lazily():
    from kbrules import diagnostics, text as source_text
    from kbrules.engine.logs import writing
    from kbrules.library import position as tables
    from kbrules.tools import positions
    from kbrules.tools.reports import report as reports
    from kbrules.tools.why import questions as why_questions, report as why_reports

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.events import Event
    from kbrules.game.state import State

PositionWords = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="A scenario (file.scenario.yaml::title), an example (file.kb::rule), the log of a "
        "game, or a file with a drawing of a board.",
        show_default=False,
    ),
]
QuestionWords = Annotated[
    list[str],
    typer.Argument(metavar="QUESTION...", help="What you ask; see above.", show_default=False),
]
At = Annotated[int | None, typer.Option("--at", help="Look after so many moves; else at the end.")]
Played = Annotated[str, typer.Option("--played", help="For a drawing: the terrain card played.")]
Cards = Annotated[
    list[str] | None, typer.Option("--card", help="For a drawing: a scoring card; again for more.")
]


def command(
    position: PositionWords,
    question: QuestionWords,
    at: At = None,
    with_: With = None,
    played: Played = "",
    card: Cards = None,
    player: Annotated[str, typer.Option("--player", help="For a drawing: whose turn it is.")] = "a",
    html: Html = None,
    svg: Svg = None,
    output_format: Annotated[ReportForm, form_option("why")] = FULL,
    no_color: NoColor = False,
) -> None:
    """Say why a move is legal or not, or why a card pays what it pays, clause by clause.

    About a hex: the sentence that decides, what each clause of it comes to there, the nearest hexes
    that would do, and the smallest change that makes the move legal, tried by the engine. About
    gold: every hex that pays, adding up to the score sheet. Players are `red`, `a`, `1`, and so on.

    The exit code is 0 if there is an answer, and 2 if the position or the question is none.

    \b
    kbrules why game.kblog why not f7               what could be done at f7, and why not
    kbrules why game.kblog --at 40 why build f7     after 40 moves, only what builds
    kbrules why game.kblog why not move c3 f7       a piece from one hex to another
    kbrules why game.kblog why red                  the score sheet of a player, hex by hex
    kbrules why game.kblog red rowers               what one card pays
    kbrules why mine/rules/mill.kb::mill not c2     an example; a drawing: board.txt --played heath
    """
    with Progress("explaining") as progress:
        where = _open(position, at, with_ or [], (played, tuple(card or ()), player), progress)
        answer = _answer(where, question)
    options = ReportOptions(output_format, html, svg, no_color)
    end_with(why_reports.why_report(answer, where.name), options)


def explain_at(
    game: Game,
    state: State,
    question: Sequence[str],
    painter: Painter,
    events: Callable[[], Iterable[Event]],
) -> None:
    """Answer a question in the middle of a game; events: returns what happened before."""
    parsed = why_questions.read_question(game, state, question)
    if isinstance(parsed, diagnostics.Diagnostic):
        painter.say(source_text.visible("; ".join(filter(None, (parsed.message, parsed.help)))))
    else:
        report = why_reports.why_report(why_reports.answer(game, state, parsed, events), "")
        painter.say(reports.as_text(report, painter.painting))


def _open(
    words: str,
    at: int | None,
    with_: list[str],
    drawn: tuple[str, tuple[str, ...], str],
    progress: Progress,
) -> positions.NamedState:
    boxes, folders = boxes_and_folders(with_)
    played, cards, player = drawn
    seat = why_questions.parse_player(player, 6)
    if seat is None:
        exit_with("KB022", f"there is no player `{player}`", "players are `a` to `f`")
    turn = tables.PlayerTurn(writing.player_name(seat), (played,) if played else ())
    around = tables.Position(None, cards=cards, turn=turn, checked=False)
    request = positions.PositionRequest(words, at, tuple(boxes), tuple(folders), around)
    position, found = positions.open_position(request, progress.show)
    if position is None:
        exit_with_findings(found)
    return position


def _answer(
    position: positions.NamedState, question: list[str]
) -> why_reports.MovesAnswer | why_reports.GoldAnswer:
    parsed = why_questions.read_question(position.game, position.state, question)
    if isinstance(parsed, diagnostics.Diagnostic):
        exit_with_findings([parsed])
    return why_reports.answer(position.game, position.state, parsed, position.events)
