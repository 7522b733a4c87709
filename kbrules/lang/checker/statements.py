"""Statements checked: norms, changes, awards, victories, and blocks of steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from kbrules.diagnostics import did_you_mean, suggest
from kbrules.lang import typed as core
from kbrules.lang.checker.expressions import (
    Scope,
    coerce,
    hole,
    infer,
    infer_as,
    loop_over,
    scope_of_items,
    size_of,
)
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.split import STATEMENTS
from kbrules.lang.syntax.syntax_errors import instead_of
from kbrules.lang.typed import Sort
from kbrules.text import Span

# A step as written, fitted to the pattern its verb was registered with.


def check_step(node: tree.Step, scope: Scope) -> core.Step | None:
    """The typed step, or None with the reason reported."""
    steps = scope.vocabulary.steps
    if node.verb.text not in steps:
        _report_unknown(node, scope)
        return None
    signature = _closest(node, steps[node.verb.text])
    filler = _ArgumentFiller(signature, scope)
    filler.take_operand(node)
    for phrase in node.arguments:
        filler.take_phrase(phrase)
    filler.complete(node)
    arguments = tuple(filler.values.get(parameter.name) for parameter in signature.parameters)
    return core.Step(signature.name, signature.verb, arguments, node.span)


_STEPS_ARE = "`kbrules show step` lists all steps"
_ELSEWHERE = {"replaces": "it belongs to the heading: `rule wide_lake replaces lake:`"}


def _report_unknown(node: tree.Step, scope: Scope) -> None:
    """Report a verb nobody knows; the rest is read as if the one nearest to it stood there."""
    steps = scope.vocabulary.steps
    suggestion = suggest(node.verb.text, {*steps, *STATEMENTS})
    advice = _ELSEWHERE.get(node.verb.text) or instead_of(node.verb.text) or _STEPS_ARE
    help_ = f"did you mean `{suggestion}`?" if suggestion else advice
    if suggestion or not scope.is_lenient:
        scope.report("KB201", node.verb.span, f"`{node.verb.text}` is not a step I know", help_)
    if suggestion is not None and suggestion in steps:
        guessed = scope.silent()
        check_step(replace(node, verb=tree.Word(suggestion, node.verb.span)), guessed)
        scope.findings.extend(each for each in guessed.findings if each.code == "KB201")


def _closest(node: tree.Step, signatures: tuple[core.StepSignature, ...]) -> core.StepSignature:
    """Among patterns of one verb, the one whose nouns are written here."""
    words = {p.preposition.text for p in node.arguments}
    if isinstance(node.operand, tree.Name):
        words.add(node.operand.text)
    for signature in signatures:
        nouns = {noun for parameter in signature.parameters for noun in parameter.nouns}
        if nouns & words:
            return signature
    return signatures[0]


class _ArgumentFiller:
    """The parameters of one step while its parts are read."""

    def __init__(self, signature: core.StepSignature, scope: Scope) -> None:
        self._signature = signature
        self._scope = scope
        self.values: dict[str, core.Expr] = {}
        self._nouns_seen: set[str] = set()
        self._refused = False

    def _parameters(self, kind: str) -> list[core.StepParameter]:
        return [parameter for parameter in self._signature.parameters if parameter.kind == kind]

    def _usage(self) -> str:
        pattern, example = self._signature.pattern, self._signature.example
        if pattern == pattern.lower() and "[" not in pattern:
            return f"write `{pattern}`"
        verb = self._signature.verb
        usage = f"`{verb}` takes `{pattern.removeprefix(verb).strip()}`"
        return f"{usage}, such as `{example}`" if example else usage

    def take_operand(self, node: tree.Step) -> None:
        """The part right after the verb: an expression, or a noun such as `tiles`."""
        operand = node.operand
        if operand is None:
            return
        if isinstance(operand, tree.Name) and self._take_word(operand.text, operand):
            return
        parameters = self._parameters("operand")
        if not parameters:
            message = f"`{self._signature.verb}` cannot be followed by `{operand.span.text}`"
            self._scope.report("KB205", operand.span, message, self._usage())
            self._refused = True
            return
        self._fill(parameters[0], operand)

    def take_phrase(self, phrase: tree.StepArgument) -> None:
        """A phrase such as `on ...`, or a single word such as `freely`."""
        word = phrase.preposition
        if phrase.value is None:
            if not self._take_word(word.text, tree.Name(word.text, word.span)):
                self._refuse(word)
            return
        parameter = next((s for s in self._parameters("phrase") if s.name == word.text), None)
        if parameter is None:
            self._refuse(word)
        elif parameter.name in self.values:
            message = f"`{word.text}` stands here twice"
            self._scope.report("KB205", word.span, message, "keep one of them")
        else:
            self._fill(parameter, phrase.value)

    def _refuse(self, word: tree.Word) -> None:
        if self._refused:  # most often what the first such word should have led in
            return
        self._refused = True
        message = f"`{self._signature.verb}` knows no `{word.text}`"
        help_ = did_you_mean(word.text, self._words(), self._usage())
        self._scope.report("KB205", word.span, message, help_)

    def _words(self) -> set[str]:
        """The words that may stand behind the verb, but for those of the language's own."""
        parameters = self._signature.parameters
        words = {each.name for each in parameters if each.kind in ("phrase", "adverb")}
        words |= {noun for parameter in parameters for noun in parameter.nouns}
        if any(parameter.kind == "piece" for parameter in parameters):
            constants = self._scope.vocabulary.constants
            words |= {name for name, each in constants.items() if each.sort is Sort.PIECE}
        return words

    def _take_word(self, text: str, node: tree.Name) -> bool:
        vocabulary = self._scope.vocabulary
        bound, constant = self._scope.variables.get(text), vocabulary.constants.get(text)
        is_constant = constant is not None and constant.sort is Sort.PIECE
        is_piece = is_constant or bound is Sort.PIECE or text in vocabulary.unreadable_names
        for parameter in self._signature.parameters:
            if parameter.kind == "noun" and text in parameter.nouns:
                self._nouns_seen.add(parameter.name)
                return True
            if parameter.kind == "adverb" and parameter.name == text:
                self.values[parameter.name] = core.Lit(Sort.TRUTH, node.span, True)
                return True
            if parameter.kind == "piece" and is_piece:
                self._fill(parameter, node)
                return True
        return False

    def _fill(self, parameter: core.StepParameter, node: tree.Expression) -> None:
        if parameter.sort is Sort.MEMORY:
            self.values[parameter.name] = self._memory(node)
            return
        scope = self._scope.bind(*parameter.binds)
        consumer = (
            f"`{parameter.name}`" if parameter.kind == "phrase" else f"`{self._signature.verb}`"
        )
        self.values[parameter.name] = infer_as(node, parameter.sort, scope, consumer)

    def _memory(self, node: tree.Expression) -> core.Lit:
        """The name of a declared memory, not its value."""
        memories = self._scope.names.memories
        if isinstance(node, tree.Name) and node.text in memories:
            wanted = self._signature.remembers
            if wanted is None or memories[node.text] in (wanted, Sort.HOLE):
                return core.Lit(Sort.MEMORY, node.span, node.text)
            verb, held = self._signature.verb, core.SORT_NAMES[memories[node.text]]
            message = f"`{node.text}` holds {held}, but `{verb}` needs one of {wanted}"
            help_ = f"declare another memory for it, as in `memory name: {wanted} of player`"
            return self._scope.report("KB203", node.span, message, help_)
        if isinstance(node, tree.Hole) or (
            isinstance(node, tree.Name) and self._scope.may_be_unreadable(node.text)
        ):
            return hole(node.span)
        message = f"`{node.span.text}` is not a memory"
        help_ = did_you_mean(node.span.text, memories, "declare it: `memory name: hexes of player`")
        return self._scope.report("KB201", node.span, message, help_)

    def complete(self, node: tree.Step) -> None:
        """Report what is still missing."""
        if self._refused:
            return
        for parameter in self._signature.parameters:
            name, kind = parameter.name, parameter.kind
            if parameter.optional or name in {*self._nouns_seen, *self.values} or kind == "adverb":
                continue
            missing = {"noun": f"`{(*parameter.nouns, '')[0]}`", "phrase": f"`{name}`"}
            message = f"`{self._signature.verb}` needs {missing.get(kind, 'what to do it with')}"
            self._scope.report("KB205", self._extent(node), message, self._usage())
            return

    def _extent(self, node: tree.Step) -> Span:
        """The step without its condition, on its first line."""
        end = node.guard.span.start if node.guard is not None else node.span.end
        text = node.span.source.span(node.span.start, end).text.split("\n")[0].rstrip()
        text = text.removesuffix(" if").rstrip()
        return node.span.source.span(node.span.start, node.span.start + len(text))


