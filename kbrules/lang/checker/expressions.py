"""Expressions checked: overloads are chosen by sort, and a wrong word is reported where it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import permutations, takewhile

from kbrules.diagnostics import Diagnostic, did_you_mean, suggest
from kbrules.lang import typed as core
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.syntax_errors import instead_of
from kbrules.lang.typed import Sort
from kbrules.text import Span

# How long an expression can take at most, known before it runs: loops multiply, parts add.

MAX_WORK = 500_000
"""The most steps one sentence may take, in the largest loops there can be."""
MAX_DEPTH = 150
MAX_PARTS = 2_000
_SIZES = {
    Sort.HEXES: 400, Sort.GROUPS: 60, Sort.PLAYERS: 6, Sort.TERRAINS: 12, Sort.PLACES: 12,
    Sort.PIECES: 12, Sort.TILES: 48, Sort.CARDS: 12,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cost:
    """What an expression costs: steps at most, levels, and parts as written out."""

    work: int = 1
    depth: int = 1
    parts: int = 1

    def exceeds_limit(self, times: int) -> bool:
        """Whether it is not to be run that many times, or not at all."""
        return self.work * times > MAX_WORK or self.depth > MAX_DEPTH or self.parts > MAX_PARTS


class CostModel:
    """Computes costs of expressions; what several share is computed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[core.Expr, Cost]] = {}

    def cost_of(self, expr: core.Expr) -> Cost:
        """The cost of an expression."""
        found = self._known.get(id(expr))
        if found is not None:
            return found[1]
        own = self.of_call(expr) if isinstance(expr, core.Call) else Cost()
        work = depth = parts = 0
        for part in core.parts_of(expr):
            cost = self.cost_of(part)
            work += cost.work
            depth = max(depth, cost.depth)
            parts += cost.parts
        times = size_of(expr.domain.sort) if isinstance(expr, core.Fold) else 1
        total = Cost(own.work + times * work, max(own.depth, 1 + depth), own.parts + parts)
        self._known[id(expr)] = expr, total  # held, so that no other one takes its number
        return total

    def of_call(self, call: core.Call) -> Cost:
        """The cost of a word besides that of its arguments."""
        return Cost(call.work)


def size_of(sort: Sort) -> int:
    """How many things a loop over something of a sort runs over at most."""
    return _SIZES.get(sort, 1)


# What may be spoken of at one point of a rule, and where mistakes are collected.

_BOUND = "`{}` is known after `when ...:`, or in the part of a step behind it, as in `move`"
_WORDS_ARE = "`kbrules show word` lists all words, `define` adds one of your own"


