"""The page about faults in the shipped rules: what is planted, what is noticed, and what is not.

`python -m kbrules.tools.mutate.page` plants every fault, which takes minutes, and writes
`docs/mutation.md` of a checkout.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

from kbrules.diagnostics import RulesError
from kbrules.tools.mutate.faults import KINDS
from kbrules.tools.mutate.run import Orders, Request, mutate
from kbrules.tools.mutate.tally import Score, Tally

__all__ = ["PAGE", "main", "page", "shipped"]

PAGE = Path("docs/mutation.md")
SHIPPED = Request((Path("rules"), Path("tests/scenarios")))
"""All shipped rules and their scenarios, as seen from the top of a checkout."""
_INTRO = """\
<!-- printed by `python -m kbrules.tools.mutate.page` -->

# What the tests of rules notice

`kbrules test dale --mutate` plants small faults in the rules of the folder `dale`, one at a time,
and runs the scenarios and examples that reach the rule. If one of them fails, it has noticed the
fault, and the fault is *killed*. If all of them hold, it *survives*: so far no test holds the
rule to what it says there. A fault that does not load, and one that means the same as the rule
did, is not counted. A test that takes ten times as long as any did before counts as failed.

A survivor is shown with its source and, where a search on sampled positions finds one, with a
scenario that would notice it. The scenario expects what the rule does now. Whether that is right
is for you to say; then keep it.

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


def shipped(jobs: int = 0) -> Tally:
    """The tally of all faults of the shipped rules; the current folder is a checkout."""
    orders = Orders(SHIPPED, searches=False)
    tally, findings = mutate(orders, jobs or os.cpu_count() or 1)
    if tally is None:
        raise RulesError(findings)
    return tally


def page(tally: Tally) -> str:
    """The text of the page."""
    lines = [_INTRO, "| kind | what stands there |", "| --- | --- |"]
    lines += [f"| {kind} | {what.replace('|', chr(92) + '|')} |" for kind, what in KINDS.items()]
    lines += ["", "## What is noticed", "", *_scores(tally)]
    lines += ["", "## What survives with a reason", "", *_reasons(tally)]
    return "\n".join(lines).rstrip() + "\n"


def _scores(tally: Tally) -> Iterator[str]:
    yield "| box | planted | killed | score |"
    yield "| --- | ---: | ---: | ---: |"
    for box, score in sorted(boxes(tally).items()):
        yield f"| {box} | {score.planted:,} | {score.killed:,} | {score.percent:.1f} % |"
    score = tally.score
    yield f"| all | {score.planted:,} | {score.killed:,} | {score.percent:.1f} % |"


def boxes(tally: Tally) -> dict[str, Score]:
    """The score of each folder of rules; what all of them share is one of its own."""
    found: dict[str, list[Score]] = {}
    for file, score in tally.files.items():
        folder = PurePath(file).parent.name
        found.setdefault("shared" if folder == "rules" else folder, []).append(score)
    return {
        box: Score(
            sum(s.planted for s in scores),
            sum(s.killed for s in scores),
            sum(s.late for s in scores),
            sum(s.listed for s in scores),
        )
        for box, scores in found.items()
    }


def _reasons(tally: Tally) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for each in tally.survivors:
        if each.reason:
            now = each.fault.now or "(left out)"
            by_reason.setdefault(each.reason, []).append(f"- {each.fault.name}: `{now}`")
    for reason, faults in by_reason.items():
        yield from (reason, "", *faults, "")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(shipped()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
