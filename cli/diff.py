"""`kbrules diff`: what changed in behaviour between two versions of rules."""

from __future__ import annotations

import os
from errno import EEXIST
from pathlib import Path
from typing import Annotated

import typer

from kbrules.hooks import lazily

from .boxes import box_at, boxes_and_folders
from .games import BOT_KINDS, parse_bot
from .options import With
from .output import FULL, Html, ReportForm, ReportOptions, form_option, show
from .terminal import Progress, exit_unwritten, exit_with_findings, printable

with lazily():
    from kbrules import diagnostics
    from kbrules.engine.logs import writing as log_writing
    from kbrules.tools.diff import positions as differing, report as comparing


def command(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="An expansion's folder, or a *.kb.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The other folder or file.")],
    with_: With = None,
    positions: Annotated[
        int, typer.Option("--positions", min=1, max=100_000, help="Positions to look at.")
    ] = 200,
    games: Annotated[
        int, typer.Option("--games", min=0, max=100_000, help="Games to play under each.")
    ] = 100,
    bots: Annotated[
        str, typer.Option("--bots", help=f"Who plays them: `random`, {BOT_KINDS}.")
    ] = "random",
    seed: Annotated[int, typer.Option("--seed", help="The first seed.")] = 0,
    scenarios: Annotated[
        Path | None,
        typer.Option("--scenarios", help="A folder for the boards, as scenarios to keep."),
    ] = None,
    output_format: Annotated[ReportForm, form_option("diff")] = FULL,
    html: Html = None,
) -> None:
    """Compare what two versions of rules do, not how they are written.

    Says on how many sampled positions what is offered, done or paid differs, shows the three
    smallest boards found that show it, and what it does to the gold of whole games. Two folders
    are two expansions; of two files in one folder, each stands in the other's place. Ends with 0
    if no difference was seen, 1 if there is one, also in what the boxes contain, 2 if they could
    not be compared.

    \b
    Examples:
      kbrules diff mine.old mine                   two versions of an expansion
      kbrules diff mine/rules/mill.kb mill-new.kb  one file in the place of another
      kbrules diff a b --positions 2000 --games 1000
      kbrules diff a b --scenarios found           keep the boards as scenarios
    """
    player, (boxes, folders) = parse_bot(bots), boxes_and_folders(with_ or [])
    old, new = (box_at(path) if path.is_dir() else path for path in (old, new))
    try:
        with Progress("comparing") as progress:
            versions = differing.load_versions(old, new, boxes, folders, progress.show)
            comparison = comparing.compare(versions, positions, games, seed, player, progress.show)
    except diagnostics.RulesError as error:
        exit_with_findings(error.diagnostics)
    report = comparing.comparison_report(comparison)
    show(report, ReportOptions(output_format, html))
    if scenarios is not None:
        _write_scenarios(comparison, scenarios)
    raise typer.Exit(report.exit_code)


def _write_scenarios(comparison: comparing.Comparison, folder: Path) -> None:
    """Write the boards as scenarios; what is there already is not overwritten."""
    path = folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, board in enumerate(comparison.boards, 1):
            path = folder / f"{board.difference.about}-{number}.scenario.yaml"
            if os.path.lexists(path):
                raise FileExistsError(EEXIST, os.strerror(EEXIST))
            log_writing.write_atomically(path, [board.scenario])
            typer.echo(f"written: {printable(path)}", err=True)
    except OSError as error:
        exit_unwritten(f"`{printable(path)}`", error)
