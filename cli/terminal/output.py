"""How reports reach the reader: in full and in colour on a terminal, or in a form for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .colours import wants_colour
from .findings import exit_unwritten, exit_with, printable
from .progress import clear_progress

if TYPE_CHECKING:
    from kbrules.tools.fmt import FormattedFile

STDOUT = Path("-")


class Format(StrEnum):
    """The forms of a report."""

    full = "full"
    concise = "concise"
    json = "json"
    jsonl = "jsonl"
    github = "github"
    sarif = "sarif"
    junit = "junit"

    @property
    def is_for_people(self) -> bool:
        """Whether a summary may stand below it."""
        return self in (Format.full, Format.concise)


class PageFormat(StrEnum):
    """The forms of what has no findings: as a page, or for programs."""

    full = "full"
    json = "json"


PageForm = Annotated[
    PageFormat,
    typer.Option("--output-format", help="How to tell it; json has a schema in schemas/output."),
]
Form = Annotated[
    Format,
    typer.Option("--output-format", help="How to report; all but the first two are for programs."),
]
File = Annotated[
    Path | None,
    typer.Option("--output-file", metavar="FILE", help="Write the report there instead."),
]


def show(report: str, form: Format, file: Path | None, summary: str) -> None:
    """Print a report, or put it into a file, and say how it went.

    Of a form for programs nothing else gets to standard output.
    """
    if file is not None:
        write(file, f"{report}\n" if report else "")
    elif report:
        colour = form is Format.full and wants_colour(False)
        from kbrules.tools.reports.report import coloured

        typer.echo(coloured(report) if colour else report, color=colour or None)
        if form is Format.full:
            typer.echo()
    typer.echo(summary, err=not form.is_for_people or file is not None)


def write(file: Path, data: str | bytes) -> None:
    """Put data into a file, as a whole or not at all, or print it if the file is `-`.

    Ends the command if it cannot be written.
    """
    from kbrules.engine.logs.writing import write_bytes_atomically

    if file == STDOUT:
        clear_progress()
        typer.echo(data, nl=False)
        return
    try:
        write_bytes_atomically(file, data if isinstance(data, bytes) else data.encode())
    except OSError as error:
        exit_unwritten(f"`{file}`", error)


def check_folders(files: Iterable[Path | None]) -> None:
    """End the command, before anything is played, if a file's folder is not there."""
    for file in files:
        if file is not None and file != STDOUT and not file.absolute().parent.is_dir():
            message = f"`{file}` cannot be written: there is no such folder"
            exit_with("KB008", message, "make the folder first")


def rewrite_files(files: Sequence[FormattedFile]) -> None:
    """Write rule files anew, each whole or not at all; ends the command at one that cannot be."""
    from kbrules.tools.fmt import rewrite

    written: list[Path] = []
    try:
        written.extend(rewrite(files))
    except OSError as error:
        message = f"`{printable(error.filename)}` cannot be written: {error.strerror}"
        done = ", ".join(f"`{printable(path)}`" for path in written) or "no file"
        exit_with("KB008", message, f"it is as it was; changed before it: {done}")
