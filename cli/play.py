"""`kbrules play`: a game against bots, among bots, or among people at one terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from . import completion
from .boxes import BoxWords, boxes_and_folders, load_for_log, load_named
from .games import BOT_KINDS, RANDOM, TableOptions, parse_bot, player_count, set_up_table
from .options import Cards, Grids, Lang, NoColor, Options, SetUp, With
from .output import FULL, PageForm, ReportOptions, form_option, show
from .replay import show_result, show_sheet, show_table
from .session import PlaySession, Quit
from .terminal import (
    INTERRUPTED,
    Painter,
    Progress,
    exit_unwritten,
    exit_with,
    exit_with_findings,
    printable,
    wants_colour,
)

with lazily():
    import secrets

    from kbrules.engine import setup as setups
    from kbrules.engine.logs import (
        replay as log_replay,
        writing as log_writing,
    )
    from kbrules.tools import bots as known_bots, narration

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.library.ruleset import Ruleset


DEFAULT_LOG = "game.kblog"
_BESIDE_IT = "beside it there are only `--with`, for folders, and how things are shown"

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
    typer.echo(f"{HUMAN:12}whoever sits at the terminal\n{known_bots.bots_text()}")
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
LogPath = Annotated[
    Path | None, typer.Option("--log", help=f"Where the log goes; by default {DEFAULT_LOG}.")
]
Continue = Annotated[
    Path | None,
    typer.Option("--continue", help="Go on with the game of a log that was broken off."),
]


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
    log: LogPath = None,
    no_log: Annotated[bool, typer.Option("--no-log", help="Keep no log.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over an older log.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the score sheet.")] = False,
    continue_: Continue = None,
    no_color: NoColor = False,
    lang: Lang = "",
    output_format: Annotated[PageForm, form_option("game")] = FULL,
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
    as_json, words = output_format == "json", BoxWords(with_, lang)
    if continue_ is not None:
        others = players, seed, bots, option, grid, card, draft, log, no_log or None, force or None
        if any(each not in (None, []) for each in others) or setup != RANDOM:
            exit_with("KB009", "`--continue` takes table, seats and log from the log", _BESIDE_IT)
        game = load_unfinished(continue_, words)
        run = GameRun(game.game, game.seating, continue_, words, game)
    else:
        ruleset = load_named(words)
        seed = secrets.randbelow(1_000_000) if seed is None else seed
        count = _player_count(bots, players, player_count(ruleset, None))
        options = TableOptions(count, seed, setup, option or (), grid or (), card or ())
        table, names = set_up_table(ruleset, options), _bot_names(bots, count)
        if draft is not None:
            table = draft_at_terminal(ruleset, table, draft, seed, names)
        path = None if no_log else _log_path(log, force)
        if path is not None and HUMAN in names and log is None:
            mention_unfinished(Path(DEFAULT_LOG), words)
        info = log_writing.MatchInfo(table, seed, tuple(names))
        run = GameRun(setups.game_at(ruleset, table), info, path, words)
    run.play(wants_colour(no_color), quiet, as_json)


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


# The draft before `kbrules play`: who strikes which card.


def draft_at_terminal(
    ruleset: Ruleset, table: setups.TableSetup, more: int, seed: int, names: list[str]
) -> setups.TableSetup:
    """The table after a draft: people are asked, bots strike by chance."""
    random_strike = setups.random_strikes(seed)

    def strike(player: int, cards: tuple[str, ...]) -> str:
        is_human = names[player] == "human"
        card = _ask_for_card(ruleset, player, cards) if is_human else random_strike(player, cards)
        typer.echo(f"{'abcdef'[player]} strikes {card}")
        return card

    try:
        return setups.draft_cards(ruleset, table, more, seed, strike)
    except setups.SetupError as error:
        exit_with("KB009", str(error), "give --draft another number, or more boxes by --with")


def _ask_for_card(ruleset: Ruleset, player: int, cards: tuple[str, ...]) -> str:
    """The card that a person strikes, by its name or number; asked until it is one of them."""
    wordings = {card: rule.wording for card in cards if (rule := ruleset.rule(card))}
    for number, card in enumerate(cards, 1):
        typer.echo(f"{number:>3} {card}: {wordings.get(card, '')}")
    while True:
        answer = typer.prompt(f"{'abcdef'[player]} strikes", prompt_suffix="> ").strip()
        if answer in cards:
            return str(answer)
        if answer.isdecimal() and 0 < int(answer) <= len(cards):
            return cards[int(answer) - 1]
        typer.echo(f"type a name, or a number from 1 to {len(cards)}")


# `kbrules play --continue`: reads the log of a game that was broken off, and offers to go on.


def command_to_continue(path: Path, with_: Sequence[str]) -> str:
    """What to type to go on with a game. The log names the boxes, but not where folders are."""
    _, folders = boxes_and_folders(with_)
    words = [word for folder in folders for word in ("--with", str(folder))]
    return printable(shlex.join(["kbrules", "play", "--continue", str(path), *words]))


def mention_unfinished(path: Path, with_: Sequence[str]) -> None:
    """Say that the log with the usual name is of a game that can be gone on with, if it is."""
    if not log_replay.is_unfinished(path):
        return
    try:
        log_writing.refuse_in_use(path)
    except OSError:  # somebody is at it
        return
    command = command_to_continue(path, with_)
    typer.echo(f"the game in {printable(path)} was broken off; to go on: {command}\n")


def load_unfinished(path: Path, with_: Sequence[str]) -> log_replay.Unfinished:
    """The game of a log as far as it got, replayed; ends the command if it cannot be gone on with.

    Half a line at its end is told.
    """
    try:
        log_writing.refuse_in_use(path)
    except OSError as error:
        exit_unwritten("the log", error)
    log, found = log_replay.read_log(path)
    if log is None or not (log.is_broken_off or log.closing):
        exit_with_findings(found)
    _refuse_finished(path, log)
    ruleset = load_for_log(log, with_)
    with Progress("replaying") as progress:
        replayed = log_replay.replay(ruleset, log, None, progress.show)
    if replayed.findings:
        exit_with_findings(replayed.findings)
    game = log_replay.unfinished_of(log, replayed)
    if len(game.seating.bots) != game.seating.table.players:
        exit_with("KB009", f"{printable(path)} does not name who sits where", "replay it instead")
    if game.half_line:
        end = f"the game goes on after move {len(game.moves)}"
        typer.echo(f"the log ends in half a line, which is dropped; {end}")
    return game


def _refuse_finished(path: Path, log: log_replay.Log) -> None:
    if log.closing is None:
        return
    name = printable(path)
    who = ", ".join(map(printable, log.closing.data["winners"])) or "nobody"
    help = f"`kbrules replay {name}` shows it; `kbrules play` begins another"
    exit_with("KB009", f"the game in {name} is over, and {who} won", help)


# One game of `kbrules play` from its first line on the terminal to its last.

HUMAN, GREEDY = "human", "greedy"


@dataclass(frozen=True, slots=True)
class GameRun:
    """A game that is to be played: its seats, its log, and what `--with` said.

    unfinished: the game that is gone on with, if it is one.
    """

    game: Game
    seating: log_writing.MatchInfo
    path: Path | None
    with_: Sequence[str]
    unfinished: log_replay.Unfinished | None = None

    def play(self, painting: bool, quiet: bool, as_json: bool) -> None:
        """Play the game, tell it, and keep its log; ends the command if somebody interrupts it."""
        if as_json and HUMAN in self.seating.bots:
            exit_with("KB009", "a person needs a board to play", "name bots: `--bots greedy`")
        painter = Painter(self.game.board, painting and not as_json)
        names = self.seating.bots
        bots = [None if name == HUMAN else parse_bot(name, [HUMAN]) for name in names]
        session = PlaySession(self.game, self.seating, bots, painter, quiet or as_json)
        if self.unfinished is not None:
            session.resume(self.unfinished)
        try:
            self._play(session, painter, quiet, as_json)
        except KeyboardInterrupt:
            typer.echo("\ninterrupted", err=True)
            if session.is_logged:
                typer.echo(self._how_to_continue(), err=True)
            raise typer.Exit(INTERRUPTED) from None

    def _play(self, session: PlaySession, painter: Painter, quiet: bool, as_json: bool) -> None:
        if not quiet and not as_json:
            self._introduce(session, painter)
        try:
            session.run(self.path)
        except Quit:
            painter.say(self._how_to_continue() if self.path else "the game is broken off")
            return
        if as_json:
            match, log = session.match, self.path.as_posix() if self.path is not None else ""
            report = narration.game_report(self.game, match.state, match.number, log)
            show(report, ReportOptions("json"))
            return
        self._show_end(session, painter, quiet)
        if self.path:
            painter.say(f"log: {printable(self.path)}")

    def _how_to_continue(self) -> str:
        assert self.path is not None
        command = command_to_continue(self.path, self.with_)
        return f"the unfinished log is in {printable(self.path)}; to go on: {command}"

    def _introduce(self, session: PlaySession, painter: Painter) -> None:
        table = self.seating.table
        seats = ", ".join(f"{'abcdef'[at]} {name}" for at, name in enumerate(self.seating.bots))
        cards = f"cards {', '.join(table.cards)}; " if table.cards else ""
        painter.say(f"seed {self.seating.seed}; {seats}; {cards}sections {table.layout}")
        if HUMAN not in self.seating.bots:  # a person is shown the board when it is their turn
            show_table(painter, self.game, session.match.state)
        painter.say(narration.legend(self.game, session.match.state))
        painter.say()

    def _show_end(self, session: PlaySession, painter: Painter, quiet: bool) -> None:
        state = session.match.state
        if quiet:
            show_sheet(painter, self.game, state)
            return
        painter.say()
        show_table(painter, self.game, state)
        painter.say()
        show_result(painter, self.game, state)
