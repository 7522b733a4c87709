"""Rules that cannot pay gold at a table, whatever is played: options and cards decide it."""

from __future__ import annotations

from kbrules.lang.core import Award, Call, Expr, Lit, Rule
from kbrules.library.ruleset import IN_PLAY
from kbrules.plan.program import Program

__all__ = ["can_pay"]

_AND = "and(truth,truth)"


def can_pay(rule: Rule, program: Program) -> bool:
    """Whether any award of a rule may pay at the end, as far as options and cards decide it."""
    if program.ruleset.mentions(rule.awards, IN_PLAY):
        return any(_may_pay(award, program) for award in rule.awards)
    kept: dict[str, bool] = program.kept.setdefault(can_pay, {})
    if rule.id not in kept:
        kept[rule.id] = any(_may_pay(award, program) for award in rule.awards)
    return kept[rule.id]


def _may_pay(award: Award, program: Program) -> bool:
    asked = (award.guard, award.amount, award.domain)
    looped = (expr for _, domain, guard in award.loops for expr in (domain, guard))
    return not any(_is_nothing(program.decided(e)) for e in (*asked, *looped) if e is not None)


def _is_nothing(expr: Expr) -> bool:
    """Whether it is known to be false, zero or empty."""
    match expr:
        case Lit(value=value):
            return not value
        case Call(word=word, arguments=arguments) if word == _AND:
            return any(map(_is_nothing, arguments))
    return False
