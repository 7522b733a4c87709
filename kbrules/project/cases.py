"""What can be run of files: scenarios and examples, and what is in the way of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.hooks import with_progress
from kbrules.lang.syntax import tree
from kbrules.library import compose, load, reading, store
from kbrules.project.files import SourceFile
from kbrules.scenario.collection import Collection, examples_left_out, not_run, scenario_needs
from kbrules.scenario.examples import examples_of
from kbrules.scenario.position import build_start, unknown_boxes
from kbrules.scenario.reader import MAX_FINDINGS, Scenario, parse_scenarios, readable_scenarios
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCache

_UNKNOWN_NAME = frozenset({"KB413", "KB501", "KB506"})


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """The rules by which files of a context are run; no rule set if there is none without
    mistakes."""

    context: Hashable
    loaded: load.Loaded
    rules: RulesetCache | None

    @property
    def culprit(self) -> Diagnostic:
        """The first error that spoils more than a card, a tile or a word."""
        loaded = self.loaded
        spoiling = (
            each
            for each in loaded.findings
            if compose.omission([each], loaded.declarations, loaded.catalog) is None
        )
        return next(spoiling, loaded.findings[0])

    @property
    def culprit_name(self) -> str:
        """The name of the declaration that has this error, or of the file."""
        span = self.culprit.span
        places = (each for each in self.loaded.declarations if each.span.holds(span))
        return next((each.name.text for each in places), Path(span.source.name).name)


JudgeOf = Callable[[SourceFile, Sequence[str] | None], Judge]
"""Who judges a file, or a scenario in it that names some boxes."""


def cases_in(files: Sequence[SourceFile], texts: store.Files, judge_of: JudgeOf) -> Collection:
    """Return all scenarios and examples in some files, in the order of files and lines."""
    collector = _Collector(texts, judge_of)
    collector.scenarios([file for file in files if file.kind == "scenario"])
    collector.examples([file for file in files if file.kind == "rules"])
    cases = sorted(collector.cases, key=lambda case: (case.span.source.name, case.span.start))
    findings, spared = sorted(set(collector.findings)), sorted(set(collector.not_run))
    return Collection(list(_with_ids(cases)), findings, spared, collector.rules)


@dataclass(slots=True)
class _Collector:
    """Reads files and prepares what is in them, and collects findings."""

    texts: store.Files
    judge_of: JudgeOf
    cases: list[Case] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    not_run: list[Diagnostic] = field(default_factory=list)
    rules: dict[Hashable, RulesetCache | None] = field(default_factory=dict)

    def _judge(self, file: SourceFile, named: Sequence[str] | None = None) -> Judge:
        judge = self.judge_of(file, named)
        self.rules[judge.context] = judge.rules
        return judge

    # Scenarios

    def scenarios(self, files: Sequence[SourceFile]) -> None:
        """Take the scenarios of files."""
        for file in with_progress(files, "scenario files", self.texts.on_progress):
            outside = [] if file.home is None else reading.within(file.home, file.path)
            source, findings = (None, outside) if outside else self.texts.source(file.path)
            scenarios = list[Scenario]()
            if source is not None:
                read, name = partial(parse_scenarios, source), ("scenarios", file.path)
                scenarios, findings = self.texts.memoized(name, [source], read)
            self.findings += findings
            if findings and not outside:
                self._check_names(readable_scenarios(source), file)
            self._prepare(scenarios, file)

    def _check_names(self, scenarios: Iterable[Scenario], file: SourceFile) -> None:
        """Add the unknown names in the readable scenarios of a file of a wrong shape.

        Other findings may come of the keys that were left out.
        """
        for scenario in scenarios:
            judge = self._judge_scenario(scenario, file)
            if judge is not None and judge.rules and len(self.findings) < MAX_FINDINGS:
                findings = build_start(scenario, judge.rules)[1]
                self.findings += [each for each in findings if each.code in _UNKNOWN_NAME]

    def _prepare(self, scenarios: Iterable[Scenario], file: SourceFile) -> None:
        problems: dict[Diagnostic, None] = {}
        for scenario in scenarios:
            if len(problems) < MAX_FINDINGS:
                judge = self._judge_scenario(scenario, file)
                problems |= dict.fromkeys(self._prepared(scenario, judge) if judge else ())
        self.findings += [*problems][:MAX_FINDINGS]

    def _judge_scenario(self, scenario: Scenario, file: SourceFile) -> Judge | None:
        findings = unknown_boxes(scenario.position.boxes, scenario)
        self.findings += findings
        if findings:
            return None
        judge = self._judge(file, scenario.position.boxes)
        self.findings += judge.loaded.findings
        return judge

    def _prepared(self, scenario: Scenario, judge: Judge) -> list[Diagnostic]:
        """Take a scenario, unless it cannot be run; return what is wrong with it."""
        place, cache = scenario.span("title"), judge.rules
        lacking = judge.culprit_name if cache is None else scenario_needs(scenario, cache)
        if cache is None or lacking:
            self.not_run.append(not_run(place, lacking, judge.culprit if cache is None else None))
            return []
        findings = _preparation_findings(scenario, cache)
        if not findings:
            self.cases.append(Case("", scenario, cache))
        return findings

    # Examples

    def examples(self, files: Sequence[SourceFile]) -> None:
        """Take the examples in rule files, those that are judged together at a time."""
        judges: dict[Hashable, tuple[Judge, list[SourceFile]]] = {}
        for file in files:
            self.findings += self.texts.source(file.path)[1]
            judge = self._judge(file)
            judges.setdefault(judge.context, (judge, []))[1].append(file)
        for judge, judged in judges.values():
            self.findings += judge.loaded.findings
            if judge.rules is None:
                self._spare_all(judge, judged)
            else:
                self._take(judge.rules, judged)

    def _take(self, cache: RulesetCache, files: Iterable[SourceFile]) -> None:
        """Take the examples in files, and list those of rules that have mistakes as not run."""
        real = {file.real for file in files}
        left_out, every = examples_left_out(cache), examples_of(cache.ruleset)
        self.not_run += (not_run(e.span, name) for name, e in left_out if _real(e) in real)
        self.cases += (Case("", each, cache) for each in every if _real(each.example) in real)

    def _spare_all(self, judge: Judge, files: Iterable[SourceFile]) -> None:
        """List all examples as not run, read from the files themselves."""
        for file in files:
            for rule in self.texts.rules(file.path).declarations:
                for each in rule.examples if isinstance(rule, tree.Rule) else ():
                    self.not_run.append(not_run(each.span, judge.culprit_name, judge.culprit))


def _real(example: tree.Example) -> Path:
    return reading.real_path(Path(example.span.source.name))


def _preparation_findings(scenario: Scenario, cache: RulesetCache) -> list[Diagnostic]:
    """Return errors in how a scenario is written; an exception is reported when it is run."""
    try:
        return build_start(scenario, cache)[1]
    except Exception:
        return []


def _with_ids(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases with ids of file and title; the second of an id gets a number."""
    seen: Counter[str] = Counter()
    for case in cases:
        id = f"{case.span.source.name}::{case.title}"
        seen[id] += 1
        yield replace(case, id=id if seen[id] == 1 else f"{id} ({seen[id]})")
