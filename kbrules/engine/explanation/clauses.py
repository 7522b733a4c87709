"""The clauses of a step and its norms that make choosing a hex illegal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import and_

from kbrules.engine.interface import GameLike
from kbrules.engine.refusal import Reason
from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.typed.core import Call, Expr, Step
from kbrules.plan.movable_pieces import BOTH
from kbrules.text import Span


def reasons_against(
    game: GameLike, step: Step, view: View, chosen: tuple[int, ...], hex: int
) -> Iterator[Reason]:
    """The clauses that stand against choosing a hex for a step."""
    word = game.choices.linked(step).word
    rule = game.ruleset.rule_of(step)
    if word.can is not None and not word.can(view, *game.choices.linked(step).values(view)):
        yield Reason(rule, "no such piece is left in the supply", step.span)
        return
    ask = word.asks[len(chosen)]
    if hex < 0:
        yield Reason(rule, f"`{step.verb}` needs a hex", step.span)
    elif not ask.verb:
        yield from _reasons_against_source(game, step, view, ask.phrase, hex)
    else:
        choice_view = game.choices.choice_view(game.choices.linked(step), view, chosen)
        yield from _reasons_against_target(game, step, choice_view, ask.phrase, ask.verb, hex)


def _reasons_against_source(
    game: GameLike, step: Step, view: View, phrase: str, hex: int
) -> Iterator[Reason]:
    expr = game.choices.linked(step).argument_exprs.get(phrase)
    rule = game.ruleset.rule_of(step)
    if expr is not None and not game.plan.evaluate(expr, view) >> hex & 1:
        yield from _unmet_parts(game, rule, expr, view, 1 << hex)
    elif not view.state.occupied >> hex & 1:
        yield Reason(rule, "there is no piece", step.span)
    elif not game.choices.linked(step).pieces(view) >> hex & 1:
        yield Reason(rule, _why_unfit(game, step), step.span)
    else:
        yield Reason(rule, "this piece has nowhere to go", step.span)


def _why_unfit(game: GameLike, step: Step) -> str:
    """Why a step does not take up the piece that is there."""
    kind = game.choices.linked(step).argument_exprs.get("piece")
    if kind is None:
        return "a piece of several hexes is never moved"
    return f"the piece there is no `{_source_text(kind)}`"


def _unmet_parts(game: GameLike, rule: str, expr: Expr, view: View, bit: Mask) -> Iterator[Reason]:
    """The parts of an intersection that a hex is not in, as far as they are written out here."""
    parts = expr.arguments if isinstance(expr, Call) and expr.word == BOTH else ()
    if parts and all(_is_within(part.span, expr.span) for part in parts):
        for part in parts:
            yield from _unmet_parts(game, rule, part, view, bit)
    elif not game.plan.evaluate(expr, view) & bit:
        yield Reason(rule, f"it is not in `{_source_text(expr)}`", expr.span)


def _is_within(span: Span, outer: Span) -> bool:
    """Whether a text is part of another; what a `define` stands for is not."""
    same = span.source is outer.source
    return same and outer.start <= span.start and span.end <= outer.end


def _reasons_against_target(
    game: GameLike, step: Step, view: View, phrase: str, verb: str, hex: int
) -> Iterator[Reason]:
    plan = game.plan
    on = game.choices.linked(step).argument_exprs.get(phrase)
    base: int | None = None if on is None else plan.evaluate(on, view)
    bit = 1 << hex
    if on is not None and base is not None and not base & bit:
        yield from _unmet_parts(game, game.ruleset.rule_of(step), on, view, bit)
    elif game.choices.linked(step).is_closed(view, hex):
        yield from _closed_ways(game, step, view)
    elif not game.choices.linked(step).room(view) & bit:
        yield Reason(game.ruleset.rule_of(step), game.choices.linked(step).no_room, step.span)
    norms = game.choices.linked(step).norms
    permits = [c for c in norms.permits if c.holds(view)] if on is None else []
    if on is None and not any(c.hexes_in(view) & bit for c in permits):
        for clause in permits:
            text = f"it is not in `{_source_text(clause.norm.target)}`"
            yield Reason(clause.owner.rule.id, text, clause.norm.span)
    for clauses, text in ((norms.forbids, "forbidden on"), (norms.denies, "not allowed on")):
        for clause in clauses:
            if clause.holds(view) and clause.hexes_in(view) & bit:
                reason = f"{verb} is {text} `{_source_text(clause.norm.target)}`"
                yield Reason(clause.owner.rule.id, reason, clause.norm.span)
    yield from _reasons_by_preference(game, step, view, verb, base, bit)


def _closed_ways(game: GameLike, step: Step, view: View) -> Iterator[Reason]:
    """The norms that close every way to a hex."""
    for clause in game.choices.linked(step).closing:
        if clause.holds(view):
            text = (
                f"each way there crosses `{_source_text(clause.norm.target)}`, which is forbidden"
            )
            yield Reason(clause.owner.rule.id, text, clause.norm.span)


def _reasons_by_preference(
    game: GameLike, step: Step, view: View, verb: str, base: int | None, bit: int
) -> Iterator[Reason]:
    """A preference that narrowed the hex away, if it was otherwise legal."""
    norms = game.choices.linked(step).norms
    freely = game.choices.linked(step).freely
    open_ = game.plan.open(view, verb) if base is None else base
    open_ &= ~norms.forbidden(view)
    if freely or not open_ & bit or norms.is_waived(view):
        return
    preferences = [clause for clause in norms.prefers if clause.holds(view)]
    if not reduce(and_, (clause.hexes_in(view) for clause in preferences), open_):
        return
    for clause in preferences:
        if not clause.hexes_in(view) & bit:
            text = f"other hexes in `{_source_text(clause.norm.target)}` are free and come first"
            yield Reason(clause.owner.rule.id, text, clause.norm.span)


def _source_text(expr: object) -> str:
    span = getattr(expr, "span", None)
    return " ".join(span.text.split()) if span is not None else "any hex"
