"""`kbrules test`: run scenarios and the examples in rule files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from kbrules.hooks import lazily

from . import terminal
from .boxes import boxes_and_folders
from .options import With
from .output import (
    FULL,
    File,
    FindingForm,
    Html,
    ReportOptions,
    Watch,
    form_option,
    show,
    watch_loop,
    write,
)

with lazily():
    from kbrules import diagnostics
    from kbrules.tools import coverage as clause_coverage, processes, testing
    from kbrules.tools.mutation import run as mutation
    from kbrules.tools.reports import checked, page as pages, report as reports

if TYPE_CHECKING:
    from kbrules.scenario.running import Result


Findings = Sequence["diagnostics.Diagnostic"]
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
Mutate = Annotated[
    bool, typer.Option("--mutate", help="Plant small faults in the rules: do the tests notice?")
]
MutateOnly = Annotated[
    str, typer.Option("--mutate-only", help="Only in declarations so named.", metavar="EXPR")
]
Search = Annotated[
    bool,
    typer.Option("--search/--no-search", help="With --mutate: look for tests that would notice."),
]
Jobs = Annotated[
    int,
    typer.Option("--jobs", help="Processes; 0 is one per core, and one for few files.", min=0),
]


def command(
    paths: Paths = None,
    only: Only = "",
    with_: With = None,
    output_format: Annotated[FindingForm, form_option("test")] = FULL,
    output_file: File = None,
    coverage: Cover = False,
    coverage_json: CoverFile = None,
    fail_under: FailUnder = "",
    html: Html = None,
    mutate: Mutate = False,
    mutate_only: MutateOnly = "",
    jobs: Jobs = 0,
    search: Search = True,
    watch: Watch = False,
) -> None:
    """Run scenarios (*.scenario.yaml) and the examples in rule files (*.kb).

    Says for each what was expected and what was found, on a picture of the board. Ends with 0 if
    all hold, 1 if some do not, 2 if some could not be run or there is none.
    Where one holds and is hardly meant as it is written, a warning says so.

    With --coverage it says as well which clauses of the rules were reached, which of them were
    only ever true or only ever false, and which steps changed nothing; of an expansion only its
    own. What a clause is, and the form of the JSON, stands in docs/coverage.md.

    With --mutate, plants one small fault after the other in the rule files below the paths, such
    as 4 for 3 or a condition left out, and says which of them no test notices. Ends with 0 if all
    are noticed or listed with a reason in a `mutants.yaml`; with --fail-under, if so many of a
    hundred are noticed.

    \b
    Examples:
      kbrules test                             the shipped rules, and the expansion you are in
      kbrules test my-expansion                all of an expansion
      kbrules test scenarios/ -k "two in a row and not slow"
      kbrules test --output-format junit --output-file report.xml
      kbrules test my-expansion --coverage --fail-under 100,95
      kbrules test my-expansion --mutate       what its tests would not notice
      kbrules test my-expansion --mutate --mutate-only "card rowers" --fail-under 90
      kbrules test my-expansion --watch        on every save, what it may change
    """
    boxes, folders = boxes_and_folders(with_ or [])
    _refuse_with_watch(watch, mutate, coverage, coverage_json, fail_under, html)
    _refuse_without_report(mutate, coverage, mutate_only, html)
    if mutate:
        output = ReportOptions(output_format, html, file=output_file)
        named = _request(paths or [], boxes, folders, mutate_only, "--mutate-only")
        run_mutation(named, search, fail_under, jobs, output)
    output = ReportOptions(output_format, file=output_file)
    request = _request(paths or [], boxes, folders, only)
    if watch:
        _watch(request, output)
    wanted = bool(coverage or coverage_json or fail_under)
    covering = CoverageOptions(coverage, coverage_json, html, parse_threshold(fail_under), wanted)
    streaming = output_format == "jsonl" and output_file is None
    results, findings = _results(_file_results(request, covering, jobs), streaming)
    report = checked.test_report(results, findings, covering.end(request.paths))
    if streaming:
        typer.echo(reports.summary_line(report))
        typer.echo(report.summary, err=True)
    else:
        show(report, output)
    raise typer.Exit(max(covering.report_exit_code(output_format), report.exit_code))


def _refuse_with_watch(watch: bool, *options: object) -> None:
    """End the command if something is to be watched and more than run."""
    if watch and any(options):
        terminal.exit_with(
            "KB009", "`--watch` only runs tests", "leave out `--coverage` and `--mutate`"
        )


def _refuse_without_report(mutate: bool, coverage: bool, only: str, html: Path | None) -> None:
    """End the command if an option says something about a report nobody asked for."""
    if only and not mutate:
        terminal.exit_with("KB009", "`--mutate-only` chooses rules for faults", "add `--mutate`")
    if html is not None and not (mutate or coverage):
        terminal.exit_with(
            "KB009", "`--html` is a page of coverage or mutation", "add `--coverage`"
        )


def _request(
    paths: Sequence[Path],
    boxes: Sequence[str],
    folders: Sequence[Path],
    only: str,
    option: str = "-k",
) -> testing.Request:
    """What the options ask for; ends the command if what `option` says cannot be read."""
    request = testing.Request(tuple(paths), tuple(boxes), tuple(folders), only)
    try:
        _ = request.matches
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        terminal.exit_with("KB009", f"`{option} {only}` cannot be read: {error}", help)
    return request


def _watch(request: testing.Request, output: ReportOptions) -> NoReturn:
    """Test on every save what it may change, and report on all."""
    rerunner = testing.Rerunner(request)

    def test(changed: Set[Path]) -> None:
        result = rerunner.test(changed)
        note = f", {result.run} of them run just now"
        show(checked.test_report(result.results, result.findings, note=note), output)

    watch_loop(request.paths, request.folders, output).run(test, None)


def _file_results(
    request: testing.Request, covering: CoverageOptions, jobs: int
) -> Iterator[testing.FileResults]:
    """Run the tests, file by file and with several processes if that is faster.

    What is watched for coverage runs in this process.
    """
    if covering.is_wanted:
        with terminal.Progress("testing") as progress:
            run = covering.run = clause_coverage.CoverageRun(progress.show)
            cases = run.project(request.paths, request.boxes, request.folders).cases()
            found = testing.collected_results(cases, request, progress.show)
            run.begin()
            results = list(found.results)
        yield replace(found, results=results)
        return
    project = request.project()
    files = [file.path for file in testing.files_of(project)]
    yield testing.FileResults([], project.unusable, 0)
    with terminal.Progress("testing") as progress:
        progress.show(0, len(files), "files")
        jobs = jobs or min(processes.cores(), testing.useful_processes(len(files)))
        for number, found in enumerate(testing.run_files(request, files, jobs), 1):
            yield found
            progress.show(number, len(files), "files")


def _results(
    files: Iterable[testing.FileResults], streaming: bool
) -> tuple[list[Result], Findings]:
    """All results and findings, each result printed as soon as it is there if that is wanted.

    Ends the command if there is nothing to run.
    """
    results: list[Result] = []
    findings: dict[str, diagnostics.Diagnostic] = {}
    tests = 0
    for file in files:
        known = {diagnostics.render_concise(each): each for each in file.findings}
        new = [each for text, each in known.items() if text not in findings]
        findings |= known
        tests += file.tests
        if streaming:
            _print_lines(reports.record_lines(checked.test_report([], new)))
        for result in file.results:
            results.append(result)
            if streaming:
                _print_lines(reports.record_lines(checked.test_report([result], [])))
    if not results and not findings:
        help = "no name holds what `-k` asks for" if tests else "look at the path"
        terminal.exit_with("KB007", "there is no scenario and no example to run", help)
    return results, sorted(findings.values())


def _print_lines(lines: Iterable[str]) -> None:
    """Print lines of a stream; on a terminal they stand where the line of progress was."""
    for line in lines:
        if sys.stdout.isatty():
            terminal.clear_progress()
        typer.echo(line)


# `kbrules test --coverage`: what is printed of coverage, and what it ends with.

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
    run: clause_coverage.CoverageRun | None = None
    _coverage: clause_coverage.Coverage | None = None
    _report: reports.Report | None = None

    def end(self, paths: Sequence[Path]) -> checked.CoverageData | None:
        """Count what was seen, write the files, and answer what a report in JSON gets besides."""
        if self.run is None:
            return None
        self._coverage = self.run.end(paths)
        self._report = clause_coverage.coverage_report(self._coverage)
        if self.file is not None:
            write(self.file, reports.as_json(self._report) + "\n")
        if self.html is not None:
            write(self.html, pages.as_page(self._report))
        return clause_coverage.coverage_data(self._coverage) if self.report else None

    def report_exit_code(self, form: str) -> int:
        """Print for people how much was reached, and answer the exit code."""
        if self._coverage is None or not self._coverage.clauses:
            return 0
        if form in ("full", "concise") and self._report is not None:
            _print_coverage(self._report, form, self.report)
        shortfalls = list(self._shortfalls(self._coverage))
        for line in shortfalls:
            help = "" if self.report else "; `--coverage` shows where"
            typer.echo(f"coverage is too low: {line}{help}", err=True)
        return terminal.DIFFERS if shortfalls else 0

    def _shortfalls(self, coverage: clause_coverage.Coverage) -> Iterator[str]:
        reached, both = self.threshold
        counts = coverage.counts
        if counts.reached_percent < reached:
            yield f"{counts.reached_percent} % of clauses reached, {reached:g} % wanted"
        if counts.both_percent < both:
            yield f"{counts.both_percent} % both ways, {both:g} % wanted"


def parse_threshold(text: str) -> tuple[float, float]:
    """The percentages of a threshold; 0 for what is left out."""
    parts = [part.strip() for part in text.split(",")] if text else []
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = [-1.0]
    if len(numbers) > 2 or not all(0 <= number <= 100 for number in numbers):
        help = "write one or two percentages, as in `--fail-under 100,95`"
        terminal.exit_with("KB009", f"`--fail-under {text}` is not a threshold", help)
    return (*numbers, 0.0, 0.0)[:2]  # type: ignore[return-value]


def _print_coverage(report: reports.Report, form: str, whole: bool) -> None:
    if whole and form == FULL:
        typer.echo()
    show(report if whole else replace(report, blocks=(), lines=()), ReportOptions(form))


# `kbrules test --mutate`: what the tests do not notice.

_FORMATS = ("full", "concise", "json")


def run_mutation(
    request: testing.Request, searches: bool, fail_under: str, jobs: int, output: ReportOptions
) -> NoReturn:
    """Plant faults, tell which of them no test notices, and end the command.

    Without `fail_under` every fault that stays unnoticed is a failure.
    """
    if output.form not in _FORMATS:
        help = "choose " + ", ".join(_FORMATS)
        terminal.exit_with("KB009", f"`--mutate` has no report `{output.form}`", help)
    threshold = parse_threshold(fail_under)[0] if fail_under else None
    job = mutation.MutationJob(request, searches=searches)
    with terminal.Progress("planting faults") as progress:
        result, findings = mutation.mutate(job, jobs or processes.cores(), progress.show)
    if result is None:
        terminal.exit_with_findings(findings)
    if not result.score.planted:
        terminal.exit_with("KB007", "there is no rule to plant a fault in", "look at the paths")
    show(mutation.mutation_report(result), output)
    if result.waiting:
        done = f"the report is of what was done; {result.waiting} rules were not tried"
        typer.echo(f"interrupted: {done}", err=True)
        raise typer.Exit(terminal.INTERRUPTED)
    raise typer.Exit(int(_fails(result, threshold)))


def _fails(result: mutation.MutationResult, fail_under: float | None) -> bool:
    if result.findings:
        return True
    return result.score.percent < fail_under if fail_under is not None else bool(result.unexplained)