@dataclass(slots=True)
class NamedSteps:
    """Declarations of named steps by name, and those of them that can be done.

    parameters: of those that were checked. unusable: those with a mistake of their own; it was
    reported there.
    """

    declared: Mapping[str, tree.Steps] = field(default_factory=dict)
    parameters: dict[str, tuple[core.Parameter, ...]] = field(default_factory=dict)
    unusable: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that declarations add to the vocabulary.

    `unreadable_names` are declared, but what they mean could not be read: they are silent.
    `defined` are all that have a definition, even while it is still to be checked.
    """

    definitions: Mapping[str, core.Definition]
    options: Mapping[str, Sort]
    memories: Mapping[str, Sort]
    named_steps: NamedSteps = field(default_factory=NamedSteps)
    unreadable_names: Set[str] = frozenset()
    defined: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scope:
    """Vocabulary, declared names, bound variables, and the list of findings.

    `times` is how often what stands here can happen, by the loops around it. A `lenient` scope
    stands in the place of one that could not be read, so that any name may be bound in it.
    """

    vocabulary: core.Vocabulary
    names: Names
    findings: list[Diagnostic]
    variables: Mapping[str, Sort] = field(default_factory=dict)
    times: int = 1
    is_lenient: bool = False
    cost_model: CostModel = field(default_factory=CostModel)

    def bind(self, *bindings: tuple[str, Sort]) -> Scope:
        """The same scope with more variables."""
        return replace(self, variables={**self.variables, **dict(bindings)})

    def repeated(self, times: int) -> Scope:
        """The same scope inside of a loop."""
        return replace(self, times=self.times * times)

    def lenient(self) -> Scope:
        """The same scope where names may be bound that are not known."""
        return replace(self, is_lenient=True)

    def silent(self) -> Scope:
        """The same scope with findings thrown away, for a second look at the same words."""
        return replace(self, findings=[])

    def report(self, code: str, span: Span, message: str, help: str = "") -> core.Lit:
        """Collect a finding and answer with a hole."""
        self.findings.append(Diagnostic(code, span, message, help))
        return hole(span)

    def known(self) -> set[str]:
        """Every name an expression may use here."""
        declared = {*self.names.defined, *self.names.options, *self.names.memories}
        return self.vocabulary.names() | declared | set(self.variables)

    def may_be_unreadable(self, name: str) -> bool:
        """Whether a name nobody knows may be one that could not be read."""
        unreadable = (self.names.unreadable_names, self.vocabulary.unreadable_names)
        is_unreadable = any(name in names for names in unreadable)
        return is_unreadable or self.is_lenient or self.vocabulary.has_gaps

    def unknown(self, name: str, span: Span) -> core.Lit:
        """Report a word nobody knows, with the nearest one that is known."""
        if self.may_be_unreadable(name):
            return hole(span)
        elsewhere = _BOUND.format(name) if name in self.bound_elsewhere() else ""
        help_ = instead_of(name) or elsewhere or self._near(name) or _WORDS_ARE
        return self.report("KB201", span, f"`{name}` is not a word I know", help_)

    def _near(self, name: str) -> str:
        """The help that suggests the nearest known name, with its sort if it is no set."""
        found = suggest(name, self.known())
        constant = self.vocabulary.constants.get(found or "")
        if constant is None or constant.sort in (Sort.TERRAIN, Sort.PLACE):
            return f"did you mean `{found}`?" if found else ""
        return f"did you mean the {constant.sort} `{found}`?"

    def bound_elsewhere(self) -> dict[str, Sort]:
        """The names that events and parts of steps bind, known only in what belongs to them."""
        steps = (s for each in self.vocabulary.steps.values() for s in each)
        of_steps = (pair for step in steps for each in step.parameters for pair in each.binds)
        events = self.vocabulary.events.values()
        return {**dict(of_steps), **dict(pair for event in events for pair in event.binds)}

    def with_bound_elsewhere(self) -> Scope:
        """The same scope where the names are known that only its users' places may bind."""
        return self.bind(*self.bound_elsewhere().items())

    def missing(self, definition: core.Definition) -> list[str]:
        """The names a definition speaks of that are not bound here with their sorts."""
        needs = () if self.is_lenient else definition.needs
        return [name for name, sort in needs if self.variables.get(name) is not sort]

    def unknown_call(self, name: str, span: Span) -> core.Lit:
        """Report a word with arguments that nobody knows; no heading binds such a word."""
        if replace(self, is_lenient=False).may_be_unreadable(name):
            return hole(span)
        words = {
            n for n, found in self.vocabulary.words.items() if any(s.parameters for s in found)
        }
        defined = {n for n, each in self.names.definitions.items() if each.parameters}
        help_ = instead_of(name) or did_you_mean(name, words | defined | {*self.vocabulary.folds})
        return self.report("KB201", span, f"`{name}` is not a word I know", help_ or _WORDS_ARE)

    def within_cost_limit(self, expr: core.Expr, span: Span) -> core.Expr:
        """The expression, unless it could take too long here."""
        if is_hole(expr) or not self.cost_model.cost_of(expr).exceeds_limit(self.times):
            return expr
        help_ = "loop over fewer things, or say it once about all hexes"
        return self.report("KB303", span, "this could take too long", help_)


def hole(span: Span) -> core.Lit:
    """The typed stand-in for a mistake that was reported."""
    return core.Lit(Sort.HOLE, span, None)


def is_hole(expr: core.Expr) -> bool:
    """Whether an expression stands for a reported mistake."""
    return expr.sort is Sort.HOLE


