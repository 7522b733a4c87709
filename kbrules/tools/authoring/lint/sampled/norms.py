"""Norms that never had an effect of their own."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.core import Expr, Norm
from kbrules.tools.authoring.lint.sampled.sampler import FEW, SampleStatistics, sample_statistics
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.tracing.operands import place_of
from kbrules.tools.tracing.trace import ADDS, NARROWS, TAKES

__all__ = ["idle_forbid", "idle_permit", "idle_prefer"]

_DOES = {"permit": ADDS, "forbid": TAKES, "deny": TAKES, "prefer": NARROWS}


def _idle(seen: SampleStatistics, kinds: tuple[str, ...]) -> Iterator[tuple[Norm, Expr]]:
    """The norms of some kinds that never did what they are for, though they often applied."""
    for rule in seen.rules:
        for norm in (norm for norm in rule.norms if norm.kind in kinds):
            written = norm.target if norm.target is not None else norm.guard
            if written is None:
                continue
            record = seen.trace.norms.get((_DOES[norm.kind], place_of(norm.span)))
            if record is not None and not record.yes and record.count >= FEW:
                yield norm, written


def idle_permit(subject: Subject) -> Iterator[Diagnostic]:
    """A permit whose hexes others always permitted."""
    seen = subject.shared(sample_statistics)
    for norm, written in _idle(seen, ("permit",)):
        text = quoted(written.span.text)
        message = f"every hex of {text} was always permitted by other norms as well"
        help_ = "leave this permit out, or write the example in which it opens a hex"
        yield Diagnostic("KB753", norm.span, message, help_, claim=seen.claim)


def idle_forbid(subject: Subject) -> Iterator[Diagnostic]:
    """A norm that takes hexes away, and never took one."""
    seen = subject.shared(sample_statistics)
    for norm, written in _idle(seen, ("forbid", "deny")):
        message = f"this never took a hex away: none of {quoted(written.span.text)} was open before"
        help_ = "leave it out, or write the example in which it closes a hex"
        yield Diagnostic("KB754", norm.span, message, help_, claim=seen.claim)


def idle_prefer(subject: Subject) -> Iterator[Diagnostic]:
    """A preference that never narrowed anything."""
    seen = subject.shared(sample_statistics)
    for norm, written in _idle(seen, ("prefer",)):
        message = f"{quoted(written.span.text)} never narrowed what was open"
        help_ = "leave it out, or write the example in which it decides between two hexes"
        yield Diagnostic("KB755", norm.span, message, help_, claim=seen.claim)
