"""The lints that look at positions, and which of several findings about one place is reported."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic
from kbrules.tools.lint.subject import FindFunction, Subject, lint

CODES = (
    "KB725", "KB740", "KB741", "KB742", "KB743", "KB744", "KB745", "KB746", "KB747", "KB749",
    "KB750", "KB752", "KB753", "KB754", "KB755", "KB757",
)  # fmt: skip


def select_findings(subject: Subject) -> tuple[Diagnostic, ...]:
    """All findings, none of them about a place that another has explained.

    Scenarios are run only where there is something that they may answer for.
    """
    from kbrules.tools.lint.sampler import run_scenarios, sample_statistics

    findings = _find_all(subject)
    if findings:
        statistics = subject.shared(sample_statistics)
        with statistics.within_work():
            run_scenarios(subject, statistics.trace)
        findings = _find_all(subject)
    return findings


def _find_all(subject: Subject) -> tuple[Diagnostic, ...]:
    findings: list[Diagnostic] = []
    for find in _find_functions():
        for each in find(subject):
            if not any(each.span.overlaps(other.span) for other in findings):
                findings.append(each)
    return tuple(findings)


def _find_functions() -> tuple[FindFunction, ...]:
    from kbrules.tools.lint import sampled_findings as sampled

    return (
        sampled.whenever_cut_off, sampled.rule_cut_off, sampled.never_true, sampled.always_true,
        sampled.idle_loop, sampled.no_pay, sampled.same_pay, sampled.never_offered,
        sampled.empty_target, sampled.trigger_never_fired, sampled.idle_norm, sampled.idle_clause,
        sampled.same_card, sampled.standstill,
    )  # fmt: skip


def _lint_of(code: str) -> FindFunction:
    def find(subject: Subject) -> Iterator[Diagnostic]:
        return (each for each in subject.shared(select_findings) if each.code == code)

    return find


for _code in CODES:
    lint(_code, needs="positions")(_lint_of(_code))