# Overloads: which signature arguments fit, with coercions if need be, and which one is wrong.

_EACH = "count them: `count(...)`, or join the hexes of each: `union(... for each in ...)`"
_ONE_AT_A_TIME = "go through the list: write `for one in ...:` above, and `one` here"
_HINTS = {
    (Sort.HEXES, Sort.TRUTH): "ask `any(...)` or `none(...)` of the hexes",
    (Sort.HEXES, Sort.NUMBER): "count them: `count(...)`",
    (Sort.GROUPS, Sort.NUMBER): "count them: `count(...)`",
    (Sort.HEXES, Sort.GROUPS): "split them: `groups(...)`",
    (Sort.GROUPS, Sort.HEXES): "choose one with `largest(...)`, or join them with `union(...)`",
    (Sort.NUMBER, Sort.HEXES): "give the hexes themselves, not how many they are",
    (Sort.NUMBER, Sort.GROUPS): "give the groups themselves, not how many they are",
    (Sort.TRUTH, Sort.HEXES): "give the hexes themselves; a condition goes after `if`",
    (Sort.NUMBER, Sort.TRUTH): "compare it with something, as in `... > 0`",
    (Sort.NUMBER, Sort.RANGE): "write `at least 3`, `at most 3` or `exactly 3`",
    (Sort.TILE, Sort.HEXES): "the hexes on which such tiles lie are `holding(...)`",
    (Sort.PIECE, Sort.HEXES): "the hexes with such a piece are `pieces(...)`",
    **{(sort, Sort.HEXES): _EACH for sort in core.LISTS},
    **dict.fromkeys(core.LISTS.items(), _ONE_AT_A_TIME),
    (Sort.PLAYERS, Sort.HEXES): "the hexes with the pieces of one player are `pieces(...)`",
}

_JOINED = "of two sets `&` is what they have in common, `|` is both together"
_TAKEN = "take a set away with `-`, as in `mine - edge`"
_ASKED = "what is yes or no needs no comparing: `if ...` or `if not (...)`"
_ONE_PLAYER = "take one of them at a time: `for player in ...:`"
_SETS = (Sort.HEXES, Sort.TERRAIN, Sort.PLACE, Sort.PIECE)
_OF_CONSUMER = {
    ("`add`", Sort.NUMBER): "a memory of a number counts: `count 1 into ...`, with its name",
    **{(f"`{word}`", sort): _JOINED for word in ("and", "or") for sort in _SETS},
    **{("`not`", sort): _TAKEN for sort in _SETS},
    **{(f"`{sign}`", Sort.TRUTH): _ASKED for sign in ("=", "!=")},
    **{(f"`{sign}`", Sort.PLAYERS): _ONE_PLAYER for sign in ("=", "!=")},
    ("`!=`", Sort.HEXES): "sets are compared by `=`: write `not (... = ...)`",
}

_FEW = 3  # arguments of which every order is tried


def coerce(expr: core.Expr, sort: Sort, scope: Scope) -> core.Expr | None:
    """The expression as that sort, or None when it cannot be had."""
    if expr.sort is sort or is_hole(expr) or sort is Sort.HOLE:
        return expr
    word = scope.vocabulary.coercions.get((expr.sort, sort))
    if word is None:
        return None
    signature = next(s for s in scope.vocabulary.words[word] if s.fits([expr.sort]))
    return make_call(signature, (expr,), expr.span)


def wrong_sort(expr: core.Expr, sorts: Collection[Sort], scope: Scope, consumer: str) -> core.Lit:
    """Report an expression that stands where another sort, one of several, is needed."""
    names = " or ".join(sorted(core.SORT_NAMES[sort] for sort in sorts))
    message = f"{consumer} takes {names}, but {_sort_of(expr)}"
    hints = (_HINTS.get((expr.sort, sort)) for sort in sorted(sorts))
    hint = _OF_CONSUMER.get((consumer, expr.sort)) or next(filter(None, hints), "")
    return scope.report("KB203", expr.span, message, hint)


def _sort_of(expr: core.Expr) -> str:
    return f"`{expr.span.one_line}` is {core.SORT_NAMES[expr.sort]}"


