"""The result of mutation: which faults were noticed, which survived, which are accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic
from kbrules.tools.checking.mutation.accepted import AcceptedSurvivors, key_of, unused
from kbrules.tools.checking.mutation.corpus import MutationCorpus
from kbrules.tools.checking.mutation.faults import Fault
from kbrules.tools.checking.mutation.judge import JudgedDeclaration
from kbrules.tools.checking.mutation.trial import ALIKE, KILLED, LATE, SURVIVED, UNFIT, Verdict

__all__ = ["MutationResult", "Score", "Survivor", "result_of"]


@dataclass(frozen=True, slots=True)
class Score:
    """How many faults were planted; how many a test noticed, `late` of them by taking too long;
    and how many of the others are listed with a reason."""

    planted: int
    killed: int
    late: int
    listed: int

    @property
    def survived(self) -> int:
        """The faults that no test noticed."""
        return self.planted - self.killed

    @property
    def percent(self) -> float:
        """The part of the faults that was noticed, of a hundred; all of none."""
        return 100 * self.killed / self.planted if self.planted else 100.0


@dataclass(frozen=True, slots=True, eq=False)
class Survivor:
    """A fault that no test noticed.

    reason: why that is right, if it is listed. scenario: the text of a scenario that would notice
    it, if one was found.
    """

    fault: Fault
    reason: str = ""
    scenario: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class MutationResult:
    """The score in all and of each file, and the survivors in the order of the text.

    `left_out` are faults that do not load, or mean the same as the rule did; `findings` are
    about lists of survivors. `waiting` declarations were not judged, because of Ctrl-C.
    """

    score: Score
    files: dict[str, Score]
    survivors: tuple[Survivor, ...]
    left_out: int
    findings: tuple[Diagnostic, ...] = ()
    waiting: int = 0

    @property
    def unexplained(self) -> list[Survivor]:
        """The survivors without a reason."""
        return [each for each in self.survivors if not each.reason]


Pair = tuple[Fault, Verdict]


def result_of(
    stock: MutationCorpus, results: Sequence[JudgedDeclaration], listed: Sequence[AcceptedSurvivors]
) -> MutationResult:
    """The tally of all that was judged."""
    every = [pair for each in sorted(results, key=_number) for pair in _pairs(stock, each)]
    pairs = [pair for pair in every if pair[1].status not in (ALIKE, UNFIT)]
    reasons = {each.key: each.reason for each in listed}
    survived = [pair for pair in pairs if pair[1].status == SURVIVED]
    told = [Survivor(fault, reasons.get(key_of(fault), ""), v.scenario) for fault, v in survived]
    names = {stock.subjects[each.subject].name for each in results}
    files: dict[str, list[Pair]] = {}
    for pair in pairs:
        files.setdefault(pair[0].span.source.name, []).append(pair)
    return MutationResult(
        _score(pairs, reasons),
        {name: _score(own, reasons) for name, own in files.items()},
        tuple(told),
        len(every) - len(pairs),
        tuple(unused(listed, [fault for fault, _ in survived], names)),
        len(stock.subjects) - len(results),
    )


def _number(each: JudgedDeclaration) -> int:
    return each.subject


def _pairs(stock: MutationCorpus, each: JudgedDeclaration) -> list[Pair]:
    faults = stock.subjects[each.subject].faults()
    return [(faults[verdict.number], verdict) for verdict in each.verdicts]


def _score(pairs: Sequence[Pair], reasons: dict[tuple[str, str, str], str]) -> Score:
    states = [verdict.status for _, verdict in pairs]
    late = states.count(LATE)
    listed = sum(v.status == SURVIVED and key_of(fault) in reasons for fault, v in pairs)
    return Score(len(pairs), states.count(KILLED) + late, late, listed)
