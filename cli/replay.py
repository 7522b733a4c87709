"""`kbrules replay`: a log played again, to see that it is the same game still."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .boxes import BoxWords
from .games.logs import ReplayedLog, replay_file
from .options import Lang, NoColor
from .playing.game_output import show_game_json
from .playing.table_view import show_result, show_table
from .terminal.colours import Painter, wants_colour
from .terminal.findings import DIFFERS, print_findings
from .terminal.output import PageForm, PageFormat

LogFile = Annotated[Path, typer.Argument(help="The log of a game.", show_default=False)]
With = Annotated[
    list[str] | None,
    typer.Option("--with", help="Other boxes than the log names, or folders it needs."),
]
Until = Annotated[int | None, typer.Option("--until", help="Only so many moves, draws among them.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only whether it is the same.")]


def command(
    log: LogFile,
    with_: With = None,
    until: Until = None,
    quiet: Quiet = False,
    no_color: NoColor = False,
    lang: Lang = "",
    output_format: PageForm = PageFormat.full,
) -> None:
    """Play a log again and compare every move, event and position with it.

    The exit code is 0 if all is the same, 1 if something differs or the log is cut off, and 2
    if the log cannot be played at all.

    \b
    kbrules replay game.kblog                the board and the score sheet at the end
    kbrules replay game.kblog --until 40     as they were after 40 moves
    kbrules replay game.kblog --quiet        only the exit code and what differs
    kbrules replay game.kblog --with ./mine  a game with your own expansion
    """
    replayed = replay_file(log, BoxWords(with_, lang), "--until", until)
    if output_format is PageFormat.json:
        _show_json(replayed, log)
    else:
        _show(replayed, quiet, wants_colour(no_color))
        print_findings(replayed.findings)
    raise typer.Exit(DIFFERS if replayed.findings else 0)


def _show_json(replayed: ReplayedLog, log: Path) -> None:
    from kbrules.diagnostics import render_concise

    result = replayed.replay
    lines = tuple(map(render_concise, replayed.findings))
    show_game_json(replayed.game, result.states[-1], result.moves, log, lines)


def _show(replayed: ReplayedLog, quiet: bool, painting: bool) -> None:
    result, game = replayed.replay, replayed.game
    state, painter = result.states[-1], Painter(game.board, painting)
    if quiet and game.board.note:
        painter.say(game.board.note)
    if not quiet:
        from kbrules.tools.narration import legend

        show_table(painter, game, state)
        painter.say(legend(game, state))
        painter.say()
        show_result(painter, game, state)
        painter.say()
    moves = "1 move is" if result.moves == 1 else f"{result.moves} moves are"
    end = "and the game is over" if state.is_over else "and the game goes on"
    painter.say(f"{moves} as in the log, {end}")
