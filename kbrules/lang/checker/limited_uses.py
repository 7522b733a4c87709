"""`once per game` and its like, expressed with a memory that counts the uses.

What stands behind `action` is put in other words before it is checked, so that neither engine knows
of it: a condition asks the memory, and the block counts after its first statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kbrules.diagnostics import did_you_mean
from kbrules.lang.checker.scope import Scope
from kbrules.lang.syntax import tree

TIMES = {"game": "player", "round": "round"}
"""How long the memory of uses lasts, by what may stand behind `per`."""


def memories_of_uses(rule: tree.Rule) -> Iterator[tree.Memory]:
    """A memory for each section of a rule that may be used so often only."""
    for number, node in enumerate(rule.body):
        if isinstance(node, tree.Section) and node.limit is not None:
            span, name = node.limit.span, _name(rule, number)
            lasts = tree.Word(TIMES.get(node.limit.scope.text, "player"), span)
            sort = tree.Word("number", span)
            yield tree.Memory(tree.Word(name, span), sort, lasts, "", (), span)


def _name(rule: tree.Rule, number: int) -> str:
    """The name of a memory, by which scenarios may speak of it."""
    limited = [
        at
        for at, node in enumerate(rule.body)
        if isinstance(node, tree.Section) and node.limit is not None
    ]
    which = f"_{limited.index(number) + 1}" if len(limited) > 1 else ""
    return f"uses_of_{rule.name.text}{which}"


def report_limits(rule: tree.Rule, scope: Scope) -> None:
    """Report what no limit can be."""
    for node in rule.body:
        if not isinstance(node, tree.Section) or node.limit is None:
            continue
        word = node.limit.scope
        if word.text not in TIMES:
            times = " or ".join(f"`per {each}`" for each in TIMES)
            help_ = did_you_mean(word.text, TIMES, f"write {times}")
            if word.text == "turn":
                help_ = "leave it out: an action is used once in a turn unless a limit says less"
            scope.report("KB201", word.span, f"nothing is limited per `{word.text}`", help_)
        if not node.name.endswith("action"):
            help_ = "only an `action` is used; leave the limit out"
            scope.report("KB206", node.limit.span, f"`{node.name}` has no limit of uses", help_)


def with_counted_uses(rule: tree.Rule) -> tree.Rule:
    """A rule whose limits are expressed by conditions and steps."""
    body = tuple(
        _with_counter(node, node.limit, _name(rule, number))
        if isinstance(node, tree.Section) and node.limit is not None
        else node
        for number, node in enumerate(rule.body)
    )
    return replace(rule, body=body)


def _with_counter(node: tree.Section, limit: tree.Limit, name: str) -> tree.Section:
    span = limit.span
    uses = tree.Name(name, span)
    is_left: tree.Expression = tree.Operator("<", (uses, tree.Number(limit.times, span)), span)
    guard = is_left if node.guard is None else tree.Operator("and", (is_left, node.guard), span)
    into = tree.StepArgument(tree.Word("into", span), uses)
    count = tree.Step(tree.Word("count", span), tree.Number(1, span), (into,), None, span)
    at = _end_of_first(node.body)
    body = (*node.body[:at], count, *node.body[at:])
    return replace(node, limit=None, guard=guard, body=body)


def _end_of_first(body: tree.Statements) -> int:
    """Where the first statement ends, with the branches that belong to it."""
    at = 1
    while at < len(body):
        node = body[at]
        if not isinstance(node, tree.Branch) or node.kind in ("either", "may"):
            break
        at += 1
    return at
