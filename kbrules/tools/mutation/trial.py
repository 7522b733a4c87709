"""The trial of a fault: it is planted, then tests run until one notices."""

from __future__ import annotations

import functools
import signal
import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import process_time
from types import FrameType

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.engine.setup import SetupError
from kbrules.hooks import OnProgress, silent, with_progress
from kbrules.lang.syntax import tree
from kbrules.library.box import shipped_in
from kbrules.library.load import needed, with_declaration_replaced
from kbrules.library.reading import real_path
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.project.files import SourceFile
from kbrules.project.project import Context, Project
from kbrules.scenario.examples import RuleExample
from kbrules.scenario.reader import Scenario, parse_scenarios
from kbrules.scenario.running import Case, run_scenario
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Source
from kbrules.tools.coverage import CoverageTrace
from kbrules.tools.diff import positions
from kbrules.tools.mutation import faults as planted
from kbrules.tools.testing import Request
from kbrules.tools.tracing import Place

# Something done within a time of its own, however busy the machine is; else it is broken off.


class TimeUp(BaseException):
    """The time is up; no `Exception`, since nobody on the way may take it for a fault."""


@contextmanager
def within_seconds(seconds: float) -> Iterator[None]:
    """Raise TimeUp in what is done if the processor is at it for longer.

    Only the main thread of a system with timers can be broken off; elsewhere all is done to its
    end, which comes, since every rule ends.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise TimeUp


# The corpus of mutation: the declarations of some rule files, and their tests.


@dataclass(frozen=True, slots=True, eq=False)
class MutatedDeclaration:
    """A declaration, the smallest cache it is on, and what its words may be taken for."""

    declaration: tree.Declaration
    cache: RulesetCache
    swaps: planted.Swaps

    @property
    def name(self) -> str:
        """Its kind and its name."""
        return planted.name_of(self.declaration)

    @property
    def file(self) -> str:
        """The file it stands in."""
        return self.declaration.span.source.name

    @property
    def id(self) -> str:
        """Its file and its name."""
        return f"{self.file}::{self.name}"

    def faults(self) -> list[planted.Fault]:
        """The faults that can be planted in it."""
        return list(planted.faults_of(self.declaration, self.swaps))


@dataclass(frozen=True, slots=True, eq=False)
class MutationCorpus:
    """The declarations in the order of files and lines, the tests, and what is wrong with them.

    `every` are all declarations that any test is played by, not only those that were chosen.
    """

    subjects: tuple[MutatedDeclaration, ...]
    cases: tuple[Case, ...]
    every: tuple[MutatedDeclaration, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    def cases_for(self, subject: MutatedDeclaration) -> list[Case]:
        """Return the tests with the boxes of a declaration, likely and cheap ones first."""

        @functools.cache
        def has_declaration(cache: RulesetCache) -> bool:
            known = () if cache.loaded is None else cache.loaded.declarations
            return any(each is subject.declaration for each in known)

        cases = [case for case in self.cases if has_declaration(case.cache)]
        return sorted(cases, key=lambda case: _distance(case, subject.declaration))


def build_corpus(request: Request, linking: LinkerFactory = default_linker) -> MutationCorpus:
    """The declarations of the rule files below some paths, and all tests below them.

    request: `only` chooses declarations by their id. linking: how the tests evaluate expressions
    as long as there is no fault.
    """
    project = request.project(linking=linking)
    collection = project.cases()
    files = project.files("rules")
    file_caches = [_rules_of(file, project) for file in files]
    case_caches = [case.cache for case in collection.cases]
    by_id = {id(cache): cache for cache in (*file_caches, *case_caches) if cache is not None}
    every = tuple(_declarations_of(by_id.values()))
    real = {file.real for file in files}
    is_selected = {name: real_path(Path(name)) in real for name in {each.file for each in every}}
    subjects = tuple(each for each in every if is_selected[each.file] and request.matches(each.id))
    return MutationCorpus(subjects, tuple(collection.cases), every, tuple(collection.findings))


def _rules_of(file: SourceFile, project: Project) -> RulesetCache | None:
    """The rule set of a file; of a shipped one that of its box alone, with all that it needs."""
    box = shipped_in(file.path) if file.is_shipped else ""
    return project.rules(Context(tuple(needed(project.texts, [box], ()))) if box else file)


def _declarations_of(caches: Iterable[RulesetCache]) -> Iterator[MutatedDeclaration]:
    """Yield all declarations by file and place, each on the smallest cache that has it."""
    by_place: dict[tuple[str, int], MutatedDeclaration] = {}
    loaded_caches = [(cache, cache.loaded) for cache in caches if cache.loaded is not None]
    for cache, loaded in sorted(loaded_caches, key=lambda pair: len(pair[1].declarations)):
        assert loaded.checked is not None
        swaps = planted.swaps_of(loaded.checked.scope)
        for declaration in loaded.declarations:
            key = declaration.span.source.name, declaration.span.start
            by_place.setdefault(key, MutatedDeclaration(declaration, cache, swaps))
    yield from (by_place[key] for key in sorted(by_place))


def words_in(declaration: tree.Declaration) -> Iterator[str]:
    """Every word that is written in a declaration."""
    for point in planted.mutation_points(declaration):
        match point.node:
            case tree.Word(text=text) | tree.Name(text=text):
                yield text
            case tree.Call(name=name) | tree.Fold(name=name):
                yield name


def _distance(case: Case, declaration: tree.Declaration) -> tuple[int, int]:
    """How far a test is from a declaration: its own examples, files that name it, all others."""
    assert case.cache.loaded is not None
    size = len(case.cache.loaded.declarations)
    if isinstance(case.definition, Scenario):
        return (1 if declaration.name.text in case.span.source.text else 3), size
    span = case.definition.example.span
    own = declaration.span
    if span.source is own.source:
        return (0 if own.start <= span.start < own.end else 2), size
    return 3, size


# Which tests reach which declaration: found out once, by watching all tests without a fault.


Reach = Mapping[str, frozenset[str]]
"""For each declaration (`Subject.id`) the tests (`Case.id`) that evaluate some of it."""


@dataclass(frozen=True, slots=True)
class ReachRun:
    """What came of the tests without a fault: who reached what, how long the longest took in
    seconds, and which failed."""

    reach: Reach
    longest_seconds: float
    failing: tuple[Diagnostic, ...]


def measure_reach(
    corpus: MutationCorpus, trace: CoverageTrace, on_progress: OnProgress = silent
) -> ReachRun:
    """Run all tests of a corpus whose caches have the linking of the trace.

    on_progress: told how many tests are run.
    """
    starts = {
        name: [(each.declaration.span.start, each.id) for each in of]
        for name, of in groupby(corpus.every, lambda each: each.file)
    }
    reached: dict[str, set[str]] = {subject.id: set() for subject in corpus.every}
    longest_seconds, failing = 0.0, []
    trace.take()
    for case in with_progress(corpus.cases, "tests", on_progress):
        start = process_time()
        passed = case.run().passed
        longest_seconds = max(longest_seconds, process_time() - start)
        for subject in _declarations_at(trace.take(), starts):
            reached[subject].add(case.id)
        if not passed:
            message = f"{quoted(case.title)} fails before a fault is planted"
            failing.append(Diagnostic("KB032", case.span, message, "see `kbrules test`"))
    spread = _spread_through_words(corpus.every, reached)
    reach = {id: frozenset(cases) for id, cases in spread.items()}
    return ReachRun(reach, longest_seconds, tuple(failing))


def _declarations_at(
    places: Iterable[Place], starts: Mapping[str, Sequence[tuple[int, str]]]
) -> set[str]:
    """Return the declarations in which some places are; starts: where those of a file begin."""
    ids = set()
    for name, start, _ in places:
        declared = starts.get(name, ())
        if number := bisect_right(declared, start, key=itemgetter(0)):
            ids.add(declared[number - 1][1])
    return ids


def _spread_through_words(
    subjects: Sequence[MutatedDeclaration], direct: Mapping[str, set[str]]
) -> Mapping[str, set[str]]:
    """What a define, an option or a memory declares is evaluated where its word is used."""
    users: dict[str, set[str]] = {}
    for subject in subjects:
        for word in words_in(subject.declaration):
            users.setdefault(word, set()).add(subject.id)
    spread = {id: set(cases) for id, cases in direct.items()}
    words = [s for s in subjects if not isinstance(s.declaration, tree.Rule)]
    for _ in words:  # a word may be used in a word, and so on
        before = sum(map(len, spread.values()))
        for subject in words:
            for user in users.get(subject.declaration.name.text, ()):
                spread[subject.id] |= spread[user]
        if sum(map(len, spread.values())) == before:
            break
    return spread


# Looking for a test that would notice: positions on which a rule and its fault do not agree.


SECONDS = 5.0
"""How long is looked for a test against one fault."""
_SAMPLE_SIZES = (8, 40, 160, 640)
"""How many positions are looked at, if the fewer before showed nothing."""


def find_killing_scenario(
    fault: planted.Fault, cache: RulesetCache, seconds: float = SECONDS
) -> str:
    """The text of a scenario file that would notice a fault; empty if none was found in time.

    It was run with and without the fault. What it expects is what the rules do, which is not
    always what they should: whoever takes it over should see that it is right.
    """
    with suppress(TimeUp, SetupError), within_seconds(seconds):
        return _search(fault, cache)
    return ""


def _search(fault: planted.Fault, cache: RulesetCache) -> str:
    ruleset = _mutant_rules(cache, fault)
    if ruleset is None:
        return ""
    wrong, right = (
        positions.RulesVersion(name, rules, RulesetCache(rules, loaded=cache.loaded))
        for name, rules in (("wrong", ruleset), ("right", cache.ruleset))
    )
    versions = positions.Versions(wrong, right)
    for seed, count in enumerate(_SAMPLE_SIZES):
        search = positions.find_differences(versions, count, seed * 1000)
        examples = positions.minimal_examples(search, versions) if search.cases else ()
        for scenario in (each.scenario for each in examples):
            if _holds(scenario, right.cache) and not _holds(scenario, wrong.cache):
                return scenario
    return ""


def _holds(text: str, cache: RulesetCache) -> bool:
    cases, findings = parse_scenarios(Source("found.scenario.yaml", text))
    return not findings and all(run_scenario(cache, case).passed for case in cases)


KILLED, KILLED_BY_TIME, SURVIVED = "killed", "killed by time", "survived"
INVALID, EQUIVALENT = "does not load", "means the same"
"""What came of a fault; the last two are not counted."""
_EXTRA_SECONDS = 2.0  # seconds for a test, beside ten times what it takes without a fault
_TIME_FACTOR = 10


@dataclass(frozen=True, slots=True)
class FaultVerdict:
    """What came of a fault.

    by: the test that noticed it. scenario: the text of one that would, if one was found.
    """

    status: str
    by: str = ""
    scenario: str = ""


def verdicts(
    corpus: MutationCorpus,
    subject: MutatedDeclaration,
    reached: Set[str] | None,
    usual_seconds: float,
) -> Iterator[FaultVerdict]:
    """Yield what comes of each fault of a declaration.

    reached: the tests that reach the declaration, by id; None for all. Other tests are run only
    for faults that change its events. usual_seconds: how long a test takes.
    """
    cases = corpus.cases_for(subject)
    likely = [case for case in cases if reached is None or case.id in reached]
    others = [case for case in cases if case not in likely]
    for fault in subject.faults():
        # By another event a declaration may be reached where it was not.
        queue = [*likely, *others] if fault.kind == "event" else likely
        verdict = _verdict(fault, subject, queue, _EXTRA_SECONDS + _TIME_FACTOR * usual_seconds)
        yield verdict
        # What noticed one fault of a declaration may well notice the next.
        likely.sort(key=lambda case: case.id != verdict.by)


def _verdict(
    fault: planted.Fault, subject: MutatedDeclaration, queue: Sequence[Case], seconds: float
) -> FaultVerdict:
    ruleset = _mutant_rules(subject.cache, fault)
    if ruleset is None:
        return FaultVerdict(INVALID)
    if positions.are_equivalent(ruleset, subject.cache.ruleset):
        return FaultVerdict(EQUIVALENT)
    caches = _Caches(fault, subject.cache, ruleset)
    status, killing_case = _run_tests(caches, queue, seconds)
    caches.close()
    return FaultVerdict(status, killing_case.id if killing_case is not None else "")


def _mutant_rules(cache: RulesetCache, fault: planted.Fault) -> Ruleset | None:
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

    def __init__(self, fault: planted.Fault, cache: RulesetCache, ruleset: Ruleset) -> None:
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
