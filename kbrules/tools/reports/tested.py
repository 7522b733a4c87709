"""What came of scenarios and examples, in every form."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from kbrules.diagnostics import Diagnostic, render_concise, render_full, render_github
from kbrules.scenario.running import Result
from kbrules.text import visible
from kbrules.tools.reports.junit import JUnitCase, Suite, suites
from kbrules.tools.reports.records import Record, finding_lines, finding_records, json_line
from kbrules.tools.reports.sarif import sarif

FAILED, NOT_RUN = 1, 2
TestRenderer = Callable[[Sequence[Result], Sequence[Diagnostic]], str]


def exit_code(results: Iterable[Result], findings: Sequence[Diagnostic]) -> int:
    """0 if all hold, 1 if some do not, 2 if some could not be run."""
    if findings:
        return NOT_RUN
    return 0 if all(result.passed for result in results) else FAILED


def summary(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """One line that says how it went."""
    failed = sum(not result.passed for result in results)
    passed = len(results) - failed
    warned = sum(result.passed and bool(result.outcome.diagnostics) for result in results)
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{passed} passed"] if passed or not failed else []
    parts += [f"{warned} with warnings"] if warned else []
    parts += [f"{len(findings)} found while reading"] if findings else []
    return f"{', '.join(parts)} in {sum(result.seconds for result in results):.2f} s"


def _full(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """Every finding with its source and, where there is one, the board."""
    blocks = [render_full(finding) for finding in findings]
    blocks += [
        f"{_verdict(result)} {visible(result.id)}\n\n{result.outcome.text}"
        for result in results
        if not result.passed or result.outcome.diagnostics
    ]
    return "\n\n".join(blocks)


def _verdict(result: Result) -> str:
    return "WARNED" if result.passed else "FAILED"


def _concise(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """One line for every finding."""
    from_results = [each for result in results for each in result.outcome.diagnostics]
    return "\n".join(render_concise(each) for each in [*findings, *from_results])


def _json(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """An object with what was found while reading, and a result for each that was run."""
    data = {
        "format": 1,
        **_counts(results),
        "findings": finding_records(findings),
        "results": [_record(result) for result in results],
    }
    return json.dumps(data, indent=2)


def _counts(results: Sequence[Result]) -> dict[str, int]:
    failed = sum(not result.passed for result in results)
    return {"passed": len(results) - failed, "failed": failed}


def _record(result: Result) -> Record:
    span = result.span
    return {
        "id": result.id,
        "file": span.source.name,
        "line": span.line,
        "passed": result.passed,
        "seconds": round(result.seconds, 6),
        "findings": finding_records(result.outcome.diagnostics),
        "text": result.outcome.text,
    }


def opening(findings: Sequence[Diagnostic]) -> list[str]:
    """The lines that stand before all results: what was found while reading."""
    return finding_lines(findings)


def result_line(result: Result) -> str:
    """The line of one result."""
    return json_line("result", _record(result))


def closing(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """The line that says that there is no more, and how it went."""
    code = exit_code(results, findings)
    return json_line("summary", {**_counts(results), "findings": len(findings), "exit_code": code})


def _jsonl(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    lines = [*opening(findings), *map(result_line, results), closing(results, findings)]
    return "\n".join(lines)


def _github(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    return render_github(_all_findings(results, findings))


def _sarif(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    return sarif("test", _all_findings(results, findings), exit_code(results, findings))


def _all_findings(results: Sequence[Result], findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Every finding, those of a result with its title in front."""
    from_results = [
        replace(finding, message=f"{result.title}: {finding.message}")
        for result in results
        for finding in result.outcome.diagnostics
    ]
    return [*findings, *from_results]


def _junit(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """A case for each that was run, and one for each thing that could not be read."""
    return suites(Suite("kbrules test", [*map(_unread, findings), *map(_case, results)]))


def _unread(finding: Diagnostic) -> JUnitCase:
    span, text = finding.span, render_full(finding)
    return JUnitCase(span.source.name, "reading", span.line, 0.0, "error", [finding], text)


def _case(result: Result) -> JUnitCase:
    span, outcome = result.span, result.outcome
    return JUnitCase(
        file=span.source.name,
        name=result.title,
        line=span.line,
        seconds=result.seconds,
        verdict="" if result.passed else "failure",
        findings=outcome.diagnostics,
        text=outcome.text,
    )


TEST_RENDERERS: Mapping[str, TestRenderer] = {
    "full": _full, "concise": _concise, "json": _json, "jsonl": _jsonl, "github": _github,
    "sarif": _sarif, "junit": _junit,
}  # fmt: skip
