"""`kbrules new`: the beginning of something of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kbrules.hooks import lazily

from .terminal import printable

with lazily():
    from kbrules.tools import new as beginnings


class NewGroup(TyperGroup):
    """The commands of `new`; for any other word, or none, it says what can be begun."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words that are left, or a usage error if there are none."""
        if not args:
            ctx.fail(f"Missing command. {self._choices(ctx)}")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that a word names, or a usage error."""
        if self.get_command(ctx, args[0]) is None:
            ctx.fail(f"No such command '{printable(args[0])}'. {self._choices(ctx)}")
        return super().resolve_command(ctx, args)

    def _choices(self, ctx: Any) -> str:
        names = ", ".join(self.list_commands(ctx))
        return f"{names} can be begun; a card, a tile or a rule is written in a file in `rules`."


def group() -> None:
    """Begin something of your own.

    \b
    Examples:
      kbrules new expansion dale   a small expansion that works, to be changed
      kbrules new section north    a blank map to be filled in
    """


def expansion(
    name: Annotated[str, typer.Argument(help="Small letters, digits and `_`, a letter first.")],
    into: Annotated[Path, typer.Option("--into", help="The folder to make it in.")] = Path(),
    package: Annotated[
        bool, typer.Option("--package", help="Make it a project that pip can install.")
    ] = False,
) -> None:
    """Begin an expansion: a folder with a tile, a card, a map, a scenario and a page about it.

    With --package it lies in a project, `kbrules-dale`, with tests and a workflow. Where its
    package is installed the box is known by its name, as in `--with dale`.

    Nothing is ever written over. Ends with 2 if the name or the place cannot be used.

    \b
    Examples:
      kbrules new expansion dale                the folder dale, here
      kbrules new expansion dale --into boxes   the folder boxes/dale
      kbrules new expansion dale --package      the project kbrules-dale, to be installed
      kbrules check dale                        is all well with it?
      kbrules test dale                         play its examples and scenarios
    """
    _print_files(
        (beginnings.new_package if package else beginnings.new_expansion)(name, into), into
    )
    if package:
        project = printable(into / beginnings.folder_of(name))
        typer.echo(f"\nTry: python -m pip install -e {project}\n     kbrules play --with {name}")
        return
    folder = printable(into / name)
    typer.echo(f"\nTry: kbrules check {folder}\n     kbrules test {folder}")


def section(
    name: Annotated[str, typer.Argument(help="The id of the section.")],
    into: Annotated[
        Path, typer.Option("--into", help="An expansion, or the folder to make one in.")
    ] = Path(),
) -> None:
    """Begin a map: a drawing with a `?` for each hex, and what may stand there in place of it.

    In the folder of an expansion it is added to that; elsewhere a small folder is made. If the
    map of a section in a box is only a stand-in, give its name: the new map will replace it.
    Nothing is ever written over. Ends with 2 if it cannot be done.

    \b
    Examples:
      kbrules new section north              the folder north, or one more map where you are
      kbrules new section north --into dale  one more map in the expansion dale
      kbrules check north                    what is still to be drawn
      kbrules play --with north              a game on it
    """
    files = beginnings.new_section(name, into)
    _print_files(files, into)
    folder = printable(files[-1].parent)
    typer.echo(f"\nFill it in, then: kbrules check {folder}\n     kbrules play --with {folder}")


def _print_files(files: Sequence[Path], into: Path) -> None:
    for file in files:
        if not any(part.startswith(".") for part in file.relative_to(into).parts):
            typer.echo(f"written: {printable(file)}")
