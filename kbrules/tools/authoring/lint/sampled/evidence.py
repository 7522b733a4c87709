"""What authors show themselves: their examples and scenarios are positions to look at, too.

Nobody knows the rare case of a card better than whoever wrote it. What an example reaches is
not blamed, however seldom play reaches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from kbrules.library.discovery import files_below, kind_of
from kbrules.library.reading import author_folder, data_root, is_shipped
from kbrules.scenario.example_lines import read_lines
from kbrules.scenario.examples import RuleExample, examples_of
from kbrules.scenario.reader import read_scenarios
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCache
from kbrules.tools.authoring.lint.sampled.lint_trace import LintTrace
from kbrules.tools.authoring.lint.subject import Subject


def proven_rules(subject: Subject, trace: LintTrace) -> set[str]:
    """The rules of which an example offers or pays, after all examples ran under a trace."""
    cache = RulesetCache(subject.ruleset, trace)
    proven: set[str] = set()
    for example in examples_of(cache.ruleset):
        if subject.concerns(example.rule.span) and Case("", example, cache).run().passed:
            proven |= {example.rule.id} if _offers_or_pays(example, cache) else set()
    return proven


def run_scenarios(subject: Subject, trace: LintTrace) -> None:
    """Run the scenarios beside the files under a trace."""
    for case in list(_scenarios(subject, RulesetCache(subject.ruleset, trace))):
        case.run()


def _offers_or_pays(example: RuleExample, cache: RulesetCache) -> bool:
    """Whether an example says that something is offered or paid."""
    lines, _ = read_lines(example.example, cache.ruleset.catalog)
    offers = any(not claim.none for claim in lines.offers)
    return offers or any(claim.gold > 0 for claim in (*lines.gives, *lines.gains))


def _scenarios(subject: Subject, cache: RulesetCache) -> Iterator[Case]:
    """The scenarios beside the files, as far as they need no box that is not loaded."""
    loaded = set(cache.ruleset.boxes)
    for file in _files(Path(source.name) for source in subject.sources):
        for scenario in read_scenarios(file)[0]:
            if loaded.issuperset(scenario.model.boxes):
                yield Case("", scenario, cache)


def _files(sources: Iterable[Path]) -> list[Path]:
    """The scenario files in the folders of some files; of shipped ones, those of our own tests."""
    folders: set[Path] = set()
    for source in sources:
        if is_shipped(source):
            folders.add(data_root("rules").parent / "tests" / "scenarios")
        else:
            box_folder = author_folder(source)
            folders |= {box_folder} if box_folder is not None else set()
    return sorted(file for file in files_below(folders) if kind_of(file) == "scenario")
