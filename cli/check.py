"""`kbrules check`: everything that is wrong with rules, data and scenarios, without a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .boxes import wanted
from .output import Format, show

__all__ = ["command"]


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH",
            help="Rule files, scenarios, the data of a box, or folders; by default all that is "
            "shipped, and the expansion whose folder you are in.",
            show_default=False,
        ),
    ] = None,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", help="A box, `all`, or the folder of an expansion; again or a,b."),
    ] = None,
    output_format: Annotated[
        Format, typer.Option("--output-format", help="How to report.")
    ] = Format.full,
) -> None:
    """Check rules (*.kb), boxes (expansion.yaml) and scenarios (*.scenario.yaml).

    Every mistake is shown at its place, with a way to mend it. Ends with 0 if all is well, 1 if
    something is wrong, 2 if something could not be checked.

    \b
    Examples:
      kbrules check                                what is shipped, and the expansion you are in
      kbrules check rules/mill.kb                  one file, beside its expansion
      kbrules check mine --with other              a folder, with another one loaded as well
      kbrules check mine --output-format concise   one line for each mistake
      kbrules explain KB203                        what a code means
    """
    from kbrules.tools.check import Checker

    boxes, folders = wanted(with_ or [])
    report = Checker().check(paths or [], boxes, folders)
    show(report.all, output_format, report.summary)
    raise typer.Exit(report.exit_code)
