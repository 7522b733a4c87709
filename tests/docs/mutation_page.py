"""The tables of the page about faults in the shipped rules: what is planted, and what is noticed.

`python -m tests.docs.mutation_page` plants every fault, which takes minutes, and writes the tables
of `docs/mutation.md`. With the names of JSON reports of all rules or of some of them, as
`kbrules test rules tests/scenarios --mutate --output-format json` writes them, it takes what they
say; of a file that is in several, what the last one says.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from kbrules.diagnostics import RulesError
from kbrules.tools.mutation.faults import KINDS
from kbrules.tools.mutation.run import MutationJob, mutate, mutation_data
from kbrules.tools.reports.data import to_data
from kbrules.tools.testing import Request

ReportData = Mapping[str, Any]
Counts = tuple[int, int]

PAGE = Path("docs/mutation.md")
SHIPPED = Request((Path("rules"), Path("tests/scenarios")))
"""All shipped rules and their scenarios, as seen from the top of a checkout."""
_HEADING = "## What is planted"


def shipped_report() -> ReportData:
    """Return the report on all faults of the shipped rules, from the top of a checkout."""
    job = MutationJob(SHIPPED, searches=False)
    result, findings = mutate(job, os.cpu_count() or 1)
    if result is None:
        raise RulesError(findings)
    data: ReportData = to_data(mutation_data(result))
    return data


def page(before: str, report: ReportData) -> str:
    """Return the text of the page for a report as JSON; what it says above its tables stays."""
    intro = before.partition(_HEADING)[0]
    lines = [f"{intro}{_HEADING}", "", "| kind | what stands there |", "| --- | --- |"]
    lines += [f"| {kind} | {what.replace('|', chr(92) + '|')} |" for kind, what in KINDS.items()]
    lines += ["", "## What is noticed", "", *_scores_by_file(report)]
    lines += ["", "## What survives with a reason", "", *_reasons(report)]
    return "\n".join(lines).rstrip() + "\n"


def _scores_by_file(report: ReportData) -> Iterator[str]:
    yield "| box | planted | killed | score |"
    yield "| --- | ---: | ---: | ---: |"
    counts_by_box = boxes(report)
    for box, (planted, killed) in [
        *sorted(counts_by_box.items()),
        ("all", _sum_counts(counts_by_box.values())),
    ]:
        yield f"| {box} | {planted:,} | {killed:,} | {100 * killed / planted:.1f} % |"


def boxes(report: ReportData) -> dict[str, Counts]:
    """Return how many faults were planted and killed in each folder of rules."""
    counts_by_box: dict[str, list[Counts]] = {}
    for file, counts in report["files"].items():
        folder = PurePath(file).parent.name
        box = "shared by all" if folder == "rules" else folder
        counts_by_box.setdefault(box, []).append((counts["planted"], counts["killed"]))
    return {box: _sum_counts(counts) for box, counts in counts_by_box.items()}


def _sum_counts(counts: Iterable[Counts]) -> Counts:
    planted, killed = zip(*counts, strict=True)
    return sum(planted), sum(killed)


def _reasons(report: ReportData) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for each in report["survivors"]:
        if each["reason"]:
            now = each["now"] or "(left out)"
            by_reason.setdefault(each["reason"], []).append(f"- {each['in']}: `{now}`")
    for reason, faults in by_reason.items():
        yield from (reason, "", *faults, "")


def merge(reports: Iterable[ReportData]) -> ReportData:
    """Join several reports; of a file that is in several the last one counts."""
    files: dict[str, Any] = {}
    survivors: dict[str, list[Any]] = {}
    for report in reports:
        for file, counts in report["files"].items():
            files[file] = counts
            survivors[file] = [each for each in report["survivors"] if each["file"] == file]
    ordered = sorted(files)
    merged = [each for file in ordered for each in survivors[file]]
    return {"files": {file: files[file] for file in ordered}, "survivors": merged}


def main(arguments: Sequence[str]) -> None:
    """Write the page."""
    reports = [json.loads(Path(name).read_text(encoding="utf-8")) for name in arguments]
    text = page(PAGE.read_text(encoding="utf-8"), merge(reports or [shipped_report()]))
    PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
