"""`kbrules replay`: a log played again, to see that it is the same game still."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import BoxWords, load_for_log
from .options import Lang, NoColor
from .playing.game_output import show_game_json
from .playing.table_view import show_result, show_table
from .terminal.colours import Painter, wants_colour
from .terminal.findings import exit_with, exit_with_findings, print_findings
from .terminal.output import PageForm, PageFormat

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic
    from kbrules.engine.logs.replay import Replay

__all__ = ["command"]

DIFFERS = 1


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
    from kbrules.engine.logs.replay import read_log, replay

    read, found = read_log(log)
    if read is None:
        exit_with_findings(found)
    if until is not None and not 0 <= until <= len(read.moves):
        exit_with(
            "KB009",
            f"--until {until}: the log has {len(read.moves)} good moves",
            "give a number from 0",
        )
    result = replay(load_for_log(read, BoxWords(with_, lang)), read, until)
    if not result.states:
        exit_with_findings(result.findings)
    if output_format is PageFormat.full:
        _show(result, quiet, wants_colour(no_color))
    # Asked for a part that is good, it does not matter that the rest is not.
    problems = [*result.findings, *(found if until is None and not result.findings else ())]
    if output_format is PageFormat.json:
        _show_json(result, log, problems)
    else:
        print_findings(problems)
    raise typer.Exit(DIFFERS if problems else 0)


def _show_json(result: Replay, log: Path, findings: Sequence[Diagnostic]) -> None:
    from kbrules.diagnostics import render_concise

    assert result.game is not None
    lines = tuple(map(render_concise, findings))
    show_game_json(result.game, result.states[-1], result.moves, log, lines)


def _show(result: Replay, quiet: bool, painting: bool) -> None:
    game, state = result.game, result.states[-1]
    assert game is not None
    painter = Painter(game.board, painting)
    if quiet and game.board.note:
        painter.say(game.board.note)
    if not quiet:
        from kbrules.tools.playing.state_text import legend

        show_table(painter, game, state)
        painter.say(legend(game, state))
        painter.say()
        show_result(painter, game, state)
        painter.say()
    moves = "1 move is" if result.moves == 1 else f"{result.moves} moves are"
    end = "and the game is over" if state.is_over else "and the game goes on"
    painter.say(f"{moves} as in the log, {end}")
