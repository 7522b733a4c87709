"""Results as text: in full, one line each, as JSON, or as JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from kbrules.diagnostics import Diagnostic, render_concise, render_full, render_json
from kbrules.scenario.runner import Result
from kbrules.text import visible

__all__ = ["REPORTS", "summary"]

Report = Callable[[Sequence[Result], Sequence[Diagnostic]], str]


def summary(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """One line that says how it went."""
    failed = sum(not result.passed for result in results)
    passed = len(results) - failed
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{passed} passed"] if passed or not failed else []
    parts += [f"{len(findings)} found while reading"] if findings else []
    return f"{', '.join(parts)} in {sum(result.seconds for result in results):.2f} s"


def full(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """Every finding with its source and, where there is one, the board."""
    blocks = [render_full(finding) for finding in findings]
    blocks += [
        f"FAILED {visible(result.item.id)}\n\n{result.outcome.text}"
        for result in results
        if not result.passed
    ]
    return "\n\n".join(blocks)


def concise(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """One line for every finding."""
    return "\n".join(render_concise(each) for each in [*findings, *_all(results)])


def as_json(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """An object with what was found while reading, and a result for each that was run."""
    failed = sum(not result.passed for result in results)
    data = {
        "format": 1,
        "passed": len(results) - failed,
        "failed": failed,
        "findings": _records(findings),
        "results": [_record(result) for result in results],
    }
    return json.dumps(data, indent=2)


def _record(result: Result) -> dict[str, Any]:
    span = result.item.span
    return {
        "id": result.item.id,
        "file": span.source.name,
        "line": span.line,
        "passed": result.passed,
        "seconds": round(result.seconds, 6),
        "findings": _records(result.outcome.diagnostics),
        "text": result.outcome.text,
    }


def _records(findings: Sequence[Diagnostic]) -> Any:
    return json.loads(render_json(findings))


def junit(results: Sequence[Result], findings: Sequence[Diagnostic]) -> str:
    """What services for continuous integration read."""
    failed = sum(not result.passed for result in results)
    seconds = sum(result.seconds for result in results)
    suite = ElementTree.Element(
        "testsuite",
        name="kbrules",
        tests=str(len(results) + len(findings)),
        failures=str(failed),
        errors=str(len(findings)),
        skipped="0",
        time=f"{seconds:.6f}",
    )
    for finding in findings:
        name = visible(finding.span.source.name)
        case = ElementTree.SubElement(suite, "testcase", classname=name, name="reading", time="0")
        _tell(case, "error", [finding], render_full(finding))
    for result in results:
        _case(suite, result)
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=False)


def _case(suite: ElementTree.Element, result: Result) -> None:
    span = result.item.span
    file = visible(span.source.name)
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=file,
        name=visible(result.item.title),
        file=file,
        line=str(span.line),
        time=f"{result.seconds:.6f}",
    )
    if not result.passed:
        _tell(case, "failure", result.outcome.diagnostics, result.outcome.text)


def _tell(
    case: ElementTree.Element, tag: str, findings: Sequence[Diagnostic], text: str
) -> None:
    message = visible("; ".join(finding.message for finding in findings))
    ElementTree.SubElement(case, tag, message=message).text = text


def _all(results: Sequence[Result]) -> list[Diagnostic]:
    return [finding for result in results for finding in result.outcome.diagnostics]


REPORTS: Mapping[str, Report] = {
    "full": full, "concise": concise, "json": as_json, "junit": junit,
}  # fmt: skip
