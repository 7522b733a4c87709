"""`kbrules play --continue`: reads the log of a game that was broken off, and offers to go on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..boxes import boxes_and_folders, load_for_log
from ..terminal.findings import exit_unwritten, exit_with, exit_with_findings, printable
from ..terminal.progress import Progress

if TYPE_CHECKING:
    from kbrules.engine.logs.reading import Log
    from kbrules.engine.logs.replay import Unfinished


def command_to_continue(path: Path, with_: Sequence[str]) -> str:
    """What to type to go on with a game. The log names the boxes, but not where folders are."""
    _, folders = boxes_and_folders(with_)
    words = [word for folder in folders for word in ("--with", str(folder))]
    return printable(shlex.join(["kbrules", "play", "--continue", str(path), *words]))


def mention_unfinished(path: Path, with_: Sequence[str]) -> None:
    """Say that the log with the usual name is of a game that can be gone on with, if it is."""
    from kbrules.engine.logs.replay import is_unfinished
    from kbrules.engine.logs.writing import refuse_in_use

    if not is_unfinished(path):
        return
    try:
        refuse_in_use(path)
    except OSError:  # somebody is at it
        return
    command = command_to_continue(path, with_)
    typer.echo(f"the game in {printable(path)} was broken off; to go on: {command}\n")


def load_unfinished(path: Path, with_: Sequence[str]) -> Unfinished:
    """The game of a log as far as it got, replayed; ends the command if it cannot be gone on with.

    Half a line at its end is told.
    """
    from kbrules.engine.logs.reading import read_log
    from kbrules.engine.logs.replay import replay, unfinished_of

    _refuse_in_use(path)
    log, found = read_log(path)
    if log is None or not (log.is_broken_off or log.closing):
        exit_with_findings(found)
    _refuse_finished(path, log)
    ruleset = load_for_log(log, with_)
    with Progress("replaying") as progress:
        replayed = replay(ruleset, log, None, progress.show)
    if replayed.findings:
        exit_with_findings(replayed.findings)
    game = unfinished_of(log, replayed)
    if len(game.seating.bots) != game.seating.table.players:
        exit_with("KB009", f"{printable(path)} does not name who sits where", "replay it instead")
    _mention_half_line(game)
    return game


def _refuse_in_use(path: Path) -> None:
    from kbrules.engine.logs.writing import refuse_in_use

    try:
        refuse_in_use(path)
    except OSError as error:
        exit_unwritten("the log", error)


def _refuse_finished(path: Path, log: Log) -> None:
    if log.closing is None:
        return
    name = printable(path)
    who = ", ".join(map(printable, log.closing.data["winners"])) or "nobody"
    help = f"`kbrules replay {name}` shows it; `kbrules play` begins another"
    exit_with("KB009", f"the game in {name} is over, and {who} won", help)


def _mention_half_line(game: Unfinished) -> None:
    if game.half_line:
        moves = len(game.moves)
        typer.echo(
            f"the log ends in half a line, which is dropped; the game goes on after move {moves}"
        )
