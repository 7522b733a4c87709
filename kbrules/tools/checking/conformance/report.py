"""The report of conformance cases: each failed case with the answers that differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from kbrules.text import counted, visible
from kbrules.tools.checking.conformance.running import CaseResult
from kbrules.tools.reports.report import Block, Lines, Report

FORMAT = 1
_SHOWN = 20  # failed cases that people are shown in full


def conformance_report(results: Sequence[CaseResult]) -> Report:
    """A block for each failed case, and a last line that says how it went."""
    failed = [result for result in results if not result.passed]
    blocks: list[Block] = [Lines(tuple(_failure(result))) for result in failed[:_SHOWN]]
    if len(failed) > _SHOWN:
        blocks.append(Lines((f"{len(failed) - _SHOWN} further cases failed",)))
    blocks.append(Lines((_summary(results, len(failed)),)))
    data = {
        "format": FORMAT,
        "cases": len(results),
        "failed": len(failed),
        "results": [_record(result) for result in failed],
    }
    return Report("Conformance", blocks, data)


def _failure(result: CaseResult) -> Iterator[str]:
    yield f"FAILED {visible(result.id)} by {result.engine}"
    for key, (expected, actual) in result.differences.items():
        yield visible(f"  {key}: {_answer(actual)}, not {_answer(expected)}")


def _answer(value: object) -> str:
    return "nothing" if value is None else value if isinstance(value, str) else json.dumps(value)


def _summary(results: Sequence[CaseResult], failed: int) -> str:
    engines = ", ".join(dict.fromkeys(result.engine for result in results))
    passed = f"{len(results) - failed} passed"
    cases = counted(len({result.id for result in results}), "case")
    return f"{f'{failed} failed, ' if failed else ''}{passed}: {cases} by {engines}"


def _record(result: CaseResult) -> dict[str, Any]:
    pairs = result.differences.items()
    differences = {key: {"expected": old, "found": new} for key, (old, new) in pairs}
    return {"id": result.id, "engine": result.engine, "differences": differences}
