"""The tally as text: survivors with their source, scores by file, and one line for all."""

from __future__ import annotations

import json
from textwrap import indent
from typing import Any

from kbrules.diagnostics import Diagnostic, render_concise, render_full
from kbrules.text import Span, visible
from kbrules.tools.checking.mutation.faults import KINDS
from kbrules.tools.checking.mutation.result import MutationResult, Score, Survivor

__all__ = ["as_json", "concise", "finding", "findings", "full", "scores", "summary"]

_FOUND = "This scenario would notice it; see first whether what it expects is right:"


def full(tally: MutationResult) -> str:
    """Every survivor without a reason in its source, and a scenario that would notice it."""
    told = [*map(_told, tally.unexplained), *map(render_full, tally.findings)]
    return "\n\n".join(told)


def _told(survivor: Survivor) -> str:
    said = render_full(finding(survivor))
    if not survivor.scenario:
        return said
    return f"{said}\n\n{_FOUND}\n\n{indent(survivor.scenario.rstrip(), '    ')}"


def concise(tally: MutationResult) -> str:
    """One line for each of them."""
    return "\n".join(map(render_concise, findings(tally)))


def findings(tally: MutationResult) -> list[Diagnostic]:
    """The survivors without a reason, and the reasons without a survivor."""
    return [*map(finding, tally.unexplained), *tally.findings]


def finding(survivor: Survivor) -> Diagnostic:
    """A survivor as a finding."""
    fault = survivor.fault
    message = f"no test notices this fault: {fault.now or 'nothing of the sentence is left'}"
    help = f"in `{fault.name}`: {KINDS[fault.kind]}"
    return Diagnostic("KB030", _first_line(fault.span), message, help)


def _first_line(span: Span) -> Span:
    length = len(span.text.split("\n", 1)[0].rstrip())
    return span.source.span(span.start, span.start + length)


def scores(tally: MutationResult) -> str:
    """A line for each file: faults planted, noticed, and the score."""
    width = max((len(name) for name in tally.files), default=0)
    return "\n".join(
        f"{visible(name):{width}}  {score.planted:5,}  {score.killed:5,}  {score.percent:5.1f} %"
        for name, score in tally.files.items()
    )


def summary(tally: MutationResult) -> str:
    """One line for all."""
    score = tally.score
    line = f"mutants: {score.planted:,}, killed {score.killed:,} ({score.percent:.1f} %)"
    late = f", {score.late:,} of them by time" if score.late else ""
    listed = f", {score.listed:,} of them with a reason" if score.listed else ""
    return f"{line}{late}, survived {score.survived:,}{listed}"


def as_json(tally: MutationResult) -> str:
    """An object for programs; `score` is of a hundred, lines and columns count from 1."""
    data = {
        "format": 1,
        **_counts(tally.score),
        "left_out": tally.left_out,
        "files": {name: _counts(score) for name, score in tally.files.items()},
        "survivors": [_record(each) for each in tally.survivors],
        "findings": [render_concise(each) for each in tally.findings],
    }
    return json.dumps(data, indent=2)


def _counts(score: Score) -> dict[str, Any]:
    return {
        "planted": score.planted,
        "killed": score.killed,
        "killed_by_time": score.late,
        "survived": score.survived,
        "with_reason": score.listed,
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