def resolve_overload(
    name: str,
    signatures: Sequence[core.Signature],
    arguments: tuple[core.Expr, ...],
    span: Span,
    scope: Scope,
    head: Span,
) -> core.Expr:
    """The call of the first signature that fits, or a hole with the reason reported."""
    for signature in signatures:
        if signature.fits(a.sort for a in arguments):
            return make_call(signature, arguments, span)
    for signature in signatures:
        if _accepts_count(signature, len(arguments)):
            pairs = zip(arguments, signature.parameters, strict=False)
            fitted = [coerce(argument, each.sort, scope) for argument, each in pairs]
            if None not in fitted:
                return make_call(signature, tuple(filter(None, fitted)), span)
    return _no_fit(name, signatures, arguments, scope, head)


def _accepts_count(signature: core.Signature, count: int) -> bool:
    required = sum(not p.optional for p in signature.parameters)
    return required <= count <= len(signature.parameters)


def _no_fit(
    name: str,
    signatures: Sequence[core.Signature],
    arguments: tuple[core.Expr, ...],
    scope: Scope,
    head: Span,
) -> core.Expr:
    right_count = [s for s in signatures if _accepts_count(s, len(arguments))]
    if not right_count:
        message = f"`{name}` does not take {_counted(len(arguments))}"
        return scope.report("KB204", head, message, takes(name, signatures, scope))
    wrong, nearest = _first_wrong(right_count, arguments, scope)
    if order := _in_order(right_count, arguments):
        written = ", ".join(a.span.one_line for a in order)
        message = f"the arguments of `{name}` stand in another order"
        return scope.report("KB203", arguments[wrong].span, message, f"write `{name}({written})`")
    sorts = {s.parameters[wrong].sort for s in right_count}
    if any(coerce(arguments[wrong], sort, scope) is not None for sort in sorts):
        return _report_unlike(name, sorts, arguments, scope, head)
    return wrong_sort(arguments[wrong], nearest, scope, f"`{name}`")


def _report_unlike(
    name: str, sorts: Set[Sort], sides: tuple[core.Expr, ...], scope: Scope, span: Span
) -> core.Lit:
    """Report two operands that an operator takes, but not beside one another."""
    listed = " or ".join(f"both {sort.removesuffix('s')}s" for sort in sorted(sorts))
    alike = f"alike ({listed})" if len(sorts) < _FEW else "alike"
    message = f"both sides of `{name}` must be {alike}, but {' and '.join(map(_sort_of, sides))}"
    one, other = sides
    hint = _HINTS.get((one.sort, other.sort)) or _HINTS.get((other.sort, one.sort), "")
    hint = hint or f"write {core.SORT_NAMES[one.sort]} in place of `{other.span.one_line}`"
    uncounted = [side for side in sides if side.sort is not Sort.NUMBER]
    if len(uncounted) == 1 and coerce(uncounted[0], Sort.HEXES, scope) is not None:
        hint = f"count the hexes: `count({uncounted[0].span.one_line})`"
    return scope.report("KB203", span, message, hint)


def _in_order(
    signatures: Sequence[core.Signature], arguments: tuple[core.Expr, ...]
) -> tuple[core.Expr, ...]:
    """The same arguments as they would fit; none if no order does."""
    orders = permutations(arguments) if len(arguments) <= _FEW else iter(())
    for order in orders:
        if any(signature.fits(a.sort for a in order) for signature in signatures):
            return order
    return ()


def _counted(count: int) -> str:
    return f"{count} argument" if count == 1 else f"{count} arguments"


def _first_wrong(
    signatures: Sequence[core.Signature], arguments: tuple[core.Expr, ...], scope: Scope
) -> tuple[int, set[Sort]]:
    """The first argument that does not fit the signatures that get furthest, and their sorts."""

    def fitting(signature: core.Signature) -> int:
        pairs = zip(arguments, signature.parameters, strict=False)
        fits = (coerce(argument, each.sort, scope) is not None for argument, each in pairs)
        return len(list(takewhile(bool, fits)))

    reached = [fitting(signature) for signature in signatures]
    wrong = max(reached)
    nearest = (s for s, index in zip(signatures, reached, strict=True) if index == wrong)
    return wrong, {signature.parameters[wrong].sort for signature in nearest}


