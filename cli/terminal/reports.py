"""How a command shows a report: on the terminal, as data, as a page, and its chart as a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .colours import wants_colour
from .output import STDOUT, write

if TYPE_CHECKING:
    from kbrules.tools.reports.report import Report


class ReportFormat(StrEnum):
    """The forms of a report: all of it, its findings in a line each, and its data."""

    full = "full"
    concise = "concise"
    json = "json"


Html = Annotated[
    Path | None,
    typer.Option("--html", help="Write a page there with all of it; `-` is standard output."),
]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Write the picture there; `-` is standard output.")
]


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What is printed, and files for a page and a picture."""

    form: ReportFormat
    html: Path | None = None
    svg: Path | None = None
    no_color: bool = False


def show_report(report: Report, options: ReportOptions, draw: Callable[[], str] = str) -> None:
    """Write the files that are wanted, then print the report unless one of them was printed.

    draw: makes the picture.
    """
    write_page(report, options.html)
    if options.svg is not None:
        write(options.svg, draw() + "\n")
    if STDOUT not in (options.html, options.svg):
        colour = options.form is ReportFormat.full and wants_colour(options.no_color)
        typer.echo(rendered(report, options.form, colour), color=colour or None)


def write_page(report: Report, file: Path | None) -> None:
    """Write the report as a page if a file is named for it."""
    if file is not None:
        from kbrules.tools.reports.report import as_page

        write(file, as_page(report))


def rendered(report: Report, form: str, colour: bool = False) -> str:
    """The report in a form; in full with colours if they are wanted."""
    if form == ReportFormat.json:
        from kbrules.tools.reports.report import as_json

        return as_json(report)
    if form == ReportFormat.concise:
        return "\n".join(report.lines)
    from kbrules.tools.reports.report import as_text

    return as_text(report, colour)
