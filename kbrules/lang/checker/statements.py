"""Statements: norms, changes, awards, victories, and blocks of steps."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import did_you_mean
from kbrules.lang.checker.cost import size_of
from kbrules.lang.checker.expressions import infer, infer_as, loop_over, scope_of_items
from kbrules.lang.checker.named_steps import DO, body_of
from kbrules.lang.checker.resolve import coerce
from kbrules.lang.checker.scope import Scope
from kbrules.lang.checker.steps import check_step
from kbrules.lang.syntax import tree
from kbrules.lang.typed.core import (
    MAX_ROUNDS,
    Award,
    Block,
    Each,
    Either,
    Expr,
    If,
    Lit,
    Norm,
    QuantityChange,
    Repeat,
    Statement,
    Win,
    variables_in,
)
from kbrules.lang.typed.sorts import ELEMENT, SORT_NAMES, Sort
from kbrules.text import Span

MAX_BRANCHES = 64
"""How many blocks a player may choose from at once: each is tried to see whether it can begin."""
MAX_NESTED_ROUNDS = 40_000
"""How often loops in one another may do something."""
RANKS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
Loop = tuple[str, Expr, Expr | None]


_PER = "leave the number out to pay for each, or write `per 2` for every second"


def check_norm(node: tree.Norm, scope: Scope) -> Norm:
    """The typed norm; the verbs must be some that norms speak of."""
    known = scope.vocabulary.norm_verbs()
    for verb in node.verbs:
        if verb.text not in known:
            help_ = did_you_mean(verb.text, known, f"verbs are {', '.join(sorted(known))}")
            scope.report("KB208", verb.span, f"no norm speaks of `{verb.text}`", help_)
        elif verb.text in scope.vocabulary.further_verbs and node.kind != "forbid":
            message = f"nothing heeds `{node.kind}` about `{verb.text}`"
            scope.report("KB208", verb.span, message, f"write `forbid {verb.text} on ...`")
    if node.on is None and node.kind != "waive":
        help_ = f"write `{node.kind} {node.verbs[0].text} on ...`"
        scope.report("KB205", first_line(node.span), f"`{node.kind}` needs an `on` phrase", help_)
    inner = scope.bind(("origin", Sort.HEXES))
    on = infer_as(node.on, Sort.HEXES, inner, "`on`") if node.on else None
    verbs = tuple(verb.text for verb in node.verbs)
    return Norm(node.kind, verbs, on, check_guard(node.guard, inner), node.span)


def check_guard(node: tree.Expression | None, scope: Scope) -> Expr | None:
    """The typed condition of a trailing `if`, if there is one."""
    return infer_as(node, Sort.TRUTH, scope, "`if`") if node is not None else None


def check_change(node: tree.Change, scope: Scope) -> QuantityChange:
    """The typed change of a quantity, as something to add."""
    known = scope.vocabulary.quantities
    if node.quantity.text not in known:
        message = f"`{node.quantity.text}` is not a quantity"
        listed = f"quantities are {', '.join(sorted(known))}"
        help_ = did_you_mean(node.quantity.text, known, listed)
        scope.report("KB201", node.quantity.span, message, help_)
    expression = node.amount
    if node.kind == "decrease":
        expression = tree.Operator("-", (node.amount,), node.amount.span)
    amount = infer_as(expression, Sort.NUMBER, scope, "`by`")
    return QuantityChange(node.quantity.text, amount, check_guard(node.guard, scope), node.span)


def check_award(node: tree.Award, scope: Scope, loops: tuple[Loop, ...]) -> Award:
    """The typed award with the loops it stands in."""
    domain, inner = _per(node, scope)
    amount = infer_as(node.amount, Sort.NUMBER, inner, "`gold`")
    rank, by = _rank(node, inner)
    for paid in (amount, by):
        _check_amount(paid, node, scope)
    every = node.per.every if node.per else 1
    if every == 0 and node.per is not None:
        scope.report("KB210", node.per.variable.span, "`per 0` would divide by nothing", _PER)
    name = node.per.variable.text if node.per else ""
    return Award(
        amount, every, name, domain, rank, by, check_guard(node.guard, inner), loops, node.span
    )


def _check_amount(paid: Expr | None, node: tree.Award, scope: Scope) -> None:
    """What is paid for each item is worked out once, so it cannot speak of the item."""
    name = node.per.variable.text if node.per else ""
    for part in () if paid is None or name in scope.variables else variables_in(paid):
        if part.name == name and node.per is not None:
            help_ = f"write `for {name} in {node.per.domain.span.text}:` above, and no `per`"
            message = f"`{name}` is known in the condition only, not in what is paid"
            scope.report("KB201", part.span, message, help_)
            return


def _per(node: tree.Award, scope: Scope) -> tuple[Expr | None, Scope]:
    if node.per is None:
        return None, scope
    domain = infer(node.per.domain, scope)
    if domain.sort in ELEMENT and domain.sort is not Sort.HEXES:
        return domain, scope_of_items(node.per.variable, domain, scope)
    fitted = coerce(domain, Sort.HEXES, scope)
    if fitted is None:
        message = f"`per` counts hexes, groups, players or lists, but `{domain.span.text}` is"
        help_ = "name the hexes themselves, as in `gold 1 per hex in mine`; `per` counts them"
        scope.report("KB203", domain.span, f"{message} {SORT_NAMES[domain.sort]}", help_)
    return fitted, scope


def _rank(node: tree.Award, scope: Scope) -> tuple[int | None, Expr | None]:
    if node.rank is None:
        return None, None
    place = RANKS.get(node.rank.place.text)
    if place is None:
        span = node.rank.place.span
        help_ = did_you_mean(node.rank.place.text, RANKS, f"ranks are {', '.join(RANKS)}")
        scope.report("KB201", span, f"`{node.rank.place.text}` is not a rank", help_)
    each = scope.repeated(size_of(Sort.PLAYERS))
    return place, infer_as(node.rank.by, Sort.NUMBER, each, "`by`")


def check_win(node: tree.Win, scope: Scope) -> Win:
    """The typed victory; only here is `total` a player's gold, so that no award can ask for it."""
    inner = scope.bind(("total", Sort.NUMBER))
    return Win(infer_as(node.by, Sort.NUMBER, inner, "`win by`"), node.span)


