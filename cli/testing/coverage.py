"""`kbrules test --coverage`: what is printed of coverage, and what it ends with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..terminal.colours import wants_colour
from ..terminal.findings import DIFFERS, exit_with
from ..terminal.output import Format, write
from ..terminal.reports import rendered, write_page

if TYPE_CHECKING:
    from kbrules.hooks import OnProgress
    from kbrules.tools.coverage import Coverage, CoverageRun
    from kbrules.tools.reports.report import Report

Cover = Annotated[
    bool, typer.Option("--coverage", help="Say which clauses of the rules were reached.")
]
CoverFile = Annotated[
    Path | None,
    typer.Option("--coverage-json", metavar="FILE", help="Write the coverage there, as JSON."),
]
FailUnder = Annotated[
    str,
    typer.Option(
        "--fail-under",
        metavar="REACHED[,BOTH]",
        help="End with 1 if fewer per cent of the clauses are reached, or go both ways.",
        show_default=False,
    ),
]


@dataclass(slots=True)
class CoverageOptions:
    """What is wanted of coverage: a report, files for data and page, the threshold.

    Without `is_wanted` nothing is done.
    """

    report: bool
    file: Path | None
    html: Path | None
    threshold: tuple[float, float]
    is_wanted: bool
    _run: CoverageRun | None = None
    _coverage: Coverage | None = None
    _report: Report | None = None

    def new_run(self, on_progress: OnProgress) -> CoverageRun:
        """The run that is measured; it tells how many files it has read."""
        from kbrules.tools.coverage import CoverageRun

        self._run = CoverageRun(on_progress)
        return self._run

    def end(self, paths: Sequence[Path]) -> Mapping[str, Any]:
        """Count what was seen, write the files, and answer what a report in JSON gets besides."""
        if self._run is None:
            return {}
        from kbrules.tools.coverage import coverage_report

        self._coverage = self._run.end(paths)
        self._report = report = coverage_report(self._coverage)
        if self.file is not None:
            write(self.file, rendered(report, Format.json) + "\n")
        write_page(report, self.html)
        return {"coverage": report.data} if self.report else {}

    def report_exit_code(self, form: Format) -> int:
        """Print for people how much was reached, and answer the exit code."""
        if self._coverage is None or not self._coverage.clauses:
            return 0
        if form.is_for_people and self._report is not None:
            _print(self._report, form, self.report)
        shortfalls = list(self._shortfalls(self._coverage))
        for line in shortfalls:
            help = "" if self.report else "; `--coverage` shows where"
            typer.echo(f"coverage is too low: {line}{help}", err=True)
        return DIFFERS if shortfalls else 0

    def _shortfalls(self, coverage: Coverage) -> Iterator[str]:
        reached, both = self.threshold
        counts = coverage.counts
        if counts.reached_share < reached:
            yield f"{counts.reached_share} % of clauses reached, {reached:g} % wanted"
        if counts.both_share < both:
            yield f"{counts.both_share} % both ways, {both:g} % wanted"


def coverage_run(
    report: bool, file: Path | None, fail_under: str, html: Path | None
) -> CoverageOptions:
    """What the options ask for."""
    if not (report or file or fail_under):
        return CoverageOptions(report, file, html, (0, 0), False)
    return CoverageOptions(report, file, html, parse_threshold(fail_under), True)


def parse_threshold(text: str) -> tuple[float, float]:
    """The percentages of a threshold; 0 for what is left out."""
    parts = [part.strip() for part in text.split(",")] if text else []
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = [-1.0]
    if len(numbers) > 2 or not all(0 <= number <= 100 for number in numbers):
        help = "write one or two percentages, as in `--fail-under 100,95`"
        exit_with("KB009", f"`--fail-under {text}` is not a threshold", help)
    return (*numbers, 0.0, 0.0)[:2]  # type: ignore[return-value]


def _print(report: Report, form: Format, whole: bool) -> None:
    colour = form is Format.full and wants_colour(False)
    text = rendered(report, form, colour) if whole else ""
    if text:
        typer.echo(f"\n{text}\n" if form is Format.full else text, color=colour or None)
    line = report.summary
    typer.echo(typer.style(line, bold=True) if colour else line, color=colour or None)
