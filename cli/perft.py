"""`kbrules perft`: how many sequences of moves begin in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from .boxes import boxes_and_folders, load_named
from .games import RANDOM, TableOptions, set_up_table
from .options import Cards, Engine, Grids, Options, Players, SetUp, With
from .output import FULL, ReportForm, ReportOptions, form_option, show
from .terminal import INTERRUPTED, Progress, exit_with, exit_with_findings

with lazily():
    from kbrules.engine import matches, setup as setups
    from kbrules.tools import perft, positions

if TYPE_CHECKING:
    from kbrules.game.state import State

MAX_DEPTH = 64
SHOWN = 10_000
"""After so many sequences more the line of progress is written anew."""

PositionWords = Annotated[
    str | None,
    typer.Argument(
        metavar="[POSITION]",
        help="The log of a game, a scenario (file.scenario.yaml::title), an example "
        "(file.kb::rule) or a file with a drawing; else a table is laid by the seed.",
        show_default=False,
    ),
]
Depth = Annotated[
    int, typer.Option("--depth", "-d", min=0, max=MAX_DEPTH, help="How many moves ahead.")
]
At = Annotated[
    int | None,
    typer.Option(
        "--at",
        min=0,
        help="Count after so many moves: of the file, else at its end; of a random game by the "
        "seed, else at its start.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", "-s", help="Of the table, if no file is named.")]
ByEngine = Annotated[
    Engine, typer.Option("--engine", help="Who counts; `native` needs `kbrules[fast]`.")
]
Divide = Annotated[bool, typer.Option("--divide", help="Tell the count of each first move, too.")]


def command(
    position: PositionWords = None,
    depth: Depth = 3,
    at: At = None,
    with_: With = None,
    players: Players = None,
    seed: Seed = 0,
    setup: SetUp = RANDOM,
    option: Options = None,
    grid: Grids = None,
    card: Cards = None,
    engine: ByEngine = Engine.python,
    divide: Divide = False,
    output_format: Annotated[ReportForm, form_option("perft")] = FULL,
) -> None:
    """Count the sequences of legal moves that begin in a position, depth by depth.

    Engines that differ anywhere near the position count otherwise, and --divide says behind which
    move. A draw is a move: each card that can come counts once. A sequence that ends the game
    sooner is not counted. Every depth takes some ten times as long as the one before; Ctrl-C tells
    what was counted until then.

    The exit code is 0, 2 if there is no such position, 130 after Ctrl-C.

    \b
    kbrules perft                               three moves ahead from the start of seed 0
    kbrules perft --seed 7 --at 40 --depth 4    after 40 moves of a random game
    kbrules perft game.kblog --at 12 --divide   a moment of a game, move by move
    kbrules perft --engine native --with all    the same counts, sooner
    """
    options = TableOptions(players, seed, setup, option or (), grid or (), card or ())
    if position is None:
        start = _random_position(options, at or 0, with_ or [])
    elif options == TableOptions():
        start = _open(position, at, with_ or [])
    else:
        help = "leave out the options about the table, or the file"
        exit_with("KB009", f"`{position}` says itself what lies on the table", help)
    result = perft.PerftResult(start.game.with_engine(engine.value), start.name, depth)
    _count(result, start.state, divide)
    show(perft.perft_report(result), ReportOptions(output_format))
    raise typer.Exit(0 if result.is_whole else INTERRUPTED)


def _open(words: str, at: int | None, with_: list[str]) -> positions.NamedState:
    boxes, folders = boxes_and_folders(with_)
    request = positions.PositionRequest(words, at, tuple(boxes), tuple(folders))
    with Progress("reading") as progress:
        position, found = positions.open_position(request, progress.show)
    if position is None:
        exit_with_findings(found)
    return position


def _random_position(options: TableOptions, at: int, with_: list[str]) -> positions.NamedState:
    """The position after so many moves of the random game of a seed."""
    ruleset, seed = load_named(with_), options.seed
    game = setups.game_at(ruleset, set_up_table(ruleset, options))
    match = matches.Match(game, seed, [matches.random_bot] * game.players)
    while match.number < at and match.moves:
        next(iter(match))
    if match.number < at:
        message = f"--at {at}: the game of seed {seed} has {match.number} moves"
        exit_with("KB024", message, f"give a number from 0 to {match.number}")
    return positions.NamedState(game, match.state, f"seed {seed} after move {at}")


def _count(result: perft.PerftResult, state: State, divide: bool) -> None:
    """Count, with a line that says how far it is; what was counted before Ctrl-C is reported."""
    done = 0
    try:
        with Progress("counting") as progress:

            def show(count: int) -> None:
                nonlocal done
                done += count
                if done % SHOWN < count:
                    progress.show(done, None, "sequences")

            result.count(state, divide, show)
    except KeyboardInterrupt:
        return
