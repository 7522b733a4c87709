"""What came of conformance cases, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from kbrules.text import counted, visible
from kbrules.tools.checking.conformance.running import CaseResult

__all__ = ["as_json", "as_text"]

FORMAT = 1
_SHOWN = 20  # failed cases that are told to people in full


def as_text(results: Sequence[CaseResult]) -> str:
    """A block for each failed case, and a last line that says how it went."""
    failed = [result for result in results if not result.passed]
    lines = [line for result in failed[:_SHOWN] for line in _block(result)]
    if len(failed) > _SHOWN:
        lines += [f"{len(failed) - _SHOWN} further cases failed", ""]
    engines = ", ".join(dict.fromkeys(result.engine for result in results))
    passed = len(results) - len(failed)
    counts = f"{len(failed)} failed, {passed} passed" if failed else f"{passed} passed"
    cases = counted(len({r.id for r in results}), "case")
    return "\n".join([*lines, f"{counts}: {cases} by {engines}"])


def _block(result: CaseResult) -> Iterator[str]:
    yield f"FAILED {visible(result.id)} by {result.engine}"
    for key, (wanted, found) in result.differences.items():
        yield visible(f"  {key}: {_said(found)}, not {_said(wanted)}")
    yield ""


def _said(value: object) -> str:
    return "nothing" if value is None else value if isinstance(value, str) else json.dumps(value)


def as_json(results: Sequence[CaseResult]) -> str:
    """The failed cases, each with its differences, and how many cases were run."""
    failed = [
        {
            "id": result.id,
            "engine": result.engine,
            "differences": {
                key: {"expected": wanted, "found": found}
                for key, (wanted, found) in result.differences.items()
            },
        }
        for result in results
        if not result.passed
    ]
    told = {"format": FORMAT, "cases": len(results), "failed": len(failed), "results": failed}
    return json.dumps(told, indent=2)
