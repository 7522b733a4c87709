"""`kbrules test`: run scenarios and the examples in rule files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import wanted
from .findings import refuse
from .output import painted
from .paint import wants_colour

if TYPE_CHECKING:
    from kbrules.scenario.runner import Collection, Result

__all__ = ["command"]

FAILED, NOT_RUN = 1, 2


class Format(StrEnum):
    """The forms of the report."""

    full = "full"
    concise = "concise"
    json = "json"
    junit = "junit"


Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH",
        help="Scenario files, rule files or folders; by default the shipped rules, and the "
        "expansion whose folder you are in.",
        show_default=False,
    ),
]
Only = Annotated[
    str, typer.Option("-k", "--only", help="Only those whose name holds this.", metavar="EXPR")
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", help="A box, `all`, or the folder of an expansion; again or a,b."),
]
Form = Annotated[Format, typer.Option("--output-format", help="How to report.")]


def command(
    paths: Paths = None, only: Only = "", with_: With = None, output_format: Form = Format.full
) -> None:
    """Run scenarios (*.scenario.yaml) and the examples in rule files (*.kb).

    Says for each what was expected and what was found, on a picture of the board. Ends with 0 if
    all hold, 1 if some do not, 2 if some could not be run or there is none.

    \b
    Examples:
      kbrules test                             the shipped rules, and the expansion you are in
      kbrules test my-expansion                all of an expansion
      kbrules test scenarios/ -k "two in a row and not slow"
      kbrules test --output-format junit > report.xml
    """
    from kbrules.scenario.runner import collect

    boxes, folders = wanted(with_ or [])
    chooses = _chooser(only)
    collection = collect(paths or [], boxes, folders)
    results = list(_run(collection, chooses))
    if not results and not collection.findings:
        help = "no name holds what `-k` asks for" if collection.items else "look at the path"
        refuse("KB007", "there is no scenario and no example to run", help)
    _report(collection, results, output_format)
    raise typer.Exit(_code(collection, results))


def _report(collection: Collection, results: Sequence[Result], form: Format) -> None:
    """Print the report, and below one for people how it went."""
    from kbrules.scenario.report import REPORTS, summary

    report = REPORTS[form](results, collection.findings)
    colour = form is Format.full and wants_colour(False)
    if report:
        typer.echo(painted(report) if colour else report, color=colour or None)
    if form not in (Format.full, Format.concise):
        return
    if report and form is Format.full:
        typer.echo()
    line = summary(results, collection.findings)
    tint = typer.colors.RED if _code(collection, results) else typer.colors.GREEN
    typer.echo(typer.style(line, fg=tint) if colour else line, color=colour or None)


def _chooser(only: str) -> Callable[[str], bool]:
    from kbrules.scenario.runner import selector

    if not only:
        return lambda id: True
    try:
        return selector(only)
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        refuse("KB009", f"`-k {only}` cannot be read: {error}", help)


def _run(collection: Collection, chooses: Callable[[str], bool]) -> Iterator[Result]:
    """Run what was chosen, and count on a terminal while doing so."""
    from kbrules.scenario.runner import run_all

    chosen = [item for item in collection.items if chooses(item.id)]
    counting = sys.stderr.isatty()
    for number, result in enumerate(run_all(chosen), 1):
        if counting:
            typer.echo(f"\r{number}/{len(chosen)}", nl=False, err=True)
        yield result
    if counting and chosen:
        typer.echo("\r" + " " * 20 + "\r", nl=False, err=True)


def _code(collection: Collection, results: Sequence[Result]) -> int:
    if collection.findings:
        return NOT_RUN
    return 0 if all(result.passed for result in results) else FAILED
