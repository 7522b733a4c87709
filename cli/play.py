"""`kbrules play`: a game against bots, among bots, or among people at one terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .boxes import boxes_and_folders, load_or_exit, with_roots
from .colours import Painter, wants_colour
from .drafting import drafted
from .findings import exit_with, printable
from .game_options import BOT_KINDS, parse_bot, parse_cards, parse_options, parse_section
from .game_output import show_game_json
from .options import Grids, NoColor, Options, SetUp, With
from .output import PageForm, PageFormat
from .session import Quit, Session, show_result, show_sheet, show_table
from .table_help import remedy

if TYPE_CHECKING:
    from kbrules.engine.matches.match import Bot
    from kbrules.engine.setup import TableSetup
    from kbrules.library.ruleset import Ruleset

__all__ = ["command"]

HUMAN, GREEDY = "human", "greedy"
LOG = "game.kblog"
INTERRUPTED = 130


Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; else as many as bots.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", "-s", help="The same number is the same game again.")
]
Bots = Annotated[
    str | None,
    typer.Option(
        "--bots",
        help=f"`human`, `random`, {BOT_KINDS}: one for all, or a list.",
        autocompletion=completion.bots,
    ),
]
Cards = Annotated[
    list[str] | None,
    typer.Option(
        "--card",
        help="A card that lies on the table, whatever the seed draws; again.",
        autocompletion=completion.cards,
    ),
]
Draft = Annotated[
    int | None,
    typer.Option("--draft", help="Lay out so many cards more, of which players strike as many."),
]
Log = Annotated[Path | None, typer.Option("--log", help=f"Where the log goes; by default {LOG}.")]
NoLog = Annotated[bool, typer.Option("--no-log", help="Keep no log.")]
Force = Annotated[bool, typer.Option("--force", help="Write over an older log.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the score sheet.")]


def command(
    players: Players = None,
    seed: Seed = None,
    setup: SetUp = "random",
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
    no_color: NoColor = False,
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
    kbrules play --draft 3                   three cards more, and players strike three
    """
    ruleset = _ruleset(with_ or [])
    seed = _any_seed() if seed is None else seed
    count = _count(bots, players, ruleset.parts.players[0])
    asked = parse_options(ruleset, option or []), dict(map(parse_section, grid or []))
    table = _table(ruleset, count, seed, setup, *asked, card or [])
    names = _bot_names(bots, count)
    if draft is not None:
        table = drafted(ruleset, table, draft, seed, names)
    chosen = [_bot(name) for name in names]
    path = None if no_log else _log_path(log, force)
    try:
        if output_format is PageFormat.json:
            _play_for_program(ruleset, table, seed, names, chosen, path)
        else:
            _play(ruleset, table, seed, names, chosen, path, wants_colour(no_color), quiet)
    except KeyboardInterrupt:
        typer.echo("\ninterrupted", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _play_for_program(
    ruleset: Ruleset,
    table: TableSetup,
    seed: int,
    names: list[str],
    bots: list[Bot | None],
    path: Path | None,
) -> None:
    """A game between bots, of which only the end is told, as JSON."""
    from kbrules.engine.logs.writer import MatchInfo
    from kbrules.engine.setup import game_at

    if HUMAN in names:
        exit_with("KB009", "a person needs a board to play", "name bots: `--bots greedy`")
    game = game_at(ruleset, table)
    info = MatchInfo(table, seed, tuple(names))
    session = Session(game, info, bots, Painter(game.board, False), True)
    session.run(path)
    show_game_json(game, session.match.state, session.match.number, path)


def _play(
    ruleset: Ruleset,
    table: TableSetup,
    seed: int,
    names: list[str],
    bots: list[Bot | None],
    path: Path | None,
    painting: bool,
    quiet: bool,
) -> None:
    from kbrules.engine.logs.writer import MatchInfo
    from kbrules.engine.setup import game_at
    from kbrules.tools.playing.state_text import legend

    game = game_at(ruleset, table)
    painter = Painter(game.board, painting)
    session = Session(game, MatchInfo(table, seed, tuple(names)), bots, painter, quiet)
    if not quiet:
        painter.say(_introduction(table, seed, names))
        if HUMAN not in names:  # a person is shown the board when it is their turn
            show_table(painter, game, session.match.state)
        painter.say(legend(game, session.match.state))
        painter.say()
    try:
        session.run(path)
    except Quit:
        painter.say(
            f"the unfinished log is in {printable(path)}" if path else "the game is broken off"
        )
        return
    _show_end(session, painter, quiet)
    if path:
        painter.say(f"log: {printable(path)}")


def _show_end(session: Session, painter: Painter, quiet: bool) -> None:
    game, state = session.game, session.match.state
    if quiet:
        show_sheet(painter, game, state)
        return
    painter.say()
    show_table(painter, game, state)
    painter.say()
    show_result(painter, game, state)


def _introduction(table: TableSetup, seed: int, names: list[str]) -> str:
    seats = ", ".join(f"{'abcdef'[seat]} {name}" for seat, name in enumerate(names))
    cards = f"cards {', '.join(table.cards)}; " if table.cards else ""
    return f"seed {seed}; {seats}; {cards}sections {table.layout}"


def _any_seed() -> int:
    from secrets import randbelow  # slow to load, and most commands play no game

    return randbelow(1_000_000)


def _ruleset(with_: list[str]) -> Ruleset:
    names, folders = boxes_and_folders(with_)
    return load_or_exit(with_roots(names, folders), folders)


def _count(bots: str | None, players: int | None, least: int) -> int:
    """How many play: as many as were asked for, or named, or at least are needed."""
    named = len(bots.split(",")) if bots else 1
    if named > 1 and players is not None and players != named:
        exit_with("KB009", f"--bots names {named} players, --players says {players}")
    if players is not None:
        return players
    return named if named > 1 else least


def _bot_names(bots: str | None, count: int) -> list[str]:
    """A name per seat; by default a person in the first if there is one at the terminal."""
    if bots is None:
        return [HUMAN if sys.stdin.isatty() else GREEDY] + [GREEDY] * (count - 1)
    names = [name.strip() for name in bots.split(",")]
    return names if len(names) > 1 else names * count


def _bot(name: str) -> Bot | None:
    return None if name == HUMAN else parse_bot(name, [HUMAN])


def _table(
    ruleset: Ruleset,
    players: int,
    seed: int,
    setup: str,
    options: dict[str, bool | int],
    grids: dict[str, str],
    cards: list[str],
) -> TableSetup:
    from kbrules.engine.setup import SetupError, choose_table, game_at, with_cards

    try:
        table = choose_table(ruleset, players, seed, setup, options, grids)
        table = with_cards(ruleset, table, parse_cards(ruleset, cards))
        game_at(ruleset, table)
    except SetupError as error:
        exit_with("KB009", str(error), remedy(ruleset, players, error.part))
    return table


def _log_path(log: Path | None, force: bool) -> Path:
    """Where the log goes. A name that was asked for must be free; the usual one gets a number."""
    path = log or Path(LOG)
    if log is None and not force:
        number = 1
        while path.exists():
            number += 1
            path = Path(LOG).with_stem(f"{Path(LOG).stem}-{number}")
    if path.is_dir() or not path.parent.is_dir():
        exit_with("KB008", f"`{path}` cannot be written: there is no such folder, or it is one")
    if path.exists() and not force:
        exit_with("KB008", f"`{path}` exists already", "write over it with --force")
    return path
