"""Norms that other norms make idle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, Label
from kbrules.game.board import Catalog
from kbrules.lang import typed as core
from kbrules.lang.checker.statements import first_line
from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.plan.plan import verbs_of_dead
from kbrules.tools.lint.algebra import Key, is_subset, key
from kbrules.tools.lint.subject import Subject, lint
from kbrules.tools.tracing import AND


@dataclass(frozen=True, slots=True)
class _ComparedNorm:
    """A norm and the rule it stands in."""

    norm: core.Norm
    rule: core.Rule

    @property
    def conditions(self) -> frozenset[Key]:
        """All that must hold for it."""
        return frozenset(_conditions(self.norm.guard))

    def covers(self, other: _ComparedNorm) -> bool:
        """Whether it says all that another norm says, wherever that holds."""
        norm, other_norm = self.norm, other.norm
        is_wide = set(other_norm.verbs) <= set(norm.verbs) and self.conditions <= other.conditions
        if norm.kind != other_norm.kind or not is_wide or not self._is_implied_by(other):
            return False
        if norm.target is None or other_norm.target is None:
            return norm.target is other_norm.target
        return is_subset(other_norm.target, norm.target)

    def is_equal(self, other: _ComparedNorm) -> bool:
        """Whether two norms differ in nothing but their place."""
        return self._key() == other._key()

    def _key(self) -> tuple[object, ...]:
        norm = self.norm
        return norm.kind, frozenset(norm.verbs), key(norm.target), self.conditions

    def _is_implied_by(self, other: _ComparedNorm) -> bool:
        """Whether it holds for whomever the other one holds for: those of tiles need the tile."""
        return self.rule.kind == "rule" or self.rule is other.rule


def _conditions(guard: core.Expr | None) -> Iterator[Key]:
    if isinstance(guard, core.Call) and guard.word == AND:
        for argument in guard.arguments:
            yield from _conditions(argument)
    elif guard is not None:
        yield key(guard)


def norm_clauses(subject: Subject) -> Sequence[_ComparedNorm]:
    """Every norm in force, in the order of the rules."""
    return tuple(_ComparedNorm(norm, rule) for rule in subject.ruleset.rules for norm in rule.norms)


@lint("KB722")
def norm_twice(subject: Subject) -> Iterator[Diagnostic]:
    """A norm that is given twice."""
    seen: list[_ComparedNorm] = []
    for clause in sorted(
        subject.shared(norm_clauses), key=lambda other: subject.concerns(other.norm.span)
    ):
        earlier = next(
            (other for other in seen if other.is_equal(clause) and other._is_implied_by(clause)),
            None,
        )
        if earlier is not None and subject.concerns(clause.norm.span):
            labels = (Label(first_line(earlier.norm.span), "given here already"),)
            message = f"this `{clause.norm.kind}` is given twice"
            span = first_line(clause.norm.span)
            yield Diagnostic("KB722", span, message, "keep one of them", labels)
        seen.append(clause)


@lint("KB756")
def all_cards_dead(subject: Subject) -> Iterator[Diagnostic]:
    """A ban on every hex that a card may open, where a card without one leaves the game."""
    verbs = frozenset(_verbs_of_redraws(subject))
    catalog = subject.ruleset.catalog
    shown = {terrain for card in catalog.deck for terrain in card.terrains}
    for each in subject.shared(norm_clauses):
        norm = each.norm
        if norm.kind != "forbid" or not subject.concerns(norm.span) or not shown:
            continue
        if verbs.intersection(norm.verbs) and shown <= _kinds_inside(norm.target, catalog):
            verb = sorted(verbs.intersection(norm.verbs))[0]
            message = f"while this holds no card has a hex to {verb} on, and each is dead"
            help_ = f"to keep a player from it for a turn, write `deny {verb}`"
            yield Diagnostic("KB756", first_line(norm.span), message, help_)


def _verbs_of_redraws(subject: Subject) -> Iterator[str]:
    """For which verbs cards without a hex are taken away."""
    for whenever, _ in subject.ruleset.whenever_rules():
        yield from verbs_of_dead(whenever)


def _kinds_inside(target: core.Expr | None, catalog: Catalog) -> set[int]:
    """The kinds of hexes all of which are in a set, by what is written alone."""
    every = set(range(len(catalog.hexes)))
    if target is None:
        return every
    if not isinstance(target, core.Call):
        return set()
    if target.word == UNION:
        return set().union(*(_kinds_inside(part, catalog) for part in target.arguments))
    if target.word == INTERSECTION:
        return every.intersection(*(_kinds_inside(part, catalog) for part in target.arguments))
    if target.word == "board()":
        return every
    if target.word == "terrain(terrain)" and isinstance(target.arguments[0], core.Lit):
        return {target.arguments[0].value}
    name = target.word.removesuffix("()")
    return {index for index, kind in enumerate(catalog.hexes) if name in kind.tags}


_COVERED_KINDS = ("permit", "forbid", "deny")


@lint("KB723")
def norm_covered(subject: Subject) -> Iterator[Diagnostic]:
    """A norm all of which another norm of the same kind says already."""
    norms = [
        clause for clause in subject.shared(norm_clauses) if clause.norm.kind in _COVERED_KINDS
    ]
    for clause in norms:
        if not subject.concerns(clause.norm.span):
            continue
        wider = next(
            (other for other in norms if other.covers(clause) and not other.is_equal(clause)), None
        )
        if wider is not None:
            labels = (Label(first_line(wider.norm.span), f"`{wider.rule.id}` says it already"),)
            message = f"this `{clause.norm.kind}` adds nothing to another one"
            help_ = "leave it out, or narrow the other"
            yield Diagnostic("KB723", first_line(clause.norm.span), message, help_, labels)


@lint("KB724")
def idle_waive(subject: Subject) -> Iterator[Diagnostic]:
    """A waive of preferences that no rule has."""
    norms = subject.shared(norm_clauses)
    preferred = {verb for each in norms if each.norm.kind == "prefer" for verb in each.norm.verbs}
    for each in norms:
        idle = [verb for verb in each.norm.verbs if verb not in preferred]
        if each.norm.kind == "waive" and idle and subject.concerns(each.norm.span):
            verbs = ", ".join(f"`{verb}`" for verb in idle)
            message = f"no rule prefers anything of {verbs}, so there is nothing to waive"
            yield Diagnostic("KB724", first_line(each.norm.span), message, "leave it out")
