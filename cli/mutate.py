"""`kbrules test --mutate`: what the tests do not notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from .coverage import least
from .simulation import INTERRUPTED, with_worker_pool
from .terminal.findings import exit_with, exit_with_findings
from .terminal.output import Format, show
from .terminal.progress import Progress
from .terminal.reports import rendered, write_page

if TYPE_CHECKING:
    from kbrules.tools.checking.mutation.result import MutationResult

__all__ = ["MutationOptions", "run_mutation"]

_FORMS = (Format.full, Format.concise, Format.json)


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
    paths: Sequence[Path], boxes: Sequence[str], folders: Sequence[Path], wishes: MutationOptions
) -> NoReturn:
    """Plant faults, tell which of them no test notices, and end the command."""
    from kbrules.tools.checking.mutation.run import MutationJob, mutate
    from kbrules.tools.checking.testing import Request
    from kbrules.tools.processes.pool import cores

    if wishes.form not in _FORMS:
        exit_with(
            "KB009", f"`--mutate` has no report `{wishes.form}`", "choose " + ", ".join(_FORMS)
        )
    _readable(wishes.only)
    lowest = least(wishes.fail_under)[0] if wishes.fail_under else None
    request = Request(tuple(paths), tuple(boxes), tuple(folders), wishes.only)
    job = MutationJob(request, searches=wishes.searches)
    with Progress("planting faults") as progress, with_worker_pool():
        tally, findings = mutate(job, wishes.jobs or cores(), progress.show)
    if tally is None:
        exit_with_findings(findings)
    if not tally.score.planted:
        exit_with("KB007", "there is no rule to plant a fault in", "look at the paths")
    _show(tally, wishes)
    if tally.waiting:
        done = f"the report is of what was done; {tally.waiting} rules were not tried"
        typer.echo(f"interrupted: {done}", err=True)
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(int(_fails(tally, lowest)))


def _readable(only: str) -> None:
    from kbrules.scenario.running.selection import selector

    try:
        selector(only or "a")
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        exit_with("KB009", f"`--mutate-only {only}` cannot be read: {error}", help)


def _show(tally: MutationResult, wishes: MutationOptions) -> None:
    from kbrules.tools.checking.mutation.report import mutation_report

    report = mutation_report(tally)
    write_page(report, wishes.html)
    show(rendered(report, wishes.form), wishes.form, wishes.file, report.summary)


def _fails(tally: MutationResult, fail_under: float | None) -> bool:
    if tally.findings:
        return True
    return tally.score.percent < fail_under if fail_under is not None else bool(tally.unexplained)
