"""`kbrules test`: run scenarios and the examples in rule files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from .boxes import boxes_and_folders
from .options import With
from .terminal.findings import exit_with
from .terminal.output import File, Form, Format, show
from .terminal.progress import Progress, clear_progress
from .terminal.reports import Html
from .terminal.watch import Watch, watch_loop
from .testing.coverage import Cover, CoverageOptions, CoverFile, FailUnder, coverage_run
from .testing.mutation import MutationOptions, run_mutation

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic
    from kbrules.scenario.running import Result
    from kbrules.tools.testing import FileResults, Request

Findings = Sequence["Diagnostic"]
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
    from kbrules.tools.reports.tested import exit_code

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
    raise typer.Exit(max(coverage_exit_code, exit_code(results, findings)))


def _refuse_with_watch(watch: bool, *options: object) -> None:
    """End the command if something is to be watched and more than run."""
    if watch and any(options):
        exit_with("KB009", "`--watch` only runs tests", "leave out `--coverage` and `--mutate`")


def _refuse_without_report(mutate: bool, coverage: bool, only: str, html: Path | None) -> None:
    """End the command if an option says something about a report nobody asked for."""
    if only and not mutate:
        exit_with("KB009", "`--mutate-only` chooses rules for faults", "add `--mutate`")
    if html is not None and not (mutate or coverage):
        exit_with("KB009", "`--html` is a page of coverage or mutation", "add `--coverage`")


def _request(
    paths: Sequence[Path], boxes: Sequence[str], folders: Sequence[Path], only: str
) -> Request:
    """What the options ask for; ends the command if `-k` cannot be read."""
    from kbrules.tools.testing import Request

    request = Request(tuple(paths), tuple(boxes), tuple(folders), only)
    try:
        _ = request.matches
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        exit_with("KB009", f"`-k {only}` cannot be read: {error}", help)
    return request


def _watch(request: Request, form: Format, file: Path | None) -> NoReturn:
    """Test on every save what it may change, and report on all."""
    from kbrules.tools.reports.tested import TEST_RENDERERS, summary
    from kbrules.tools.testing import Rerunner

    rerunner = Rerunner(request)

    def test(changed: Set[Path]) -> None:
        result = rerunner.test(changed)
        results, findings = result.results, result.findings
        line = f"{summary(results, findings)}, {result.run} of them run just now"
        show(TEST_RENDERERS[form](results, findings), form, file, line)

    watch_loop(request.paths, request.folders, form, file).run(test, None)


def _file_results(request: Request, covering: CoverageOptions, jobs: int) -> Iterator[FileResults]:
    """Run the tests, file by file and with several processes if that is faster.

    What is watched for coverage runs in this process.
    """
    from kbrules.tools.processes import cores
    from kbrules.tools.testing import (
        FileResults,
        collect_and_run,
        files_of,
        run_files,
        useful_processes,
    )

    if covering.is_wanted:
        with Progress("testing") as progress:
            run = covering.new_run(progress.show)
            found = collect_and_run(request.paths, request, run.caches, progress.show)
            run.begin()
            results = list(found.results)
        yield replace(found, results=results)
        return
    files, findings = files_of(request)
    yield FileResults([], findings, 0)
    with Progress("testing") as progress:
        progress.show(0, len(files), "files")
        jobs = jobs or min(cores(), useful_processes(len(files)))
        for number, found in enumerate(run_files(request, files, jobs), 1):
            yield found
            progress.show(number, len(files), "files")


def _results(files: Iterable[FileResults], streaming: bool) -> tuple[list[Result], Findings]:
    """All results and findings, each result printed as soon as it is there if that is wanted.

    Ends the command if there is nothing to run.
    """
    from kbrules.diagnostics import render_concise
    from kbrules.tools.reports.tested import opening, result_line

    results: list[Result] = []
    findings: dict[str, Diagnostic] = {}
    tests = 0
    for file in files:
        known = {render_concise(each): each for each in file.findings}
        new = [each for text, each in known.items() if text not in findings]
        findings |= known
        tests += file.tests
        for line in opening(new) if streaming else ():
            _print(line)
        for result in file.results:
            results.append(result)
            if streaming:
                _print(result_line(result))
    if not results and not findings:
        help = "no name holds what `-k` asks for" if tests else "look at the path"
        exit_with("KB007", "there is no scenario and no example to run", help)
    return results, sorted(findings.values())


def _print(line: str) -> None:
    """Print a line of a stream; on a terminal it stands where the line of progress was."""
    if sys.stdout.isatty():
        clear_progress()
    typer.echo(line)


def _report(
    results: Sequence[Result],
    findings: Sequence[Diagnostic],
    form: Format,
    file: Path | None,
    coverage_data: Mapping[str, Any],
) -> None:
    """Print the report, or what a stream of lines ends with."""
    from kbrules.tools.reports.tested import TEST_RENDERERS, closing, summary

    ends = form is Format.jsonl and file is None
    text = closing(results, findings) if ends else TEST_RENDERERS[form](results, findings)
    if coverage_data and form is Format.json:
        text = json.dumps({**json.loads(text), **coverage_data}, indent=2)
    show(text, form, file, summary(results, findings))
