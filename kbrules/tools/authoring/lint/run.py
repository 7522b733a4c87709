"""The run of the selected lints over loaded rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import get_args

from kbrules.diagnostics import Diagnostic
from kbrules.library.load import Loaded
from kbrules.messages import CODES
from kbrules.progress import OnProgress, silent
from kbrules.tools.authoring.lint.registry import Lint, Needs
from kbrules.tools.authoring.lint.selection import LINTS, LintSelection
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.authoring.lint.suppressions import suppressed
from kbrules.tools.authoring.lint.translated import translated_sources

IsSelected = Callable[[str], bool]


def lint_findings(
    loaded: Loaded,
    is_selected: IsSelected,
    is_named: IsSelected,
    selection: LintSelection,
    on_progress: OnProgress = silent,
) -> Iterator[Diagnostic]:
    """The warnings about selected files; none while there is an error.

    Boards and positions are examined for files that somebody named, and for no others.
    on_progress: told how many positions are done.
    """
    if loaded.ruleset is None:
        return
    by_needs = {needs: _selected_lints(selection, needs) for needs in get_args(Needs)}
    subject = Subject(loaded, is_selected, selection.samples)
    findings = list(_claimed_findings(subject, by_needs["text"]))
    run_codes = {lint.code for lint in by_needs["text"]}
    named_subject = Subject(
        loaded,
        lambda name: is_selected(name) and is_named(name),
        selection.samples,
        selection.check_cancelled,
        on_progress,
    )
    if named_subject.sources:
        for needs in ("boards", "positions"):
            deep = _claimed_findings(named_subject, by_needs[needs])
            findings += list(_not_overlapping(deep, findings))
        if len(named_subject.sources) == len(subject.sources):
            # Whether a sampled finding comes is a matter of how many samples there are.
            run_codes |= {lint.code for lint in by_needs["boards"]}
    sources = [*subject.sources, *translated_sources(subject)]
    findings = suppressed(findings, sources, run_codes)
    yield from (finding for finding in findings if finding.code in selection.codes)


def _not_overlapping(
    findings: Iterable[Diagnostic], earlier: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """The findings at places that no earlier finding overlaps: it would explain them."""
    places = [each.span for each in earlier]
    return (f for f in findings if not any(f.span.overlaps(place) for place in places))


def _selected_lints(selection: LintSelection, needs: Needs) -> list[Lint]:
    """The selected lints that look at one thing; none at positions if there are no samples."""
    if needs == "positions" and not selection.samples:
        return []
    return [lint for lint in LINTS.values() if lint.needs == needs and lint.code in selection.codes]


def _claimed_findings(subject: Subject, lints: Iterable[Lint]) -> Iterator[Diagnostic]:
    for lint in lints:
        subject.check_cancelled()
        for finding in lint.find(subject):
            claim = finding.claim or CODES[lint.code].claim
            yield replace(finding, claim=claim)
