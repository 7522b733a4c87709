"""Clauses that made no difference: operands, conditions, sets and loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.lang.typed import Call, Lit
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.text import Span
from kbrules.tools.authoring.lint.sampled.places import (
    ExpressionUse,
    conditions,
    domains,
    is_about_options,
)
from kbrules.tools.authoring.lint.sampled.sampler import MIN_SAMPLES, sample_statistics
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.authoring.lint.uses import uses
from kbrules.tools.tracing.operands import AND, Operand, operator_kind, place_of
from kbrules.tools.tracing.trace import EvaluationRecord, OperandRecords, key_of


def idle_clause(subject: Subject) -> Iterator[Diagnostic]:
    """Find an operand that never changed what the whole is, whatever options left of the whole."""
    statistics = subject.shared(sample_statistics)
    all_operands = statistics.trace.operands.values()
    known = _excusable(subject, all_operands)
    effective = {place_of(part.expr.span) for each in all_operands for part in each.effective}
    for operands in all_operands:
        for part in _idle(operands):
            span = part.expr.span
            if subject.concerns(span) and not (span.text in known or place_of(span) in effective):
                yield _idle_finding(operands, part, statistics.claim)


def _excusable(subject: Subject, all_operands: Iterable[OperandRecords]) -> frozenset[str]:
    """Words that may be idle in one place, since another place or box needs them.

    They are kinds of tiles, for other boxes bring other kinds; memories that only rules which are
    not loaded fill; and defines that made a difference somewhere else.
    """
    defines = subject.checked.scope.names.definitions
    filled = subject.shared(uses).filled
    mattered = {part.expr.span.text for each in all_operands for part in each.effective}
    unfilled = (name for name in subject.ruleset.memories if name not in filled)
    return frozenset({*TILE_KINDS, *unfilled, *(mattered & defines.keys())})


def _idle(operands: OperandRecords) -> Iterator[Operand]:
    """The operands that never mattered, if there was occasion enough."""
    if operands.count < MIN_SAMPLES:
        return
    for part in operands.idle:
        whole = isinstance(part.expr, Call) and part.expr.word == "board()"
        if not isinstance(part.expr, Lit) and not whole and not is_about_options(part.expr):
            yield part


def _idle_finding(operands: OperandRecords, part: Operand, claim: str) -> Diagnostic:
    text = quoted(part.expr.span.text)
    kind = operator_kind(operands.call.word)
    if kind == INTERSECTION:
        what = "took nothing away" if part.is_taken_away else "left everything as it was"
    elif kind == UNION:
        what = "added nothing that the rest has not"
    else:
        what = "was true whenever the rest was" if kind == AND else "decided nothing"
    message = f"{text} makes no difference here: it {what}, {operands.count} times over"
    return Diagnostic("KB740", part.expr.span, message, _HELP, claim=claim)


_HELP = "leave it out, or write the example in which it matters"


def never_true(subject: Subject) -> Iterator[Diagnostic]:
    """A condition that never held."""
    for place, record in _constant_conditions(subject, lambda record: record.yes):
        text = quoted(place.expr.span.text)
        message = f"{text} never holds, {place.consequence}; it was asked {record.count} times"
        yield _condition_finding(subject, "KB741", place, message)


def always_true(subject: Subject) -> Iterator[Diagnostic]:
    """A condition that always held."""
    for place, record in _constant_conditions(subject, lambda record: record.no):
        text = quoted(place.expr.span.text)
        message = f"{text} always holds; it was asked {record.count} times"
        yield _condition_finding(subject, "KB742", place, message)


def _constant_conditions(
    subject: Subject, varies: Callable[[EvaluationRecord], bool]
) -> Iterator[tuple[ExpressionUse, EvaluationRecord]]:
    """The conditions that were often evaluated and have no value by `varies`, each place once."""
    statistics = subject.shared(sample_statistics)
    reported: set[Span] = set()
    for place in (place for rule in statistics.rules for place in conditions(rule)):
        record = statistics.trace.expressions.get(key_of(place.expr))
        if record is None or varies(record) or record.count < MIN_SAMPLES:
            continue
        if place.expr.span not in reported:
            reported.add(place.expr.span)
            yield place, record


def _condition_finding(
    subject: Subject, code: str, place: ExpressionUse, message: str
) -> Diagnostic:
    claim = subject.shared(sample_statistics).claim
    return Diagnostic(code, place.expr.span, message, _HELP, claim=claim)


def idle_loop(subject: Subject) -> Iterator[Diagnostic]:
    """Something that runs over what was always empty."""
    statistics = subject.shared(sample_statistics)
    for rule in statistics.rules:
        for place in domains(rule):
            record = statistics.trace.expressions.get(key_of(place.expr))
            if record is not None and not record.yes and record.count >= MIN_SAMPLES:
                text = quoted(place.expr.span.text)
                nothing = "empty" if place.expr.sort != "number" else "0"
                message = f"{text} is always {nothing}, {place.consequence}"
                yield Diagnostic("KB743", place.expr.span, message, _HELP, claim=statistics.claim)
