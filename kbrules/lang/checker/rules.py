"""Declarations checked: names first, then bodies, each statement put where it belongs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kbrules.diagnostics import Diagnostic, Label, did_you_mean, suggest
from kbrules.lang import typed as core
from kbrules.lang.checker import statements
from kbrules.lang.checker.expressions import MAX_NUMBER, NamedSteps, Names, Scope, infer, infer_as
from kbrules.lang.syntax import split, syntax_errors, tree
from kbrules.lang.typed import Sort
from kbrules.text import Span

# `once per game` and its like, expressed with a memory that counts the uses.
#
# What stands behind `action` is put in other words before it is checked, so that neither engine
# knows of it: a condition asks the memory, and the block counts after its first statement.

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
    sections = ((at, node) for at, node in enumerate(rule.body) if isinstance(node, tree.Section))
    limited = [at for at, node in sections if node.limit is not None]
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
    for at, node in enumerate(body):
        if at and not (isinstance(node, tree.Branch) and node.kind in ("otherwise", "or")):
            return at
    return len(body)


# One rule, tile or card: each statement of its body put where it belongs.

WHO = ("others", "anyone")
MAX_STATEMENTS = 200
"""Sentences of one declaration; the longest that is shipped has a tenth of them."""
_WHERE_STEPS_STAND = "put it in an `action:`, a `when ...:` or another block"
_PARTS = {
    "norms": core.Norm, "changes": core.QuantityChange, "awards": core.Award, "wins": core.Win,
    "triggers": core.Trigger, "whenevers": core.Whenever, "actions": core.Action,
    "phases": core.Phase, "examples": tree.Example,
}  # fmt: skip
"""The fields of a rule for its parts, and their classes."""


def check_rule(node: tree.Rule, scope: Scope) -> core.Rule:
    """The typed rule; findings are collected in the scope."""
    report_limits(node, scope)
    node = with_counted_uses(node)
    parts: list[Any] = [] if _has_known_kind(node, scope) else [tree.Hole(node.kind.span)]
    base = f"{node.kind.text}/{node.name.text}"
    body = () if nearest_kind(node, scope.vocabulary) in split.DECLARING else node.body
    if len(body) > MAX_STATEMENTS:
        help_ = f"a rule has at most {MAX_STATEMENTS} sentences; say several in one"
        span = statements.first_line(body[MAX_STATEMENTS].span)
        scope.report("KB303", span, "this could take too long", help_)
    for index, statement in enumerate(body[:MAX_STATEMENTS]):
        parts += _typed(statement, scope, f"{base}/{index}", has_holes=_has_holes(parts))
    if not node.wordings and not _has_holes(parts):
        help_ = 'begin its body with a sentence in `"`, in your own words'
        message = f"`{node.name.text}` has no wording"
        scope.report("KB211", node.name.span, message, help_)
    replaces = node.replaces.text if node.replaces else None
    heading = (node.kind.text, node.name.text, node.title, node.wording, replaces)
    fields: dict[str, Any] = {
        name: tuple(each for each in parts if type(each) is kind) for name, kind in _PARTS.items()
    }
    return core.Rule(*heading, span=node.name.span, **fields)


def _has_holes(parts: Iterable[object]) -> bool:
    return any(isinstance(each, tree.Hole) for each in parts)


def _has_known_kind(node: tree.Rule, scope: Scope) -> bool:
    """Whether there are declarations of this kind; reported if not."""
    known = scope.vocabulary.kinds
    if node.kind.text in known:
        return True
    near = nearest_kind(node, scope.vocabulary)
    listed = ", ".join(sorted({*known, *split.DECLARING}))
    help_ = f"did you mean `{near}`?" if near else f"declarations are {listed}"
    scope.report("KB108", node.kind.span, f"`{node.kind.text}` declares nothing", help_)
    return False


def nearest_kind(node: tree.Rule, vocabulary: core.Vocabulary) -> str | None:
    """The kind of declaration that was meant by one there is not; None if there is, or no guess."""
    if node.kind.text in vocabulary.kinds:
        return None
    return suggest(node.kind.text, {*vocabulary.kinds, *split.DECLARING})


def _typed(node: tree.Statement, scope: Scope, path: str, *, has_holes: bool) -> Iterator[object]:
    """Yield the parts of a rule that a statement is; a hole for what could not be read."""
    match node:
        case tree.Wording():
            pass
        case tree.Norm():
            yield statements.check_norm(node, scope)
        case tree.Change():
            yield statements.check_change(node, scope)
        case tree.Award() | tree.Each():
            yield from statements.awards_in(node, scope)
        case tree.Win():
            yield statements.check_win(node, scope)
        case tree.When():
            yield _trigger(node, scope, path, offered=False)
        case tree.Whenever(condition=condition, body=body, span=span):
            tested = infer_as(condition, Sort.TRUTH, scope, "`whenever`")
            yield core.Whenever(tested, statements.check_block(body, scope, path), span)
        case tree.Section():
            yield _section(node, scope, path)
        case tree.Example() | tree.Hole():
            yield node
        case tree.If(condition=tree.Hole() as hole, body=body):
            yield hole
            _check_leniently(body, scope.lenient(), path)
        case tree.Step():
            _step_outside_block(node, scope, has_holes)
        case _ if not has_holes:
            message = "a block of steps cannot stand here"
            scope.report("KB206", statements.first_line(node.span), message, _where_to_put(node))


def _where_to_put(node: tree.Statement) -> str:
    """Where such a block stands; what is paid under a condition is no block at all."""
    if isinstance(node, tree.If) and any(isinstance(each, tree.Award) for each in node.body):
        return "put the condition behind it, in one line: `gold 2 if ...`"
    return _WHERE_STEPS_STAND


def _step_outside_block(node: tree.Step, scope: Scope, has_holes: bool) -> None:
    """A step directly in a rule; perhaps a sentence of another kind was meant."""
    known = scope.vocabulary.steps
    if node.verb.text not in known:
        suggestion = did_you_mean(node.verb.text, {*split.STATEMENTS, *known})
        help_ = syntax_errors.instead_of(node.verb.text) or suggestion
        message = f"`{node.verb.text}` is not a word I know"
        if help_ or not has_holes:
            help_ = help_ or "`kbrules show step` lists all steps; they stand below `action:`"
            scope.report("KB201", node.verb.span, message, help_)
        return
    if not has_holes:  # what could not be read may have been its heading
        message = "a step cannot stand here"
        scope.report("KB206", statements.first_line(node.span), message, _WHERE_STEPS_STAND)
    statements.check_step(node, scope.lenient())


def _check_leniently(body: tree.Statements, scope: Scope, path: str) -> None:
    """Check what stands under a heading that could not be read, as far as it says what it is."""
    for node in body:
        match node:
            case tree.Norm():
                statements.check_norm(node, scope)
            case tree.Change():
                statements.check_change(node, scope)
            case tree.Award():
                statements.check_award(node, scope, ())
            case tree.Win():
                statements.check_win(node, scope)
            case tree.Step() | tree.If() | tree.Repeat() | tree.Branch(kind="may"):
                statements.check_block((node,), scope, path)


def _bound(events: tuple[tree.Word, ...], scope: Scope) -> Scope:
    """The scope of what follows any of the events: only what all of them know."""
    known = scope.vocabulary.events
    common: dict[str, Sort] | None = None
    for event in events:
        if event.text not in known:
            help_ = did_you_mean(event.text, known, f"events are {', '.join(sorted(known))}")
            scope.report("KB208", event.span, f"`{event.text}` is not an event", help_)
            words = {name for each in known.values() for name, _ in each.binds}
            return scope.bind(*((name, Sort.HOLE) for name in words))
        binds = dict(known[event.text].binds)
        common = binds if common is None else {n: s for n, s in common.items() if n in binds}
    return scope.bind(*(common or {}).items())


def _player_word(word: tree.Word | None, scope: Scope) -> str:
    if word is None:
        return "me"
    if word.text not in WHO:
        help_ = did_you_mean(word.text, WHO, f"write `by {WHO[0]}` or `by {WHO[1]}`")
        scope.report("KB201", word.span, f"`{word.text}` is nobody I know", help_)
    return word.text


def _trigger(
    node: tree.When | tree.Section, scope: Scope, path: str, *, offered: bool
) -> core.Trigger:
    inner = _bound(node.events, scope)
    events = tuple(event.text for event in node.events)
    body = statements.check_block(node.body, inner, path)
    who, guard = _player_word(node.who, scope), statements.check_guard(node.guard, inner)
    return core.Trigger(events, who, guard, body, offered, node.span)


def _section(
    node: tree.Section, scope: Scope, path: str
) -> core.Trigger | core.Action | core.Phase:
    is_action = node.name.endswith("action")
    if node.events:
        if not is_action:
            message = f"`{node.name}` cannot wait for an event"
            help_ = "write `action when ...:`"
            scope.report("KB206", statements.first_line(node.span), message, help_)
        return _trigger(node, scope, path, offered=True)
    body = statements.check_block(node.body, scope, path)
    condition = statements.check_guard(node.guard, scope)
    if not is_action:
        return core.Phase(node.name, condition, body)
    required = node.name.startswith("required")
    return core.Action(_and_costs(condition, body, scope), body, required, node.span)


def _and_costs(condition: core.Expr | None, body: core.Block, scope: Scope) -> core.Expr | None:
    """The condition of an action, and that it can pay what it costs."""
    for cost in _costs(body, scope):
        both = core.Call(Sort.TRUTH, cost.span, "and(truth,truth)", (condition or cost, cost))
        condition = both if condition else cost
    return condition


def _costs(body: core.Block, scope: Scope) -> Iterable[core.Call]:
    """Whether each of the costs that a block begins with can be paid; those of a kind are added."""
    known = {step.name: step for steps in scope.vocabulary.steps.values() for step in steps}
    found: dict[object, core.Call] = {}
    for step in _in_order(body):
        if not isinstance(step, core.Step) or not known[step.name].is_cost:
            break
        arguments = tuple(each for each in step.arguments if each is not None)
        named = (each for each in arguments if each.sort is not Sort.NUMBER)
        kind = (step.name, *map(core.identity, named))
        if kind in found:
            arguments = tuple(map(_added, found[kind].arguments, arguments))
        found[kind] = core.Call(Sort.TRUTH, step.span, f"can {step.name}", arguments)
    return found.values()


def _in_order(body: core.Block) -> Iterator[core.Statement]:
    """The statements of a block; what is done once, by name, stands in its place."""
    for step in body.steps:
        is_once = isinstance(step, core.Repeat) and getattr(step.times, "value", 0) == 1
        if isinstance(step, core.Repeat) and is_once and not step.may_stop:
            yield from _in_order(step.body)
        else:
            yield step


def _added(one: core.Expr, other: core.Expr) -> core.Expr:
    """The sum of two numbers; of anything else the second."""
    if other.sort is not Sort.NUMBER:
        return other
    return core.Call(Sort.NUMBER, other.span, "+(number,number)", (one, other))


# Declarations: names first, then bodies, so that files may stand in any order.

_SORTS = {sort.value: sort for sort in Sort if sort not in (Sort.HOLE, Sort.WORD, Sort.MEMORY)}
_REMEMBERED = {"hexes": Sort.HEXES, "number": Sort.NUMBER}
SCOPES = ("player", "turn", "round", "table")


@dataclass(frozen=True, slots=True)
class Checked:
    """What all rule files together say; `scope` knows every word of theirs."""

    rules: tuple[core.Rule, ...]
    options: tuple[tree.Option, ...]
    memories: tuple[tree.Memory, ...]
    scope: Scope


def check(
    declarations: Sequence[tree.Declaration], vocabulary: core.Vocabulary
) -> tuple[Checked, list[Diagnostic]]:
    """The typed rules of a set of declarations, and every mistake in them.

    The order of the declarations does not matter. Rules with a mistake are still
    returned; whoever runs them must first see that there are no findings.
    """
    findings: list[Diagnostic] = []
    rules = [d for d in declarations if isinstance(d, tree.Rule)]
    declarations = [*declarations, *(memory for rule in rules for memory in memories_of_uses(rule))]
    _report_duplicates(declarations, vocabulary, findings)
    words = vocabulary.names()
    declarations = [d for d in declarations if isinstance(d, tree.Rule) or d.name.text not in words]
    options = tuple(d for d in declarations if isinstance(d, tree.Option))
    memories = tuple(d for d in declarations if isinstance(d, tree.Memory))
    with_notes: tuple[tree.Option | tree.Memory, ...] = (*options, *memories)
    findings += (finding for each in with_notes for finding in _note_findings(each))
    defines = {d.name.text: d for d in declarations if isinstance(d, tree.Define)}
    names = Names(
        {},
        {o.name.text: _option_sort(o, findings) for o in options},
        {m.name.text: _memory_sort(m, findings) for m in memories},
        NamedSteps({d.name.text: d for d in declarations if isinstance(d, tree.Steps)}),
        {d.name.text for d in declarations if _is_unreadable(d, vocabulary)},
        defines.keys(),
    )
    scope = _Definitions(Scope(vocabulary, names, findings), defines).all()
    _check_named_steps(scope)
    return Checked(
        tuple(check_rule(rule, scope) for rule in rules), options, memories, scope
    ), findings


def _is_unreadable(declaration: tree.Declaration, vocabulary: core.Vocabulary) -> bool:
    """Whether what a name stands for could not be read."""
    if isinstance(declaration, tree.Rule):
        return nearest_kind(declaration, vocabulary) in split.DECLARING
    return isinstance(declaration, tree.Broken)


def _option_sort(option: tree.Option, findings: list[Diagnostic]) -> Sort:
    if isinstance(option.default, bool):
        return Sort.TRUTH
    if option.default > MAX_NUMBER:
        found = re.search(r"=\s*([0-9]+)", option.span.text)
        start, end = found.span(1) if found else (0, len(option.span.text))
        span = option.span.source.span(option.span.start + start, option.span.start + end)
        help_ = f"at most {MAX_NUMBER} is allowed"
        findings.append(Diagnostic("KB210", span, "this number is too large", help_))
    return Sort.NUMBER


def _note_findings(option: tree.Option | tree.Memory) -> Iterator[Diagnostic]:
    """What is wrong with the lines below an option or a memory."""
    first: dict[str, Span] = {}
    for note in option.notes:
        if misplaced := _misplaced(option, note):
            yield misplaced
            continue
        earlier = first.setdefault(note.kind, note.span)
        if earlier is not note.span:
            message = f"the {note.kind} of `{option.name.text}` is given twice"
            labels = (Label(earlier, "first given here"),)
            yield Diagnostic("KB209", note.span, message, "delete one of the two", labels)
        elif not note.text.strip():
            message = f"the {note.kind} of `{option.name.text}` is empty"
            yield Diagnostic("KB209", note.span, message, "write it, or delete the line")


def _misplaced(declared: tree.Option | tree.Memory, note: tree.Note) -> Diagnostic | None:
    """The finding about a line that does not belong below a declaration."""
    is_option = isinstance(declared, tree.Option)
    message = f"`{note.kind}` is no line of {'an option' if is_option else 'a memory'}"
    if is_option == (note.kind == "title"):
        help_ = "below an option stand `question` and `source`, below a memory `title`"
        return Diagnostic("KB209", note.span, message, help_)
    if isinstance(declared, tree.Memory) and declared.sort.text == "hexes":
        message = "a title is for a memory of a number; this one holds hexes"
        return Diagnostic("KB209", note.span, message, "hexes are shown by `marks` of the box")
    return None


def _memory_sort(memory: tree.Memory, findings: list[Diagnostic]) -> Sort:
    sort = _REMEMBERED.get(memory.sort.text)
    if sort is None:
        message = f"a memory cannot hold `{memory.sort.text}`"
        help_ = did_you_mean(memory.sort.text, _REMEMBERED, "it holds hexes or a number")
        findings.append(Diagnostic("KB203", memory.sort.span, message, help_))
    if memory.scope is not None and memory.scope.text not in SCOPES:
        message = f"`{memory.scope.text}` is not how long a memory lasts"
        help_ = did_you_mean(memory.scope.text, SCOPES, f"write one of {', '.join(SCOPES)}")
        findings.append(Diagnostic("KB201", memory.scope.span, message, help_))
    return sort or Sort.HOLE


def _report_duplicates(
    declarations: Sequence[tree.Declaration],
    vocabulary: core.Vocabulary,
    findings: list[Diagnostic],
) -> None:
    """Two declarations of one name, or a name that is already a word."""
    seen: dict[tuple[str, str], Span] = {}
    for declaration in declarations:
        name = declaration.name
        if isinstance(declaration, tree.Broken):
            continue
        family = declaration.kind.text if isinstance(declaration, tree.Rule) else "word"
        if isinstance(declaration, tree.Rule) and declaration.replaces is not None:
            continue
        earlier = seen.setdefault((family, name.text), name.span)
        if earlier is not name.span:
            _report_duplicate(name, "is declared twice", earlier, findings)
        elif family == "word" and name.text in vocabulary.names():
            _report_duplicate(name, "is already a word of the language", None, findings)


def _report_duplicate(
    name: tree.Word, why: str, earlier: Span | None, findings: list[Diagnostic]
) -> None:
    labels = (Label(earlier, "first declared here"),) if earlier is not None else ()
    help_ = "choose another name"
    findings.append(Diagnostic("KB202", name.span, f"`{name.text}` {why}", help_, labels))


class _Definitions:
    """Defines checked after those they use, whatever their order; circles are found."""

    def __init__(self, scope: Scope, defines: dict[str, tree.Define]) -> None:
        self._defines = defines
        self._done: dict[str, core.Definition] = {}
        self._unreadable_names = set(scope.names.unreadable_names)
        names = replace(
            scope.names, definitions=self._done, unreadable_names=self._unreadable_names
        )
        self._scope = replace(scope, names=names)
        self._uses = {
            name: sorted({*names_in(d.body)} & defines.keys() - {p.text for p, _ in d.parameters})
            for name, d in defines.items()
        }

    def all(self) -> Scope:
        """The scope with every define in it."""
        for name in self._defines:
            self._visit(name)
        return self._scope

    def _visit(self, name: str) -> None:
        """Check a define, those it needs first; a chain of them may be long."""
        path = [name]
        while path:
            name = path[-1]
            used = next((u for u in self._uses[name] if not self._is_checked(u)), None)
            if self._is_checked(name) or used is None:
                path.pop()
                if not self._is_checked(name):
                    self._done[name] = self._check(self._defines[name])
            elif used in path:
                self._report_cycle(path[path.index(used) :])
            else:
                path.append(used)

    def _is_checked(self, name: str) -> bool:
        return name in self._done or name in self._unreadable_names

    def _report_cycle(self, names: Sequence[str]) -> None:
        define = self._defines[names[0]]
        circle = " -> ".join((*names, names[0]))
        message = f"`{define.name.text}` is said in terms of itself: {circle}"
        help_ = "a definition may only use words defined without it"
        self._scope.report("KB207", define.name.span, message, help_)
        self._unreadable_names.add(define.name.text)

    def _check(self, define: tree.Define) -> core.Definition:
        parameters = parameters_of(define, self._scope)
        outer = self._scope.with_bound_elsewhere()
        inner = outer.bind(*((p.name, p.sort) for p in parameters))
        body = inner.within_cost_limit(infer(define.body, inner), define.body.span)
        own = {p.name for p in parameters}
        needs = {(v.name, v.sort) for v in core.all_in(body, core.Var) if v.name in outer.variables}
        return core.Definition(parameters, body, frozenset(n for n in needs if n[0] not in own))


def parameters_of(declared: tree.Define | tree.Steps, scope: Scope) -> tuple[core.Parameter, ...]:
    """The parameters of a declaration with their sorts."""
    return tuple(_parameter(name, sort, scope) for name, sort in declared.parameters)


def _parameter(name: tree.Word, sort: tree.Word, scope: Scope) -> core.Parameter:
    found = _SORTS.get(sort.text)
    if found is None:
        help_ = did_you_mean(sort.text, _SORTS, f"sorts are {', '.join(sorted(_SORTS))}")
        scope.report("KB201", sort.span, f"`{sort.text}` is not a sort", help_)
    if name.text in scope.known():
        message = f"`{name.text}` already means something"
        scope.report("KB202", name.span, message, "choose another name")
    return core.Parameter(name.text, found or Sort.HOLE)


def _check_named_steps(scope: Scope) -> None:
    """Check each of them once by itself: a mistake is reported there, not where they are done."""
    found = scope.names.named_steps
    for node in statements.expansion_order(scope):
        before, name = len(scope.findings), node.name.text
        found.parameters[name] = parameters = parameters_of(node, scope)
        inner = scope.bind(*((each.name, each.sort) for each in parameters))
        statements.check_block(node.body, inner, f"steps/{name}")
        if len(scope.findings) > before or any(isinstance(s, tree.Hole) for s in node.body):
            found.unusable.add(name)


def names_in(*parts: object) -> Iterator[str]:
    """Every name that parts of a tree speak of."""
    for part in core.nodes_in(parts):
        if isinstance(part, tree.Name):
            yield part.text
        elif isinstance(part, tree.Call):
            yield part.name
