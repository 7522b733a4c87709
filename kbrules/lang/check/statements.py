"""Statements: norms, changes, awards, and blocks of steps."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.lang import tree
from kbrules.lang.check.expressions import coerce, infer, loop_over, want
from kbrules.lang.check.scope import Scope, is_hole, near
from kbrules.lang.check.steps import check_step
from kbrules.lang.core import (
    Award, Block, Change, Doing, Each, Either, Expr, If, Lit, Norm, Repeat, Step,
)  # fmt: skip
from kbrules.lang.sorts import SPOKEN, Sort

RANKS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
Loop = tuple[str, Expr, Expr | None]


def check_norm(node: tree.Norm, scope: Scope) -> Norm:
    """The typed norm; the verbs must be some that norms speak of."""
    known = scope.vocabulary.norm_verbs()
    for verb in node.verbs:
        if verb.text not in known:
            help_ = near(verb.text, known) or f"verbs are {', '.join(sorted(known))}"
            scope.report("KB208", verb.span, f"no norm speaks of `{verb.text}`", help_)
    if node.on is None and node.kind != "waive":
        help_ = f"write `{node.kind} {node.verbs[0].text} on ...`"
        scope.report("KB205", node.span, f"`{node.kind}` needs an `on` phrase", help_)
    inner = scope.bind(("origin", Sort.HEXES))
    on = want(node.on, Sort.HEXES, inner, "`on`") if node.on else None
    verbs = tuple(verb.text for verb in node.verbs)
    return Norm(node.kind, verbs, on, guard(node.guard, inner), node.span)


def guard(node: tree.Expression | None, scope: Scope) -> Expr | None:
    """The typed condition of a trailing `if`, if there is one."""
    return want(node, Sort.TRUTH, scope, "`if`") if node is not None else None


def check_change(node: tree.Change, scope: Scope) -> Change:
    """The typed change of a quantity, as something to add."""
    known = scope.vocabulary.quantities
    if node.quantity.text not in known:
        message = f"`{node.quantity.text}` is not a quantity"
        help_ = near(node.quantity.text, known) or f"quantities are {', '.join(sorted(known))}"
        scope.report("KB201", node.quantity.span, message, help_)
    expression = node.amount
    if node.kind == "decrease":
        expression = tree.Operator("-", (node.amount,), node.amount.span)
    amount = want(expression, Sort.NUMBER, scope, "`by`")
    return Change(node.quantity.text, amount, guard(node.guard, scope), node.span)


def check_award(node: tree.Award, scope: Scope, loops: tuple[Loop, ...]) -> Award:
    """The typed award with the loops it stands in."""
    domain, inner = _per(node, scope)
    amount = want(node.amount, Sort.NUMBER, inner, "`gold`")
    rank, by = _rank(node, inner)
    every = node.per.every if node.per else 1
    if every == 0 and node.per is not None:
        scope.report("KB210", node.per.variable.span, "`per 0` would divide by nothing")
    name = node.per.variable.text if node.per else ""
    return Award(
        amount, every, name, domain, rank, by, guard(node.guard, inner), loops, node.span
    )


def _per(node: tree.Award, scope: Scope) -> tuple[Expr | None, Scope]:
    if node.per is None:
        return None, scope
    domain = infer(node.per.domain, scope)
    if domain.sort in (Sort.GROUPS, Sort.PLAYERS):
        return loop_over(node.per.variable, node.per.domain, _mute(scope), sets=True)
    fitted = coerce(domain, Sort.HEXES, scope)
    if fitted is None:
        message = f"`per` counts hexes or groups, but `{domain.span.text}` is"
        scope.report("KB203", domain.span, f"{message} {SPOKEN[domain.sort]}")
    return fitted, scope


def _mute(scope: Scope) -> Scope:
    """The scope with findings thrown away, for a second look at the same words."""
    return Scope(scope.vocabulary, scope.names, [], scope.variables)


def _rank(node: tree.Award, scope: Scope) -> tuple[int | None, Expr | None]:
    if node.rank is None:
        return None, None
    place = RANKS.get(node.rank.place.text)
    if place is None:
        span = node.rank.place.span
        help_ = near(node.rank.place.text, RANKS) or f"ranks are {', '.join(RANKS)}"
        scope.report("KB201", span, f"`{node.rank.place.text}` is not a rank", help_)
    return place, want(node.rank.by, Sort.NUMBER, scope, "`by`")


def check_block(nodes: tree.Statements, scope: Scope, path: str) -> Block:
    """The typed block at an address; `otherwise`, `either` and `or` are joined here."""
    steps: list[Doing] = []
    for index, node in enumerate(nodes):
        doing = _doing(node, nodes[:index], scope, f"{path}.{index}")
        if doing is not None:
            steps.append(doing)
        _join(node, steps, scope, f"{path}.{index}")
    return Block(path, tuple(steps))


def _doing(
    node: tree.Statement, before: tree.Statements, scope: Scope, path: str
) -> Doing | None:
    match node:
        case tree.Step():
            return _guarded(node, scope, path)
        case tree.If(condition=condition, body=body, span=span):
            tested = want(condition, Sort.TRUTH, scope, "`if`")
            return If(tested, check_block(body, scope, path), None, span)
        case tree.Repeat():
            times = want(node.times, Sort.NUMBER, scope, f"`{node.kind}`")
            body = check_block(node.body, scope, path)
            return Repeat(times, body, node.kind == "up to", node.span)
        case tree.Each(variable=variable, domain=domain, body=body, span=span):
            over, inner = loop_over(variable, domain, scope, sets=True)
            tested_ = guard(node.guard, inner)
            return Each(variable.text, over, tested_, check_block(body, inner, path), span)
        case tree.Branch(kind="either", body=body, span=span):
            return Either((check_block(body, scope, f"{path}.0"),), span)
        case tree.Branch() | tree.Hole():
            return None
        case _:
            _misplaced(node, scope)
            return None


def _guarded(node: tree.Step, scope: Scope, path: str) -> Doing | None:
    step = check_step(node, scope)
    condition = guard(node.guard, scope)
    if step is None or condition is None:
        return step
    return If(condition, Block(path, (step,)), None, node.span)


def _join(node: tree.Statement, steps: list[Doing], scope: Scope, path: str) -> None:
    """Attach an `otherwise` to the `if` before it, an `or` to its `either`."""
    if not isinstance(node, tree.Branch) or node.kind == "either":
        return
    body = check_block(node.body, scope, path)
    last = steps[-1] if steps else None
    if node.kind == "otherwise" and isinstance(last, If) and last.other is None:
        steps[-1] = If(last.condition, last.body, body, last.span)
    elif node.kind == "or" and isinstance(last, Either):
        steps[-1] = Either((*last.bodies, body), last.span)
    else:
        partner = "if" if node.kind == "otherwise" else "either"
        message = f"`{node.kind}:` follows no `{partner}`"
        scope.report("KB206", node.span, message, f"put it right after `{partner} ...:`")


def _misplaced(node: tree.Statement, scope: Scope) -> None:
    what = node.span.text.split("\n")[0].split(" ")[0].rstrip(":")
    help_ = "it belongs directly under the declaration"
    scope.report("KB206", node.span, f"`{what}` cannot stand inside a block of steps", help_)


def awards_in(
    node: tree.Statement, scope: Scope, loops: tuple[Loop, ...] = ()
) -> Iterator[Award]:
    """The awards of a statement of a rule, loops and conditions unrolled around them."""
    match node:
        case tree.Award():
            yield check_award(node, scope, loops)
        case tree.Each(variable=variable, domain=domain, body=body):
            over, inner = loop_over(variable, domain, scope, sets=True)
            loop = (variable.text, over, guard(node.guard, inner))
            for statement in body:
                yield from awards_in(statement, inner, (*loops, loop))
        case tree.Hole():
            return
        case _:
            message = "only `gold` can stand here"
            scope.report("KB206", node.span, message, "put steps in an `action:` or `when ...:`")


def has_holes(item: object) -> bool:
    """Whether a typed statement stands for something that was reported."""
    if isinstance(item, Lit):
        return is_hole(item)
    if isinstance(item, tuple):
        return any(has_holes(part) for part in item)
    names = getattr(type(item), "__slots__", ())
    if isinstance(item, Step | Block | Award | Norm) or hasattr(item, "span"):
        return any(has_holes(getattr(item, name)) for name in names if name != "span")
    return False
