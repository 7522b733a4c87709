"""The run of mutation: all faults of some rule files judged, counted and reported."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import indent

from kbrules.diagnostics import Diagnostic, quoted, render_concise, render_full
from kbrules.hooks import OnProgress, silent
from kbrules.lang.checker.statements import first_line
from kbrules.library.discovery import discover
from kbrules.library.reading import author_folder, read_source
from kbrules.library.validation import read_model
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.text import Span, counted, visible
from kbrules.tools.coverage import CoverageTrace
from kbrules.tools.mutation import trial
from kbrules.tools.mutation.faults import KINDS, Fault
from kbrules.tools.processes import Parallel, WorkerPool
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Block, Findings, Report, ReportTable
from kbrules.tools.testing import Request

# The faults that may survive: listed in `mutants.yaml`, each with a reason.


FILE = "mutants.yaml"
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class AcceptedSurvivor:
    """A fault by its declaration and its sentences, before and after, and why it may survive."""

    key: Key
    reason: str
    span: Span


def key_of(fault: Fault) -> Key:
    """How a fault is listed."""
    return fault.name, fault.was, fault.now


def read_accepted(paths: Sequence[Path]) -> tuple[list[AcceptedSurvivor], list[Diagnostic]]:
    """All that the lists below some paths say, and what is wrong with them.

    Beside the folders that are named, the author's folder of a file that is named counts.
    """
    from kbrules.library.models import MutantsFile  # slow to load

    accepted: list[AcceptedSurvivor] = []
    findings: list[Diagnostic] = []
    for file in dict.fromkeys(_files(paths)):
        read, wrong = read_model(*read_source(file), MutantsFile)
        findings += wrong
        if read is None:
            continue
        for group, entry in enumerate(read[0].survivors):
            for number, each in enumerate(entry.faults):
                span = read[1].span_at(("survivors", group, "faults", number, "was"))
                accepted.append(
                    AcceptedSurvivor((each.in_, each.was, each.now), entry.reason, span)
                )
    return accepted, findings


def unused(
    accepted: Iterable[AcceptedSurvivor], survivors: Iterable[Fault], names: Iterable[str]
) -> Iterator[Diagnostic]:
    """A finding for each that did not survive, or is no fault at all, of the declarations named."""
    surviving = {key_of(fault) for fault in survivors}
    names_given = set(names)
    for each in accepted:
        if each.key not in surviving and each.key[0] in names_given:
            message = f"this fault of {quoted(each.key[0])} is noticed, or is none"
            help = f"take it out of {quoted(FILE)}"
            yield Diagnostic("KB031", each.span, message, help)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths or [Path()]:
        folder = author_folder(path / FILE) if path.is_dir() else author_folder(path)
        if folder is not None and (folder / FILE).is_file():
            yield (folder / FILE)
        if path.is_dir():
            yield from (file for file in discover(path).files if file.name == FILE)


# The result of mutation: which faults were noticed, which survived, which are accepted.


class ScoreData(Part):
    """Numbers of planted faults."""

    planted: int
    killed: int
    """Faults that a test noticed."""
    killed_by_time: int
    """Those of them where a test took too long."""
    survived: int
    with_reason: int
    """Survivors that a `mutants.yaml` lists with a reason."""
    score: float
    """Percentage of killed faults."""

    @property
    def percent(self) -> float:
        """The percentage of killed faults, not rounded; 100 of none."""
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

    score: ScoreData
    files: dict[str, ScoreData]
    survivors: tuple[Survivor, ...]
    left_out: int
    findings: tuple[Diagnostic, ...] = ()
    waiting: int = 0

    @property
    def unexplained(self) -> list[Survivor]:
        """The survivors without a reason."""
        return [each for each in self.survivors if not each.reason]


Pair = tuple[Fault, trial.FaultVerdict]


def result_of(
    corpus: trial.MutationCorpus,
    results: Mapping[int, Sequence[trial.FaultVerdict]],
    accepted: Sequence[AcceptedSurvivor],
) -> MutationResult:
    """Return the result of all that was judged, by the numbers of the declarations."""
    judged: list[Pair] = []
    for number in sorted(results):
        judged += zip(corpus.subjects[number].faults(), results[number], strict=True)
    pairs = [pair for pair in judged if pair[1].status not in (trial.EQUIVALENT, trial.INVALID)]
    reasons = {each.key: each.reason for each in accepted}
    survived = [pair for pair in pairs if pair[1].status == trial.SURVIVED]
    survivors = [
        Survivor(fault, reasons.get(key_of(fault), ""), v.scenario) for fault, v in survived
    ]
    names = {corpus.subjects[number].name for number in results}
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


def _score(pairs: Sequence[Pair], reasons: Mapping[Key, str]) -> ScoreData:
    states = Counter(verdict.status for _, verdict in pairs)
    killed = states[trial.KILLED] + states[trial.KILLED_BY_TIME]
    survived = [fault for fault, verdict in pairs if verdict.status == trial.SURVIVED]
    score = ScoreData(
        planted=len(pairs),
        killed=killed,
        killed_by_time=states[trial.KILLED_BY_TIME],
        survived=len(survived),
        with_reason=sum(key_of(fault) in reasons for fault in survived),
        score=0.0,
    )
    return replace(score, score=round(score.percent, 2))


# The entry of mutation: all faults of some rule files, judged by a worker pool and counted.


@dataclass(frozen=True, slots=True)
class MutationJob:
    """What to put to the proof.

    request: `only` chooses declarations. reach: which tests reach which declaration, if that
    is known. usual_seconds: how long a test may well take. searches: whether a test is looked for
    that would notice a survivor; never for those that are `accepted`.
    """

    request: Request
    reach: trial.Reach | None = None
    usual_seconds: float = 0.0
    searches: bool = True
    accepted: frozenset[Key] = frozenset()


_Verdicts = tuple[trial.FaultVerdict, ...]


def mutate(
    job: MutationJob, jobs: int = 1, on_progress: OnProgress = silent
) -> tuple[MutationResult | None, list[Diagnostic]]:
    """The result of a job; none if the tests do not hold to begin with, but the findings.

    After Ctrl-C it is of the declarations that were done. on_progress: told how many tests are
    run without a fault, then how many rules are done.
    """
    trace = CoverageTrace()
    corpus = _corpus_for(job, trace.linking)
    accepted, findings = read_accepted(job.request.paths)
    findings += corpus.findings
    if findings:
        return None, sorted(findings)
    reach_run = trial.measure_reach(corpus, trace, on_progress)
    if reach_run.failing:
        return None, sorted(reach_run.failing)
    keys = frozenset(each.key for each in accepted)
    job = replace(
        job, reach=reach_run.reach, usual_seconds=reach_run.longest_seconds, accepted=keys
    )
    return result_of(corpus, _judge_all(job, corpus, jobs, on_progress), accepted), []


def _judge_all(
    job: MutationJob, corpus: trial.MutationCorpus, jobs: int, on_progress: OnProgress
) -> dict[int, _Verdicts]:
    """Return what came of the declarations; of those that were done, if Ctrl-C ended it."""
    results: dict[int, _Verdicts] = {}
    on_progress(0, len(corpus.subjects), "rules")
    numbers = sorted(range(len(corpus.subjects)), key=lambda n: -len(corpus.subjects[n].faults()))
    jobs = min(jobs, len(numbers))
    pool = Parallel(jobs, _prepare, job) if jobs > 1 else WorkerPool(partial(_judge, job, corpus))
    try:
        with closing(pool):
            for number, verdicts in pool.run(numbers):
                results[number] = verdicts
                on_progress(len(results), len(numbers), "rules")
    except KeyboardInterrupt:
        if not results:
            raise
    return results


def _corpus_for(job: MutationJob, linking: LinkerFactory = default_linker) -> trial.MutationCorpus:
    """The corpus of a job; its tests evaluate expressions by the linking."""
    corpus = trial.build_corpus(job.request, linking)
    gc.freeze()  # it stays to the end; to look through it for garbage again and again takes long
    return corpus


def _prepare(job: MutationJob) -> Callable[[int], tuple[int, _Verdicts]]:
    return partial(_judge, job, _corpus_for(job))


def _judge(job: MutationJob, corpus: trial.MutationCorpus, number: int) -> tuple[int, _Verdicts]:
    subject = corpus.subjects[number]
    reached = None if job.reach is None else job.reach[subject.id]
    verdicts = trial.verdicts(corpus, subject, reached, job.usual_seconds)
    pairs = zip(subject.faults(), verdicts, strict=True)
    return number, tuple(_with_scenario(job, subject, *pair) for pair in pairs)


def _with_scenario(
    job: MutationJob, subject: trial.MutatedDeclaration, fault: Fault, verdict: trial.FaultVerdict
) -> trial.FaultVerdict:
    """The verdict, with a test that would notice a survivor if one is wanted and found."""
    is_searched = job.searches and key_of(fault) not in job.accepted
    if verdict.status != trial.SURVIVED or not is_searched:
        return verdict
    return replace(verdict, scenario=trial.find_killing_scenario(fault, subject.cache))


# The report of mutation: survivors with their source, and the score of each file.


_SCENARIO_INTRO = "This scenario would notice it; see first whether what it expects is right:"


def mutation_report(result: MutationResult) -> Report:
    """Every survivor without a reason in its source, and a scenario that would notice it.

    They are listed rule by rule, the most revealing first; then comes the score of each file, if
    there are several.
    """
    blocks: list[Block] = [
        Findings(
            tuple(map(_survivor, survivors)),
            f"{name}: {counted(len(survivors), 'fault')} unnoticed",
        )
        for name, survivors in by_rule(result.unexplained)
    ]
    if result.findings or not blocks:
        blocks.append(Findings(tuple(map(render_full, result.findings))))
    if len(result.files) > 1:
        blocks.append(_scores(result))
    lines = [render_concise(each) for each in findings(result)]
    return Report("What no test notices", blocks, mutation_data(result), lines, _summary(result))


def _survivor(survivor: Survivor) -> str:
    text = render_full(finding(survivor))
    if not survivor.scenario:
        return text
    return f"{text}\n\n{_SCENARIO_INTRO}\n\n{indent(survivor.scenario.rstrip(), '    ')}"


def findings(result: MutationResult) -> list[Diagnostic]:
    """The survivors without a reason, rule by rule, and the reasons without a survivor."""
    ranked = (each for _, survivors in by_rule(result.unexplained) for each in survivors)
    return [*map(finding, ranked), *result.findings]


def finding(survivor: Survivor) -> Diagnostic:
    """A survivor as a finding."""
    fault = survivor.fault
    message = f"no test notices this fault: {fault.now or 'nothing of the sentence is left'}"
    help = f"in `{fault.name}`: {KINDS[fault.kind]}"
    return Diagnostic("KB030", first_line(fault.span), message, help)


def _scores(result: MutationResult) -> ReportTable:
    """A row for each file: faults planted, noticed, and the score."""
    rows = (
        (visible(name), f"{score.planted:,}", f"{score.killed:,}", f"{score.percent:.1f} %")
        for name, score in result.files.items()
    )
    return ReportTable(("file", "planted", "killed", "score"), tuple(rows))


def _summary(result: MutationResult) -> str:
    """One line for all."""
    score = result.score
    line = f"mutants: {score.planted:,}, killed {score.killed:,} ({score.percent:.1f} %)"
    killed_by_time = f", {score.killed_by_time:,} of them by time" if score.killed_by_time else ""
    accepted = f", {score.with_reason:,} of them with a reason" if score.with_reason else ""
    return f"{line}{killed_by_time}, survived {score.survived:,}{accepted}"


class SurvivorData(Part):
    """A fault that no test notices."""

    in_: str
    """The declaration."""
    kind: str
    file: str
    line: int
    """Lines and columns count from 1."""
    column: int
    was: str
    now: str
    """What the fault made of it; empty if the sentence was left out."""
    reason: str
    """The reason in `mutants.yaml`; empty if there is none."""
    scenario: str
    """A scenario that would notice it; empty if none was found."""


class MutationData(ScoreData, Data):
    """What `kbrules test --mutate` found."""

    left_out: int
    """Faults that do not load or change nothing."""
    files: Mapping[str, ScoreData]
    survivors: tuple[SurvivorData, ...]
    findings: tuple[str, ...]
    """Reasons without a survivor."""


def mutation_data(result: MutationResult) -> MutationData:
    """Return what was found, as data."""
    return MutationData.from_value(
        result,
        **vars(result.score),
        survivors=tuple(map(_survivor_data, result.survivors)),
        findings=tuple(map(render_concise, result.findings)),
    )


def _survivor_data(survivor: Survivor) -> SurvivorData:
    fault = survivor.fault
    return SurvivorData.from_value(
        fault,
        in_=fault.name,
        file=fault.span.source.name,
        line=fault.span.line,
        column=fault.span.column,
        reason=survivor.reason,
        scenario=survivor.scenario,
    )


# The order of survivors


_OBVIOUS = ("sentence", "condition", "clause", "kind", "negation", "branch", "freed", "event")
"""The kinds of fault that a test of any kind would notice, if there were one."""
_SUBTLE = ("number", "option", "memory")
"""Those that only a test at the limit notices."""
_OTHERS = tuple(kind for kind in KINDS if kind not in _OBVIOUS + _SUBTLE)
_ORDER = {kind: at for at, kind in enumerate((*_OBVIOUS, *_OTHERS, *_SUBTLE))}


def by_rule(survivors: Iterable[Survivor]) -> list[tuple[str, list[Survivor]]]:
    """The survivors of each rule, by its name.

    A survivor with a scenario that would notice it tells more than one without, and what is left
    out more than what is changed a little. First comes the rule with the most revealing one; of
    several such, that with the most survivors.
    """
    groups: dict[str, list[Survivor]] = {}
    for each in sorted(survivors, key=_rank):
        groups.setdefault(each.fault.name, []).append(each)
    return sorted(groups.items(), key=lambda group: (_rank(group[1][0]), -len(group[1])))


def _rank(survivor: Survivor) -> tuple[bool, int]:
    return not survivor.scenario, _ORDER[survivor.fault.kind]
