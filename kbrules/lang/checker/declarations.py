"""Declarations: names first, then bodies, so that files may stand in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kbrules.diagnostics import Diagnostic, Label, did_you_mean
from kbrules.lang.checker.expressions import MAX_NUMBER, infer
from kbrules.lang.checker.limited_uses import memories_of_uses
from kbrules.lang.checker.named_steps import expansion_order
from kbrules.lang.checker.rules import WORD_DECLARATIONS, check_rule, nearest_kind
from kbrules.lang.checker.scope import NamedSteps, Names, Scope
from kbrules.lang.checker.statements import check_block
from kbrules.lang.syntax import tree
from kbrules.lang.typed.core import Rule, variables_in
from kbrules.lang.typed.signature import Definition, Parameter, Vocabulary
from kbrules.lang.typed.sorts import Sort
from kbrules.text import Span

_SORTS = {sort.value: sort for sort in Sort if sort not in (Sort.HOLE, Sort.WORD, Sort.MEMORY)}
_REMEMBERED = {"hexes": Sort.HEXES, "number": Sort.NUMBER}
SCOPES = ("player", "turn", "round", "table")


@dataclass(frozen=True, slots=True)
class Checked:
    """What all rule files together say; `scope` knows every word of theirs."""

    rules: tuple[Rule, ...]
    options: tuple[tree.Option, ...]
    memories: tuple[tree.Memory, ...]
    scope: Scope


def check(
    declarations: Sequence[tree.Declaration], vocabulary: Vocabulary
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


def _is_unreadable(declaration: tree.Declaration, vocabulary: Vocabulary) -> bool:
    """Whether what a name stands for could not be read."""
    if isinstance(declaration, tree.Rule):
        return nearest_kind(declaration, vocabulary) in WORD_DECLARATIONS
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
    message = f"`{note.kind}` is no line of {'an option' if _is_option(declared) else 'a memory'}"
    if _is_option(declared) == (note.kind == "title"):
        help_ = "below an option stand `question` and `source`, below a memory `title`"
        return Diagnostic("KB209", note.span, message, help_)
    if isinstance(declared, tree.Memory) and declared.sort.text == "hexes":
        message = "a title is for a memory of a number; this one holds hexes"
        return Diagnostic("KB209", note.span, message, "hexes are shown by `marks` of the box")
    return None


def _is_option(declared: tree.Option | tree.Memory) -> bool:
    return isinstance(declared, tree.Option)


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
    declarations: Sequence[tree.Declaration], vocabulary: Vocabulary, findings: list[Diagnostic]
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
        self._done: dict[str, Definition] = {}
        self._unreadable_names = set(scope.names.unreadable_names)
        names = replace(
            scope.names, definitions=self._done, unreadable_names=self._unreadable_names
        )
        self._scope = replace(scope, names=names)
        self._uses = {name: sorted(_used_by(d) & set(defines)) for name, d in defines.items()}

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
                self._check_define(name)
            elif used in path:
                self._report_cycle(path[path.index(used) :])
            else:
                path.append(used)

    def _is_checked(self, name: str) -> bool:
        return name in self._done or name in self._unreadable_names

    def _check_define(self, name: str) -> None:
        if not self._is_checked(name):
            self._done[name] = self._check(self._defines[name])

    def _report_cycle(self, names: Sequence[str]) -> None:
        define = self._defines[names[0]]
        circle = " -> ".join((*names, names[0]))
        message = f"`{define.name.text}` is said in terms of itself: {circle}"
        help_ = "a definition may only use words defined without it"
        self._scope.report("KB207", define.name.span, message, help_)
        self._unreadable_names.add(define.name.text)

    def _check(self, define: tree.Define) -> Definition:
        parameters = parameters_of(define, self._scope)
        outer = self._scope.with_bound_elsewhere()
        inner = outer.bind(*((p.name, p.sort) for p in parameters))
        body = inner.within_cost_limit(infer(define.body, inner), define.body.span)
        own = {p.name for p in parameters}
        needs = {(v.name, v.sort) for v in variables_in(body) if v.name in outer.variables}
        return Definition(parameters, body, frozenset(n for n in needs if n[0] not in own))


def parameters_of(declared: tree.Define | tree.Steps, scope: Scope) -> tuple[Parameter, ...]:
    """The parameters of a declaration with their sorts."""
    return tuple(_parameter(name, sort, scope) for name, sort in declared.parameters)


def _parameter(name: tree.Word, sort: tree.Word, scope: Scope) -> Parameter:
    found = _SORTS.get(sort.text)
    if found is None:
        help_ = did_you_mean(sort.text, _SORTS, f"sorts are {', '.join(sorted(_SORTS))}")
        scope.report("KB201", sort.span, f"`{sort.text}` is not a sort", help_)
    if name.text in scope.known():
        message = f"`{name.text}` already means something"
        scope.report("KB202", name.span, message, "choose another name")
    return Parameter(name.text, found or Sort.HOLE)


def _check_named_steps(scope: Scope) -> None:
    """Check each of them once by itself: a mistake is reported there, not where they are done."""
    found = scope.names.named_steps
    for node in expansion_order(scope):
        before, name = len(scope.findings), node.name.text
        found.parameters[name] = parameters = parameters_of(node, scope)
        inner = scope.bind(*((each.name, each.sort) for each in parameters))
        check_block(node.body, inner, f"steps/{name}")
        if len(scope.findings) > before or any(isinstance(s, tree.Hole) for s in node.body):
            found.unusable.add(name)


def _used_by(define: tree.Define) -> set[str]:
    return _used(define.body) - {name.text for name, _ in define.parameters}


def _used(node: object) -> set[str]:
    """The names an expression mentions."""
    match node:
        case tree.Name(text=text):
            return {text}
        case tree.Call(name=name, arguments=arguments):
            return {name}.union(*(_used(a) for a in arguments))
        case tree.Fold(body=body, domain=domain, condition=condition):
            return _used(body) | _used(domain) | _used(condition)
        case tree.Operator(operands=operands):
            return set().union(*(_used(o) for o in operands))
        case tree.Choice(value=value, condition=condition, other=other):
            return _used(value) | _used(condition) | _used(other)
        case _:
            return set()