def make_call(signature: core.Signature, arguments: tuple[core.Expr, ...], span: Span) -> core.Expr:
    """The call of a signature that fits, or a hole if an argument is one."""
    if any(is_hole(a) for a in arguments):
        return hole(span)
    fixed = signature.fixed and all(core.is_fixed(a) for a in arguments)
    return core.Call(signature.result, span, signature.key, arguments, fixed, signature.work)


def call_definition(
    definition: core.Definition,
    name: str,
    arguments: tuple[core.Expr, ...],
    span: Span,
    scope: Scope,
) -> core.Expr:
    """What a defined word says, its arguments put in."""
    if len(arguments) != len(definition.parameters):
        message = f"`{name}` does not take {_counted(len(arguments))}"
        return scope.report("KB204", span, message, _takes(name, definition.parameters))
    if missing := scope.missing(definition):
        message = f"`{name}` speaks of `{missing[0]}`, which is not known here"
        return scope.report("KB201", span, message, _BOUND.format(missing[0]))
    values = {}
    for argument, parameter in zip(arguments, definition.parameters, strict=True):
        fitted = coerce(argument, parameter.sort, scope)
        if fitted is None:
            return wrong_sort(argument, [parameter.sort], scope, f"`{name}`")
        values[parameter.name] = fitted
    if any(is_hole(value) for value in values.values()):
        return hole(span)
    # What is wrong with it from here on is wrong where it is used.
    return scope.within_cost_limit(
        replace(core.substitute(definition.body, values), span=span), span
    )


def takes(name: str, signatures: Sequence[core.Signature], scope: Scope) -> str:
    """The help that says what a word takes, with something that can be typed."""
    usage = " or ".join(dict.fromkeys(_takes(s.name, s.parameters) for s in signatures))
    example = next((s.example for s in signatures if s.example), "")
    usages = [f"{usage}, such as `{example}`" if example else usage] if usage else []
    if name in scope.vocabulary.folds and all(s.chained for s in signatures):
        usages.append(f"write `{name}(... for row in rows)`")
    return "; or ".join(usages)


def _takes(name: str, parameters: Sequence[core.Parameter]) -> str:
    if not parameters:
        return f"`{name}` takes nothing: write it alone"
    return f"`{name}` takes {' and '.join(core.SORT_NAMES[p.sort] for p in parameters)}"


# Expressions: overloads are chosen by sort; a wrong sort is reported at the wrong word.

MAX_NUMBER = 999_999
_EMPTY = {
    Sort.HEXES: 0, Sort.GROUPS: (), Sort.NUMBER: 0, Sort.TRUTH: False, Sort.PLAYERS: (),
    **dict.fromkeys(core.LISTS, ()),
}  # fmt: skip

_LISTS = {
    Sort.PIECE: "all of them are `piece_kinds`",
    Sort.TILE: "all of them are `tile_kinds`, those a player holds `held_tiles`",
    Sort.CARD: "all of them are `scoring_cards`",
    Sort.NUMBER: "to do something so often, write `repeat ... times:`",
}


_CHOOSE_AROUND = "choose between what speaks of it: `(cards(deck) if ... otherwise cards(shown))`"


def infer(node: tree.Expression, scope: Scope) -> core.Expr:
    """The typed expression of a tree, of whatever sort it is."""
    match node:
        case tree.Number():
            return _number(node, scope)
        case tree.Truth(value=value, span=span):
            return core.Lit(Sort.TRUTH, span, value)
        case tree.Name(text=text, span=span):
            return _name(text, span, scope)
        case tree.Call():
            return _call(node, scope)
        case tree.Fold():
            return _fold(node, scope)
        case tree.Operator():
            return _operator(node, scope)
        case tree.Choice():
            return _choice(node, scope)
        case tree.Hole(span=span):
            return hole(span)


