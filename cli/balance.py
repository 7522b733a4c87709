"""`kbrules balance`: where a card stands among the others, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import completion, games as game_runs
from .boxes import boxes_and_folders, load_or_exit, with_roots
from .lazily import lazily
from .options import Cluster, Fast, FirstSeed, Jobs, NoFile, Options, Players, With
from .output import Html, ReportFormat, ReportOptions, Svg, check_folders, show_report
from .terminal import Progress, exit_with, folder_here, printable

with lazily():
    from kbrules.library import box as library_boxes, reading
    from kbrules.tools.balance import measure, playing

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset


DEFAULT_BOTS = ["greedy", "random"]
DEFAULT_GAMES = 40
MAX_GAMES = 10_000
"""Games after which a run ends that was told when to stop, and still does not know enough."""

Card = Annotated[
    str,
    typer.Argument(
        metavar="CARD",
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
        help=f"With each card and bot; {DEFAULT_GAMES} if not said.",
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
        "`gold`, `spread`, `decides`, `gap` and `p`; a figure is `value`, `low`, `high`, `games`.",
    ),
]


def command(
    card: Card,
    with_: With = None,
    players: Players = None,
    bots: Bots = None,
    games: Games = None,
    until: Until = None,
    seed: FirstSeed = 0,
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
    check_folders((svg, html))
    most = games or (DEFAULT_GAMES if until is None else MAX_GAMES)
    ruleset, id = _find_card(card, with_ or [])
    question = _question(ruleset, id, players, _bots(bots or DEFAULT_BOTS), seed)
    question = replace(question, options=game_runs.parse_options(ruleset, option or []))
    options = BalanceOptions(most, until, game_runs.WorkerOptions(jobs, fast, cluster))
    result = measure_card(ruleset, question, options, game_runs.ResultsOptions(into, no_file))
    report = ReportOptions(output_format, html, svg)
    show_report(measure.balance_report(result), report, lambda: measure.balance_svg(result))
    if into is not None and not no_file:
        typer.echo(f"the games are in {printable(into)}", err=True)


def _find_card(name: str, words: list[str]) -> tuple[Ruleset, str]:
    """The rules by which the card is played, and its id; unless boxes are named, those it needs."""
    boxes, folders = boxes_and_folders(words)
    folder = playing.folder_of(name) or (None if words else folder_here())
    if folder is not None and reading.real_path(folder) not in {
        reading.real_path(each) for each in folders
    }:
        folders.append(folder)
    if not boxes and not folders:
        boxes = playing.boxes_with(name)
    ruleset = load_or_exit(with_roots(boxes, folders), folders)
    return ruleset, playing.card_in(ruleset, name)


def _bots(words: list[str]) -> tuple[str, ...]:
    for name in words:
        if "," in name:
            help = f"ask for each by itself: `--bots {' --bots '.join(name.split(','))}`"
            exit_with("KB009", "the same bot plays in all seats of a game here", help)
        game_runs.parse_bot(name)
    return tuple(dict.fromkeys(words))


def _question(
    ruleset: Ruleset, card: str, players: int | None, bots: tuple[str, ...], seed: int
) -> playing.BalanceQuestion:
    boxes = tuple(library_boxes.boxes_by_name(ruleset.boxes, [*map(Path, ruleset.folders)]))
    count = game_runs.player_count(ruleset, players)
    return playing.BalanceQuestion(card, boxes, ruleset.folders, count, bots, seed)


# How a card is measured from the command line: the file of its games, and its progress.


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """How many games with each card at most, how well its gold is to be known, and who plays."""

    games: int
    until: float | None
    worker_options: game_runs.WorkerOptions


def measure_card(
    ruleset: Ruleset,
    question: playing.BalanceQuestion,
    options: BalanceOptions,
    file: game_runs.ResultsOptions,
) -> measure.BalanceResult:
    """The result; a file that nobody named is gone then. Ends the command if there can be none."""
    path = file.file("balance", playing.facts_of(question, ruleset.digest, ruleset.contents))
    open_results = playing.temporary_results if file.has_default_name else playing.Results
    with game_runs.setup_errors(ruleset, question.players):
        if options.worker_options.fast:
            _compile_kernels(ruleset, question)
        opened = open_results(path, question, ruleset.digest, ruleset.contents)
        with game_runs.worker_errors(), opened as results:
            return _measure(ruleset, question, options, results)


def _compile_kernels(ruleset: Ruleset, question: playing.BalanceQuestion) -> None:
    others = playing.others_of(ruleset, question.card)
    games = (each.game for each in playing.dealt_games(ruleset, question, others, question.seed))
    game_runs.compile_kernels([(bot,) for bot in question.bots], games, question.seed)


def _measure(
    ruleset: Ruleset,
    question: playing.BalanceQuestion,
    options: BalanceOptions,
    results: playing.Results,
) -> measure.BalanceResult:
    try:
        with (
            options.worker_options.executor() as (pool, executor),
            Progress("playing") as progress,
        ):
            return measure.measure(
                ruleset,
                question,
                results,
                options.games,
                measure.balance_command(question, options.games, options.until),
                options.until,
                pool.processes,
                progress.show,
                pool.method,
                executor,
            )
    except KeyboardInterrupt:
        game_runs.exit_interrupted(results.path, results.games)
