"""What a check found, in every form; some tell the exit code as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from kbrules import diagnostics
from kbrules.diagnostics import Diagnostic, finding_lines, json_line
from kbrules.text import counted
from kbrules.tools.check import CheckResult

if TYPE_CHECKING:
    from kbrules.tools.reports.tested import JUnitCase

MAX_SHOWN = 200
"""So many findings are shown to people; of more, the others are counted."""


def _first(result: CheckResult, rendered: Callable[[Diagnostic], str]) -> Iterator[str]:
    """Yield the first findings as text for people, and how many more there are."""
    yield from map(rendered, result.all[:MAX_SHOWN])
    if (more := len(result.all) - MAX_SHOWN) > 0:
        yield f"{counted(more, 'more finding')}; `--output-format jsonl` lists all of them"


def _jsonl(result: CheckResult, code: int) -> str:
    """A line for each finding, and one for the whole."""
    summary = {"files": result.files, "findings": len(result.all), "exit_code": code}
    return "\n".join([*finding_lines(result.all), json_line("summary", summary)])


def _sarif(result: CheckResult, code: int) -> str:
    from kbrules.tools.reports.tested import sarif  # rarely wanted, as the one below

    return sarif("check", result.all, code)


def _junit(result: CheckResult, code: int) -> str:
    """A case for each file, those that are only spoken of too."""
    from kbrules.tools.reports.tested import Suite, suites

    return suites(Suite("kbrules check", list(_cases(result, code))))


def _cases(result: CheckResult, code: int) -> Iterator[JUnitCase]:
    """Warnings alone let a case fail if they let the command fail."""
    from kbrules.tools.reports.tested import JUnitCase

    names_with_findings = [finding.span.source.name for finding in result.all]
    for name in sorted({*result.names, *names_with_findings}):
        findings = [f for f in result.findings if f.span.source.name == name]
        problems = [f for f in result.problems if f.span.source.name == name]
        text = "\n\n".join(map(diagnostics.render_full, [*problems, *findings]))
        fails = any(code or finding.severity == "error" for finding in findings)
        verdict = "error" if problems else "failure" if fails else ""
        yield JUnitCase(name, "check", verdict=verdict, findings=(*problems, *findings), text=text)


CHECK_RENDERERS: Mapping[str, Callable[[CheckResult, int], str]] = {
    "full": lambda result, _: "\n\n".join(_first(result, diagnostics.render_full)),
    "concise": lambda result, _: "\n".join(_first(result, diagnostics.render_concise)),
    "json": lambda result, _: diagnostics.render_json(result.all),
    "jsonl": _jsonl,
    "github": lambda result, _: diagnostics.render_github(result.all),
    "sarif": _sarif,
    "junit": _junit,
}
