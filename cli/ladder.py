"""`kbrules ladder`: bots play each other, and each gets a rating."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from . import completion, games as game_runs, options
from .output import FULL, Html, ReportForm, ReportOptions, Svg, form_option, show
from .simulate import SideOptions
from .terminal import exit_with

with lazily():
    from kbrules.tools import ladder
    from kbrules.tools.simulate import question as questions

if TYPE_CHECKING:
    from kbrules.tools.simulate.report import Answer

DEFAULT_BOTS = ("random", "greedy")
MAX_BOTS = 24
_PLAYERS = 2

Bots = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[BOT]...",
        help=f"Who plays: `random`, {game_runs.BOT_KINDS}; again or a,b. The first has rating 0; "
        "by default `random` and `greedy`.",
        show_default=False,
        autocompletion=completion.bots,
    ),
]
Deals = Annotated[
    int | None,
    typer.Option("--games", "-n", min=1, max=10**9, help="Deals; every two bots play each twice."),
]


def command(
    bot: Bots = None,
    with_: options.With = None,
    games: Deals = None,
    within: options.Within = None,
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
    output_format: Annotated[ReportForm, form_option("ladder")] = FULL,
) -> None:
    """Let bots play each other, two at a table, and rate them in points of Elo.

    Every two of them play every deal twice: the same table and luck, with the seats exchanged.
    The ratings are those of the model of Bradley and Terry, with intervals that hold the truth with
    95 %; the first bot that is named has 0.

    Games are kept in a file as those of `kbrules simulate`: the same command goes on where it was
    broken off, and with more --games it plays only those that are missing.

    The exit code is 0 if there is an answer, 2 if there can be none, 130 after Ctrl-C.

    \b
    Examples:
      kbrules ladder random greedy mc:100 --fast         for half a minute
      kbrules ladder greedy,mc:100,mc:1000 --games 200 --fast
      kbrules ladder greedy uct:1000 --with all --games 100 --fast --html ladder.html
      kbrules ladder --report ladder-0f2a9c51.sqlite --output-format json
    """
    output = ReportOptions(output_format, html, svg)
    if report is not None:
        game_runs.show_file(report, output, _show)
        return
    side, _ = SideOptions(tuple(with_ or ()), (), tuple(option or ())).side()
    table = setup, game_runs.parse_sections(grid or ()), games_per_table
    lineups = ladder.pairings(_bots(bot or DEFAULT_BOTS))
    question = questions.Question((side,), _PLAYERS, lineups, seed, *table)
    stop = games, within if games or within else game_runs.DEFAULT_SECONDS, None
    run_options = game_runs.RunOptions(*stop, jobs, cluster, fast, into, no_file, output)
    game_runs.run(game_runs.tables_for(question), run_options, "ladder", _show)


def _bots(words: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The bots that are named, each once; ends the command if they are not two at least."""
    names = [name.strip() for text in words for name in text.split(",")]
    for name in names:
        game_runs.parse_bot(name)
    bots = tuple(dict.fromkeys(names))
    if not 1 < len(bots) <= MAX_BOTS:
        help = "name more, as `kbrules ladder random greedy`"
        exit_with("KB009", f"a ladder has 2 to {MAX_BOTS} different bots, not {len(bots)}", help)
    return bots


def _show(answer: Answer, output: ReportOptions) -> None:
    if not ladder.bots_of(answer.question):
        message = "in this file not every two bots have met"
        exit_with("KB056", message, "`kbrules ladder` writes files in which they have")
    show(ladder.ladder_report(answer), output)
