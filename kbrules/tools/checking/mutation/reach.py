"""Which tests reach which declaration: found out once, by watching all tests without a fault."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.syntax import tree
from kbrules.progress import OnProgress, silent, with_progress
from kbrules.tools.checking.coverage.run import CoverageTrace
from kbrules.tools.checking.mutation.corpus import MutatedDeclaration, MutationCorpus, words_in
from kbrules.tools.tracing.operands import Place

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
    index = _DeclarationIndex(corpus.every)
    reached: dict[str, set[str]] = {subject.id: set() for subject in corpus.every}
    longest_seconds, failing = 0.0, []
    trace.take()
    for case in with_progress(corpus.cases, "tests", on_progress):
        start = process_time()
        passed = case.run().passed
        longest_seconds = max(longest_seconds, process_time() - start)
        for subject in index.at(trace.take()):
            reached[subject].add(case.id)
        if not passed:
            message = f"{quoted(case.title)} fails before a fault is planted"
            failing.append(Diagnostic("KB032", case.span, message, "see `kbrules test`"))
    reach = {
        id: frozenset(cases) for id, cases in _spread_through_words(corpus.every, reached).items()
    }
    return ReachRun(reach, longest_seconds, tuple(failing))


class _DeclarationIndex:
    """The declarations by where they stand."""

    def __init__(self, subjects: Iterable[MutatedDeclaration]) -> None:
        self._starts: dict[str, list[int]] = {}
        self._ids: dict[str, list[str]] = {}
        for subject in sorted(subjects, key=lambda each: each.declaration.span.start):
            span = subject.declaration.span
            self._starts.setdefault(span.source.name, []).append(span.start)
            self._ids.setdefault(span.source.name, []).append(subject.id)

    def at(self, places: Iterable[Place]) -> set[str]:
        """The declarations in which some places lie."""
        ids = set()
        for name, start, _ in places:
            number = bisect_right(self._starts.get(name, ()), start) - 1
            if number >= 0:
                ids.add(self._ids[name][number])
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
