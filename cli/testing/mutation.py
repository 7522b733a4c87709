"""`kbrules test --mutate`: what the tests do not notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from ..terminal.findings import INTERRUPTED, exit_with, exit_with_findings
from ..terminal.output import Format, show
from ..terminal.progress import Progress
from ..terminal.reports import rendered, write_page
from .coverage import parse_threshold

if TYPE_CHECKING:
    from kbrules.tools.mutation.run import MutationResult

_FORMATS = (Format.full, Format.concise, Format.json)


@dataclass(frozen=True, slots=True)
class MutationOptions:
    """What the options of the command say; without `fail_under` every survivor is a failure."""

    only: str
    fail_under: str
    jobs: int
    searches: bool
    form: Format
    file: Path | None
    html: Path | None


def run_mutation(
    paths: Sequence[Path], boxes: Sequence[str], folders: Sequence[Path], options: MutationOptions
) -> NoReturn:
    """Plant faults, tell which of them no test notices, and end the command."""
    from kbrules.tools.mutation.run import MutationJob, mutate
    from kbrules.tools.processes import cores
    from kbrules.tools.testing import Request

    if options.form not in _FORMATS:
        exit_with(
            "KB009", f"`--mutate` has no report `{options.form}`", "choose " + ", ".join(_FORMATS)
        )
    _check_expression(options.only)
    threshold = parse_threshold(options.fail_under)[0] if options.fail_under else None
    request = Request(tuple(paths), tuple(boxes), tuple(folders), options.only)
    job = MutationJob(request, searches=options.searches)
    with Progress("planting faults") as progress:
        result, findings = mutate(job, options.jobs or cores(), progress.show)
    if result is None:
        exit_with_findings(findings)
    if not result.score.planted:
        exit_with("KB007", "there is no rule to plant a fault in", "look at the paths")
    _show(result, options)
    if result.waiting:
        done = f"the report is of what was done; {result.waiting} rules were not tried"
        typer.echo(f"interrupted: {done}", err=True)
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(int(_fails(result, threshold)))


def _check_expression(only: str) -> None:
    from kbrules.scenario.collection import selector

    try:
        selector(only or "a")
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        exit_with("KB009", f"`--mutate-only {only}` cannot be read: {error}", help)


def _show(result: MutationResult, options: MutationOptions) -> None:
    from kbrules.tools.mutation.run import mutation_report

    report = mutation_report(result)
    write_page(report, options.html)
    show(rendered(report, options.form), options.form, options.file, report.summary)


def _fails(result: MutationResult, fail_under: float | None) -> bool:
    if result.findings:
        return True
    return result.score.percent < fail_under if fail_under is not None else bool(result.unexplained)