# Named steps: blocks that rules share, put in the place of each `do NAME(...)`.

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
        names = path[path.index(name) :]
        found.unusable.update(names)
        circle = " -> ".join((*names, name))
        message = f"`{name}` is said in terms of itself: {circle}"
        help_ = "named steps may only do steps named without them; `repeat` does some again"
        scope.report("KB207", node.name.span, message, help_)
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
        _report_unknown_name(name, node, scope)
        return None
    if name in found.unusable:
        return None
    values = _arguments(found.parameters[name], arguments, node, scope)
    return None if values is None else (found.declared[name], _inner(values, scope))


def _report_unknown_name(name: str, node: tree.Step, scope: Scope) -> None:
    if scope.may_be_unreadable(name):
        return
    is_step = name in scope.vocabulary.steps
    advice = f"leave `do` out: `{name}` is a step of the language" if is_step else ""
    help_ = did_you_mean(name, scope.names.named_steps.declared, advice)
    help_ = help_ or f"declare them: `steps {name}:`"
    span = node.operand.span if node.operand is not None else node.span
    scope.report("KB201", span, f"no steps are called `{name}`", help_)


def _arguments(
    parameters: tuple[core.Parameter, ...],
    arguments: tuple[tree.Expression, ...],
    node: tree.Step,
    scope: Scope,
) -> dict[str, core.Expr] | None:
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


