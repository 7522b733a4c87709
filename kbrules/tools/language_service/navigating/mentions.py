"""The names that rules mention, each with its place and what it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from kbrules.lang.syntax import tree
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.scenario.example_lines import LINES
from kbrules.text import Span

Domain = Literal["word", "rule", "section", "box", "local", "any", "composed"]
"""Names of different domains have nothing to do with each other; "any" is a word or a rule."""
_Bound = Mapping[str, int]
_THINGS = TILE_KINDS | CARD_KINDS


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at a place of a text; `binder` is where a local name is bound, else -1."""

    name: str
    start: int
    end: int
    domain: Domain
    is_declaration: bool = False
    binder: int = -1

    def is_of(self, other: Mention) -> bool:
        """Whether it means the same as another one, in the same file where names are local."""
        if self.name != other.name or self.binder != other.binder:
            return False
        domains = {self.domain, other.domain}
        return len(domains) == 1 or (domains - {"any"} <= {"word", "rule"} and "any" in domains)


def mentions_in(declarations: Iterable[tree.Declaration]) -> list[Mention]:
    """The names in some declarations of a text, by place; what a table makes counts once."""
    found = (each for declaration in declarations for each in _of_declaration(declaration))
    return sorted(set(found), key=lambda each: (each.start, each.end, not each.is_declaration))


def _of_declaration(node: tree.Declaration) -> Iterator[Mention]:
    match node:
        case tree.Rule():
            domain: Domain = "word" if node.kind.text in _THINGS else "rule"
            yield from _word(node.name, domain, declares=True)
            if node.replaces is not None:
                yield from _word(node.replaces, domain)
            yield from _statements(node.body, {})
        case tree.Define() | tree.Steps():
            yield from _word(node.name, "word", declares=True)
            bound: dict[str, int] = {}
            for name, _ in node.parameters:
                bound[name.text] = _start(name.span)
                yield from _binder(name)
            if isinstance(node, tree.Define):
                yield from _expression(node.body, bound)
            else:
                yield from _statements(node.body, bound)
        case _ if node.name.text:
            yield from _word(node.name, "word", declares=True)


def _place(span: Span) -> tuple[int, int]:
    """Where the author wrote a span."""
    return span.source.written(span.start, span.end)


def _start(span: Span) -> int:
    return _place(span)[0]


def _mention(name: str, span: Span, domain: Domain, declares: bool = False) -> Iterator[Mention]:
    """The mention of a name; a table composes it if only a part of it is written there."""
    start, end = _place(span)
    if span.source.text[start:end] == name:
        yield Mention(name, start, end, domain, declares)
    else:
        yield Mention(name, start, end, "composed")


def _word(word: tree.Word, domain: Domain, declares: bool = False) -> Iterator[Mention]:
    yield from _mention(word.text, word.span, domain, declares)


def _binder(word: tree.Word) -> Iterator[Mention]:
    start, end = _place(word.span)
    if word.span.source.text[start:end] == word.text:
        yield Mention(word.text, start, end, "local", True, start)


def _statements(nodes: tree.Statements, bound: _Bound) -> Iterator[Mention]:
    for node in nodes:
        yield from _statement(node, bound)


def _statement(node: tree.Statement, bound: _Bound) -> Iterator[Mention]:
    match node:
        case tree.Norm(on=on, guard=guard):
            yield from _expressions((on, guard), bound)
        case tree.Change(quantity=quantity, amount=amount, guard=guard):
            yield from _word(quantity, "word")
            yield from _expressions((amount, guard), bound)
        case tree.Award():
            yield from _award(node, bound)
        case tree.Win(by=by):
            yield from _expression(by, bound)
        case tree.Step():
            yield from _step(node, bound)
        case tree.Each(variable=variable, domain=domain, guard=guard, body=body):
            yield from _expression(domain, bound)
            yield from _binder(variable)
            inner = {**bound, variable.text: _start(variable.span)}
            yield from _expressions((guard,), inner)
            yield from _statements(body, inner)
        case tree.Example(lines=lines):
            for line in lines:
                if line.verb.text not in LINES:
                    yield from _word(line.verb, "word")
                yield from _step(line, bound)
        case _:
            expressions = (getattr(node, name, None) for name in ("condition", "times", "guard"))
            yield from _expressions(expressions, bound)
            yield from _statements(getattr(node, "body", ()), bound)


def _award(node: tree.Award, bound: _Bound) -> Iterator[Mention]:
    inner = bound
    if node.per is not None:
        yield from _expression(node.per.domain, bound)
        yield from _binder(node.per.variable)
        inner = {**bound, node.per.variable.text: _start(node.per.variable.span)}
    by = node.rank.by if node.rank is not None else None
    yield from _expressions((node.amount, by, node.guard), inner)


def _step(node: tree.Step, bound: _Bound) -> Iterator[Mention]:
    for argument in node.arguments:
        if argument.value is None:  # an adverb, or the name of a piece
            yield from _word(argument.preposition, "word")
    values = (argument.value for argument in node.arguments)
    yield from _expressions((node.operand, *values, node.guard), bound)


def _expressions(nodes: Iterable[tree.Expression | None], bound: _Bound) -> Iterator[Mention]:
    for node in nodes:
        if node is not None:
            yield from _expression(node, bound)


def _expression(node: tree.Expression, bound: _Bound) -> Iterator[Mention]:
    match node:
        case tree.Name(text=text, span=span) if text in bound:
            for each in _mention(text, span, "local"):
                yield Mention(text, each.start, each.end, "local", False, bound[text])
        case tree.Name(text=text, span=span):
            yield from _mention(text, span, "word")
        case tree.Call(name=name, head=head, arguments=arguments):
            yield from _mention(name, head, "word")
            yield from _expressions(arguments, bound)
        case tree.Fold(name=name, head=head):
            yield from _mention(name, head, "word")
            yield from _expression(node.domain, bound)
            yield from _binder(node.variable)
            inner = {**bound, node.variable.text: _start(node.variable.span)}
            yield from _expressions((node.body, node.condition), inner)
        case tree.Operator(operands=operands):
            yield from _expressions(operands, bound)
        case tree.Choice(value=value, condition=condition, other=other):
            yield from _expressions((value, condition, other), bound)
