"""Options that several commands take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from . import completion

_MAX_SEED = 10**15


class Engine(StrEnum):
    """The engines that play and answer."""

    reference = "reference"
    python = "python"
    native = "native"


With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        help="A box, `all`, or the folder of an expansion; again or a,b.",
        autocompletion=completion.boxes,
    ),
]
Lang = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="LANGUAGE",
        help="Titles and wordings in a language, such as `de`, as far as boxes have them.",
    ),
]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]

# The table

SetUp = Annotated[str, typer.Option("--setup", help="`random`, or the name of a set-up in a box.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--ruling",
        "--option",
        help="Another answer to a disputed question, as name=value; again for more. "
        "`kbrules show options` lists the questions.",
        autocompletion=completion.rulings,
    ),
]
Grids = Annotated[
    list[str] | None, typer.Option("--grid", help="What lies beside the table: grid=section.")
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; the fewest, if not said.")
]
Cards = Annotated[
    list[str] | None,
    typer.Option(
        "--card",
        help="A card that lies on the table, whatever the seed draws; again.",
        autocompletion=completion.cards,
    ),
]

# Runs of many games

FirstSeed = Annotated[
    int, typer.Option("--seed", "-s", min=-_MAX_SEED, max=_MAX_SEED, help="Of the first deal.")
]
PerTable = Annotated[
    int, typer.Option("--games-per-table", min=1, max=10**6, help="Deals in a row on one table.")
]
Within = Annotated[
    float | None, typer.Option("--within", min=0.1, help="Seconds; 30 if no end is said at all.")
]
Until = Annotated[
    float | None,
    typer.Option("--until", min=0.001, help="Stop once gold is known so well, to either side."),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, max=256, help="Processes; one for each core.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Have a Dask cluster play, as tcp://127.0.0.1:8786 (`kbrules[cluster]`).",
    ),
]
Fast = Annotated[
    bool,
    typer.Option("--fast", help="Random games, and those `mc` tries, by `kbrules[fast]`."),
]
Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        metavar="FILE",
        help="Keep the games there (SQLite); by default in a file with the question's own name.",
    ),
]
NoFile = Annotated[bool, typer.Option("--no-file", help="Keep no games.")]
ReportOf = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Only tell what a file says.")
]
