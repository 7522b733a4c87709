"""The page about faults in the shipped rules: what is planted, what is noticed, and what is not.

`python -m kbrules.tools.checking.mutation.page` plants every fault, which takes minutes, and writes
`docs/mutation.md` of a checkout. With the names of JSON reports of all rules or of some of them,
as `kbrules test rules tests/scenarios --mutate --output-format json` writes them, it takes what
they say; of a file that is in several, what the last one says.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from kbrules.diagnostics import RulesError
from kbrules.tools.checking.mutation.faults import KINDS
from kbrules.tools.checking.mutation.report import mutation_report
from kbrules.tools.checking.mutation.run import MutationJob, mutate
from kbrules.tools.checking.testing import Request

ReportData = Mapping[str, Any]
Counts = tuple[int, int]

PAGE = Path("docs/mutation.md")
SHIPPED = Request((Path("rules"), Path("tests/scenarios")))
"""All shipped rules and their scenarios, as seen from the top of a checkout."""
_INTRO = """\
<!-- printed by `python -m kbrules.tools.checking.mutation.page` -->

# What the tests of rules notice

`kbrules test dale --mutate` plants small faults in the rules of the folder `dale`, one at a time,
and runs the scenarios and examples that reach the rule. If one of them fails, it has noticed the
fault, and the fault is *killed*. If all of them hold, it *survives*: so far no test holds the
rule to what it says there. A fault that does not load, and one that means the same as the rule
did, is not counted. A test that takes ten times as long as any did before counts as failed.

A survivor is shown with its source and, where a search on sampled positions finds one, with a
scenario that would notice it. The scenario expects what the rule does now. Whether that is right
is for you to say; then keep it. Survivors are told rule by rule, and the most telling first: those
with a scenario, then those of which more was left out. Ctrl-C ends with the report of what is done.

Where a fault changes nothing that can be seen, list it in a file `mutants.yaml` in the folder,
with the reason:

```yaml
format: 1
survivors:
  - reason: Whoever touches three huts touches one, so that nothing is preferred.
    faults:
      - in: location mill
        was: build 1 on heath & touching(mine, at least 3)
        now: build 1 on heath & touching(mine, at least 3) freely
```

`in`, `was` and `now` stand in the report `--output-format json`. Without `now`, the sentence is
left out. A reason for a fault that is noticed is told as well (KB031). A survivor without a
reason makes the command end with 1; with `--fail-under 90`, a score below 90 does. A fault with a
reason counts as one that survived.

## What is planted
"""


def shipped_report() -> ReportData:
    """The report on all faults of the shipped rules; the current folder is a checkout."""
    job = MutationJob(SHIPPED, searches=False)
    result, findings = mutate(job, os.cpu_count() or 1)
    if result is None:
        raise RulesError(findings)
    return mutation_report(result).data


def page(report: ReportData) -> str:
    """The text of the page, of a report as JSON."""
    lines = [_INTRO, "| kind | what stands there |", "| --- | --- |"]
    lines += [f"| {kind} | {what.replace('|', chr(92) + '|')} |" for kind, what in KINDS.items()]
    lines += ["", "## What is noticed", "", *_scores(report)]
    lines += ["", "## What survives with a reason", "", *_reasons(report)]
    return "\n".join(lines).rstrip() + "\n"


def _scores(report: ReportData) -> Iterator[str]:
    yield "| box | planted | killed | score |"
    yield "| --- | ---: | ---: | ---: |"
    counts_by_box = boxes(report)
    for box, (planted, killed) in [
        *sorted(counts_by_box.items()),
        ("all", _sum_counts(counts_by_box.values())),
    ]:
        yield f"| {box} | {planted:,} | {killed:,} | {100 * killed / planted:.1f} % |"


def boxes(report: ReportData) -> dict[str, Counts]:
    """How many faults were planted and killed in each folder of rules."""
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
    """Several reports as one; of a file that is in several the last one counts."""
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
    PAGE.write_text(page(merge(reports or [shipped_report()])), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
