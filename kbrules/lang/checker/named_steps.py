"""Named steps: blocks that rules share, put in the place of each `do NAME(...)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from kbrules.diagnostics import did_you_mean
from kbrules.lang.checker.expressions import infer_as
from kbrules.lang.checker.scope import Scope
from kbrules.lang.syntax import tree
from kbrules.lang.typed.core import Expr, variables_in
from kbrules.lang.typed.signature import Definition, Parameter

DO = "do"
MAX_STEPS = 400
"""How many statements named steps may come to, with all that they do by name."""
MAX_DEPTH = 16
"""How many may be done one inside the other."""


def call_of(node: tree.Step) -> tuple[str, tuple[tree.Expression, ...]] | None:
    """The name and the arguments behind `do`; None if something else stands there."""
    match node.operand:
        case tree.Name(text=name):
            return name, ()
        case tree.Call(name=name, arguments=arguments):
            return name, arguments
        case _:
            return None


def called_in(body: Iterable[tree.Statement]) -> Iterator[str]:
    """The named steps that some statements do, inner blocks included."""
    for node in body:
        if isinstance(node, tree.Step) and node.verb.text == DO and (call := call_of(node)):
            yield call[0]
        yield from called_in(getattr(node, "body", ()))


def expansion_order(scope: Scope) -> Iterator[tree.Steps]:
    """The declarations, each behind those that it does.

    Circles and what grows too large are reported. What is reported is unusable, and so is left out.
    """
    found = scope.names.named_steps
    sizes: dict[str, int] = {}
    for name in found.declared:
        yield from _visit(name, (), sizes, scope)


def _visit(
    name: str, path: tuple[str, ...], sizes: dict[str, int], scope: Scope
) -> Iterator[tree.Steps]:
    found = scope.names.named_steps
    node = found.declared[name]
    if name in sizes or name in found.unusable:
        return
    if name in path:
        _report_circle(path[path.index(name) :], scope)
        return
    if len(path) == MAX_DEPTH:
        _refuse(name, f"steps are done by name more than {MAX_DEPTH} deep", scope)
        return
    called = [each for each in called_in(node.body) if each in found.declared]
    for each in dict.fromkeys(called):
        yield from _visit(each, (*path, name), sizes, scope)
    sizes[name] = _count(node.body) + sum(sizes.get(each, 0) for each in called)
    if name in found.unusable:
        return
    if sizes[name] > MAX_STEPS:
        sizes[name] = 0
        _refuse(name, f"`{name}` comes to more than {MAX_STEPS} statements", scope)
    else:
        yield node


def _refuse(name: str, message: str, scope: Scope) -> None:
    found = scope.names.named_steps
    found.unusable.add(name)
    help_ = "do less by name, or repeat it in a loop"
    scope.report("KB303", found.declared[name].name.span, message, help_)


def _count(body: Iterable[tree.Statement]) -> int:
    return sum(1 + _count(getattr(each, "body", ())) for each in body)


def _report_circle(names: Sequence[str], scope: Scope) -> None:
    found = scope.names.named_steps
    found.unusable.update(names)
    circle = " -> ".join((*names, names[0]))
    message = f"`{names[0]}` is said in terms of itself: {circle}"
    help_ = "named steps may only do steps named without them; `repeat` does some again"
    scope.report("KB207", found.declared[names[0]].name.span, message, help_)


def body_of(node: tree.Step, scope: Scope) -> tuple[tree.Steps, Scope] | None:
    """The steps that a line does, and the scope of their body; None with the reason reported.

    The body knows its parameters, and nothing of the block in which the line stands.
    """
    call = call_of(node)
    if call is None:
        message = "`do` needs the name of steps"
        scope.report("KB205", node.span, message, "write `do NAME`, or `do NAME(...)`")
        return None
    found, (name, arguments) = scope.names.named_steps, call
    if name not in found.declared:
        _report_unknown(name, node, scope)
        return None
    if name in found.unusable:
        return None
    values = _arguments(found.parameters[name], arguments, node, scope)
    return None if values is None else (found.declared[name], _inner(values, scope))


def _report_unknown(name: str, node: tree.Step, scope: Scope) -> None:
    if scope.may_be_unreadable(name):
        return
    is_step = name in scope.vocabulary.steps
    advice = f"leave `do` out: `{name}` is a step of the language" if is_step else ""
    help_ = did_you_mean(name, scope.names.named_steps.declared, advice)
    help_ = help_ or f"declare them: `steps {name}:`"
    span = node.operand.span if node.operand is not None else node.span
    scope.report("KB201", span, f"no steps are called `{name}`", help_)


def _arguments(
    parameters: tuple[Parameter, ...],
    arguments: tuple[tree.Expression, ...],
    node: tree.Step,
    scope: Scope,
) -> dict[str, Expr] | None:
    values = {
        parameter.name: infer_as(argument, parameter.sort, scope, f"`{parameter.name}`")
        for parameter, argument in zip(parameters, arguments, strict=False)
    }
    if len(parameters) == len(arguments):
        return values
    signature = ", ".join(f"{each.name}: {each.sort.value}" for each in parameters)
    help_ = (
        f"they take ({signature})" if signature else "they take nothing: leave the parentheses out"
    )
    scope.report("KB204", node.span, f"{len(arguments)} arguments are given", help_)
    return None


def _inner(values: Mapping[str, Expr], scope: Scope) -> Scope:
    """The scope of a body: what its arguments mention stays known, so no loop takes its name."""
    mentioned = {part.name: part.sort for each in values.values() for part in variables_in(each)}
    bound = {name: Definition((), value) for name, value in values.items()}
    names = replace(
        scope.names,
        definitions={**scope.names.definitions, **bound},
        defined={*scope.names.defined, *bound},
    )
    return replace(scope, names=names, variables=mentioned)
