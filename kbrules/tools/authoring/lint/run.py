"""Lints let loose on what was loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kbrules.codes import CODES
from kbrules.diagnostics import Diagnostic
from kbrules.library.load import Loaded
from kbrules.tools.authoring.lint.registry import Lint, Needs
from kbrules.tools.authoring.lint.selection import Wanted
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.authoring.lint.suppressions import suppressed
from kbrules.tools.authoring.lint.table import LINTS

__all__ = ["linted"]

IsAsked = Callable[[str], bool]


def linted(
    loaded: Loaded, is_asked: IsAsked, is_named: IsAsked, wanted: Wanted
) -> Iterator[Diagnostic]:
    """The warnings about files that are asked for; none while anything is wrong.

    Boards and positions are looked at for files that somebody named, and for no others.
    """
    if loaded.ruleset is None:
        return
    subject = Subject(loaded, is_asked, wanted.samples)
    found = list(_found(subject, _of(wanted, ("text",))))
    judged = {lint.code for lint in _of(wanted, ("text",))}
    named = Subject(
        loaded, lambda name: is_asked(name) and is_named(name), wanted.samples, wanted.breath
    )
    if named.sources:
        deep = list(_of(wanted, ("boards", "positions") if wanted.samples else ("boards",)))
        boards = (lint for lint in deep if lint.needs == "boards")
        found += list(_unexplained(_found(named, boards), found))
        sampled = (lint for lint in deep if lint.needs == "positions")
        found += list(_unexplained(_found(named, sampled), found))
        if len(named.sources) == len(subject.sources):
            # Whether a sampled finding comes is a matter of how many samples there are.
            judged |= {lint.code for lint in deep if lint.needs == "boards"}
    told = suppressed(found, subject.sources, judged)
    yield from (finding for finding in told if finding.code in wanted.codes)


def _unexplained(
    findings: Iterable[Diagnostic], told: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """The findings about places of which nothing is told that explains them."""
    places = [each.span for each in told]
    return (f for f in findings if not any(f.span.overlaps(place) for place in places))


def _of(wanted: Wanted, needs: tuple[Needs, ...]) -> Iterator[Lint]:
    for lint in LINTS.values():
        if lint.needs in needs and lint.code in wanted.codes:
            yield lint


def _found(subject: Subject, lints: Iterable[Lint]) -> Iterator[Diagnostic]:
    for lint in lints:
        subject.breath()
        for finding in lint.find(subject):
            claim = finding.claim or CODES[lint.code].claim
            yield replace(finding, claim=claim)
