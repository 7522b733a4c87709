"""The conditions before a step in its action, and how often it is done."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.game import Game
from kbrules.game.view import View
from kbrules.lang.typed import Block, Each, If, Repeat, Rule, Statement, Step, inner_blocks


def unmet_conditions(game: Game, rule: Rule, step: Step, view: View) -> Iterator[str]:
    """Why a rule does not come to a step of its own at all, as things are; nothing if it does."""
    path = _path_to(rule, step)
    if any(isinstance(statement, Each) for statement in path):
        return  # what a loop binds is not known before it runs
    for statement in path:
        if isinstance(statement, Repeat) and game.plan.evaluate(statement.times, view) <= 0:
            yield f"it is done `{statement.times.span.one_line}` times, which is 0"
        elif isinstance(statement, If) and not game.plan.evaluate(statement.condition, view):
            yield f"`{statement.condition.span.one_line}` does not hold"
    linked = game.choices.linked(step)
    if linked.word.asks and linked.count(view) <= 0:
        yield f"`{linked.argument_exprs['count'].span.one_line}` is 0"


def _path_to(rule: Rule, step: Step) -> tuple[Statement, ...]:
    """What a step is inside of, from the outside in."""
    paths = (_path_below(action.body, step) for action in rule.actions)
    return next((path for path in paths if path is not None), ())


def _path_below(block: Block, step: Step) -> tuple[Statement, ...] | None:
    for statement in block.steps:
        if statement is step:
            return ()
        for inner in inner_blocks(statement):
            path = _path_below(inner, step)
            if path is not None:
                # The other branch of a condition is not hindered by it.
                is_other = isinstance(statement, If) and inner is statement.other
                return path if is_other else (statement, *path)
    return None
