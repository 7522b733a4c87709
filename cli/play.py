"""`kbrules play`: a game against bots, among bots, or among people at one terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import BoxWords, load_named
from .games.table_options import (
    BOT_KINDS,
    RANDOM,
    TableOptions,
    parse_bot,
    player_count,
    set_up_table,
)
from .options import Cards, Grids, Lang, NoColor, Options, SetUp, With
from .playing.drafting import draft_at_terminal
from .playing.game_run import GREEDY, HUMAN, GameRun
from .playing.resuming import load_unfinished, mention_unfinished
from .terminal import completion
from .terminal.colours import wants_colour
from .terminal.findings import exit_with
from .terminal.output import PageForm, PageFormat

if TYPE_CHECKING:
    from kbrules.engine.matches import Bot
    from kbrules.engine.setup import TableSetup
    from kbrules.library.ruleset import Ruleset

DEFAULT_LOG = "game.kblog"
_CONTINUE_HELP = "beside it there are only `--with`, for folders, and how things are shown"

Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; else as many as bots.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", "-s", help="The same number is the same game again.")
]


def _list_bots(value: str | None) -> str | None:
    """Print the bots with their strength and end, if the value is `help`."""
    if value != "help":
        return value
    from kbrules.tools.bots import bots_text

    typer.echo(f"{HUMAN:12}whoever sits at the terminal\n{bots_text()}")
    raise typer.Exit


Bots = Annotated[
    str | None,
    typer.Option(
        "--bots",
        help=f"`human`, `random`, {BOT_KINDS}: one for all, or a list. `help` tells more.",
        autocompletion=completion.bots,
        callback=_list_bots,
    ),
]
Draft = Annotated[
    int | None,
    typer.Option("--draft", help="Lay out so many cards more, of which players strike as many."),
]
Log = Annotated[
    Path | None, typer.Option("--log", help=f"Where the log goes; by default {DEFAULT_LOG}.")
]
NoLog = Annotated[bool, typer.Option("--no-log", help="Keep no log.")]
Force = Annotated[bool, typer.Option("--force", help="Write over an older log.")]
Continue = Annotated[
    Path | None,
    typer.Option("--continue", help="Go on with the game of a log that was broken off."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the score sheet.")]


def command(
    players: Players = None,
    seed: Seed = None,
    setup: SetUp = RANDOM,
    bots: Bots = None,
    with_: With = None,
    option: Options = None,
    grid: Grids = None,
    card: Cards = None,
    draft: Draft = None,
    log: Log = None,
    no_log: NoLog = False,
    force: Force = False,
    quiet: Quiet = False,
    continue_: Continue = None,
    no_color: NoColor = False,
    lang: Lang = "",
    output_format: PageForm = PageFormat.full,
) -> None:
    """Play a game: you against bots at a terminal, bots among themselves elsewhere.

    Every game is logged, and `kbrules replay` plays a log again.

    \b
    kbrules play                             you are a, a bot is b
    kbrules play --players 4 --seed 7        a game that can be had again
    kbrules play --bots human,human,random   two people and a bot
    kbrules play --bots greedy --quiet       only who won, and why
    kbrules play --with all --with ./mine    more boxes, and your own folder
    kbrules play --ruling name=no            another ruling in a dispute
    kbrules play --with mine --card rowers   your new card on the table for sure
    kbrules play --lang de                   titles and wordings in German
    kbrules play --draft 3                   three cards more, and players strike three
    kbrules play --continue game.kblog       a game that was broken off
    """
    as_json, words = output_format is PageFormat.json, BoxWords(with_, lang)
    if continue_ is not None:
        others = players, seed, bots, option, grid, card, draft, log, no_log or None, force or None
        if any(each not in (None, []) for each in others) or setup != RANDOM:
            message = "`--continue` takes table, seats and log from the log"
            exit_with("KB009", message, _CONTINUE_HELP)
        _unfinished_run(continue_, words).play(wants_colour(no_color), quiet, as_json)
        return
    ruleset = load_named(words)
    seed = _any_seed() if seed is None else seed
    count = _player_count(bots, players, player_count(ruleset, None))
    options = TableOptions(count, seed, setup, option or (), grid or (), card or ())
    table = set_up_table(ruleset, options)
    names = _bot_names(bots, count)
    if draft is not None:
        table = draft_at_terminal(ruleset, table, draft, seed, names)
    path = None if no_log else _log_path(log, force)
    if path is not None and HUMAN in names and log is None:
        mention_unfinished(Path(DEFAULT_LOG), words)
    run = _new_run(ruleset, table, seed, names, path, words)
    run.play(wants_colour(no_color), quiet, as_json)


def _new_run(
    ruleset: Ruleset,
    table: TableSetup,
    seed: int,
    names: list[str],
    path: Path | None,
    with_: list[str],
) -> GameRun:
    from kbrules.engine.logs.writing import MatchInfo
    from kbrules.engine.setup import game_at

    seats, info = [_bot(name) for name in names], MatchInfo(table, seed, tuple(names))
    return GameRun(game_at(ruleset, table), info, seats, path, with_)


def _unfinished_run(path: Path, with_: list[str]) -> GameRun:
    game = load_unfinished(path, with_)
    seats = [_bot(name) for name in game.seating.bots]
    return GameRun(game.game, game.seating, seats, path, with_, game)


def _any_seed() -> int:
    from secrets import randbelow  # slow to load, and most commands play no game

    return randbelow(1_000_000)


def _player_count(bots: str | None, players: int | None, fewest: int) -> int:
    """How many play: as many as were asked for, or named, or at least are needed."""
    named = len(bots.split(",")) if bots else 1
    if named > 1 and players is not None and players != named:
        message = f"--bots names {named} players, --players says {players}"
        exit_with("KB009", message, "leave one of the two out")
    if players is not None:
        return players
    return named if named > 1 else fewest


def _bot_names(bots: str | None, count: int) -> list[str]:
    """A name per seat; by default a person in the first if there is one at the terminal."""
    if bots is None:
        return [HUMAN if sys.stdin.isatty() else GREEDY] + [GREEDY] * (count - 1)
    names = [name.strip() for name in bots.split(",")]
    return names if len(names) > 1 else names * count


def _bot(name: str) -> Bot | None:
    return None if name == HUMAN else parse_bot(name, [HUMAN])


def _log_path(log: Path | None, force: bool) -> Path:
    """Where the log goes. A name that was asked for must be free; the usual one gets a number."""
    path = log or Path(DEFAULT_LOG)
    if log is None and not force:
        number = 1
        while path.exists():
            number += 1
            path = Path(DEFAULT_LOG).with_stem(f"{Path(DEFAULT_LOG).stem}-{number}")
    if path.is_dir() or not path.parent.is_dir():
        why = "it is a folder" if path.is_dir() else "there is no such folder"
        exit_with("KB008", f"`{path}` cannot be written: {why}", "name a file in a folder")
    if path.exists() and not force:
        exit_with("KB008", f"`{path}` exists already", "write over it with --force")
    return path
