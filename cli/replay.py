"""`kbrules replay`: a log played again, to see that it is the same game, and how one is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from . import terminal
from .boxes import BoxWords, load_for_log
from .options import Lang, NoColor
from .output import FULL, PageForm, ReportOptions, form_option, show

with lazily():
    from kbrules import diagnostics, text as source_text
    from kbrules.engine.logs import (
        replay as log_replay,
    )
    from kbrules.tools import bots as known_bots, narration

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State
    from kbrules.hex.sets import Mask


def command(
    log: Annotated[Path, typer.Argument(help="The log of a game.", show_default=False)],
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", help="Other boxes than the log names, or folders it needs."),
    ] = None,
    until: Annotated[
        int | None, typer.Option("--until", help="Only so many moves, draws among them.")
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only whether it is the same.")
    ] = False,
    no_color: NoColor = False,
    lang: Lang = "",
    output_format: Annotated[PageForm, form_option("game")] = FULL,
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
    if output_format == "json":
        result, findings = (
            replayed.replay,
            tuple(map(diagnostics.render_concise, replayed.findings)),
        )
        report = narration.game_report(
            replayed.game, result.states[-1], result.moves, log.as_posix(), findings
        )
        show(report, ReportOptions("json"))
    else:
        _show(replayed, quiet, terminal.wants_colour(no_color))
        terminal.print_findings(replayed.findings)
    raise typer.Exit(terminal.DIFFERS if replayed.findings else 0)


def _show(replayed: ReplayedLog, quiet: bool, painting: bool) -> None:
    result, game = replayed.replay, replayed.game
    state, painter = result.states[-1], terminal.Painter(game.board, painting)
    if quiet and game.board.note:
        painter.say(game.board.note)
    if not quiet:
        show_table(painter, game, state)
        painter.say(narration.legend(game, state))
        painter.say()
        show_result(painter, game, state)
        painter.say()
    moves = "1 move is" if result.moves == 1 else f"{result.moves} moves are"
    end = "and the game is over" if state.is_over else "and the game goes on"
    painter.say(f"{moves} as in the log, {end}")


# A table on the terminal: the board, what players hold, the score sheet, what a bot would do.


def show_table(painter: terminal.Painter, game: Game, state: State, legal: Mask = 0) -> None:
    """The board, the hexes it does not draw but the boxes mark, and what players hold.

    legal: hexes that may be chosen, which are marked.
    """
    painter.board(narration.state_board_text(game, state, legal, get_terminal_size().columns))
    if legal:
        painter.say(f"{narration.LEGAL} legal now")
    if marks := narration.marks_text(game, state):
        painter.say(marks)
    if held := narration.players_text(game, state):
        painter.say(held)


def show_sheet(painter: terminal.Painter, game: Game, state: State) -> None:
    """The score sheet alone."""
    painter.strong(narration.sheet_text(game, game.score(state)))


def show_result(painter: terminal.Painter, game: Game, state: State) -> None:
    """The score sheet, and which hexes earned what."""
    show_sheet(painter, game, state)
    if earned := narration.evidence_text(game, game.score(state)):
        painter.say()
        painter.say(earned)


DEFAULT_BOT = "greedy"


def show_hint(game: Game, state: State, words: Sequence[str], painter: terminal.Painter) -> None:
    """Tell what a bot would do; words: its name, or nothing."""
    try:
        painter.say(known_bots.hint_text(game, state, words[0] if words else DEFAULT_BOT))
    except known_bots.UnknownBot as error:
        painter.say(source_text.visible(f"{error}; {error.help}"))


# A log read from a file and played again, for `replay` and `show log`.


@dataclass(frozen=True, slots=True)
class ReplayedLog:
    """A log, its replay with one state at least, and what differs or is wrong with it."""

    log: log_replay.Log
    replay: log_replay.Replay
    findings: Sequence[diagnostics.Diagnostic]

    @property
    def game(self) -> Game:
        """The game that was played."""
        assert self.replay.game is not None
        return self.replay.game


def replay_file(
    path: Path, with_: Sequence[str], option: str, at: int | None, to_end: bool = False
) -> ReplayedLog:
    """A log played again; ends the command if it cannot be.

    option: the one that says `at`, the number of a move. The replay goes as far, or to the end.
    """
    log, found = log_replay.read_log(path)
    if log is None:
        terminal.exit_with_findings(found)
    if at is not None and not 0 <= at <= len(log.moves):
        message = f"{option} {at}: the log has {len(log.moves)} good moves"
        terminal.exit_with("KB009", message, "give a number from 0")
    until = None if to_end else at
    ruleset = load_for_log(log, with_)
    with terminal.Progress("replaying") as progress:
        result = log_replay.replay(ruleset, log, until, progress.show)
    if not result.states:
        terminal.exit_with_findings(result.findings)
    # Asked for a part that is good, it does not matter that the rest is not.
    rest = found if until is None and not result.findings else ()
    return ReplayedLog(log, result, [*result.findings, *rest])
