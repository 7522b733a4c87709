"""The reports of `check` and `test`: problems in files, results of scenarios, and coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kbrules import diagnostics
from kbrules.diagnostics import Diagnostic
from kbrules.text import counted, visible
from kbrules.tools.check import CheckResult
from kbrules.tools.reports.data import CaseReport, Data, FindingData, Part, finding_data
from kbrules.tools.reports.report import Findings, Report

if TYPE_CHECKING:
    from kbrules.scenario.running import Result

# A check: a finding for each problem, and a case for each file.

MAX_SHOWN = 200
"""People are shown at most this many findings; the others are counted."""


class CheckData(Data):
    """What `kbrules check` found."""

    files: int
    """Number of checked files."""
    findings: tuple[FindingData, ...]


def check_report(result: CheckResult, exit_code: int) -> Report:
    """Return the report of a check that ends with an exit code."""
    return Report(
        "Problems",
        [Findings(tuple(_first(result, diagnostics.render_full)))],
        CheckData(files=len(result.names), findings=tuple(map(finding_data, result.all))),
        tuple(_first(result, diagnostics.render_concise)),
        result.summary,
        exit_code,
        result.all,
        tuple(_file_cases(result, exit_code)),
        "check",
    )


def _first(result: CheckResult, rendered: Callable[[Diagnostic], str]) -> Iterator[str]:
    """Yield the first findings as text for people, and how many more there are."""
    yield from map(rendered, result.all[:MAX_SHOWN])
    if (more := len(result.all) - MAX_SHOWN) > 0:
        yield f"{counted(more, 'more finding')}; `--output-format jsonl` lists all of them"


def _file_cases(result: CheckResult, exit_code: int) -> Iterator[CaseReport]:
    """Yield a case for each file; warnings alone let it fail if they let the command fail."""
    names_with_findings = [finding.span.source.name for finding in result.all]
    for name in sorted({*result.names, *names_with_findings}):
        findings = [f for f in result.findings if f.span.source.name == name]
        problems = [f for f in result.problems if f.span.source.name == name]
        text = "\n\n".join(map(diagnostics.render_full, [*problems, *findings]))
        fails = any(exit_code or finding.severity == "error" for finding in findings)
        verdict = "error" if problems else "failure" if fails else ""
        yield CaseReport(name, "check", verdict=verdict, findings=(*problems, *findings), text=text)


# Coverage, as `test` prints it and `--coverage-json` writes it.


class CountsData(Part):
    """Numbers of clauses and steps."""

    clauses: int
    """Clauses other than steps."""
    reached: int
    two_way: int
    """Clauses that can be true and false."""
    both: int
    """Those of them that were both."""
    steps: int
    fired: int
    """Steps that were done."""
    changed: int
    """Steps that changed something."""
    reached_percent: float
    both_percent: float


class ClauseData(Part):
    """A clause, and what was seen of it."""

    key: str
    """The clause in its declaration, whatever line it is in."""
    kind: str
    line: int
    """Lines and columns count from 1."""
    column: int
    end_line: int
    end_column: int
    """The end is exclusive."""
    verdict: str
    reached: bool
    yes: bool | None
    """Whether it was true; of a step, whether it changed something; null where it cannot be."""
    no: bool | None
    """Whether it was false; null where it cannot be."""


class FileData(Part):
    """What is in a file."""

    file: str


class FileCoverageData(CountsData, FileData):
    """The coverage of a file."""

    of: tuple[ClauseData, ...]


class CoverageData(CountsData, Data):
    """Which clauses of the rules were reached."""

    files: tuple[FileCoverageData, ...]


# Results of tests.

FAILED, NOT_RUN = 1, 2
_NOT_RUN = "KB509"
_MOST_IN_FULL = 3  # tests that are not run


class ResultData(Part):
    """The result of a scenario or example."""

    id: str
    file: str
    line: int
    """The line it begins in, counted from 1."""
    passed: bool
    seconds: float
    findings: tuple[FindingData, ...]
    text: str
    """The findings in full, each with its board."""


class TestData(Data):
    """The results of `kbrules test`."""

    passed: int
    failed: int
    findings: tuple[FindingData, ...]
    """What was found while reading; findings of a scenario are in its result."""
    results: tuple[ResultData, ...]
    coverage: CoverageData | None = None
    """With `--coverage`: which clauses of the rules were reached."""


def test_report(
    results: Sequence[Result],
    findings: Sequence[Diagnostic],
    coverage: CoverageData | None = None,
    note: str = "",
) -> Report:
    """Return the report of results and of findings while reading; `note` ends its summary."""
    failed = sum(not result.passed for result in results)
    from_results = [each for result in results for each in result.outcome.diagnostics]
    return Report(
        "Tests",
        [Findings(tuple(_texts(results, findings)))],
        TestData(
            passed=len(results) - failed,
            failed=failed,
            findings=tuple(map(finding_data, findings)),
            results=tuple(map(result_data, results)),
            coverage=coverage,
        ),
        tuple(map(diagnostics.render_concise, [*findings, *from_results])),
        _summary(results, findings) + note,
        exit_code(results, findings),
        [*findings, *_titled(results)],
        [*map(_unread_case, findings), *map(_result_case, results)],
        "test",
    )


def exit_code(results: Iterable[Result], findings: Sequence[Diagnostic]) -> int:
    """Return 0 if all passed, 1 if some failed, 2 if some could not be run."""
    if findings:
        return NOT_RUN
    return 0 if all(result.passed for result in results) else FAILED


def result_data(result: Result) -> ResultData:
    """Return a result as data."""
    return ResultData.from_value(
        result,
        file=result.span.source.name,
        line=result.span.line,
        seconds=round(result.seconds, 6),
        findings=tuple(map(finding_data, result.outcome.diagnostics)),
        text=result.outcome.text,
    )


def _summary(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """Return one line that counts what passed and failed."""
    failed = sum(not result.passed for result in results)
    passed = len(results) - failed
    warned = sum(result.passed and bool(result.outcome.diagnostics) for result in results)
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{passed} passed"] if passed or not failed else []
    parts += [f"{warned} with warnings"] if warned else []
    not_run, others = _parted(findings)
    causes = {each.message.removeprefix("this is not run: ") for each in not_run}
    cause = f": {causes.pop()}" if len(causes) == 1 else ""
    parts += [f"{len(not_run)} not run{cause}"] if not_run else []
    parts += [f"{len(others)} found while reading"] if others else []
    return f"{', '.join(parts)} in {sum(result.seconds for result in results):.2f} s"


def _parted(findings: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings about tests that are not run, and all others."""
    parts: dict[bool, list[Diagnostic]] = {True: [], False: []}
    for finding in findings:
        parts[finding.code == _NOT_RUN].append(finding)
    return parts[True], parts[False]