def _inner(values: Mapping[str, core.Expr], scope: Scope) -> Scope:
    """The scope of a body: what its arguments mention stays known, so no loop takes its name."""
    mentioned = {
        part.name: part.sort for each in values.values() for part in core.all_in(each, core.Var)
    }
    bound = {name: core.Definition((), value) for name, value in values.items()}
    names = replace(
        scope.names,
        definitions={**scope.names.definitions, **bound},
        defined={*scope.names.defined, *bound},
    )
    return replace(scope, names=names, variables=mentioned)


MAX_BRANCHES = 64
"""How many blocks a player may choose from at once: each is tried to see whether it can begin."""
MAX_NESTED_ROUNDS = 40_000
"""How often loops in one another may do something."""
RANKS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
Loop = tuple[str, core.Expr, core.Expr | None]


_PER = "leave the number out to pay for each, or write `per 2` for every second"


def check_norm(node: tree.Norm, scope: Scope) -> core.Norm:
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
    return core.Norm(node.kind, verbs, on, check_guard(node.guard, inner), node.span)


def check_guard(node: tree.Expression | None, scope: Scope) -> core.Expr | None:
    """The typed condition of a trailing `if`, if there is one."""
    return infer_as(node, Sort.TRUTH, scope, "`if`") if node is not None else None


def check_change(node: tree.Change, scope: Scope) -> core.QuantityChange:
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
    return core.QuantityChange(
        node.quantity.text, amount, check_guard(node.guard, scope), node.span
    )


