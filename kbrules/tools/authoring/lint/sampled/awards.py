"""Cards and other awards: those that pay nothing, pay all alike, or pay what another card pays."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.lang.core import Rule
from kbrules.tools.authoring.lint.sampled.pay_sampler import CardPay
from kbrules.tools.authoring.lint.sampled.sampler import FEW, SampleStatistics, sample_statistics
from kbrules.tools.authoring.lint.subject import Subject

__all__ = ["no_pay", "same_card", "same_pay"]


def _asked(seen: SampleStatistics) -> Iterator[CardPay]:
    return (pay for pay in seen.cashier.pays.values() if pay.looks >= FEW)


def no_pay(subject: Subject) -> Iterator[Diagnostic]:
    """A rule that never paid anybody, though it may have taken something away."""
    seen = subject.shared(sample_statistics)
    for pay in _asked(seen):
        if not pay.paid and pay.rule.id not in seen.shown:
            span = pay.rule.awards[0].span
            what = "more than nothing" if pay.cost else "anything"
            message = f"{quoted(pay.rule.id)} never paid anybody {what}"
            help_ = "write an example in which it pays, and see what keeps it from paying"
            yield Diagnostic("KB744", span, message, help_, claim=seen.claim)


def same_pay(subject: Subject) -> Iterator[Diagnostic]:
    """A rule that always paid all players alike."""
    seen = subject.shared(sample_statistics)
    for pay in _asked(seen):
        if pay.paid and not pay.differed:
            span = pay.rule.awards[0].span
            message = f"{quoted(pay.rule.id)} always paid all players the same"
            help_ = "let it ask for what a player has, such as `mine`, or it decides nothing"
            yield Diagnostic("KB745", span, message, help_, claim=seen.claim)


def same_card(subject: Subject) -> Iterator[Diagnostic]:
    """A card that always paid what another one pays, or a multiple of it."""
    seen = subject.shared(sample_statistics)
    pays = {pay.rule.id: pay for pay in _asked(seen) if pay.differed}
    rules = {rule.id: rule for rule in seen.ruleset.rules}
    for card, other, paid in seen.cashier.likeness.pairs():
        if card in pays:
            yield _twin(seen, pays[card], rules[other], paid)


def _twin(seen: SampleStatistics, pay: CardPay, other: Rule, paid: tuple[int, int]) -> Diagnostic:
    own, theirs = paid
    what = f"what {quoted(other.id)} pays"
    if own != theirs:
        step = gcd(own, theirs)
        what = f"{own // step} gold where {quoted(other.id)} pays {theirs // step}"
    message = f"{quoted(pay.rule.id)} always paid {what}"
    help_ = "two cards that pay alike are one card twice; ask for something else"
    labels = (Label(other.span, "the other card"),)
    return Diagnostic("KB746", pay.rule.span, message, help_, labels, claim=seen.claim)
