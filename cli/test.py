"""`kbrules test`: run scenarios and the examples in rule files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from . import terminal
from .boxes import boxes_and_folders
from .lazily import lazily
from .options import With
from .output import File, Form, Format, Html, Watch, rendered, show, watch_loop, write, write_page

with lazily():
    from kbrules import diagnostics
    from kbrules.scenario import collection
    from kbrules.tools import coverage as clause_coverage, processes, testing
    from kbrules.tools.mutation import run as mutation
    from kbrules.tools.reports import tested

if TYPE_CHECKING:
    from kbrules.hooks import OnProgress
    from kbrules.scenario.running import Result
    from kbrules.tools.reports.report import Report


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
    output_format: Form = Format.full,
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
        options = MutationOptions(
            mutate_only, fail_under, jobs, search, output_format, output_file, html
        )
        run_mutation(paths or [], boxes, folders, options)
    request = _request(paths or [], boxes, folders, only)
    if watch:
        _watch(request, output_format, output_file)
    covering = coverage_run(coverage, coverage_json, fail_under, html)
    streaming = output_format is Format.jsonl and output_file is None
    results, findings = _results(_file_results(request, covering, jobs), streaming)
    coverage_data = covering.end(request.paths)
    _report(results, findings, output_format, output_file, coverage_data)
    coverage_exit_code = covering.report_exit_code(output_format)
    raise typer.Exit(max(coverage_exit_code, tested.exit_code(results, findings)))


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
    paths: Sequence[Path], boxes: Sequence[str], folders: Sequence[Path], only: str
) -> testing.Request:
    """What the options ask for; ends the command if `-k` cannot be read."""
    request = testing.Request(tuple(paths), tuple(boxes), tuple(folders), only)
    try:
        _ = request.matches
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        terminal.exit_with("KB009", f"`-k {only}` cannot be read: {error}", help)
    return request


def _watch(request: testing.Request, form: Format, file: Path | None) -> NoReturn:
    """Test on every save what it may change, and report on all."""
    rerunner = testing.Rerunner(request)

    def test(changed: Set[Path]) -> None:
        result = rerunner.test(changed)
        results, findings = result.results, result.findings
        line = f"{tested.summary(results, findings)}, {result.run} of them run just now"
        show(tested.TEST_RENDERERS[form](results, findings), form, file, line)

    watch_loop(request.paths, request.folders, form, file).run(test, None)


def _file_results(
    request: testing.Request, covering: CoverageOptions, jobs: int
) -> Iterator[testing.FileResults]:
    """Run the tests, file by file and with several processes if that is faster.

    What is watched for coverage runs in this process.
    """
    if covering.is_wanted:
        with terminal.Progress("testing") as progress:
            run = covering.new_run(progress.show)
            found = testing.collect_and_run(request.paths, request, run.caches, progress.show)
            run.begin()
            results = list(found.results)
        yield replace(found, results=results)
        return
    files, findings = testing.files_of(request)
    yield testing.FileResults([], findings, 0)
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
        for line in tested.opening(new) if streaming else ():
            _print(line)
        for result in file.results:
            results.append(result)
            if streaming:
                _print(tested.result_line(result))
    if not results and not findings:
        help = "no name holds what `-k` asks for" if tests else "look at the path"
        terminal.exit_with("KB007", "there is no scenario and no example to run", help)
    return results, sorted(findings.values())


def _print(line: str) -> None:
    """Print a line of a stream; on a terminal it stands where the line of progress was."""
    if sys.stdout.isatty():
        terminal.clear_progress()
    typer.echo(line)


def _report(
    results: Sequence[Result],
    findings: Sequence[diagnostics.Diagnostic],
    form: Format,
    file: Path | None,
    coverage_data: Mapping[str, Any],
) -> None:
    """Print the report, or what a stream of lines ends with."""
    ends = form is Format.jsonl and file is None
    text = (
        tested.closing(results, findings)
        if ends
        else tested.TEST_RENDERERS[form](results, findings)
    )
    if coverage_data and form is Format.json:
        text = json.dumps({**json.loads(text), **coverage_data}, indent=2)
    show(text, form, file, tested.summary(results, findings))


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
    _run: clause_coverage.CoverageRun | None = None
    _coverage: clause_coverage.Coverage | None = None
    _report: Report | None = None

    def new_run(self, on_progress: OnProgress) -> clause_coverage.CoverageRun:
        """The run that is measured; it tells how many files it has read."""
        self._run = clause_coverage.CoverageRun(on_progress)
        return self._run

    def end(self, paths: Sequence[Path]) -> Mapping[str, Any]:
        """Count what was seen, write the files, and answer what a report in JSON gets besides."""
        if self._run is None:
            return {}
        self._coverage = self._run.end(paths)
        self._report = report = clause_coverage.coverage_report(self._coverage)
        if self.file is not None:
            write(self.file, rendered(report, Format.json) + "\n")
        write_page(report, self.html)
        return {"coverage": report.data} if self.report else {}

    def report_exit_code(self, form: Format) -> int:
        """Print for people how much was reached, and answer the exit code."""
        if self._coverage is None or not self._coverage.clauses:
            return 0
        if form.is_for_people and self._report is not None:
            _print_coverage(self._report, form, self.report)
        shortfalls = list(self._shortfalls(self._coverage))
        for line in shortfalls:
            help = "" if self.report else "; `--coverage` shows where"
            typer.echo(f"coverage is too low: {line}{help}", err=True)
        return terminal.DIFFERS if shortfalls else 0

    def _shortfalls(self, coverage: clause_coverage.Coverage) -> Iterator[str]:
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
        terminal.exit_with("KB009", f"`--fail-under {text}` is not a threshold", help)
    return (*numbers, 0.0, 0.0)[:2]  # type: ignore[return-value]


def _print_coverage(report: Report, form: Format, whole: bool) -> None:
    colour = form is Format.full and terminal.wants_colour(False)
    text = rendered(report, form, colour) if whole else ""
    if text:
        typer.echo(f"\n{text}\n" if form is Format.full else text, color=colour or None)
    line = report.summary
    typer.echo(typer.style(line, bold=True) if colour else line, color=colour or None)


# `kbrules test --mutate`: what the tests do not notice.

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
    if options.form not in _FORMATS:
        terminal.exit_with(
            "KB009", f"`--mutate` has no report `{options.form}`", "choose " + ", ".join(_FORMATS)
        )
    _check_expression(options.only)
    threshold = parse_threshold(options.fail_under)[0] if options.fail_under else None
    request = testing.Request(tuple(paths), tuple(boxes), tuple(folders), options.only)
    job = mutation.MutationJob(request, searches=options.searches)
    with terminal.Progress("planting faults") as progress:
        result, findings = mutation.mutate(job, options.jobs or processes.cores(), progress.show)
    if result is None:
        terminal.exit_with_findings(findings)
    if not result.score.planted:
        terminal.exit_with("KB007", "there is no rule to plant a fault in", "look at the paths")
    _show_mutation(result, options)
    if result.waiting:
        done = f"the report is of what was done; {result.waiting} rules were not tried"
        typer.echo(f"interrupted: {done}", err=True)
        raise typer.Exit(terminal.INTERRUPTED)
    raise typer.Exit(int(_fails(result, threshold)))


def _check_expression(only: str) -> None:
    try:
        collection.selector(only or "a")
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        terminal.exit_with("KB009", f"`--mutate-only {only}` cannot be read: {error}", help)


def _show_mutation(result: mutation.MutationResult, options: MutationOptions) -> None:
    report = mutation.mutation_report(result)
    write_page(report, options.html)
    show(rendered(report, options.form), options.form, options.file, report.summary)


def _fails(result: mutation.MutationResult, fail_under: float | None) -> bool:
    if result.findings:
        return True
    return result.score.percent < fail_under if fail_under is not None else bool(result.unexplained)