def _texts(results: Sequence[Result], findings: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield every finding with its source and, where there is one, the board.

    Many tests that are not run have a line each; what keeps them from it is reported before.
    """
    not_run, others = _parted(findings)
    has_many = len(not_run) > _MOST_IN_FULL
    yield from map(diagnostics.render_full, others if has_many else findings)
    if has_many:
        yield "\n".join(map(diagnostics.render_concise, not_run))
    for result in results:
        if not result.passed or result.outcome.diagnostics:
            verdict = "WARNED" if result.passed else "FAILED"
            yield f"{verdict} {visible(result.id)}\n\n{result.outcome.text}"


def _titled(results: Sequence[Result]) -> Iterator[Diagnostic]:
    """Yield the findings of results, each with the title of its scenario in front."""
    for result in results:
        for finding in result.outcome.diagnostics:
            yield replace(finding, message=f"{result.title}: {finding.message}")


def _unread_case(finding: Diagnostic) -> CaseReport:
    """Return the case of a file that could not be read."""
    span, text = finding.span, diagnostics.render_full(finding)
    return CaseReport(span.source.name, "reading", span.line, 0.0, "error", [finding], text)


def _result_case(result: Result) -> CaseReport:
    about = result.span.source.name, result.title, result.span.line, result.seconds
    verdict, outcome = "" if result.passed else "failure", result.outcome
    return CaseReport(*about, verdict, outcome.diagnostics, outcome.text)
