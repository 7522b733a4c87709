"""`kbrules perft`: how many sequences of moves begin in a position."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import boxes_and_folders, load_named
from .laying import RANDOM, TableWords, table_or_exit
from .options import Grids, Options, SetUp, With
from .terminal.findings import exit_with, exit_with_findings
from .terminal.progress import Progress
from .terminal.reports import ReportFormat, ReportOptions, show_report

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State
    from kbrules.tools.explaining.why.position import Position
    from kbrules.tools.measuring.perft import PerftResult

__all__ = ["command"]

INTERRUPTED = 130
DEEPEST = 64
SHOWN = 10_000
"""After so many sequences more the line of progress is written anew."""


class Engine(StrEnum):
    """The engines that count."""

    reference = "reference"
    python = "python"
    native = "native"


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
    int, typer.Option("--depth", "-d", min=0, max=DEEPEST, help="How many moves ahead.")
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
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; the fewest, if not said.")
]
Cards = Annotated[
    list[str] | None, typer.Option("--card", help="A card that lies on the table; again.")
]
By = Annotated[Engine, typer.Option("--engine", help="Who counts; `native` needs `kbrules[fast]`.")]
Divide = Annotated[bool, typer.Option("--divide", help="Tell the count of each first move, too.")]
Form = Annotated[
    ReportFormat,
    typer.Option(
        "--output-format",
        help="For programs `json`: `format` (1), `position`, `engine`, `depth`, `counts` from "
        "depth 0 on, and `moves`, each `move` and `count`.",
    ),
]


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
    engine: By = Engine.python,
    divide: Divide = False,
    output_format: Form = ReportFormat.full,
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
    from kbrules.tools.measuring.perft import PerftResult, perft_report

    words = TableWords(players, seed, setup, option or (), grid or (), card or ())
    if position is None:
        place = _played(words, at or 0, with_ or [])
    elif words == TableWords():
        place = _opened(position, at, with_ or [])
    else:
        help = "leave out the options about the table, or the file"
        exit_with("KB009", f"`{position}` says itself what lies on the table", help)
    found = PerftResult(place.game.with_engine(engine.value), place.name, depth)
    _count(found, place.state, divide)
    show_report(perft_report(found), ReportOptions(output_format))
    raise typer.Exit(0 if found.is_whole else INTERRUPTED)


def _opened(words: str, at: int | None, with_: list[str]) -> Position:
    from kbrules.tools.explaining.why.position import PositionRequest, open_position

    boxes, folders = boxes_and_folders(with_)
    place, found = open_position(PositionRequest(words, at, tuple(boxes), tuple(folders)))
    if place is None:
        exit_with_findings(found)
    return place


def _played(words: TableWords, at: int, with_: list[str]) -> Position:
    """The position after so many moves of the random game of a seed."""
    from kbrules.engine.setup import game_at
    from kbrules.tools.explaining.why.position import Position

    ruleset = load_named(with_)
    game = game_at(ruleset, table_or_exit(ruleset, words))
    return Position(game, _after(game, words.seed, at), f"seed {words.seed} after move {at}")


def _after(game: Game, seed: int, at: int) -> State:
    from kbrules.engine.matches.match import Match
    from kbrules.tools.playing.bots import random_bot

    match = Match(game, seed, [random_bot] * game.players)
    while match.number < at and match.moves:
        next(iter(match))
    if match.number < at:
        message = f"--at {at}: the game of seed {seed} has {match.number} moves"
        exit_with("KB024", message, f"give a number from 0 to {match.number}")
    return match.state


def _count(found: PerftResult, state: State, divide: bool) -> None:
    """Count, with a line that says how far it is; ends the command if no kernel can do it."""
    from kbrules.engine.simulation.kernels import OutOfRoom
    from kbrules.kernel.errors import MissingNumba, NotLowered

    done = 0
    try:
        with Progress("counting") as progress:

            def tell(count: int) -> None:
                nonlocal done
                done += count
                if done % SHOWN < count:
                    progress.show(done, None, "sequences")

            found.count(state, divide, tell)
    except KeyboardInterrupt:
        return  # what was counted is told
    except (MissingNumba, NotLowered) as error:
        exit_with(error.code, str(error), error.help)
    except OutOfRoom as error:
        exit_with("KB065", str(error), "count with `--engine reference`")
