"""`kbrules simulate`: many games for one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from . import completion, games as game_runs, options
from .boxes import boxes_and_folders, load_or_exit, with_roots
from .output import FULL, Html, ReportForm, ReportOptions, Svg, form_option
from .terminal import exit_with

with lazily():
    from kbrules.tools.simulate import question as questions

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset

DEFAULT_BOTS = ["random", "greedy"]

Without = Annotated[
    bool, typer.Option("--without", help="Compare: each game also without the cards of --card.")
]
AgainstCards = Annotated[
    list[str] | None,
    typer.Option("--against-card", help="Compare: each game also with these cards instead."),
]
Against = Annotated[
    list[str] | None,
    typer.Option("--against", help="Compare: each game also by the rules of these, as --with."),
]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        "--against-ruling",
        "--against-option",
        help="Compare: each game also by this ruling: name=value.",
    ),
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots",
        autocompletion=completion.bots,
        help=f"Who plays: `random`, {game_runs.BOT_KINDS}; one for all seats, or a list, which is "
        "turned round the table. Again for others, who play the same deals. By default `random`, "
        "and `greedy`.",
    ),
]
Games = Annotated[
    int | None,
    typer.Option("--games", "-n", min=1, max=10**9, help="Deals to play, each by all --bots."),
]


def command(
    with_: options.With = None,
    card: options.Cards = None,
    without: Without = False,
    against_card: AgainstCards = None,
    against: Against = None,
    against_option: AgainstOption = None,
    players: options.Players = None,
    bots: Bots = None,
    games: Games = None,
    within: options.Within = None,
    until: options.Until = None,
    seed: options.FirstSeed = 0,
    setup: options.SetUp = game_runs.RANDOM,
    option: options.Options = None,
    grid: options.Grids = None,
    games_per_table: options.PerTable = 1,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    fast: options.Fast = False,
    into: options.Into = None,
    no_file: options.NoFile = False,
    report: options.ReportOf = None,
    html: Html = None,
    svg: Svg = None,
    output_format: Annotated[ReportForm, form_option("simulate")] = FULL,
) -> None:
    """Play many games for one question: what does a card pay, does the first player win more, is
    a tile ever used.

    Tells what every card pays, the gold and the wins of each seat, which tiles are taken and used,
    how long games are, how often they are tied, and how much there is to decide: each with the
    interval that holds the truth with 95 %. Deal 7 is the game of `kbrules play --seed 7`. Two
    sides are compared on the same tables, with the same other cards and the same luck; bots of
    different kinds take every seat in turn.

    Games are kept in a file (SQLite; the table `results` has a row for each player of each game).
    The same command goes on where it was broken off, and with more --games it plays only those that
    are missing; figures and file are the same for any number of --jobs. With --until it looks at
    32, 64, 128 ... tables and allows for having looked: the intervals are wider, and hold.

    The exit code is 0 if there is an answer, 2 if there can be none, 130 after Ctrl-C.

    \b
    Examples:
      kbrules simulate --card rowers                 what a card pays, in half a minute
      kbrules simulate --with mine --players 4       every card of your folder, four players
      kbrules simulate --card rowers --without       what it changes: with the card, and without
      kbrules simulate --card rowers --against-card millers      or with another in its place
      kbrules simulate --with mine --against mine.old            or by other rules
      kbrules simulate --bots greedy,careful:2       who wins, with the seats taken in turn
      kbrules simulate --card rowers --bots random --until 0.2   until gold is known so well
      kbrules simulate --with all --bots random --games 1000000 --games-per-table 50 --fast
      kbrules simulate --bots mc:200,greedy --games 200 --fast   who wins, against long thought
      kbrules simulate --bots greedy --games 10000 --cluster tcp://127.0.0.1:8786
      kbrules simulate --report simulation-0f2a9c51.sqlite --html report.html
    """
    output = ReportOptions(output_format, html, svg)
    if report is not None:
        game_runs.show_file(report, output)
        return
    words = (with_, card, option), (against, against_card, against_option)
    side, other = (SideOptions(*(tuple(each or ()) for each in of_side)) for of_side in words)
    table = setup, game_runs.parse_sections(grid or ()), games_per_table
    question = _question(side.sides(other, without), players, bots or DEFAULT_BOTS, seed, table)
    stop = games, within if games or until or within else game_runs.DEFAULT_SECONDS, until
    run_options = game_runs.RunOptions(*stop, jobs, cluster, fast, into, no_file, output)
    game_runs.run(game_runs.tables_for(question), run_options)


@dataclass(frozen=True, slots=True)
class SideOptions:
    """Options about one side, as they were written: boxes and folders, cards, rulings."""

    boxes: tuple[str, ...]
    cards: tuple[str, ...]
    rulings: tuple[str, ...]

    def sides(self, other: SideOptions, without: bool) -> list[SideOptions]:
        """This one, and before it the one it is compared with, if it is."""
        if without and other.cards:
            message = "`--without` and `--against-card` do not go together"
            exit_with("KB009", message, "leave one out")
        if without and not self.cards:
            message = "`--without` needs to know without what"
            exit_with("KB009", message, "name a card with `--card`")
        if not (without or other != SideOptions((), (), ())):
            return [self]
        cards = () if without else other.cards or self.cards
        boxes, rulings = other.boxes or self.boxes, (*self.rulings, *other.rulings)
        return [SideOptions(boxes, cards, rulings), self]

    def side(self) -> tuple[questions.Side, Ruleset]:
        """The side and its rules; ends the command if the options mean none."""
        names, folders = boxes_and_folders(self.boxes)
        boxes = with_roots(names, folders)
        ruleset = load_or_exit(boxes, folders)
        cards = game_runs.parse_cards(ruleset, self.cards)
        paths = tuple(folder.as_posix() for folder in folders)
        return questions.Side(
            tuple(boxes), paths, cards, game_runs.parse_options(ruleset, self.rulings)
        ), ruleset


def _question(
    options: list[SideOptions],
    players: int | None,
    bots: list[str],
    seed: int,
    table: tuple[str, dict[str, str], int],
) -> questions.Question:
    sides = [each.side() for each in options]
    least = sides[-1][1].parts.players[0]
    named = (len(words.split(",")) for words in bots)
    count = max(least, *named) if players is None else players
    lineups = tuple(dict.fromkeys(_lineup(words, count) for words in bots))
    return questions.Question(tuple(side for side, _ in sides), count, lineups, seed, *table)


def _lineup(words: str, players: int) -> tuple[str, ...]:
    """Who plays together: one bot for each seat."""
    names = tuple(name.strip() for name in words.split(","))
    if len(names) not in (1, players):
        message = f"`--bots {words}` names {len(names)} players; {players} play"
        exit_with("KB009", message, "name one bot, or all")
    for name in names:
        game_runs.parse_bot(name)
    return names * players if len(names) == 1 else names