def check_award(node: tree.Award, scope: Scope, loops: tuple[Loop, ...]) -> core.Award:
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
    return core.Award(
        amount, every, name, domain, rank, by, check_guard(node.guard, inner), loops, node.span
    )


def _check_amount(paid: core.Expr | None, node: tree.Award, scope: Scope) -> None:
    """What is paid for each item is worked out once, so it cannot speak of the item."""
    name = node.per.variable.text if node.per else ""
    for part in () if paid is None or name in scope.variables else core.all_in(paid, core.Var):
        if part.name == name and node.per is not None:
            help_ = f"write `for {name} in {node.per.domain.span.text}:` above, and no `per`"
            message = f"`{name}` is known in the condition only, not in what is paid"
            scope.report("KB201", part.span, message, help_)
            return


def _per(node: tree.Award, scope: Scope) -> tuple[core.Expr | None, Scope]:
    if node.per is None:
        return None, scope
    domain = infer(node.per.domain, scope)
    if domain.sort in core.ELEMENT and domain.sort is not Sort.HEXES:
        return domain, scope_of_items(node.per.variable, domain, scope)
    fitted = coerce(domain, Sort.HEXES, scope)
    if fitted is None:
        message = f"`per` counts hexes, groups, players or lists, but `{domain.span.text}` is"
        help_ = "name the hexes themselves, as in `gold 1 per hex in mine`; `per` counts them"
        scope.report("KB203", domain.span, f"{message} {core.SORT_NAMES[domain.sort]}", help_)
    return fitted, scope


def _rank(node: tree.Award, scope: Scope) -> tuple[int | None, core.Expr | None]:
    if node.rank is None:
        return None, None
    place = RANKS.get(node.rank.place.text)
    if place is None:
        span = node.rank.place.span
        help_ = did_you_mean(node.rank.place.text, RANKS, f"ranks are {', '.join(RANKS)}")
        scope.report("KB201", span, f"`{node.rank.place.text}` is not a rank", help_)
    each = scope.repeated(size_of(Sort.PLAYERS))
    return place, infer_as(node.rank.by, Sort.NUMBER, each, "`by`")


def check_win(node: tree.Win, scope: Scope) -> core.Win:
    """The typed victory; only here is `total` a player's gold, so that no award can ask for it."""
    inner = scope.bind(("total", Sort.NUMBER))
    return core.Win(infer_as(node.by, Sort.NUMBER, inner, "`win by`"), node.span)


def check_block(nodes: tree.Statements, scope: Scope, path: str) -> core.Block:
    """The typed block at an address; `otherwise`, `either` and `or` are joined here."""
    steps: list[core.Statement] = []
    for index, node in enumerate(nodes):
        statement = _statement(node, scope, f"{path}.{index}")
        if statement is not None:
            steps.append(statement)
        match nodes[index - 1] if index else None:
            case tree.Hole() | tree.If(condition=tree.Hole()):
                _join(node, steps, scope.lenient(), f"{path}.{index}")
            case _:
                _join(node, steps, scope, f"{path}.{index}")
    return core.Block(path, tuple(steps))


def _statement(node: tree.Statement, scope: Scope, path: str) -> core.Statement | None:
    match node:
        case tree.Step():
            return _guarded(node, scope, path)
        case tree.If(condition=condition, body=body, span=span):
            inner = scope.lenient() if isinstance(condition, tree.Hole) else scope
            tested = infer_as(condition, Sort.TRUTH, scope, "`if`")
            return core.If(tested, check_block(body, inner, path), None, span)
        case tree.Repeat():
            return _repeat(node, scope, path)
        case tree.Each():
            return _each(node, scope, path)
        case tree.Branch(kind="either", body=body, span=span):
            return core.Either((check_block(body, scope, f"{path}.0"),), span)
        case tree.Branch(kind="may", body=body, span=span):
            once = core.Lit(Sort.NUMBER, span, 1)
            return core.Repeat(once, _stoppable(body, scope, path), True, span)
        case tree.Branch() | tree.Hole():
            return None
        case _:
            _misplaced(node, scope)
            return None


