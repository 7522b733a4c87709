"""`kbrules convert`: files of games from SQLite to Parquet, and back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from kbrules.hooks import lazily

from .terminal import Progress, exit_with, printable

with lazily():
    from kbrules import diagnostics
    from kbrules.tools.simulate import parquet, results_file


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A file of games.", show_default=False)
    ] = None,
    into: Annotated[
        Path | None, typer.Argument(metavar="[INTO]", help="The file to write.", show_default=False)
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the columns of a Parquet file.")
    ] = False,
) -> None:
    """Write the games of `kbrules simulate` or `kbrules ladder` as Parquet, or read them back.

    A file of SQLite becomes one of Parquet, which DuckDB, pandas and Polars read; a file of Parquet
    becomes one of SQLite, with which the same command goes on. Into a file of SQLite that is there
    already, games of the same question with other deals are added; no other file is replaced than
    one of Parquet. It needs `kbrules[parquet]`.

    The exit code is 0 if the file was written, 2 if not; then nothing is.

    \b
    Examples:
      kbrules convert games.sqlite games.parquet
      kbrules convert games.parquet games.sqlite
      kbrules convert --schema
    """
    if schema:
        typer.echo(parquet.schema_text())
        return
    if file is None or into is None:
        exit_with("KB009", "two files are wanted: one to read, one to write", "name both")
    if not file.is_file():
        exit_with("KB001", f"`{file}` does not exist", "look for a slip in the path")
    if (
        into.is_dir()
        or not into.absolute().parent.is_dir()
        or (into.exists() and into.samefile(file))
    ):
        exit_with("KB008", f"`{into}` cannot be written", "name another file, in a folder")
    rows = _convert(file, into)
    typer.echo(f"{rows:,} rows are in {printable(into)}", err=True)


def _convert(file: Path, into: Path) -> int:
    """How many rows were written; ends the command if none could be."""
    with _nothing_left(into), Progress("converting") as progress:
        if parquet.is_parquet(file):
            with results_file.Store(into) as store:
                return parquet.import_games(file, store, progress.show)
        with results_file.Store(file) as store:
            if not store.done:
                help = "`kbrules simulate` plays some"
                exit_with("KB056", f"`{file}` holds no game yet", help)
            _refuse_to_replace(into)
            return parquet.export_games(store, into, progress.show)


@contextmanager
def _nothing_left(into: Path) -> Iterator[None]:
    """Leave no new file behind an error, and let its help speak of this command."""
    was_there = os.path.lexists(into)
    try:
        yield
    except BaseException as error:
        if not was_there:
            into.unlink(missing_ok=True)
        if (
            isinstance(error, diagnostics.CodedError)
            and error.help == results_file.OtherQuestion.help
        ):
            error.help = "name another file; `kbrules convert --help` says which fit together"
        raise


def _refuse_to_replace(into: Path) -> None:
    """End the command if a file is there that is no Parquet: games may be in it."""
    if into.exists() and not into.is_file():
        exit_with("KB008", f"`{into}` is there already, and is no plain file", "name another file")
    if into.is_file() and into.stat().st_size and not parquet.is_parquet(into):
        message = f"`{into}` is there already, and is no Parquet file"
        exit_with("KB008", message, "name another file; games are added to it from Parquet")
