"""Declarations: names first, then bodies, so that files may stand in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, Label
from kbrules.lang import tree
from kbrules.lang.check.expressions import infer
from kbrules.lang.check.rules import check_rule
from kbrules.lang.check.scope import Names, Scope, near
from kbrules.lang.core import Expr, Rule
from kbrules.lang.signature import Definition, Parameter, Vocabulary
from kbrules.lang.sorts import Sort
from kbrules.text import Span

_SORTS = {sort.value: sort for sort in Sort if sort not in (Sort.HOLE, Sort.WORD, Sort.MEMORY)}
_REMEMBERED = {"hexes": Sort.HEXES, "number": Sort.NUMBER}
SCOPES = ("player", "turn", "table")


@dataclass(frozen=True, slots=True)
class Checked:
    """What all rule files together say."""

    rules: tuple[Rule, ...]
    options: tuple[tree.Option, ...]
    memories: tuple[tree.Memory, ...]
    definitions: tuple[str, ...]


def check(
    declarations: Sequence[tree.Declaration], vocabulary: Vocabulary
) -> tuple[Checked, list[Diagnostic]]:
    """The typed rules of a set of declarations, and every mistake in them.

    The order of the declarations does not matter. Rules with a mistake are still
    returned; whoever runs them must first see that there are no findings.
    """
    findings: list[Diagnostic] = []
    _names_taken(declarations, vocabulary, findings)
    options = tuple(d for d in declarations if isinstance(d, tree.Option))
    memories = tuple(d for d in declarations if isinstance(d, tree.Memory))
    remembered = {m.name.text: _memory_sort(m, findings) for m in memories}
    chosen = {o.name.text: _option_sort(o) for o in options}
    defines = {d.name.text: d for d in declarations if isinstance(d, tree.Define)}
    definitions = _Definitions(vocabulary, defines, chosen, remembered, findings).all()
    names = Names(definitions, chosen, remembered)
    scope = Scope(vocabulary, names, findings)
    rules = tuple(check_rule(d, scope) for d in declarations if isinstance(d, tree.Rule))
    return Checked(rules, options, memories, tuple(definitions)), findings


def _option_sort(option: tree.Option) -> Sort:
    return Sort.TRUTH if isinstance(option.default, bool) else Sort.NUMBER


def _memory_sort(memory: tree.Memory, findings: list[Diagnostic]) -> Sort:
    sort = _REMEMBERED.get(memory.sort.text)
    if sort is None:
        message = f"a memory cannot hold `{memory.sort.text}`"
        help_ = near(memory.sort.text, _REMEMBERED) or "it holds hexes or a number"
        findings.append(Diagnostic("KB203", memory.sort.span, message, help_))
    if memory.scope is not None and memory.scope.text not in SCOPES:
        message = f"`{memory.scope.text}` is not how long a memory lasts"
        help_ = near(memory.scope.text, SCOPES) or f"write one of {', '.join(SCOPES)}"
        findings.append(Diagnostic("KB201", memory.scope.span, message, help_))
    return sort or Sort.HOLE


def _names_taken(
    declarations: Sequence[tree.Declaration], vocabulary: Vocabulary, findings: list[Diagnostic]
) -> None:
    """Two declarations of one name, or a name that is already a word."""
    seen: dict[tuple[str, str], Span] = {}
    for declaration in declarations:
        name = declaration.name
        family = declaration.kind.text if isinstance(declaration, tree.Rule) else "word"
        if isinstance(declaration, tree.Rule) and declaration.replaces is not None:
            continue
        earlier = seen.setdefault((family, name.text), name.span)
        if earlier is not name.span:
            _taken(name, "is declared twice", earlier, findings)
        elif family == "word" and name.text in vocabulary.names():
            _taken(name, "is already a word of the language", None, findings)


def _taken(name: tree.Word, why: str, earlier: Span | None, findings: list[Diagnostic]) -> None:
    labels = (Label(earlier, "first declared here"),) if earlier is not None else ()
    help_ = "choose another name"
    findings.append(Diagnostic("KB202", name.span, f"`{name.text}` {why}", help_, labels))


class _Definitions:
    """Defines checked on demand, so that one may use another, and circles are found."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        defines: dict[str, tree.Define],
        options: dict[str, Sort],
        memories: dict[str, Sort],
        findings: list[Diagnostic],
    ) -> None:
        self._vocabulary = vocabulary
        self._defines = defines
        self._options = options
        self._memories = memories
        self._findings = findings
        self._done: dict[str, Definition] = {}

    def all(self) -> dict[str, Definition]:
        """Every define, each checked after those it uses."""
        for name in self._defines:
            self._visit(name, ())
        return self._done

    def _visit(self, name: str, open_: tuple[str, ...]) -> None:
        if name in self._done:
            return
        define = self._defines[name]
        if name in open_:
            self._circle(define, open_)
            return
        for used in sorted(_used(define.body) & set(self._defines)):
            self._visit(used, (*open_, name))
        if name not in self._done:
            self._done[name] = self._check(define)

    def _circle(self, define: tree.Define, open_: tuple[str, ...]) -> None:
        circle = " -> ".join((*open_[open_.index(define.name.text) :], define.name.text))
        message = f"`{define.name.text}` is said in terms of itself: {circle}"
        help_ = "a definition may only use words defined without it"
        self._findings.append(Diagnostic("KB207", define.name.span, message, help_))
        self._done[define.name.text] = Definition((), _hole(define))

    def _check(self, define: tree.Define) -> Definition:
        names = Names(self._done, self._options, self._memories)
        scope = Scope(self._vocabulary, names, self._findings)
        parameters = tuple(self._parameter(n, s) for n, s in define.parameters)
        inner = scope.bind(*((p.name, p.sort) for p in parameters))
        return Definition(parameters, infer(define.body, inner))

    def _parameter(self, name: tree.Word, sort: tree.Word) -> Parameter:
        found = _SORTS.get(sort.text)
        if found is None:
            help_ = near(sort.text, _SORTS) or f"sorts are {', '.join(sorted(_SORTS))}"
            message = f"`{sort.text}` is not a sort"
            self._findings.append(Diagnostic("KB201", sort.span, message, help_))
        return Parameter(name.text, found or Sort.HOLE)


def _hole(define: tree.Define) -> Expr:
    from kbrules.lang.check.scope import hole

    return hole(define.body.span)


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
