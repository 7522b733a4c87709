"""What sampled positions show: clauses, norms, awards and actions that made no difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import gcd

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.lang.checker.statements import first_line
from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.lang.typed import Action, Block, Call, Expr, Lit, Repeat, Rule, all_in
from kbrules.plan.plan import CUT_OFF
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.text import Span, counted
from kbrules.tools import tracing
from kbrules.tools.lint import boards, sampler
from kbrules.tools.lint.sampler import MIN_SAMPLES, SampleStatistics
from kbrules.tools.lint.subject import Subject
from kbrules.tools.lint.uses import uses

# All findings, and which of several about one place is reported.


def select_findings(subject: Subject) -> list[Diagnostic]:
    """Return all findings, none of them about a place that another has explained.

    Scenarios are run only where there is something that they may answer for.
    """
    statistics = SampleStatistics(subject)
    findings = _find_all(statistics)
    if findings:
        with statistics.within_work():
            sampler.run_scenarios(subject, statistics.trace)
        findings = _find_all(statistics)
    return [replace(each, claim=f"sampled {statistics.positions}") for each in findings]


def _find_all(statistics: SampleStatistics) -> list[Diagnostic]:
    findings: list[Diagnostic] = []
    for find in _FIND_FUNCTIONS:
        for each in find(statistics):
            if not any(each.span.overlaps(other.span) for other in findings):
                findings.append(each)
    return findings


def _was_idle(record: tracing.EvaluationRecord | None) -> bool:
    """Return whether a part was looked at often, and never held or was always empty."""
    return record is not None and not record.yes and record.count >= MIN_SAMPLES


def _was_empty(statistics: SampleStatistics, expr: Expr) -> bool:
    return _was_idle(statistics.trace.expressions.get(tracing.key_of(expr)))


# Rules that met a limit in games that were played.


def whenever_cut_off(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """What is done `whenever`, and was stopped."""
    for rule in statistics.rules:
        turns = statistics.actions.limit_counts["firings", rule.id]
        if turns and rule.whenevers:
            message = f"this did not come to rest in {counted(turns, 'turn')}: {CUT_OFF['firings']}"
            span = first_line(rule.whenevers[0].condition.span)
            help_ = "see that what is done makes the condition false, or use `when`"
            yield Diagnostic("KB725", span, message, help_)


def rule_cut_off(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """Other rules that a limit stopped, and norms that left no card of use."""
    for rule in statistics.rules:
        for limit in ("rounds", "nesting"):
            turns = statistics.actions.limit_counts[limit, rule.id]
            if turns:
                message = f"this was cut off in {counted(turns, 'turn')}: {CUT_OFF[limit]}"
                help_ = "see what should bring it to an end"
                yield Diagnostic("KB757", _place(rule, limit), message, help_)
    yield from _without_cards(statistics)
    yield from _budget_spent(statistics)


def _budget_spent(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """Games in which so much happened that no more of them were looked at."""
    if not statistics.is_stopped:
        return
    rule = max(statistics.rules, key=lambda each: len(list(each.blocks())))
    limit, help_ = f"games took over {sampler.MAX_EVENTS}", "see what is done so often"
    if statistics.is_out_of_work:
        limit, help_ = (
            f"the words of rules took over {statistics.max_work}",
            "see what takes so long",
        )
    positions = counted(statistics.positions, "position")
    message = f"looked at {positions}, then stopped: {limit} steps"
    yield Diagnostic("KB757", _place(rule, "rounds"), message, help_)


def _place(rule: Rule, limit: str) -> Span:
    """What of a rule most likely met a limit."""
    blocks = list(rule.blocks())
    if limit == "rounds":
        loops = [s for block in blocks for s in block.steps if isinstance(s, Repeat)]
        return loops[0].times.span if loops else rule.span
    return first_line(rule.triggers[0].span) if rule.triggers else rule.span


def _without_cards(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """The norms that may have left every card without a hex."""
    counts = statistics.actions.limit_counts
    turns = sum(number for (limit, _), number in counts.items() if limit == "redraw")
    for rule in statistics.rules if turns else ():
        for norm in rule.norms:
            if norm.kind == "forbid":
                message = f"no card had a hex left in {counted(turns, 'turn')} of games played"
                help_ = "to keep a player from building, write `deny` in place of `forbid`"
                yield Diagnostic("KB757", first_line(norm.span), message, help_)


# Clauses that made no difference: operands, conditions, sets and loops.


def idle_clause(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """Find an operand that never changed what the whole is, whatever options left of the whole."""
    all_operands = statistics.trace.operands.values()
    known = _excusable(statistics.subject, all_operands)
    effective = {
        tracing.place_of(part.expr.span) for each in all_operands for part in each.effective
    }
    for operands in all_operands:
        for part in _idle_operands(operands):
            span = part.expr.span
            is_excused = span.text in known or tracing.place_of(span) in effective
            if statistics.subject.concerns(span) and not is_excused:
                yield _idle_finding(operands, part)


def _excusable(subject: Subject, all_operands: Iterable[tracing.OperandRecords]) -> frozenset[str]:
    """Words that may be idle in one place, since another place or box needs them.

    They are kinds of tiles, for other boxes bring other kinds; memories that only rules which are
    not loaded fill; and defines that made a difference somewhere else.
    """
    defines = subject.checked.scope.names.definitions
    filled = subject.shared(uses).filled
    mattered = {part.expr.span.text for each in all_operands for part in each.effective}
    unfilled = (name for name in subject.ruleset.memories if name not in filled)
    return frozenset({*TILE_KINDS, *unfilled, *(mattered & defines.keys())})


def _idle_operands(operands: tracing.OperandRecords) -> Iterator[tracing.Operand]:
    """The operands that never mattered, if there was occasion enough."""
    if operands.count < MIN_SAMPLES:
        return
    for part in operands.idle:
        whole = isinstance(part.expr, Call) and part.expr.word == "board()"
        if not isinstance(part.expr, Lit) and not whole and not boards.is_about_options(part.expr):
            yield part


def _idle_finding(operands: tracing.OperandRecords, part: tracing.Operand) -> Diagnostic:
    text = quoted(part.expr.span.text)
    what = {
        INTERSECTION: "took nothing away" if part.is_taken_away else "left everything as it was",
        UNION: "added nothing that the rest has not",
        tracing.AND: "was true whenever the rest was",
    }.get(tracing.operator_kind(operands.call.word), "decided nothing")
    message = f"{text} makes no difference here: it {what}, {operands.count} times over"
    return Diagnostic("KB740", part.expr.span, message, _HELP)


_HELP = "leave it out, or write the example in which it matters"


def never_true(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A condition that never held."""
    for place, record in _constant_conditions(statistics, lambda record: record.yes):
        text = quoted(place.expr.span.text)
        message = f"{text} never holds, {place.consequence}; it was asked {record.count} times"
        yield Diagnostic("KB741", place.expr.span, message, _HELP)


