"""The result of mutation: which faults were noticed, which survived, which are accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic
from kbrules.tools.checking.mutation.accepted import AcceptedSurvivor, key_of, unused
from kbrules.tools.checking.mutation.corpus import MutationCorpus
from kbrules.tools.checking.mutation.faults import Fault
from kbrules.tools.checking.mutation.trial import (
    EQUIVALENT,
    INVALID,
    KILLED,
    KILLED_BY_TIME,
    SURVIVED,
    FaultVerdict,
    JudgedDeclaration,
)


@dataclass(frozen=True, slots=True)
class Score:
    """How many faults were planted; how many a test noticed, `late` of them by taking too long;
    and how many of the others are listed with a reason."""

    planted: int
    killed: int
    killed_by_time: int
    accepted: int

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


Pair = tuple[Fault, FaultVerdict]


def result_of(
    corpus: MutationCorpus,
    results: Sequence[JudgedDeclaration],
    accepted: Sequence[AcceptedSurvivor],
) -> MutationResult:
    """The result of all that was judged."""
    judged = [pair for each in sorted(results, key=_number) for pair in _pairs(corpus, each)]
    pairs = [pair for pair in judged if pair[1].status not in (EQUIVALENT, INVALID)]
    reasons = {each.key: each.reason for each in accepted}
    survived = [pair for pair in pairs if pair[1].status == SURVIVED]
    survivors = [
        Survivor(fault, reasons.get(key_of(fault), ""), v.scenario) for fault, v in survived
    ]
    names = {corpus.subjects[each.subject].name for each in results}
    files: dict[str, list[Pair]] = {}
    for pair in pairs:
        files.setdefault(pair[0].span.source.name, []).append(pair)
    return MutationResult(
        _score(pairs, reasons),
        {name: _score(own, reasons) for name, own in files.items()},
        tuple(survivors),
        len(judged) - len(pairs),
        tuple(unused(accepted, [fault for fault, _ in survived], names)),
        len(corpus.subjects) - len(results),
    )


def _number(each: JudgedDeclaration) -> int:
    return each.subject


def _pairs(corpus: MutationCorpus, each: JudgedDeclaration) -> list[Pair]:
    faults = corpus.subjects[each.subject].faults()
    return [(faults[verdict.number], verdict) for verdict in each.verdicts]


def _score(pairs: Sequence[Pair], reasons: dict[tuple[str, str, str], str]) -> Score:
    states = [verdict.status for _, verdict in pairs]
    killed_by_time = states.count(KILLED_BY_TIME)
    accepted = sum(v.status == SURVIVED and key_of(fault) in reasons for fault, v in pairs)
    return Score(len(pairs), states.count(KILLED) + killed_by_time, killed_by_time, accepted)