def _repeat(node: tree.Repeat, scope: Scope, path: str) -> core.Repeat:
    times = infer_as(node.times, Sort.NUMBER, scope, f"`{node.kind}`")
    inner = scope.repeated(_rounds(times, node, scope))
    if inner.times > MAX_NESTED_ROUNDS:
        help_ = f"loops in one another may come to {MAX_NESTED_ROUNDS} rounds"
        scope.report("KB303", node.times.span, "this could take too long", help_)
        inner = scope  # what stands in it is not reported as well
    may_stop = node.kind == "up to"
    body = (_stoppable if may_stop else check_block)(node.body, inner, path)
    return core.Repeat(times, body, may_stop, node.span)


def _stoppable(body: tree.Statements, scope: Scope, path: str) -> core.Block:
    """The block of a round that a player may leave; one that begins without a question asks one."""
    if _begins_with_question(body, scope):
        return check_block(body, scope, path)
    span = body[0].span
    return core.Block(path, (core.Either((check_block(body, scope, f"{path}.0.0"),), span),))


def _begins_with_question(body: tree.Statements, scope: Scope) -> bool:
    match body[0] if body else None:
        case tree.Step(verb=verb) if verb.text in scope.vocabulary.steps:
            return any(step.decides for step in scope.vocabulary.steps[verb.text])
        case tree.If(body=inner) | tree.Repeat(body=inner) | tree.Each(body=inner):
            return _begins_with_question(inner, scope)
    return True


def _rounds(times: core.Expr, node: tree.Repeat, scope: Scope) -> int:
    """How often the body is done at most; what is computed may be as much as is allowed."""
    if not isinstance(times, core.Lit) or not isinstance(times.value, int):
        return core.MAX_ROUNDS
    if times.value > core.MAX_ROUNDS:
        help_ = f"at most {core.MAX_ROUNDS} is allowed"
        scope.report("KB210", node.times.span, "these are too many rounds", help_)
    return max(1, min(times.value, core.MAX_ROUNDS))


def _each(node: tree.Each, scope: Scope, path: str) -> core.Each:
    over, inner = loop_over(node.variable, node.domain, scope, sets=True)
    condition = check_guard(node.guard, inner)
    body = check_block(node.body, inner, path)
    return core.Each(node.variable.text, over, condition, body, node.span)


def _guarded(node: tree.Step, scope: Scope, path: str) -> core.Statement | None:
    if node.verb.text == DO:
        return _done(node, scope, path)
    step = check_step(node, scope)
    condition = check_guard(node.guard, scope)
    if step is None or condition is None:
        return step
    return core.If(condition, core.Block(path, (step,)), None, node.span)


def _done(node: tree.Step, scope: Scope, path: str) -> core.Statement | None:
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
        return core.If(condition, block, None, node.span)
    return core.Repeat(core.Lit(Sort.NUMBER, node.span, 1), block, False, node.span)


def _join(node: tree.Statement, steps: list[core.Statement], scope: Scope, path: str) -> None:
    """Attach an `otherwise` to the `if` before it, an `or` to its `either`."""
    if not isinstance(node, tree.Branch) or node.kind in ("either", "may"):
        return
    body = check_block(node.body, scope, path)
    last = steps[-1] if steps else None
    if node.kind == "otherwise" and isinstance(last, core.If) and last.other is None:
        steps[-1] = core.If(last.condition, last.body, body, last.span)
    elif node.kind == "or" and isinstance(last, core.Either):
        steps[-1] = core.Either((*last.bodies, body), last.span)
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


def awards_in(
    node: tree.Statement, scope: Scope, loops: tuple[Loop, ...] = ()
) -> Iterator[core.Award]:
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
