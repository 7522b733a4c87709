"""`kbrules new`: the beginning of something of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .findings import refuse

__all__ = ["expansion", "group"]


def group() -> None:
    """Begin something of your own.

    \b
    Examples:
      kbrules new expansion dale   a small expansion that works, to be changed
    """


def expansion(
    name: Annotated[str, typer.Argument(help="Small letters, digits and `_`, a letter first.")],
    into: Annotated[Path, typer.Option("--into", help="The folder to make it in.")] = Path(),
) -> None:
    """Begin an expansion: a folder with a tile, a card, a map, a scenario and a page about it.

    Nothing is ever written over. Ends with 2 if the name or the place cannot be used.

    \b
    Examples:
      kbrules new expansion dale                the folder dale, here
      kbrules new expansion dale --into boxes   the folder boxes/dale
      kbrules check dale                        is all well with it?
      kbrules test dale                         play its examples and scenarios
    """
    from kbrules.tools.scaffold import Refused, new_expansion

    try:
        files = new_expansion(name, into)
    except Refused as refused:
        refuse(refused.code, str(refused), refused.help)
    for file in files:
        if not any(part.startswith(".") for part in file.relative_to(into).parts):
            typer.echo(f"written: {file}")
    folder = into / name
    typer.echo(f"\nTry: kbrules check {folder}\n     kbrules test {folder}")
