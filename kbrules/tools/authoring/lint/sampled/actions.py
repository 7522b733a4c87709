"""Actions and triggers: what is never offered, does nothing, or never comes about."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.lang.typed import Action, Rule, walk_blocks
from kbrules.tools.authoring.lint.sampled.places import targets_in
from kbrules.tools.authoring.lint.sampled.sampler import (
    MAX_MOVES,
    MIN_SAMPLES,
    SampleStatistics,
    sample_statistics,
)
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.tracing.trace import key_of


def never_offered(subject: Subject) -> Iterator[Diagnostic]:
    """An action that could not be begun whenever a player was free to."""
    statistics = subject.shared(sample_statistics)
    for sampled in statistics.actions.offers.values():
        if sampled.offered or sampled.ready < MIN_SAMPLES:
            continue
        action, rule = sampled.offer.action, sampled.offer.owner.rule
        labels = tuple(_labels(statistics, action))
        if not labels and (action.guard is not None or rule.id in statistics.proven):
            continue  # it can be, if seldom
        message = (
            f"the action of {quoted(rule.id)} was never offered, "
            f"though a player was free to use it {sampled.ready} times"
        )
        help_ = "write an example that offers it, and see what keeps it from being offered"
        yield Diagnostic("KB747", action.span, message, help_, labels, claim=statistics.claim)


def _labels(statistics: SampleStatistics, action: Action) -> Iterator[Label]:
    """What of an action never held or was always empty."""
    records = statistics.trace.expressions
    exprs = [] if action.guard is None else [action.guard]
    exprs += [expr for block in walk_blocks(action.body) for expr in targets_in(block)]
    for expr in exprs:
        record = records.get(key_of(expr))
        if record is not None and not record.yes:
            what = "never true" if expr is action.guard else "always empty"
            yield Label(expr.span, f"this was {what}")
            return


def empty_target(subject: Subject) -> Iterator[Diagnostic]:
    """A step whose set never held a hex, in an action that was offered all the same."""
    statistics = subject.shared(sample_statistics)
    never_offered_paths = {
        o.offer.path for o in statistics.actions.offers.values() if not o.offered
    }
    for rule in statistics.rules:
        for block in rule.blocks():
            if not never_offered_paths.isdisjoint(_enclosing_paths(block.path)):
                continue
            for expr in targets_in(block):
                record = statistics.trace.expressions.get(key_of(expr))
                if record is not None and not record.yes and record.count >= MIN_SAMPLES:
                    message = (
                        f"{quoted(expr.span.text)} never held a hex, so this step is never done"
                    )
                    help_ = "write the example in which it is done"
                    yield Diagnostic("KB749", expr.span, message, help_, claim=statistics.claim)


def _enclosing_paths(path: str) -> Iterator[str]:
    """A block by its path, and those that it lies in."""
    while path:
        yield path
        path = path.rpartition(".")[0]


def trigger_never_fired(subject: Subject) -> Iterator[Diagnostic]:
    """A trigger on what never happened."""
    statistics = subject.shared(sample_statistics)
    counts = statistics.actions.trigger_counts
    for rule in statistics.rules:
        for trigger in rule.triggers:
            if sum(counts.values()) >= MIN_SAMPLES and not any(
                counts[event] for event in trigger.events
            ):
                events = " or ".join(quoted(event) for event in trigger.events)
                message = f"nothing ever happened that {events} follows"
                help_ = "no rule that is loaded seems to bring it about; name what does"
                yield Diagnostic("KB750", trigger.span, message, help_, claim=statistics.claim)


def _standstill_rank(rule: Rule) -> int:
    """How likely games come to a standstill by a rule: most if it bans, then if it requires."""
    if any(action.required for action in rule.actions):
        return 1
    if any(norm.kind in ("forbid", "deny") for norm in rule.norms):
        return 2
    return 0 if rule.acts_in_play else -1


def standstill(subject: Subject) -> Iterator[Diagnostic]:
    """Games that go on and on because nobody can do anything that would end them."""
    statistics = subject.shared(sample_statistics)
    if not statistics.endless:
        return
    rule = max(statistics.rules, key=_standstill_rank)
    endless = f"{statistics.endless} of {statistics.games} games did not end in {MAX_MOVES} moves"
    message = f"{endless}: no move would bring the end; no further positions were looked at"
    help_ = "see that a required action stays possible, or let `last round` come of something else"
    yield Diagnostic("KB752", rule.span, message, help_, claim=statistics.claim)
