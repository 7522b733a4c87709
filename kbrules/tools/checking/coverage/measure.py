"""Coverage measured: what was seen of each clause, counted by file and in all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from kbrules.library.ruleset import Ruleset
from kbrules.tools.checking.coverage.clauses import Clause, checked_expressions, clauses_of
from kbrules.tools.tracing.operands import Place
from kbrules.tools.tracing.trace import YES


class ClauseVerdict(StrEnum):
    """The coverage of a clause after a run."""

    never = "never reached"
    only_yes = "only true"
    only_no = "only false"
    both = "both"
    reached = "reached"


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """A clause and the bits of what was seen of it."""

    clause: Clause
    bits: int

    @property
    def is_reached(self) -> bool:
        """Whether it was evaluated or done at all."""
        return self.bits != 0

    @property
    def has_changed(self) -> bool:
        """Of a step: whether anything came of it."""
        return bool(self.bits & YES)

    @property
    def verdict(self) -> ClauseVerdict:
        """Its verdict; that of a step without effect is that it was only false."""
        clause = self.clause
        if not self.bits:
            return ClauseVerdict.never
        if clause.is_step:
            return ClauseVerdict.reached if self.has_changed else ClauseVerdict.only_no
        if not clause.goes_both_ways:
            return ClauseVerdict.reached
        yes, no = self.bits & clause.yes, self.bits & clause.no
        if yes and no:
            return ClauseVerdict.both
        return ClauseVerdict.only_yes if yes else ClauseVerdict.only_no


@dataclass(frozen=True, slots=True)
class Counts:
    """How many clauses there are and were reached; how many can go both ways, and did; of steps,
    how many there are, were done, and changed something."""

    clauses: int
    reached: int
    two_way: int
    both: int
    steps: int
    fired: int
    changed: int

    @classmethod
    def of(cls, clauses: Iterable[ClauseCoverage]) -> Counts:
        """The counts of some clauses."""
        clauses = list(clauses)
        steps = [each for each in clauses if each.clause.is_step]
        conditions = [each for each in clauses if not each.clause.is_step]
        two_way = [each for each in conditions if each.clause.goes_both_ways]
        return cls(
            len(conditions),
            sum(each.is_reached for each in conditions),
            len(two_way),
            sum(each.verdict is ClauseVerdict.both for each in two_way),
            len(steps),
            sum(each.is_reached for each in steps),
            sum(each.has_changed for each in steps),
        )

    @property
    def reached_share(self) -> float:
        """The percentage of clauses that were reached, steps among them; 100 of none."""
        return percentage(self.reached + self.fired, self.clauses + self.steps)

    @property
    def both_share(self) -> float:
        """The percentage of those that can go both ways, and did; 100 of none."""
        return percentage(self.both, self.two_way)


def percentage(part: int, whole: int) -> float:
    """A percentage with one decimal, rounded down: only all of it is 100."""
    return 100.0 if part == whole else part * 1000 // whole / 10


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was seen of all clauses, in the order of files and of lines in them."""

    clauses: tuple[ClauseCoverage, ...]

    @property
    def counts(self) -> Counts:
        """The counts of all."""
        return Counts.of(self.clauses)

    def files(self) -> Iterator[tuple[str, Sequence[ClauseCoverage]]]:
        """The files with clauses, and what was seen of those."""
        for name, group in groupby(self.clauses, lambda each: each.clause.span.source.name):
            yield name, tuple(group)

    def only(self, *verdicts: ClauseVerdict) -> list[ClauseCoverage]:
        """The clauses with one of these verdicts."""
        return [each for each in self.clauses if each.verdict in verdicts]


def coverage_of(
    rulesets: Sequence[Ruleset], recorded: Mapping[Place, int], is_selected: Callable[[str], bool]
) -> Coverage:
    """The coverage of the clauses in the files that are selected by name."""
    expressions = checked_expressions(rulesets)
    clauses = clauses_of(rulesets, expressions)
    selected = (clause for clause in clauses if is_selected(clause.span.source.name))
    return Coverage(
        tuple(ClauseCoverage(each, expressions.bits(each.span, recorded)) for each in selected)
    )
