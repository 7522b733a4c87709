"""What a check found, in every form; some tell the exit code as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from kbrules import diagnostics
from kbrules.tools.authoring.check import CheckResult
from kbrules.tools.reports.records import as_lines, line

if TYPE_CHECKING:
    from kbrules.tools.reports.junit import Case

__all__ = ["CHECK_RENDERERS"]


def _full(report: CheckResult, _: int) -> str:
    return "\n\n".join(map(diagnostics.render_full, report.all))


def _concise(report: CheckResult, _: int) -> str:
    return "\n".join(map(diagnostics.render_concise, report.all))


def _json(report: CheckResult, _: int) -> str:
    return diagnostics.render_json(report.all)


def _jsonl(report: CheckResult, code: int) -> str:
    """A line for each finding, and one for the whole."""
    whole = {"files": report.files, "findings": len(report.all), "exit_code": code}
    return "\n".join([*as_lines(report.all), line("summary", whole)])


def _github(report: CheckResult, _: int) -> str:
    return diagnostics.render_github(report.all)


def _sarif(report: CheckResult, code: int) -> str:
    from kbrules.tools.reports.sarif import sarif  # rarely wanted, as the one below

    return sarif("check", report.all, code)


def _junit(report: CheckResult, code: int) -> str:
    """A case for each file, those that are only spoken of too."""
    from kbrules.tools.reports.junit import Suite, suites

    return suites(Suite("kbrules check", list(_cases(report, code))))


def _cases(report: CheckResult, code: int) -> Iterator[Case]:
    """Warnings alone let a case fail if they let the command fail."""
    from kbrules.tools.reports.junit import Case

    names_with_findings = [finding.span.source.name for finding in report.all]
    for name in sorted({*report.names, *names_with_findings}):
        wrong = [f for f in report.findings if f.span.source.name == name]
        lost = [f for f in report.problems if f.span.source.name == name]
        text = "\n\n".join(map(diagnostics.render_full, [*lost, *wrong]))
        fails = any(code or finding.severity == "error" for finding in wrong)
        verdict = "error" if lost else "failure" if fails else ""
        yield Case(name, "check", verdict=verdict, findings=(*lost, *wrong), text=text)


CHECK_RENDERERS: Mapping[str, Callable[[CheckResult, int], str]] = {
    "full": _full, "concise": _concise, "json": _json, "jsonl": _jsonl, "github": _github,
    "sarif": _sarif, "junit": _junit,
}  # fmt: skip