def infer_as(node: tree.Expression, sort: Sort, scope: Scope, asker: str) -> core.Expr:
    """The typed expression, which must be (or become) of the given sort."""
    expr = scope.within_cost_limit(infer(node, scope), node.span)
    fitted = coerce(expr, sort, scope)
    if fitted is not None:
        return fitted
    return wrong_sort(expr, [sort], scope, asker)


def _number(node: tree.Number, scope: Scope) -> core.Expr:
    if node.value > MAX_NUMBER:
        return scope.report(
            "KB210", node.span, "this number is too large", f"at most {MAX_NUMBER} is allowed"
        )
    return core.Lit(Sort.NUMBER, node.span, node.value)


def _name(text: str, span: Span, scope: Scope) -> core.Expr:
    if text in scope.variables:
        return core.Var(scope.variables[text], span, text)
    if text in scope.vocabulary.constants:
        constant = scope.vocabulary.constants[text]
        return core.Lit(constant.sort, span, constant.value)
    declared = _declared(text, span, scope)
    if declared is not None:
        return declared
    signatures = scope.vocabulary.words.get(text, ())
    without_arguments = next((s for s in signatures if s.fits([])), None)
    if without_arguments is not None:
        return make_call(without_arguments, (), span)
    if signatures or text in scope.vocabulary.folds:
        usage = "; ".join(filter(None, (takes(text, signatures, scope), instead_of(text))))
        return scope.report("KB204", span, f"`{text}` needs arguments", usage)
    return scope.unknown(text, span)


def _declared(text: str, span: Span, scope: Scope) -> core.Expr | None:
    if text in scope.names.definitions:
        return call_definition(scope.names.definitions[text], text, (), span, scope)
    value = core.Lit(Sort.WORD, span, text)
    if text in scope.names.options:
        return core.Call(scope.names.options[text], span, "option", (value,), fixed=True)
    if text in scope.names.memories:
        return core.Call(scope.names.memories[text], span, "memory", (value,))
    if text in scope.vocabulary.quantities:
        return core.Call(Sort.NUMBER, span, "quantity", (value,))
    return None


def _call(node: tree.Call, scope: Scope) -> core.Expr:
    arguments = tuple(infer(argument, scope) for argument in node.arguments)
    definition = scope.names.definitions.get(node.name)
    if definition is not None:
        return call_definition(definition, node.name, arguments, node.span, scope)
    signatures = scope.vocabulary.words.get(node.name, ())
    if not signatures:
        return _not_a_function(node, scope)
    while len(arguments) > 2 and any(signature.chained for signature in signatures):
        first = resolve_overload(node.name, signatures, arguments[:2], node.span, scope, node.head)
        arguments = (first, *arguments[2:])
    return resolve_overload(node.name, signatures, arguments, node.span, scope, node.head)


def _not_a_function(node: tree.Call, scope: Scope) -> core.Expr:
    if node.name in scope.vocabulary.folds:
        help_ = f"write `{node.name}(... for row in rows)`"
        return scope.report("KB204", node.head, f"`{node.name}` runs over something", help_)
    if node.name in scope.known():
        message = f"`{node.name}` takes no arguments"
        return scope.report("KB204", node.head, message, f"write `{node.name}` alone")
    scope.unknown_call(node.name, node.head)
    return hole(node.span)


def _operator(node: tree.Operator, scope: Scope) -> core.Expr:
    operands = tuple(infer(operand, scope) for operand in node.operands)
    signatures = [
        s for s in scope.vocabulary.operators[node.symbol] if len(s.parameters) == len(operands)
    ]
    return resolve_overload(node.symbol, signatures, operands, node.span, scope, node.span)


def _choice(node: tree.Choice, scope: Scope) -> core.Expr:
    condition = infer_as(node.condition, Sort.TRUTH, scope, "`if`")
    value = infer(node.value, scope)
    if value.sort in (Sort.VERB, Sort.ZONE):
        message = f"{core.SORT_NAMES[value.sort]} is named, and not chosen by `if`"
        return scope.report("KB203", node.span, message, _CHOOSE_AROUND)
    if node.other is None and value.sort not in _EMPTY:
        value = coerce(value, Sort.HEXES, scope) or value
    if node.other is None:
        empty = _EMPTY.get(value.sort)
        if empty is None and not is_hole(value):
            message = f"{core.SORT_NAMES[value.sort]} cannot be left out"
            return scope.report("KB203", node.span, message, "say what else with `otherwise ...`")
        other: core.Expr = core.Lit(value.sort, node.span, empty)
    else:
        other = infer(node.other, scope)
    return _same_sort(condition, value, other, node.span, scope)