def check_block(nodes: tree.Statements, scope: Scope, path: str) -> Block:
    """The typed block at an address; `otherwise`, `either` and `or` are joined here."""
    steps: list[Statement] = []
    for index, node in enumerate(nodes):
        statement = _statement(node, scope, f"{path}.{index}")
        if statement is not None:
            steps.append(statement)
        before = nodes[index - 1] if index else None
        _join(node, steps, scope.lenient() if _is_hole(before) else scope, f"{path}.{index}")
    return Block(path, tuple(steps))


def _is_hole(node: tree.Statement | None) -> bool:
    """Whether a statement could not be read, with or without lines of its own."""
    return isinstance(node, tree.Hole | tree.If) and (
        isinstance(node, tree.Hole) or isinstance(node.condition, tree.Hole)
    )


def _statement(node: tree.Statement, scope: Scope, path: str) -> Statement | None:
    match node:
        case tree.Step():
            return _guarded(node, scope, path)
        case tree.If(condition=condition, body=body, span=span):
            inner = scope.lenient() if isinstance(condition, tree.Hole) else scope
            tested = infer_as(condition, Sort.TRUTH, scope, "`if`")
            return If(tested, check_block(body, inner, path), None, span)
        case tree.Repeat():
            return _repeat(node, scope, path)
        case tree.Each():
            return _each(node, scope, path)
        case tree.Branch(kind="either", body=body, span=span):
            return Either((check_block(body, scope, f"{path}.0"),), span)
        case tree.Branch(kind="may", body=body, span=span):
            once = Lit(Sort.NUMBER, span, 1)
            return Repeat(once, _stoppable(body, scope, path), True, span)
        case tree.Branch() | tree.Hole():
            return None
        case _:
            _misplaced(node, scope)
            return None


def _repeat(node: tree.Repeat, scope: Scope, path: str) -> Repeat:
    times = infer_as(node.times, Sort.NUMBER, scope, f"`{node.kind}`")
    inner = scope.repeated(_rounds(times, node, scope))
    if inner.times > MAX_NESTED_ROUNDS:
        help_ = f"loops in one another may come to {MAX_NESTED_ROUNDS} rounds"
        scope.report("KB303", node.times.span, "this could take too long", help_)
        inner = scope  # what stands in it is not reported as well
    may_stop = node.kind == "up to"
    body = (_stoppable if may_stop else check_block)(node.body, inner, path)
    return Repeat(times, body, may_stop, node.span)


def _stoppable(body: tree.Statements, scope: Scope, path: str) -> Block:
    """The block of a round that a player may leave; one that begins without a question asks one."""
    if _begins_with_question(body, scope):
        return check_block(body, scope, path)
    span = body[0].span
    return Block(path, (Either((check_block(body, scope, f"{path}.0.0"),), span),))


