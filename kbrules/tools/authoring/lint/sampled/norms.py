"""Norms that never had an effect of their own."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.typed import Expr, Norm
from kbrules.tools.authoring.lint.sampled.sampler import (
    MIN_SAMPLES,
    SampleStatistics,
    sample_statistics,
)
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.tracing.operands import place_of
from kbrules.tools.tracing.trace import FORBIDS, PERMITS, PREFERS

_DOES = {"permit": PERMITS, "forbid": FORBIDS, "deny": FORBIDS, "prefer": PREFERS}


def _idle(statistics: SampleStatistics, kinds: tuple[str, ...]) -> Iterator[tuple[Norm, Expr]]:
    """The norms of some kinds that never did what they are for, though they often applied."""
    for rule in statistics.rules:
        for norm in (norm for norm in rule.norms if norm.kind in kinds):
            expr = norm.target if norm.target is not None else norm.guard
            if expr is None:
                continue
            record = statistics.trace.norms.get((_DOES[norm.kind], place_of(norm.span)))
            if record is not None and not record.yes and record.count >= MIN_SAMPLES:
                yield norm, expr


def idle_permit(subject: Subject) -> Iterator[Diagnostic]:
    """A permit whose hexes others always permitted."""
    statistics = subject.shared(sample_statistics)
    for norm, expr in _idle(statistics, ("permit",)):
        text = quoted(expr.span.text)
        message = f"every hex of {text} was always permitted by other norms as well"
        help_ = "leave this permit out, or write the example in which it opens a hex"
        yield Diagnostic("KB753", norm.span, message, help_, claim=statistics.claim)


def idle_forbid(subject: Subject) -> Iterator[Diagnostic]:
    """A norm that takes hexes away, and never took one."""
    statistics = subject.shared(sample_statistics)
    for norm, expr in _idle(statistics, ("forbid", "deny")):
        message = f"this never took a hex away: none of {quoted(expr.span.text)} was open before"
        help_ = "leave it out, or write the example in which it closes a hex"
        yield Diagnostic("KB754", norm.span, message, help_, claim=statistics.claim)


def idle_prefer(subject: Subject) -> Iterator[Diagnostic]:
    """A preference that never narrowed anything."""
    statistics = subject.shared(sample_statistics)
    for norm, expr in _idle(statistics, ("prefer",)):
        message = f"{quoted(expr.span.text)} never narrowed what was open"
        help_ = "leave it out, or write the example in which it decides between two hexes"
        yield Diagnostic("KB755", norm.span, message, help_, claim=statistics.claim)
