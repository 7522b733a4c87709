"""The conditions before a step in its action, and how often it is done."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.game import Game
from kbrules.game.view import View
from kbrules.lang.typed.core import (
    Block,
    Each,
    Expr,
    If,
    Repeat,
    Rule,
    Statement,
    Step,
    inner_blocks,
)

__all__ = ["unmet_conditions"]


def unmet_conditions(game: Game, rule: Rule, step: Step, view: View) -> Iterator[str]:
    """Why a rule does not come to a step of its own at all, as things are; nothing if it does."""
    way = _way(rule, step)
    if any(isinstance(statement, Each) for statement in way):
        return  # what a loop binds is not known before it runs
    for statement in way:
        if isinstance(statement, Repeat) and game.plan.evaluate(statement.times, view) <= 0:
            yield f"it is done `{_words(statement.times)}` times, which is 0"
        elif isinstance(statement, If) and not game.plan.evaluate(statement.condition, view):
            yield f"`{_words(statement.condition)}` does not hold"
    linked = game.choices.linked(step)
    if linked.word.asks and linked.count(view) <= 0:
        yield f"`{_words(linked.argument_exprs['count'])}` is 0"


def _words(expr: Expr) -> str:
    return " ".join(expr.span.text.split())


def _way(rule: Rule, step: Step) -> tuple[Statement, ...]:
    """What a step is inside of, from the outside in."""
    ways = (_down(action.body, step) for action in rule.actions)
    return next((way for way in ways if way is not None), ())


def _down(block: Block, step: Step) -> tuple[Statement, ...] | None:
    for statement in block.steps:
        if statement is step:
            return ()
        for inner in inner_blocks(statement):
            way = _down(inner, step)
            if way is not None:
                # The other branch of a condition is not hindered by it.
                is_other = isinstance(statement, If) and inner is statement.other
                return way if is_other else (statement, *way)
    return None
