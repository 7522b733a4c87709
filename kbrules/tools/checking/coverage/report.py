"""The report of coverage: a table by file, and each gap with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kbrules.render import Mark, excerpt, gutter
from kbrules.text import visible
from kbrules.tools.checking.coverage.clauses import PART, SET, STEP, TRUTH
from kbrules.tools.checking.coverage.measure import ClauseCoverage, ClauseVerdict, Counts, Coverage
from kbrules.tools.reports.report import Block, Findings, Report, Table

FORMAT = 1
GAPS = (ClauseVerdict.never, ClauseVerdict.only_yes, ClauseVerdict.only_no)
_OUTCOMES: Mapping[tuple[str, ClauseVerdict], str] = {
    (TRUTH, ClauseVerdict.only_yes): "it always held",
    (TRUTH, ClauseVerdict.only_no): "it never held",
    (SET, ClauseVerdict.only_yes): "it was never empty",
    (SET, ClauseVerdict.only_no): "it was always empty",
    (PART, ClauseVerdict.only_yes): "no hex was kept out by it alone",
    (PART, ClauseVerdict.only_no): "it let no hex through",
    ("norm", ClauseVerdict.only_yes): "it made a difference every time",
    ("norm", ClauseVerdict.only_no): "it never made a difference",
    ("change", ClauseVerdict.only_yes): "it applied every time",
    ("change", ClauseVerdict.only_no): "it never applied",
    ("award", ClauseVerdict.only_yes): "it paid every time",
    ("award", ClauseVerdict.only_no): "it never paid",
    (STEP, ClauseVerdict.only_no): "it was done, and nothing came of it",
}
_HEADS = ("clauses", "reached", "both ways", "steps", "fired", "changed")


def coverage_report(coverage: Coverage) -> Report:
    """A table by file, and each gap with its source."""
    blocks: list[Block] = [_table(coverage)]
    for verdict in GAPS:
        if gaps := coverage.only(verdict):
            gaps_shown = _outermost(gaps) if verdict is ClauseVerdict.never else gaps
            texts = tuple("\n".join([_line(each), *_excerpt(each)]) for each in gaps_shown)
            blocks.append(Findings(texts, f"{verdict.value}: {len(gaps)}"))
    lines = [*map(_line, coverage.only(*GAPS))]
    return Report("Coverage", blocks, as_data(coverage), lines, _summary(coverage))


def _outermost(gaps: Sequence[ClauseCoverage]) -> list[ClauseCoverage]:
    """Those that lie in no other: what was not reached has parts that were not, either."""
    outermost: list[ClauseCoverage] = []
    for each in gaps:
        span = each.clause.span
        last = outermost[-1].clause.span if outermost else None
        if last is None or last.source.name != span.source.name or last.end < span.end:
            outermost.append(each)
    return outermost


def _summary(coverage: Coverage) -> str:
    """How much was reached, and how much of what can go both ways did."""
    counts = coverage.counts
    return (
        f"{counts.reached_share} % of {counts.clauses + counts.steps} clauses reached, "
        f"{counts.both_share} % of {counts.two_way} both ways"
    )


def _table(coverage: Coverage) -> Table:
    """A row for each file, and one for all."""
    rows = [(visible(name), *_cells(Counts.of(clauses))) for name, clauses in coverage.files()]
    return Table(("", *_HEADS), (*rows, ("all", *_cells(coverage.counts))))


def _cells(counts: Counts) -> tuple[str, ...]:
    both = f"{counts.both}/{counts.two_way}"
    numbers = (counts.clauses, counts.reached, both, counts.steps, counts.fired, counts.changed)
    return tuple(map(str, numbers))


def _line(each: ClauseCoverage) -> str:
    """The place of a gap, and what is missing there."""
    span = each.clause.span
    outcome = _OUTCOMES.get((each.clause.kind, each.verdict))
    text = f"{each.verdict.value}: {outcome}" if outcome else each.verdict.value
    if span.row is not None:
        text += f" (for the row in line {span.row.line})"
    return f"{visible(span.source.name)}:{span.line}:{span.column}: {text}"


def _excerpt(each: ClauseCoverage) -> list[str]:
    mark = Mark(each.clause.span, "^")
    return excerpt(mark, gutter([mark]))


def as_data(coverage: Coverage) -> dict[str, Any]:
    """The counts of all and of each file, and what was seen of each clause.

    Lines and columns count from 1, the end is exclusive; `yes` and `no` are null for what cannot
    go both ways. Of a step `yes` is whether it changed something.
    """
    return {
        "format": FORMAT,
        **_count_record(coverage.counts),
        "files": list(map(_file, *zip(*coverage.files(), strict=True))) if coverage.clauses else [],
    }


def _count_record(counts: Counts) -> dict[str, Any]:
    shares = {"reached_percent": counts.reached_share, "both_percent": counts.both_share}
    return {**asdict(counts), **shares}


def _file(name: str, clauses: Sequence[ClauseCoverage]) -> dict[str, Any]:
    return {"file": name, **_count_record(Counts.of(clauses)), "of": [*_records(clauses)]}


def _records(clauses: Sequence[ClauseCoverage]) -> Iterator[dict[str, Any]]:
    for each in clauses:
        clause, span = each.clause, each.clause.span
        two_way = clause.goes_both_ways
        yield {
            "key": clause.key,
            "kind": clause.kind,
            "line": span.line,
            "column": span.column,
            "end_line": span.end_line,
            "end_column": span.end_column,
            "verdict": each.verdict.value,
            "reached": each.is_reached,
            "yes": bool(each.bits & clause.yes) if two_way or clause.is_step else None,
            "no": bool(each.bits & clause.no) if two_way else None,
        }