def always_true(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A condition that always held."""
    for place, record in _constant_conditions(statistics, lambda record: record.no):
        message = f"{quoted(place.expr.span.text)} always holds; it was asked {record.count} times"
        yield Diagnostic("KB742", place.expr.span, message, _HELP)


def _constant_conditions(
    statistics: SampleStatistics, varies: Callable[[tracing.EvaluationRecord], bool]
) -> Iterator[tuple[boards.ExpressionUse, tracing.EvaluationRecord]]:
    """The conditions that were often evaluated and have no value by `varies`, each place once."""
    uses = [place for rule in statistics.rules for place in boards.conditions(rule)]
    reported: set[Span] = set()
    for place in uses:
        record = statistics.trace.expressions.get(tracing.key_of(place.expr))
        if record is None or varies(record) or record.count < MIN_SAMPLES:
            continue
        if place.expr.span not in reported:
            reported.add(place.expr.span)
            yield place, record


def idle_loop(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """Something that runs over what was always empty."""
    for rule in statistics.rules:
        for place in boards.domains(rule):
            if _was_empty(statistics, place.expr):
                text = quoted(place.expr.span.text)
                nothing = "empty" if place.expr.sort != "number" else "0"
                message = f"{text} is always {nothing}, {place.consequence}"
                yield Diagnostic("KB743", place.expr.span, message, _HELP)


# Cards and other awards: those that pay nothing, pay all alike, or pay what another card pays.


def _often_sampled(statistics: SampleStatistics) -> Iterator[sampler.CardPay]:
    return (pay for pay in statistics.pay.pays.values() if pay.samples >= MIN_SAMPLES)


def no_pay(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A rule that never paid anybody, though it may have taken something away."""
    for pay in _often_sampled(statistics):
        if not pay.times_paid and pay.rule.id not in statistics.proven:
            span = pay.rule.awards[0].span
            what = "more than nothing" if pay.times_negative else "anything"
            message = f"{quoted(pay.rule.id)} never paid anybody {what}"
            help_ = "write an example in which it pays, and see what keeps it from paying"
            yield Diagnostic("KB744", span, message, help_)


def same_pay(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A rule that always paid all players alike."""
    for pay in _often_sampled(statistics):
        if pay.times_paid and not pay.differed:
            span = pay.rule.awards[0].span
            message = f"{quoted(pay.rule.id)} always paid all players the same"
            help_ = "let it ask for what a player has, such as `mine`, or it decides nothing"
            yield Diagnostic("KB745", span, message, help_)


def same_card(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A card that always paid what another one pays, or a multiple of it."""
    pays = {pay.rule.id: pay for pay in _often_sampled(statistics) if pay.differed}
    rules = {rule.id: rule for rule in statistics.ruleset.rules}
    for card, other, (own_payment, other_payment) in statistics.pay.equal_pay.pairs():
        if card in pays:
            what, step = f"what {quoted(other)} pays", gcd(own_payment, other_payment)
            if own_payment != other_payment:
                pays_there = f"{quoted(other)} pays {other_payment // step}"
                what = f"{own_payment // step} gold where {pays_there}"
            message = f"{quoted(card)} always paid {what}"
            help_ = "two cards that pay alike are one card twice; ask for something else"
            labels = (Label(rules[other].span, "the other card"),)
            yield Diagnostic("KB746", pays[card].rule.span, message, help_, labels)


# Actions and triggers: what is never offered, does nothing, or never comes about.


def never_offered(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """An action that could not be begun whenever a player was free to."""
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
        yield Diagnostic("KB747", action.span, message, help_, labels)


def _labels(statistics: SampleStatistics, action: Action) -> Iterator[Label]:
    """What of an action never held or was always empty."""
    records = statistics.trace.expressions
    exprs = [] if action.guard is None else [action.guard]
    exprs += [expr for block in all_in(action.body, Block) for expr in boards.targets_in(block)]
    for expr in exprs:
        record = records.get(tracing.key_of(expr))
        if record is not None and not record.yes:
            what = "never true" if expr is action.guard else "always empty"
            yield Label(expr.span, f"this was {what}")
            return


def empty_target(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A step whose set never held a hex, in an action that was offered all the same."""
    never_offered_paths = {
        o.offer.path for o in statistics.actions.offers.values() if not o.offered
    }
    for rule in statistics.rules:
        for block in rule.blocks():
            if not never_offered_paths.isdisjoint(_enclosing_paths(block.path)):
                continue
            for expr in boards.targets_in(block):
                if _was_empty(statistics, expr):
                    text = quoted(expr.span.text)
                    message = f"{text} never held a hex, so this step is never done"
                    help_ = "write the example in which it is done"
                    yield Diagnostic("KB749", expr.span, message, help_)


def _enclosing_paths(path: str) -> Iterator[str]:
    """A block by its path, and those that it lies in."""
    while path:
        yield path
        path = path.rpartition(".")[0]


def trigger_never_fired(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A trigger on what never happened."""
    counts = statistics.actions.trigger_counts
    for rule in statistics.rules:
        for trigger in rule.triggers:
            if sum(counts.values()) >= MIN_SAMPLES and not any(
                counts[event] for event in trigger.events
            ):
                events = " or ".join(quoted(event) for event in trigger.events)
                message = f"nothing ever happened that {events} follows"
                help_ = "no rule that is loaded seems to bring it about; name what does"
                yield Diagnostic("KB750", trigger.span, message, help_)


def _standstill_rank(rule: Rule) -> int:
    """How likely games come to a standstill by a rule: most if it bans, then if it requires."""
    if any(action.required for action in rule.actions):
        return 1
    if any(norm.kind in ("forbid", "deny") for norm in rule.norms):
        return 2
    return 0 if rule.acts_in_play else -1


def standstill(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """Games that go on and on because nobody can do anything that would end them."""
    if not statistics.endless:
        return
    rule = max(statistics.rules, key=_standstill_rank)
    games = f"{statistics.endless} of {statistics.games} games"
    endless = f"{games} did not end in {sampler.MAX_MOVES} moves"
    message = f"{endless}: no move would bring the end; no further positions were looked at"
    help_ = "see that a required action stays possible, or let `last round` come of something else"
    yield Diagnostic("KB752", rule.span, message, help_)


# Norms that never had an effect of their own.

_IDLE = {
    "permit": (
        "KB753",
        tracing.PERMITS,
        "every hex of {} was always permitted by other norms as well",
        "leave this permit out, or write the example in which it opens a hex",
    ),
    **dict.fromkeys(
        ("forbid", "deny"),
        (
            "KB754",
            tracing.FORBIDS,
            "this never took a hex away: none of {} was open before",
            "leave it out, or write the example in which it closes a hex",
        ),
    ),
    "prefer": (
        "KB755",
        tracing.PREFERS,
        "{} never narrowed what was open",
        "leave it out, or write the example in which it decides between two hexes",
    ),
}
"""For each kind of norm the code, what such a norm is for, the message, and the help."""


def idle_norm(statistics: SampleStatistics) -> Iterator[Diagnostic]:
    """A norm that never opened a hex, took one away, or narrowed anything."""
    norms = [norm for rule in statistics.rules for norm in rule.norms if norm.kind in _IDLE]
    for norm in norms:
        code, purpose, message, help_ = _IDLE[norm.kind]
        expr = norm.target if norm.target is not None else norm.guard
        record = statistics.trace.norms.get((purpose, tracing.place_of(norm.span)))
        if expr is not None and _was_idle(record):
            text = message.format(quoted(expr.span.text))
            yield Diagnostic(code, norm.span, text, help_)


_FIND_FUNCTIONS: tuple[Callable[[SampleStatistics], Iterator[Diagnostic]], ...] = (
    whenever_cut_off, rule_cut_off, never_true, always_true, idle_loop, no_pay, same_pay,
    never_offered, empty_target, trigger_never_fired, idle_norm, idle_clause, same_card, standstill,
)  # fmt: skip
"""What explains more comes first: of findings about one place the first is reported."""
