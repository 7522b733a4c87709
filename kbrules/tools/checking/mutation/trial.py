"""The trial of a fault: it is planted, then tests run until one notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from kbrules.library.load import with_declaration_replaced
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.examples import RuleExample
from kbrules.scenario.reader import Scenario
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCache
from kbrules.tools.checking.equivalence import are_equivalent
from kbrules.tools.checking.mutation.corpus import MutatedDeclaration, MutationCorpus
from kbrules.tools.checking.mutation.faults import Fault
from kbrules.tools.checking.mutation.time_limit import TimeUp, within_seconds

KILLED, KILLED_BY_TIME, SURVIVED = "killed", "killed by time", "survived"
INVALID, EQUIVALENT = "does not load", "means the same"
"""What came of a fault; the last two are not counted."""
_EXTRA_SECONDS = 2.0  # seconds for a test, beside ten times what it takes without a fault
_TIME_FACTOR = 10
_EVENT_KINDS = ("event",)
"""Faults by which a declaration may be reached where it was not."""


@dataclass(frozen=True, slots=True)
class FaultVerdict:
    """What came of a fault, by its number in its declaration.

    by: the test that noticed it. scenario: the text of one that would, if one was found.
    """

    number: int
    status: str
    by: str = ""
    scenario: str = ""


@dataclass(frozen=True, slots=True)
class JudgedDeclaration:
    """What came of the faults of a declaration, given by its number in the corpus."""

    subject: int
    verdicts: tuple[FaultVerdict, ...]


def verdicts(
    corpus: MutationCorpus,
    subject: MutatedDeclaration,
    reached: Set[str] | None,
    usual_seconds: float,
) -> Iterator[FaultVerdict]:
    """What comes of each fault of a declaration.

    reached: the tests that reach the declaration, by id; None for all. Other tests are run only
    for faults that change its events. usual_seconds: how long a test takes.
    """
    cases = corpus.cases_for(subject)
    likely = [case for case in cases if reached is None or case.id in reached]
    others = [case for case in cases if case not in likely]
    for number, fault in enumerate(subject.faults()):
        queue = [*likely, *others] if fault.kind in _EVENT_KINDS else likely
        verdict = _verdict(
            number, fault, subject, queue, _EXTRA_SECONDS + _TIME_FACTOR * usual_seconds
        )
        yield verdict
        _move_to_front(likely, verdict.by)


def _move_to_front(queue: list[Case], id: str) -> None:
    """What noticed one fault of a declaration may well notice the next."""
    for case in [case for case in queue if case.id == id]:
        queue.remove(case)
        queue.insert(0, case)


def _verdict(
    number: int,
    fault: Fault,
    subject: MutatedDeclaration,
    queue: Sequence[Case],
    seconds: float,
) -> FaultVerdict:
    ruleset = _mutant_rules(subject.cache, fault)
    if ruleset is None:
        return FaultVerdict(number, INVALID)
    if are_equivalent(ruleset, subject.cache.ruleset):
        return FaultVerdict(number, EQUIVALENT)
    caches = _Caches(fault, subject.cache, ruleset)
    status, killing_case = _run_tests(caches, queue, seconds)
    caches.close()
    return FaultVerdict(number, status, killing_case.id if killing_case is not None else "")


def _mutant_rules(cache: RulesetCache, fault: Fault) -> Ruleset | None:
    assert cache.loaded is not None
    return with_declaration_replaced(cache.loaded, fault.declaration, fault.changed)


def _run_tests(caches: _Caches, queue: Sequence[Case], seconds: float) -> tuple[str, Case | None]:
    """The first test that does not hold any more."""
    for case in queue:
        mutant = caches.case(case)
        if mutant is None:
            continue
        try:
            with within_seconds(seconds):
                passed = mutant.run().passed
        except TimeUp:
            return KILLED_BY_TIME, case
        if not passed:
            return KILLED, case
    return SURVIVED, None


class _Caches:
    """The caches of a fault, each made when a test of it is run."""

    def __init__(self, fault: Fault, cache: RulesetCache, ruleset: Ruleset) -> None:
        self._fault = fault
        self._caches: dict[int, RulesetCache | None] = {id(cache): cache.with_rules(ruleset)}

    def case(self, case: Case) -> Case | None:
        """The same test with the fault; None if the fault does not load beside other boxes."""
        key = id(case.cache)
        if key not in self._caches:
            ruleset = _mutant_rules(case.cache, self._fault)
            self._caches[key] = None if ruleset is None else case.cache.with_rules(ruleset)
        cache = self._caches[key]
        return None if cache is None else Case(case.id, _with_fault(case, cache.ruleset), cache)

    def close(self) -> None:
        """Forget what the boards have worked out for these rules: they are shared."""
        for cache in self._caches.values():
            if cache is not None:
                cache.clear_boards()


def _with_fault(case: Case, ruleset: Ruleset) -> Scenario | RuleExample:
    """What a test says, an example as one of the rule as it is with the fault."""
    if not isinstance(case.definition, RuleExample):
        return case.definition
    rule = case.definition.rule
    return replace(case.definition, rule=ruleset.owners[f"{rule.kind}/{rule.id}"].rule)
