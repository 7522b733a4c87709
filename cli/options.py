"""Options that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

from .terminal import completion

__all__ = [
    "Cluster",
    "Fast",
    "Grids",
    "Jobs",
    "Lang",
    "NoColor",
    "NoFile",
    "Options",
    "SetUp",
    "With",
]

With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        help="A box, `all`, or the folder of an expansion; again or a,b.",
        autocompletion=completion.boxes,
    ),
]
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
Lang = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="LANGUAGE",
        help="Titles and wordings in a language, such as `de`, as far as boxes have them.",
    ),
]
NoFile = Annotated[bool, typer.Option("--no-file", help="Keep no games.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]
