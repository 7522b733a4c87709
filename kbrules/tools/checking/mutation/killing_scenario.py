"""Looking for a test that would notice: positions on which a rule and its fault do not agree."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from kbrules.engine.setup import SetupError
from kbrules.library.load import Loaded, with_declaration_replaced
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_scenario
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Source
from kbrules.tools.checking.comparison.difference_search import find_differences
from kbrules.tools.checking.comparison.minimal_examples import MinimalExample, minimal_examples
from kbrules.tools.checking.comparison.rule_changes import RuleChanges, rule_changes
from kbrules.tools.checking.comparison.versions import RulesVersion
from kbrules.tools.checking.mutation.faults import Fault
from kbrules.tools.checking.mutation.time_limit import TimeUp, within_seconds

SECONDS = 5.0
"""How long is looked for a test against one fault."""
_SAMPLE_SIZES = (8, 40, 160, 640)
"""How many positions are looked at, if the fewer before showed nothing."""


@dataclass(frozen=True, slots=True)
class _RulesetPair:
    """The rules as they are, and with a fault."""

    right: RulesVersion
    wrong: RulesVersion

    def examples(self, changes: RuleChanges, count: int, seed: int) -> list[MinimalExample]:
        """Small boards on which the two differ, with what the right rules do."""
        search = find_differences(self.wrong, self.right, changes, count, seed)
        return minimal_examples(search, self.wrong, self.right) if search.cases else []

    def is_distinguished_by(self, text: str) -> bool:
        """Whether a scenario holds for the rules as they are, and fails with the fault."""
        return _holds(text, self.right.cache) and not _holds(text, self.wrong.cache)


def find_killing_scenario(fault: Fault, cache: RulesetCache, seconds: float = SECONDS) -> str:
    """The text of a scenario file that would notice a fault; empty if none was found in time.

    It was run with and without the fault. What it expects is what the rules do, which is not
    always what they should: whoever takes it over should see that it is right.
    """
    assert cache.loaded is not None
    with suppress(TimeUp, SetupError), within_seconds(seconds):
        return _search(fault, cache, cache.loaded)
    return ""


def _search(fault: Fault, cache: RulesetCache, loaded: Loaded) -> str:
    ruleset = with_declaration_replaced(loaded, fault.declaration, fault.changed)
    if ruleset is None:
        return ""
    right = RulesetCache(cache.ruleset, loaded=loaded)
    wrong = RulesetCache(ruleset, loaded=loaded)
    pair = _RulesetPair(
        RulesVersion("right", cache.ruleset, right), RulesVersion("wrong", ruleset, wrong)
    )
    changes = rule_changes(cache.ruleset, ruleset)
    for seed, count in enumerate(_SAMPLE_SIZES):
        for example in pair.examples(changes, count, seed * 1000):
            if pair.is_distinguished_by(example.scenario):
                return example.scenario
    return ""


def _holds(text: str, cache: RulesetCache) -> bool:
    cases, findings = parse_scenarios(Source("found.scenario.yaml", text))
    return not findings and all(run_scenario(cache, case).passed for case in cases)
