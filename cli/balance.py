"""`kbrules balance`: where a card stands among the others, and how sure that is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .balance_run import BalanceOptions, measure_card
from .boxes import boxes_and_folders, load_or_exit, with_roots
from .game_options import BOT_KINDS, parse_bot, parse_options
from .options import Cluster, Fast, Jobs, NoFile, Options, With
from .picture_files import check_room
from .simulation import ResultsOptions, WorkerOptions
from .terminal import completion
from .terminal.findings import exit_with, exit_with_findings, printable
from .terminal.reports import Html, ReportFormat, ReportOptions, Svg, show_report

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.measuring.balance.result import BalanceResult
    from kbrules.tools.measuring.balance.tables import BalanceQuestion

__all__ = ["command"]

USUAL = ["greedy", "random"]
GAMES = 40
MOST = 10_000
"""Games after which a run ends that was told when to stop, and still does not know enough."""
_FURTHEST = 10**15


Card = Annotated[
    str,
    typer.Argument(
        metavar="CARD",
        help="A card by name, or the file or folder of your own where it lies.",
        show_default=False,
        autocompletion=completion.cards,
    ),
]
SeedPool = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; else the fewest that can.")
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots",
        autocompletion=completion.bots,
        help=f"Who plays, in every seat: `random`, {BOT_KINDS}. Again for others, who play the "
        "same deals. By default `greedy`, and `random`.",
    ),
]
Games = Annotated[
    int | None,
    typer.Option(
        "--games", "-n", min=2, max=1_000_000, help=f"With each card and bot; by default {GAMES}."
    ),
]
Until = Annotated[
    float | None,
    typer.Option(
        "--until",
        min=0.001,
        help=f"Stop once its gold is known so well, to either side; after {MOST} games at most.",
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", "-s", min=-_FURTHEST, max=_FURTHEST, help="Of the first deal.")
]
Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        metavar="FILE",
        help="Keep the games there (SQLite), also once there is an answer.",
    ),
]
Form = Annotated[
    ReportFormat,
    typer.Option(
        "--output-format",
        help="For programs `json`: `format` (1), `version`, `rules`, `command`, `card`, `players`, "
        "`seed`, `deals`, `games`, `stand_ins`, and for each of `bots` the `sentence`, `places`, "
        "`error`, `asked`, `more_than`, `less_than`, `level_with` and `others`: each `card`, "
        "`gold`, `apart`, `decides`, `gap` and `p`; a figure is `value`, `low`, `high`, `games`.",
    ),
]


def command(
    card: Card,
    with_: With = None,
    players: SeedPool = None,
    bots: Bots = None,
    games: Games = None,
    until: Until = None,
    seed: Seed = 0,
    option: Options = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    fast: Fast = False,
    into: Into = None,
    no_file: NoFile = False,
    svg: Svg = None,
    html: Html = None,
    output_format: Form = ReportFormat.full,
) -> None:
    """Say where a card stands among the official ones: what it pays, and how sure that is.

    With each seed all cards have the same board and luck: the others are dealt to as many tables
    as they need, and yours takes the place of one of them. What is told of gaps holds for all
    cards at once in 19 of 20 runs.

    Until there is an answer the games are kept in a file with the question's own name: if it is
    broken off, the same command goes on from there. Of a file that you name with --into the games
    stay, and with more --games only those are played that are missing.

    The exit code is 0 if there is an answer, 2 if there can be none, 130 after Ctrl-C.

    \b
    Examples:
      kbrules balance ID                            a card of the boxes among the others
      kbrules balance mine/rules/rowers.kb          your own
      kbrules balance rowers --with mine,nomads     among the cards of more boxes
      kbrules balance rowers --with mine --players 4 --bots greedy -n 200
      kbrules balance rowers --with mine --until 0.5 --html rowers.html
      kbrules balance rowers --with mine --into rowers.sqlite -n 1000
      kbrules balance rowers --with mine --bots random -n 20000 --fast
    """
    from kbrules.tools.measuring.balance.card_lookup import CardNotFound
    from kbrules.tools.processes.pool import cores

    check_room((svg, html))
    most = games or (GAMES if until is None else MOST)
    try:
        ruleset, id = _found(card, with_ or [])
        question = _question(ruleset, id, players, _bots(bots or USUAL), seed)
        question = replace(question, options=parse_options(ruleset, option or []))
    except CardNotFound as missing:
        exit_with_findings([missing.diagnostic])
    wish = BalanceOptions(most, until, WorkerOptions(jobs or cores(), fast, cluster))
    result = measure_card(ruleset, question, wish, ResultsOptions(into, no_file))
    _show(result, ReportOptions(output_format, html, svg))
    if into is not None and not no_file:
        typer.echo(f"the games are in {printable(into)}", err=True)


def _found(name: str, words: list[str]) -> tuple[Ruleset, str]:
    """The rules by which the card is played, and its id; unless boxes are named, those it needs."""
    from kbrules.library.load import MANIFEST
    from kbrules.library.resources import author_folder
    from kbrules.tools.measuring.balance.card_lookup import boxes_with, card_in, folder_of

    boxes, folders = boxes_and_folders(words)
    home = folder_of(name) or (None if words else author_folder(Path(MANIFEST).absolute()))
    if home is not None and home.resolve() not in {folder.resolve() for folder in folders}:
        folders.append(home)
    if not boxes and not folders:
        boxes = boxes_with(name)
    ruleset = load_or_exit(with_roots(boxes, folders), folders)
    return ruleset, card_in(ruleset, name)


def _bots(words: list[str]) -> tuple[str, ...]:
    for name in words:
        if "," in name:
            help = f"ask for each by itself: `--bots {' --bots '.join(name.split(','))}`"
            exit_with("KB009", "the same bot plays in all seats of a game here", help)
        parse_bot(name)
    return tuple(dict.fromkeys(words))


def _question(
    ruleset: Ruleset, card: str, players: int | None, bots: tuple[str, ...], seed: int
) -> BalanceQuestion:
    from kbrules.library.boxes.installed import boxes_by_name
    from kbrules.tools.measuring.balance.tables import BalanceQuestion

    boxes = tuple(boxes_by_name(ruleset.boxes, [*map(Path, ruleset.folders)]))
    count = ruleset.parts.players[0] if players is None else players
    return BalanceQuestion(card, boxes, ruleset.folders, count, bots, seed)


def _show(result: BalanceResult, wish: ReportOptions) -> None:
    from kbrules.tools.measuring.balance.report import balance_report, balance_svg

    show_report(balance_report(result), wish, lambda: balance_svg(result))
