"""The report of mutation: survivors with their source, and the score of each file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import indent
from typing import Any

from kbrules.diagnostics import Diagnostic, render_concise, render_full
from kbrules.lang.checker.statements import first_line
from kbrules.text import visible
from kbrules.tools.checking.mutation.faults import KINDS
from kbrules.tools.checking.mutation.result import MutationResult, Score, Survivor
from kbrules.tools.reports.report import Block, Findings, Report, Table

_SCENARIO_INTRO = "This scenario would notice it; see first whether what it expects is right:"


def mutation_report(result: MutationResult) -> Report:
    """Every survivor without a reason in its source, and a scenario that would notice it.

    They are listed rule by rule, the most revealing first; then comes the score of each file, if
    there are several.
    """
    blocks: list[Block] = [
        Findings(tuple(map(_survivor, survivors)), f"{name}: {_count(survivors)}")
        for name, survivors in by_rule(result.unexplained)
    ]
    if result.findings or not blocks:
        blocks.append(Findings(tuple(map(render_full, result.findings))))
    if len(result.files) > 1:
        blocks.append(_scores(result))
    lines = [render_concise(each) for each in findings(result)]
    return Report("What no test notices", blocks, _data(result), lines, _summary(result))


def _count(survivors: Sequence[Survivor]) -> str:
    return f"{len(survivors)} fault{'s' if len(survivors) > 1 else ''} unnoticed"


def _survivor(survivor: Survivor) -> str:
    text = render_full(finding(survivor))
    if not survivor.scenario:
        return text
    return f"{text}\n\n{_SCENARIO_INTRO}\n\n{indent(survivor.scenario.rstrip(), '    ')}"


def findings(result: MutationResult) -> list[Diagnostic]:
    """The survivors without a reason, rule by rule, and the reasons without a survivor."""
    ranked = (each for _, survivors in by_rule(result.unexplained) for each in survivors)
    return [*map(finding, ranked), *result.findings]


def finding(survivor: Survivor) -> Diagnostic:
    """A survivor as a finding."""
    fault = survivor.fault
    message = f"no test notices this fault: {fault.now or 'nothing of the sentence is left'}"
    help = f"in `{fault.name}`: {KINDS[fault.kind]}"
    return Diagnostic("KB030", first_line(fault.span), message, help)


def _scores(result: MutationResult) -> Table:
    """A row for each file: faults planted, noticed, and the score."""
    rows = (
        (visible(name), f"{score.planted:,}", f"{score.killed:,}", f"{score.percent:.1f} %")
        for name, score in result.files.items()
    )
    return Table(("file", "planted", "killed", "score"), tuple(rows))


def _summary(result: MutationResult) -> str:
    """One line for all."""
    score = result.score
    line = f"mutants: {score.planted:,}, killed {score.killed:,} ({score.percent:.1f} %)"
    killed_by_time = f", {score.killed_by_time:,} of them by time" if score.killed_by_time else ""
    accepted = f", {score.accepted:,} of them with a reason" if score.accepted else ""
    return f"{line}{killed_by_time}, survived {score.survived:,}{accepted}"


def _data(result: MutationResult) -> dict[str, Any]:
    """`score` is of a hundred, lines and columns count from 1."""
    return {
        "format": 1,
        **_counts(result.score),
        "left_out": result.left_out,
        "files": {name: _counts(score) for name, score in result.files.items()},
        "survivors": [_record(each) for each in result.survivors],
        "findings": [render_concise(each) for each in result.findings],
    }


def _counts(score: Score) -> dict[str, Any]:
    return {
        "planted": score.planted,
        "killed": score.killed,
        "killed_by_time": score.killed_by_time,
        "survived": score.survived,
        "with_reason": score.accepted,
        "score": round(score.percent, 2),
    }


def _record(survivor: Survivor) -> dict[str, Any]:
    fault = survivor.fault
    return {
        "in": fault.name,
        "kind": fault.kind,
        "file": fault.span.source.name,
        "line": fault.span.line,
        "column": fault.span.column,
        "was": fault.was,
        "now": fault.now,
        "reason": survivor.reason,
        "scenario": survivor.scenario,
    }


# The order of survivors


_OBVIOUS = ("sentence", "condition", "clause", "kind", "negation", "branch", "freed", "event")
"""The kinds of fault that a test of any kind would notice, if there were one."""
_SUBTLE = ("number", "option", "memory")
"""Those that only a test at the limit notices."""
_OTHERS = tuple(kind for kind in KINDS if kind not in _OBVIOUS + _SUBTLE)
_ORDER = {kind: at for at, kind in enumerate((*_OBVIOUS, *_OTHERS, *_SUBTLE))}


def by_rule(survivors: Iterable[Survivor]) -> list[tuple[str, list[Survivor]]]:
    """The survivors of each rule, by its name.

    A survivor with a scenario that would notice it tells more than one without, and what is left
    out more than what is changed a little. First comes the rule with the most revealing one; of
    several such, that with the most survivors.
    """
    groups: dict[str, list[Survivor]] = {}
    for each in sorted(survivors, key=_rank):
        groups.setdefault(each.fault.name, []).append(each)
    return sorted(groups.items(), key=lambda group: (_rank(group[1][0]), -len(group[1])))


def _rank(survivor: Survivor) -> tuple[bool, int]:
    return not survivor.scenario, _ORDER[survivor.fault.kind]
