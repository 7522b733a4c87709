"""The run of the selected lints over loaded rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kbrules.codes import CODES
from kbrules.diagnostics import Diagnostic
from kbrules.library.load import Loaded
from kbrules.tools.authoring.lint.registry import Lint, Needs
from kbrules.tools.authoring.lint.selection import LintSelection
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.authoring.lint.suppressions import suppressed
from kbrules.tools.authoring.lint.table import LINTS

__all__ = ["lint_findings"]

IsSelected = Callable[[str], bool]


def lint_findings(
    loaded: Loaded, is_selected: IsSelected, is_named: IsSelected, selection: LintSelection
) -> Iterator[Diagnostic]:
    """The warnings about selected files; none while there is an error.

    Boards and positions are examined for files that somebody named, and for no others.
    """
    if loaded.ruleset is None:
        return
    subject = Subject(loaded, is_selected, selection.samples)
    found = list(_found(subject, _of(selection, ("text",))))
    judged = {lint.code for lint in _of(selection, ("text",))}
    named = Subject(
        loaded,
        lambda name: is_selected(name) and is_named(name),
        selection.samples,
        selection.check_cancelled,
    )
    if named.sources:
        deep = list(_of(selection, ("boards", "positions") if selection.samples else ("boards",)))
        boards = (lint for lint in deep if lint.needs == "boards")
        found += list(_not_overlapping(_found(named, boards), found))
        sampled = (lint for lint in deep if lint.needs == "positions")
        found += list(_not_overlapping(_found(named, sampled), found))
        if len(named.sources) == len(subject.sources):
            # Whether a sampled finding comes is a matter of how many samples there are.
            judged |= {lint.code for lint in deep if lint.needs == "boards"}
    findings = suppressed(found, subject.sources, judged)
    yield from (finding for finding in findings if finding.code in selection.codes)


def _not_overlapping(
    findings: Iterable[Diagnostic], earlier: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """The findings at places that no earlier finding overlaps: it would explain them."""
    places = [each.span for each in earlier]
    return (f for f in findings if not any(f.span.overlaps(place) for place in places))


def _of(selection: LintSelection, needs: tuple[Needs, ...]) -> Iterator[Lint]:
    for lint in LINTS.values():
        if lint.needs in needs and lint.code in selection.codes:
            yield lint


def _found(subject: Subject, lints: Iterable[Lint]) -> Iterator[Diagnostic]:
    for lint in lints:
        subject.check_cancelled()
        for finding in lint.find(subject):
            claim = finding.claim or CODES[lint.code].claim
            yield replace(finding, claim=claim)
