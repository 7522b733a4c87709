"""One rule, tile or card: each statement of its body put where it belongs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from kbrules.diagnostics import did_you_mean, suggest
from kbrules.lang.checker.expressions import infer_as
from kbrules.lang.checker.limited_uses import report_limits, with_counted_uses
from kbrules.lang.checker.scope import Scope
from kbrules.lang.checker.statements import (
    awards_in,
    check_award,
    check_block,
    check_change,
    check_guard,
    check_norm,
    check_win,
    first_line,
)
from kbrules.lang.checker.steps import check_step
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.foreign_words import instead_of
from kbrules.lang.syntax.split import STATEMENTS
from kbrules.lang.typed.core import (
    Action,
    Award,
    Block,
    Call,
    Expr,
    Norm,
    Phase,
    QuantityChange,
    Repeat,
    Rule,
    Statement,
    Step,
    Trigger,
    Whenever,
    Win,
    identity,
)
from kbrules.lang.typed.signature import Vocabulary
from kbrules.lang.typed.sorts import Sort

WHO = ("others", "anyone")
WORD_DECLARATIONS = ("define", "steps", "option", "memory")
"""The declarations that are not rules of some kind."""
MAX_STATEMENTS = 200
"""Sentences of one declaration; the longest that is shipped has a tenth of them."""
_WHERE_STEPS_STAND = "put it in an `action:`, a `when ...:` or another block"


@dataclass(slots=True)
class _RuleParts:
    norms: list[Norm] = field(default_factory=list)
    changes: list[QuantityChange] = field(default_factory=list)
    awards: list[Award] = field(default_factory=list)
    wins: list[Win] = field(default_factory=list)
    triggers: list[Trigger] = field(default_factory=list)
    whenevers: list[Whenever] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    examples: list[tree.Example] = field(default_factory=list)
    has_holes: bool = False


def check_rule(node: tree.Rule, scope: Scope) -> Rule:
    """The typed rule; findings are collected in the scope."""
    report_limits(node, scope)
    node = with_counted_uses(node)
    parts = _RuleParts(has_holes=not _has_known_kind(node, scope))
    base = f"{node.kind.text}/{node.name.text}"
    body = () if nearest_kind(node, scope.vocabulary) in WORD_DECLARATIONS else node.body
    for index, statement in enumerate(_within_limit(body, scope)):
        _add_statement(statement, parts, scope, f"{base}/{index}")
    if not node.wordings and not parts.has_holes:
        help_ = 'begin its body with a sentence in `"`, in your own words'
        message = f"`{node.name.text}` has no wording"
        scope.report("KB211", node.name.span, message, help_)
    replaces = node.replaces.text if node.replaces else None
    return Rule(
        node.kind.text,
        node.name.text,
        node.title,
        node.wording,
        replaces,
        tuple(parts.norms),
        tuple(parts.changes),
        tuple(parts.awards),
        tuple(parts.wins),
        tuple(parts.triggers),
        tuple(parts.whenevers),
        tuple(parts.actions),
        tuple(parts.phases),
        tuple(parts.examples),
        node.name.span,
    )


def _within_limit(body: tree.Statements, scope: Scope) -> tree.Statements:
    """The statements of a rule, up to the first that is too many, which is reported."""
    if len(body) <= MAX_STATEMENTS:
        return body
    help_ = f"a rule has at most {MAX_STATEMENTS} sentences; say several in one"
    span = first_line(body[MAX_STATEMENTS].span)
    scope.report("KB303", span, "this could take too long", help_)
    return body[:MAX_STATEMENTS]


def _has_known_kind(node: tree.Rule, scope: Scope) -> bool:
    """Whether there are declarations of this kind; reported if not."""
    known = scope.vocabulary.kinds
    if node.kind.text in known:
        return True
    near = nearest_kind(node, scope.vocabulary)
    listed = ", ".join(sorted({*known, *WORD_DECLARATIONS}))
    help_ = f"did you mean `{near}`?" if near else f"declarations are {listed}"
    scope.report("KB108", node.kind.span, f"`{node.kind.text}` declares nothing", help_)
    return False


def nearest_kind(node: tree.Rule, vocabulary: Vocabulary) -> str | None:
    """The kind of declaration that was meant by one there is not; None if there is, or no guess."""
    if node.kind.text in vocabulary.kinds:
        return None
    return suggest(node.kind.text, {*vocabulary.kinds, *WORD_DECLARATIONS})


def _add_statement(node: tree.Statement, parts: _RuleParts, scope: Scope, path: str) -> None:
    match node:
        case tree.Wording():
            pass
        case tree.Norm():
            parts.norms.append(check_norm(node, scope))
        case tree.Change():
            parts.changes.append(check_change(node, scope))
        case tree.Award() | tree.Each():
            parts.awards.extend(awards_in(node, scope))
        case tree.Win():
            parts.wins.append(check_win(node, scope))
        case tree.When():
            parts.triggers.append(_trigger(node, scope, path))
        case tree.Whenever(condition=condition, body=body, span=span):
            tested = infer_as(condition, Sort.TRUTH, scope, "`whenever`")
            parts.whenevers.append(Whenever(tested, check_block(body, scope, path), span))
        case tree.Section():
            _section(node, parts, scope, path)
        case tree.Example():
            parts.examples.append(node)
        case tree.Hole():
            parts.has_holes = True
        case tree.If(condition=tree.Hole(), body=body):
            parts.has_holes = True
            _check_leniently(body, scope.lenient(), path)
        case tree.Step():
            _step_outside_block(node, parts, scope)
        case _:
            message = "a block of steps cannot stand here"
            if not parts.has_holes:
                scope.report("KB206", first_line(node.span), message, _where_to_put(node))


def _where_to_put(node: tree.Statement) -> str:
    """Where such a block stands; what is paid under a condition is no block at all."""
    if isinstance(node, tree.If) and any(isinstance(each, tree.Award) for each in node.body):
        return "put the condition behind it, in one line: `gold 2 if ...`"
    return _WHERE_STEPS_STAND


def _step_outside_block(node: tree.Step, parts: _RuleParts, scope: Scope) -> None:
    """A step directly in a rule; perhaps a sentence of another kind was meant."""
    known = scope.vocabulary.steps
    if node.verb.text not in known:
        suggestion = did_you_mean(node.verb.text, {*STATEMENTS, *known})
        help_ = instead_of(node.verb.text) or suggestion
        message = f"`{node.verb.text}` is not a word I know"
        if help_ or not parts.has_holes:
            help_ = help_ or "`kbrules show step` lists all steps; they stand below `action:`"
            scope.report("KB201", node.verb.span, message, help_)
        return
    if not parts.has_holes:  # what could not be read may have been its heading
        message = "a step cannot stand here"
        scope.report("KB206", first_line(node.span), message, _WHERE_STEPS_STAND)
    check_step(node, scope.lenient())


def _check_leniently(body: tree.Statements, scope: Scope, path: str) -> None:
    """Check what stands under a heading that could not be read, as far as it says what it is."""
    for node in body:
        match node:
            case tree.Norm():
                check_norm(node, scope)
            case tree.Change():
                check_change(node, scope)
            case tree.Award():
                check_award(node, scope, ())
            case tree.Win():
                check_win(node, scope)
            case tree.Step() | tree.If() | tree.Repeat() | tree.Branch(kind="may"):
                check_block((node,), scope, path)


def _bound(events: tuple[tree.Word, ...], scope: Scope) -> Scope:
    """The scope of what follows any of the events: only what all of them know."""
    known = scope.vocabulary.events
    common: dict[str, Sort] | None = None
    for event in events:
        if event.text not in known:
            help_ = did_you_mean(event.text, known, f"events are {', '.join(sorted(known))}")
            scope.report("KB208", event.span, f"`{event.text}` is not an event", help_)
            return scope.bind(*((name, Sort.HOLE) for name in _words_of_events(scope)))
        binds = dict(known[event.text].binds)
        common = binds if common is None else {n: s for n, s in common.items() if n in binds}
    return scope.bind(*(common or {}).items())


def _words_of_events(scope: Scope) -> set[str]:
    return {name for event in scope.vocabulary.events.values() for name, _ in event.binds}


def _player_word(word: tree.Word | None, scope: Scope) -> str:
    if word is None:
        return "me"
    if word.text not in WHO:
        help_ = did_you_mean(word.text, WHO, f"write `by {WHO[0]}` or `by {WHO[1]}`")
        scope.report("KB201", word.span, f"`{word.text}` is nobody I know", help_)
    return word.text


def _trigger(node: tree.When, scope: Scope, path: str) -> Trigger:
    inner = _bound(node.events, scope)
    events = tuple(event.text for event in node.events)
    body = check_block(node.body, inner, path)
    return Trigger(
        events,
        _player_word(node.who, scope),
        check_guard(node.guard, inner),
        body,
        False,
        node.span,
    )


def _section(node: tree.Section, parts: _RuleParts, scope: Scope, path: str) -> None:
    if node.events:
        parts.triggers.append(_reaction(node, scope, path))
        return
    body = check_block(node.body, scope, path)
    condition = check_guard(node.guard, scope)
    if node.name.endswith("action"):
        required = node.name.startswith("required")
        condition = _and_costs(condition, body, scope)
        parts.actions.append(Action(condition, body, required, node.span))
    else:
        parts.phases.append(Phase(node.name, condition, body))


def _and_costs(condition: Expr | None, body: Block, scope: Scope) -> Expr | None:
    """The condition of an action, and that it can pay what it costs."""
    for cost in _costs(body, scope):
        both = Call(Sort.TRUTH, cost.span, "and(truth,truth)", (condition or cost, cost))
        condition = both if condition else cost
    return condition


def _costs(body: Block, scope: Scope) -> Iterable[Call]:
    """Whether each of the costs that a block begins with can be paid; those of a kind are added."""
    known = {step.name: step for steps in scope.vocabulary.steps.values() for step in steps}
    found: dict[object, Call] = {}
    for step in _in_order(body):
        if not isinstance(step, Step) or not known[step.name].is_cost:
            break
        arguments = tuple(each for each in step.arguments if each is not None)
        kind = (
            step.name,
            tuple(identity(each) for each in arguments if each.sort is not Sort.NUMBER),
        )
        if kind in found:
            arguments = tuple(map(_added, found[kind].arguments, arguments))
        found[kind] = Call(Sort.TRUTH, step.span, f"can {step.name}", arguments)
    return found.values()


def _in_order(body: Block) -> Iterator[Statement]:
    """The statements of a block; what is done once, by name, stands in its place."""
    for step in body.steps:
        if isinstance(step, Repeat) and not step.may_stop and getattr(step.times, "value", 0) == 1:
            yield from _in_order(step.body)
        else:
            yield step


def _added(one: Expr, other: Expr) -> Expr:
    """The sum of two numbers; of anything else the second."""
    if other.sort is not Sort.NUMBER:
        return other
    return Call(Sort.NUMBER, other.span, "+(number,number)", (one, other))


def _reaction(node: tree.Section, scope: Scope, path: str) -> Trigger:
    if not node.name.endswith("action"):
        help_ = "write `action when ...:`"
        message = f"`{node.name}` cannot wait for an event"
        scope.report("KB206", first_line(node.span), message, help_)
    inner = _bound(node.events, scope)
    events = tuple(event.text for event in node.events)
    body = check_block(node.body, inner, path)
    return Trigger(
        events, _player_word(node.who, scope), check_guard(node.guard, inner), body, True, node.span
    )