def _same_sort(
    condition: core.Expr, value: core.Expr, other: core.Expr, span: Span, scope: Scope
) -> core.Expr:
    if any(is_hole(e) for e in (condition, value, other)):
        return hole(span)
    fitted = coerce(other, value.sort, scope)
    if fitted is not None:
        return core.Conditional(value.sort, span, condition, value, fitted)
    turned = coerce(value, other.sort, scope)
    if turned is not None:
        return core.Conditional(other.sort, span, condition, turned, other)
    return wrong_sort(other, [value.sort], scope, "`otherwise`")


def _fold(node: tree.Fold, scope: Scope) -> core.Expr:
    domain, inner = loop_over(node.variable, node.domain, scope, sets=False)
    condition = infer_as(node.condition, Sort.TRUTH, inner, "`if`") if node.condition else None
    body = infer(node.body, inner)
    signatures = scope.vocabulary.folds.get(node.name)
    if signatures is None:
        return _not_a_fold(node, scope)
    fitted = resolve_overload(node.name, signatures, (body,), node.span, inner, node.head)
    parts = (domain, body, fitted, *((condition,) if condition else ()))
    if any(is_hole(part) for part in parts) or not isinstance(fitted, core.Call):
        return hole(node.span)
    word, (taken,) = fitted.word, fitted.arguments
    return core.Fold(fitted.sort, node.span, word, node.variable.text, domain, condition, taken)


def _not_a_fold(node: tree.Fold, scope: Scope) -> core.Expr:
    if node.name in scope.known() and node.name not in scope.vocabulary.unreadable_names:
        message = f"`{node.name}` does not run over something"
        return scope.report("KB204", node.head, message, _folds_there_are(scope))
    help_ = did_you_mean(node.name, scope.vocabulary.folds, _folds_there_are(scope))
    if not scope.vocabulary.has_gaps and node.name not in scope.names.unreadable_names:
        scope.report("KB201", node.head, f"`{node.name}` is not a word I know", help_)
    return hole(node.span)


def _folds_there_are(scope: Scope) -> str:
    return "words that do are " + ", ".join(f"`{name}`" for name in sorted(scope.vocabulary.folds))


def loop_over(
    variable: tree.Word, domain: tree.Expression, scope: Scope, *, sets: bool
) -> tuple[core.Expr, Scope]:
    """The domain of a loop and the scope of its body; `sets` allows single hexes."""
    expr = infer(domain, scope)
    expr = expr if expr.sort in core.ELEMENT else coerce(expr, Sort.HEXES, scope) or expr
    if not sets and expr.sort is Sort.HEXES:
        help_ = "say it as a set, without a loop, or loop over groups such as `rows`"
        expr = scope.report("KB203", expr.span, "an expression does not loop over hexes", help_)
    if expr.sort not in core.ELEMENT and not is_hole(expr):
        message = f"`for` runs over hexes, groups, players or lists, but `{expr.span.text}` is"
        message = f"{message} {core.SORT_NAMES[expr.sort]}"
        expr = scope.report("KB203", expr.span, message, _LISTS.get(expr.sort, ""))
    return expr, scope_of_items(variable, expr, scope)


def scope_of_items(variable: tree.Word, domain: core.Expr, scope: Scope) -> Scope:
    """Return the scope in which a variable is each item of a domain in turn."""
    if variable.text in scope.known():
        help_ = "choose another name for the variable"
        scope.report("KB202", variable.span, f"`{variable.text}` already means something", help_)
    inner = scope.bind((variable.text, core.ELEMENT.get(domain.sort, Sort.HOLE)))
    return inner.repeated(size_of(domain.sort))