def _begins_with_question(body: tree.Statements, scope: Scope) -> bool:
    match body[0] if body else None:
        case tree.Step(verb=verb) if verb.text in scope.vocabulary.steps:
            return any(step.decides for step in scope.vocabulary.steps[verb.text])
        case tree.If(body=inner) | tree.Repeat(body=inner) | tree.Each(body=inner):
            return _begins_with_question(inner, scope)
    return True


def _rounds(times: Expr, node: tree.Repeat, scope: Scope) -> int:
    """How often the body is done at most; what is computed may be as much as is allowed."""
    if not isinstance(times, Lit) or not isinstance(times.value, int):
        return MAX_ROUNDS
    if times.value > MAX_ROUNDS:
        help_ = f"at most {MAX_ROUNDS} is allowed"
        scope.report("KB210", node.times.span, "these are too many rounds", help_)
    return max(1, min(times.value, MAX_ROUNDS))


def _each(node: tree.Each, scope: Scope, path: str) -> Each:
    over, inner = loop_over(node.variable, node.domain, scope, sets=True)
    condition = check_guard(node.guard, inner)
    body = check_block(node.body, inner, path)
    return Each(node.variable.text, over, condition, body, node.span)


def _guarded(node: tree.Step, scope: Scope, path: str) -> Statement | None:
    if node.verb.text == DO:
        return _done(node, scope, path)
    step = check_step(node, scope)
    condition = check_guard(node.guard, scope)
    if step is None or condition is None:
        return step
    return If(condition, Block(path, (step,)), None, node.span)


def _done(node: tree.Step, scope: Scope, path: str) -> Statement | None:
    """Named steps in their place: a block that is done once, or under the condition of the line."""
    found, condition = body_of(node, scope), check_guard(node.guard, scope)
    if found is None:
        return None
    named, inner = found
    again = inner.silent()
    block = check_block(named.body, again, path)
    for finding in again.findings[:1]:  # the body alone is right, so it is what is given here
        help_ = f"in `{named.name.text}`, line {finding.span.line}: {finding.help}"
        scope.report(finding.code, node.span, finding.message, help_)
    if condition is not None:
        return If(condition, block, None, node.span)
    return Repeat(Lit(Sort.NUMBER, node.span, 1), block, False, node.span)


def _join(node: tree.Statement, steps: list[Statement], scope: Scope, path: str) -> None:
    """Attach an `otherwise` to the `if` before it, an `or` to its `either`."""
    if not isinstance(node, tree.Branch) or node.kind in ("either", "may"):
        return
    body = check_block(node.body, scope, path)
    last = steps[-1] if steps else None
    if node.kind == "otherwise" and isinstance(last, If) and last.other is None:
        steps[-1] = If(last.condition, last.body, body, last.span)
    elif node.kind == "or" and isinstance(last, Either):
        steps[-1] = Either((*last.bodies, body), last.span)
        if len(last.bodies) == MAX_BRANCHES:
            help_ = f"an `either` has at most {MAX_BRANCHES} blocks"
            scope.report("KB303", first_line(node.span), "this could take too long", help_)
    elif not scope.is_lenient:
        partner = "if" if node.kind == "otherwise" else "either"
        message = f"`{node.kind}:` follows no `{partner}`"
        help_ = f"put it right after `{partner} ...:`"
        scope.report("KB206", first_line(node.span), message, help_)


def _misplaced(node: tree.Statement, scope: Scope) -> None:
    span = first_line(node.span)
    what = span.text.split(" ")[0].rstrip(":")
    help_ = "it belongs directly under the declaration"
    if isinstance(node, tree.Wording):
        what = "a text"
    message = f"{what if ' ' in what else f'`{what}`'} cannot stand inside a block of steps"
    scope.report("KB206", span, message, help_)


def first_line(span: Span) -> Span:
    """The part of a span that lies on its first line."""
    length = len(span.text.split("\n", 1)[0].rstrip())
    return span.source.span(span.start, span.start + length)


def awards_in(node: tree.Statement, scope: Scope, loops: tuple[Loop, ...] = ()) -> Iterator[Award]:
    """The awards of a statement of a rule, loops and conditions unrolled around them."""
    match node:
        case tree.Award():
            yield check_award(node, scope, loops)
        case tree.Each(variable=variable, domain=domain, body=body):
            over, inner = loop_over(variable, domain, scope, sets=True)
            loop = (variable.text, over, check_guard(node.guard, inner))
            for statement in body:
                yield from awards_in(statement, inner, (*loops, loop))
        case tree.If(condition=tree.Hole(), body=body):
            for statement in body:
                yield from awards_in(statement, scope.lenient(), loops)
        case tree.Hole():
            return
        case _:
            message = "only `gold` can stand here"
            help_ = "put steps in an `action:` or `when ...:`"
            scope.report("KB206", first_line(node.span), message, help_)
