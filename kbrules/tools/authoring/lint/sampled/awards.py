"""Cards and other awards: those that pay nothing, pay all alike, or pay what another card pays."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.lang.typed import Rule
from kbrules.tools.authoring.lint.sampled.pay_sampler import CardPay
from kbrules.tools.authoring.lint.sampled.sampler import (
    MIN_SAMPLES,
    SampleStatistics,
    sample_statistics,
)
from kbrules.tools.authoring.lint.subject import Subject


def _often_sampled(statistics: SampleStatistics) -> Iterator[CardPay]:
    return (pay for pay in statistics.pay.pays.values() if pay.samples >= MIN_SAMPLES)


def no_pay(subject: Subject) -> Iterator[Diagnostic]:
    """A rule that never paid anybody, though it may have taken something away."""
    statistics = subject.shared(sample_statistics)
    for pay in _often_sampled(statistics):
        if not pay.times_paid and pay.rule.id not in statistics.proven:
            span = pay.rule.awards[0].span
            what = "more than nothing" if pay.times_negative else "anything"
            message = f"{quoted(pay.rule.id)} never paid anybody {what}"
            help_ = "write an example in which it pays, and see what keeps it from paying"
            yield Diagnostic("KB744", span, message, help_, claim=statistics.claim)


def same_pay(subject: Subject) -> Iterator[Diagnostic]:
    """A rule that always paid all players alike."""
    statistics = subject.shared(sample_statistics)
    for pay in _often_sampled(statistics):
        if pay.times_paid and not pay.differed:
            span = pay.rule.awards[0].span
            message = f"{quoted(pay.rule.id)} always paid all players the same"
            help_ = "let it ask for what a player has, such as `mine`, or it decides nothing"
            yield Diagnostic("KB745", span, message, help_, claim=statistics.claim)


def same_card(subject: Subject) -> Iterator[Diagnostic]:
    """A card that always paid what another one pays, or a multiple of it."""
    statistics = subject.shared(sample_statistics)
    pays = {pay.rule.id: pay for pay in _often_sampled(statistics) if pay.differed}
    rules = {rule.id: rule for rule in statistics.ruleset.rules}
    for card, other, payments in statistics.pay.equal_pay.pairs():
        if card in pays:
            yield _same_card_finding(statistics, pays[card], rules[other], payments)


def _same_card_finding(
    statistics: SampleStatistics, pay: CardPay, other: Rule, payments: tuple[int, int]
) -> Diagnostic:
    own_payment, other_payment = payments
    what = f"what {quoted(other.id)} pays"
    if own_payment != other_payment:
        step = gcd(own_payment, other_payment)
        what = f"{own_payment // step} gold where {quoted(other.id)} pays {other_payment // step}"
    message = f"{quoted(pay.rule.id)} always paid {what}"
    help_ = "two cards that pay alike are one card twice; ask for something else"
    labels = (Label(other.span, "the other card"),)
    return Diagnostic("KB746", pay.rule.span, message, help_, labels, claim=statistics.claim)
