"""`kbrules simulate`: many games for one question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import boxes_and_folders, load_or_exit, with_roots
from .game_options import BOT_KINDS, parse_bot, parse_cards, parse_options, parse_section
from .options import Cluster, Fast, Grids, Jobs, NoFile, Options, SetUp, With
from .simulation import ResultsOptions, StopOptions, WorkerOptions, run, show_file
from .table_help import remedy
from .terminal import completion
from .terminal.findings import exit_with
from .terminal.reports import Html, ReportFormat, ReportOptions, Svg

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.measuring.simulate.question import Question, Side
    from kbrules.tools.measuring.simulate.tables import Tables

__all__ = [
    "SECONDS",
    "AskedSide",
    "Games",
    "Into",
    "PerTable",
    "Seed",
    "Within",
    "command",
    "tables_for",
]

SECONDS = 30.0
"""How long a run goes on by itself that was told no end."""
BOTS = ["random", "greedy"]
_FURTHEST = 10**15


Cards = Annotated[
    list[str] | None, typer.Option("--card", help="A card that lies on every table; again.")
]
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
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; the fewest, if not said.")
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots",
        autocompletion=completion.bots,
        help=f"Who plays: `random`, {BOT_KINDS}; one for all seats, or a list, which is turned "
        "round the table. Again for others, who play the same deals. By default `random`, and "
        "`greedy`.",
    ),
]
Games = Annotated[
    int | None,
    typer.Option("--games", "-n", min=1, max=10**9, help="Deals to play, each by all --bots."),
]
Within = Annotated[
    float | None,
    typer.Option("--within", min=0.1, help=f"Seconds; {SECONDS:.0f} if no end is said at all."),
]
Until = Annotated[
    float | None,
    typer.Option("--until", min=0.001, help="Stop once gold is known so well, to either side."),
]
Seed = Annotated[
    int,
    typer.Option("--seed", "-s", min=-_FURTHEST, max=_FURTHEST, help="Of the first deal."),
]
PerTable = Annotated[
    int, typer.Option("--games-per-table", min=1, max=10**6, help="Deals in a row on one table.")
]
Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        metavar="FILE",
        help="Keep the games there (SQLite); by default in a file with the question's own name.",
    ),
]
ReportOf = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Only tell what a file says.")
]
Form = Annotated[
    ReportFormat,
    typer.Option(
        "--output-format",
        help="For programs `json`: `format` (1), `question`, `deals`, `games`, `seeds`, `version`, "
        "`rules`, `command`, `error`, `sentences`, and `tables`, each `id`, `unit`, `columns` "
        "(`party`, `bot`, `side`) and `lines` of `figures`: `value`, `low`, `high`, `tables`.",
    ),
]


def command(
    with_: With = None,
    card: Cards = None,
    without: Without = False,
    against_card: AgainstCards = None,
    against: Against = None,
    against_option: AgainstOption = None,
    players: Players = None,
    bots: Bots = None,
    games: Games = None,
    within: Within = None,
    until: Until = None,
    seed: Seed = 0,
    setup: SetUp = "random",
    option: Options = None,
    grid: Grids = None,
    games_per_table: PerTable = 1,
    jobs: Jobs = None,
    cluster: Cluster = None,
    fast: Fast = False,
    into: Into = None,
    no_file: NoFile = False,
    report: ReportOf = None,
    html: Html = None,
    svg: Svg = None,
    output_format: Form = ReportFormat.full,
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
    from kbrules.tools.processes.pool import cores

    forms = ReportOptions(output_format, html, svg)
    if report is not None:
        show_file(report, forms)
        return
    asked = AskedSide(tuple(with_ or ()), tuple(card or ()), tuple(option or ()))
    others = AskedSide(tuple(against or ()), tuple(against_card or ()), tuple(against_option or ()))
    place = setup, tuple(grid or ()), games_per_table
    question = _question(asked.sides(others, without), players, bots or BOTS, seed, place)
    enough = StopOptions(games, within if games or until or within else SECONDS, until)
    hands = WorkerOptions(jobs or cores(), fast, cluster)
    run(tables_for(question), enough, hands, ResultsOptions(into, no_file), forms)


@dataclass(frozen=True, slots=True)
class AskedSide:
    """Words about one side: boxes and folders, cards, rulings."""

    boxes: tuple[str, ...]
    cards: tuple[str, ...]
    rulings: tuple[str, ...]

    def sides(self, others: AskedSide, without: bool) -> list[AskedSide]:
        """This one, and before it the one it is compared with, if it is."""
        if without and others.cards:
            exit_with(
                "KB009", "`--without` and `--against-card` do not go together", "leave one out"
            )
        if without and not self.cards:
            exit_with(
                "KB009", "`--without` needs to know without what", "name a card with `--card`"
            )
        if not (without or others != AskedSide((), (), ())):
            return [self]
        cards = () if without else others.cards or self.cards
        boxes, rulings = others.boxes or self.boxes, (*self.rulings, *others.rulings)
        return [AskedSide(boxes, cards, rulings), self]

    def side(self) -> tuple[Side, Ruleset]:
        """What the words mean; ends the command if they mean nothing."""
        from kbrules.tools.measuring.simulate.question import Side

        names, folders = boxes_and_folders(self.boxes)
        boxes = with_roots(names, folders)
        ruleset = load_or_exit(boxes, folders)
        cards = parse_cards(ruleset, self.cards)
        paths = tuple(folder.as_posix() for folder in folders)
        return Side(tuple(boxes), paths, cards, parse_options(ruleset, self.rulings)), ruleset


def _question(
    asked: list[AskedSide],
    players: int | None,
    bots: list[str],
    seed: int,
    place: tuple[str, tuple[str, ...], int],
) -> Question:
    from kbrules.tools.measuring.simulate.question import Question

    sides = [each.side() for each in asked]
    count = _count(bots, players, sides[-1][1].parts.players[0])
    parties = tuple(dict.fromkeys(_party(words, count) for words in bots))
    setup, grids, per_table = place
    lying = dict(map(parse_section, grids))
    return Question(tuple(s for s, _ in sides), count, parties, seed, setup, lying, per_table)


def _count(bots: list[str], players: int | None, least: int) -> int:
    """How many play: as many as were asked for, or named, or at least are needed."""
    if players is not None:
        return players
    return max(least, *(len(words.split(",")) for words in bots))


def _party(words: str, players: int) -> tuple[str, ...]:
    """Who plays together: one bot for each seat."""
    names = tuple(name.strip() for name in words.split(","))
    if len(names) not in (1, players):
        exit_with(
            "KB009",
            f"`--bots {words}` names {len(names)} players; {players} play",
            "name one bot, or all",
        )
    for name in names:
        parse_bot(name)
    return names * players if len(names) == 1 else names


def tables_for(question: Question) -> Tables:
    """The tables of a question; ends the command if they cannot be had."""
    from kbrules.engine.setup import SetupError
    from kbrules.tools.measuring.simulate.tables import Tables

    tables = Tables(question)
    try:
        tables.check()
    except SetupError as error:
        exit_with("KB009", str(error), remedy(tables.rulesets[-1], question.players, error.part))
    return tables
