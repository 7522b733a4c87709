"""Cases: a scenario or an example with the rule set it needs, and the run of it."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.scenario.examples.check import run_example
from kbrules.scenario.examples.setup import RuleExample
from kbrules.scenario.format.reader import Scenario
from kbrules.scenario.report import ScenarioOutcome
from kbrules.scenario.running.playback import run_steps
from kbrules.scenario.setup.cache import RulesetCache
from kbrules.scenario.setup.prepare import build_start
from kbrules.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A scenario or an example; `id` is its file and its title, `span` where it begins."""

    id: str
    definition: Scenario | RuleExample
    cache: RulesetCache

    @property
    def title(self) -> str:
        """Its title in its file."""
        it = self.definition
        return it.model.title if isinstance(it, Scenario) else it.title

    @property
    def span(self) -> Span:
        """Where it begins."""
        it = self.definition
        return it.span("title") if isinstance(it, Scenario) else it.example.span

    def run(self) -> ScenarioOutcome:
        """The outcome. An exception is a finding too, so that other cases still run."""
        try:
            if isinstance(self.definition, Scenario):
                return run_scenario(self.cache, self.definition)
            return run_example(self.cache.ruleset, self.definition, self.cache.linking)
        except RulesError as error:
            return ScenarioOutcome(False, error.placed(self.span).diagnostics)
        except Exception as error:
            return ScenarioOutcome(False, (_internal_error(error, self.span),))


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The outcome of a case, with its id, title and place, and how long it took."""

    id: str
    title: str
    span: Span
    outcome: ScenarioOutcome
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return self.outcome.passed


def run_all(cases: Iterable[Case]) -> Iterator[Result]:
    """Run cases one after the other."""
    for case in cases:
        start = perf_counter()
        outcome = case.run()
        yield Result(case.id, case.title, case.span, outcome, perf_counter() - start)


def run_scenario(cache: RulesetCache, scenario: Scenario) -> ScenarioOutcome:
    """Prepare a scenario, do its steps, and check what it expects."""
    start_state, findings = build_start(scenario, cache)
    if start_state is None:
        return ScenarioOutcome(False, tuple(findings))
    return run_steps(start_state.setup, start_state.state)


def _internal_error(error: Exception, span: Span) -> Diagnostic:
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    message = f"this stopped with {type(error).__name__} in {where}: {error}"
    return Diagnostic("KB901", span, message, "please report it")
