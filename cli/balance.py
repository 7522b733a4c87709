"""`kbrules balance`: where a card stands among the others, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from . import completion, games as game_runs, options
from .boxes import boxes_and_folders, load_or_exit, with_roots
from .output import FULL, Html, ReportForm, ReportOptions, Svg, form_option, show
from .terminal import exit_with, folder_here

with lazily():
    from kbrules.library import box as library_boxes, reading
    from kbrules.tools import balance
    from kbrules.tools.simulate import question as questions

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.simulate import report as answers


DEFAULT_BOTS = ["greedy", "random"]
DEFAULT_GAMES = 40
MAX_GAMES = 10_000
"""Games after which a run ends that was told when to stop, and still does not know enough."""

Card = Annotated[
    str | None,
    typer.Argument(
        metavar="[CARD]",
        help="A card by name, or the file or folder of your own where it lies.",
        show_default=False,
        autocompletion=completion.cards,
    ),
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots",
        autocompletion=completion.bots,
        help=f"Who plays, in every seat: `random`, {game_runs.BOT_KINDS}. Again for others, who "
        "play the same deals. By default `greedy`, and `random`.",
    ),
]
Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        min=2,
        max=1_000_000,
        help=f"With each card and bot; {DEFAULT_GAMES} if no end is said.",
    ),
]
Until = Annotated[
    float | None,
    typer.Option(
        "--until",
        min=0.001,
        help=f"Stop once its gold is known so well, to either side; after {MAX_GAMES} at most.",
    ),
]


def command(
    card: Card = None,
    with_: options.With = None,
    players: options.Players = None,
    bots: Bots = None,
    games: Games = None,
    within: options.Within = None,
    until: Until = None,
    seed: options.FirstSeed = 0,
    option: options.Options = None,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    fast: options.Fast = False,
    into: options.Into = None,
    no_file: options.NoFile = False,
    report: options.ReportOf = None,
    svg: Svg = None,
    html: Html = None,
    output_format: Annotated[ReportForm, form_option("balance")] = FULL,
) -> None:
    """Say where a card stands among the official ones: what it pays, and how sure that is.

    With each seed all cards have the same board and luck: the others are dealt to as many tables
    as they need, and yours takes the place of one of them. What is told of gaps holds for all
    cards at once in 19 of 20 runs.

    Games are kept in a file as those of `kbrules simulate`: the same command goes on where it was
    broken off, and with more --games it plays only those that are missing.

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
      kbrules balance --report rowers.sqlite
    """
    output = ReportOptions(output_format, html, svg)
    if report is not None:
        game_runs.show_file(report, output, _show)
        return
    if card is None:
        exit_with("KB009", "no card is named", "name one, as `kbrules balance ID`")
    ruleset, id = _find_card(card, with_ or [])
    rulings = game_runs.parse_options(ruleset, option or [])
    boxes = library_boxes.boxes_by_name(ruleset.boxes, [*map(Path, ruleset.folders)])
    side = questions.Side(tuple(boxes), ruleset.folders, options=rulings)
    count, names = game_runs.player_count(ruleset, players), _bots(bots or DEFAULT_BOTS)
    question = questions.question_about(id, side, count, names, seed)
    default = None if within else DEFAULT_GAMES if until is None else MAX_GAMES
    stop = games or default, within, until
    run_options = game_runs.RunOptions(*stop, jobs, cluster, fast, into, no_file, output)
    game_runs.run(game_runs.tables_for(question, [ruleset]), run_options, "balance", _show)


def _find_card(name: str, words: list[str]) -> tuple[Ruleset, str]:
    """The rules by which the card is played, and its id; unless boxes are named, those it needs."""
    boxes, folders = boxes_and_folders(words)
    folder = balance.folder_of(name) or (None if words else folder_here())
    if folder is not None and reading.real_path(folder) not in {
        reading.real_path(each) for each in folders
    }:
        folders.append(folder)
    if not boxes and not folders:
        boxes = balance.boxes_with(name)
    ruleset = load_or_exit(with_roots(boxes, folders), folders)
    return ruleset, balance.card_in(ruleset, name)


def _bots(words: list[str]) -> tuple[str, ...]:
    for name in words:
        if "," in name:
            help = f"ask for each by itself: `--bots {' --bots '.join(name.split(','))}`"
            exit_with("KB009", "the same bot plays in all seats of a game here", help)
        game_runs.parse_bot(name)
    return tuple(dict.fromkeys(words))


def _show(answer: answers.Answer, output: ReportOptions) -> None:
    if not answer.question.beside:
        message = "this file says nothing of one card among the others"
        exit_with("KB056", message, "`kbrules balance` writes files that do")
    show(balance.balance_report(answer), output)
