"""Rules that met a limit in games that were played."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic
from kbrules.lang.checker.statements import first_line
from kbrules.lang.typed import Repeat, Rule
from kbrules.plan.plan import CUT_OFF
from kbrules.text import Span, counted
from kbrules.tools.authoring.lint.sampled.sampler import (
    MAX_EVENTS,
    SampleStatistics,
    sample_statistics,
)
from kbrules.tools.authoring.lint.subject import Subject


def whenever_cut_off(subject: Subject) -> Iterator[Diagnostic]:
    """What is done `whenever`, and was stopped."""
    statistics = subject.shared(sample_statistics)
    for rule in statistics.rules:
        turns = statistics.actions.limit_counts["firings", rule.id]
        if turns and rule.whenevers:
            message = f"this did not come to rest in {counted(turns, 'turn')}: {CUT_OFF['firings']}"
            span = first_line(rule.whenevers[0].condition.span)
            help_ = "see that what is done makes the condition false, or use `when`"
            yield Diagnostic("KB725", span, message, help_, claim=statistics.claim)


def rule_cut_off(subject: Subject) -> Iterator[Diagnostic]:
    """Other rules that a limit stopped, and norms that left no card of use."""
    statistics = subject.shared(sample_statistics)
    for rule in statistics.rules:
        for limit in ("rounds", "nesting"):
            turns = statistics.actions.limit_counts[limit, rule.id]
            if turns:
                message = f"this was cut off in {counted(turns, 'turn')}: {CUT_OFF[limit]}"
                help_ = "see what should bring it to an end"
                yield Diagnostic(
                    "KB757", _place(rule, limit), message, help_, claim=statistics.claim
                )
    yield from _without_cards(statistics)
    yield from _budget_spent(statistics)


def _budget_spent(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """Games in which so much happened that no more of them were looked at."""
    if not statistics.is_stopped:
        return
    rule = max(statistics.rules, key=lambda each: len(list(each.blocks())))
    positions = counted(statistics.positions, "position")
    is_work = statistics.is_out_of_work
    limit = (
        f"the words of rules took over {statistics.max_work}"
        if is_work
        else f"games took over {MAX_EVENTS}"
    )
    message = f"looked at {positions}, then stopped: {limit} steps"
    help_ = "see what takes so long" if is_work else "see what is done so often"
    yield Diagnostic("KB757", _place(rule, "rounds"), message, help_, claim=statistics.claim)


def _place(rule: Rule, limit: str) -> Span:
    """What of a rule most likely met a limit."""
    blocks = list(rule.blocks())
    if limit == "rounds":
        loops = [s for block in blocks for s in block.steps if isinstance(s, Repeat)]
        return loops[0].times.span if loops else rule.span
    return first_line(rule.triggers[0].span) if rule.triggers else rule.span


def _without_cards(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """The norms that may have left every card without a hex."""
    turns = sum(
        number
        for (limit, _), number in statistics.actions.limit_counts.items()
        if limit == "redraw"
    )
    for rule in statistics.rules if turns else ():
        for norm in rule.norms:
            if norm.kind == "forbid":
                message = f"no card had a hex left in {counted(turns, 'turn')} of games played"
                help_ = "to keep a player from building, write `deny` in place of `forbid`"
                yield Diagnostic(
                    "KB757", first_line(norm.span), message, help_, claim=statistics.claim
                )
