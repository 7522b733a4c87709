"""Parse tree to syntax tree: one method per grammar rule, nothing decided here."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isfunction
from typing import Any, NamedTuple

from lark import Token, Transformer
from lark.tree import Meta

from kbrules.lang.syntax import tree
from kbrules.text import Source, Span

# The text of one declaration as the parser is given it, and where each letter came from.

_TAB = 4


def code_only(text: str) -> str:
    """The text with all that is quoted or a comment made blank, of the same length."""
    return re.sub(r'"[^"\n]*"|#[^\n]*', lambda found: " " * len(found.group()), text)


def is_code(line: str) -> bool:
    """Whether anything but blanks and a comment stands in a line."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def indent_of(line: str) -> int:
    """How many blanks or tabs a line begins with."""
    return len(line) - len(line.lstrip(" \t"))


def opens_block(line: str) -> bool:
    """Whether a line ends with a colon, so that lines of its own are to follow below it."""
    return code_only(line).rstrip().endswith(":")


class Line(NamedTuple):
    """A line of a file without its line end; `start` is its offset there."""

    start: int
    text: str

    def content(self, source: Source) -> Span:
        """The line without its indentation."""
        start = self.start + indent_of(self.text)
        return source.span(start, self.start + len(self.text.rstrip()))


@dataclass(frozen=True, slots=True)
class Chunk:
    """One declaration: a text without tabs, and how its places lie in the source.

    `stops` has the places in the text where a stretch begins, `shifts` what to add to places in
    it. Of a refused chunk only the heading is left, and that is not to be parsed.
    """

    source: Source
    text: str
    stops: tuple[int, ...]
    shifts: tuple[int, ...]
    is_refused: bool = False

    def place(self, at: int) -> int:
        """The offset in the source of a place in the text."""
        if len(self.stops) == 1:
            return at + self.shifts[0]
        return at + self.shifts[max(bisect_right(self.stops, at) - 1, 0)]

    def span(self, start: int, end: int) -> Span:
        """The span in the source of a stretch of the text, never empty if the stretch is not."""
        first = self.place(start)
        last = self.place(end - 1) + 1 if end > start else first
        return self.source.span(first, max(last, first))


def chunk_of(source: Source, lines: Sequence[Line], unindented: Mapping[int, int]) -> Chunk:
    """The chunk of some lines: tabs become blanks, and stray lines are moved right by so much."""
    builder = _ChunkBuilder(lines[0].start)
    for number, line in enumerate(lines):
        builder.line(line, unindented.get(number, 0))
    return Chunk(source, "".join(builder.parts), tuple(builder.stops), tuple(builder.shifts))


class _ChunkBuilder:
    """The text of a chunk while its lines are added."""

    def __init__(self, start: int) -> None:
        self.parts: list[str] = []
        self.stops = [0]
        self.shifts = [start]
        self._length = 0

    def line(self, line: Line, right: int) -> None:
        """Add a line; what is widened is noted, so that places stay true."""
        if right and is_code(line.text):
            self._add(" " * right, line.start)
        blank = indent_of(line.text) if "\t" in line.text else 0
        width = 0
        for at, sign in enumerate(line.text[:blank]):
            wide = _TAB - width % _TAB if sign == "\t" else 1
            self._add(" " * wide, line.start + at)
            width += wide
        self._add(line.text[blank:].replace("\t", " ") + "\n", line.start + blank)

    def _add(self, text: str, start: int) -> None:
        shift = start - self._length
        if shift != self.shifts[-1]:
            self.stops.append(self._length)
            self.shifts.append(shift)
        self.parts.append(text)
        self._length += len(text)


_DIGITS = 9  # of a longer number these suffice to see that it is too large
Items = list[Any]
Method = Callable[["TreeBuilder", Meta, Items], Any]


def _first(builder: TreeBuilder, meta: Meta, items: Items) -> Any:
    return items[0]


def _node(kind: Callable[..., Any], *first: object) -> Method:
    """The method of a rule whose parts are those of a node, behind what the rule itself says."""
    return lambda builder, meta, items: kind(*first, *items, builder._span(meta))


def _operator(symbol: str) -> Method:
    return lambda builder, meta, items: tree.Operator(symbol, tuple(items), builder._span(meta))


def _phrase(preposition: str) -> Method:
    """The method of a phrase that begins with a preposition, which is no item of its own."""

    def phrase(builder: TreeBuilder, meta: Meta, items: Items) -> tree.StepArgument:
        span = builder._span(meta)
        place = span.source.span(span.start, span.start + len(preposition))
        return tree.StepArgument(tree.Word(preposition, place), items[-1])

    return phrase


def _note(kind: str) -> Method:
    return lambda builder, meta, items: tree.Note(kind, items[0].text, builder._span(meta))


def _declared(kind: Callable[..., Any]) -> Method:
    """The method of a declaration that gives a name to a body, perhaps with parameters."""

    def declaration(builder: TreeBuilder, meta: Meta, items: Items) -> Any:
        name, *rest = items
        parameters = next((item for item in rest if isinstance(item, tuple)), ())
        wording = next((item.text for item in rest if isinstance(item, tree.Word)), "")
        return kind(name, parameters, wording, rest[-1]["body"], builder._span(meta))

    return declaration


class TreeBuilder(Transformer[Token, Any]):
    """Builds the tree of one declaration."""

    def __init__(self, chunk: Chunk) -> None:
        super().__init__(visit_tokens=True)
        self._chunk = chunk

    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return self._chunk.span(0, 0)
        return self._chunk.span(meta.start_pos, meta.end_pos)

    def _token_span(self, token: Token, cut: int = 0) -> Span:
        start = token.start_pos or 0
        return self._chunk.span(start, start + len(token) - cut)

    def NAME(self, token: Token) -> tree.Word:
        return tree.Word(" ".join(str(token).split()), self._token_span(token))

    NORM = CHANGE = RANGE = PREPOSITION = COMPARE = SUM = PRODUCT = SECTION = NAME
    DRAWING = NAME

    def CALLED(self, token: Token) -> tree.Word:
        return tree.Word(str(token)[:-1], self._token_span(token, cut=1))

    def NUMBER(self, token: Token) -> tree.Number:
        return tree.Number(int(token.lstrip("0")[:_DIGITS] or 0), self._token_span(token))

    def TEXT(self, token: Token) -> tree.Word:
        return tree.Word(str(token)[1:-1], self._token_span(token))

    # expressions

    number = _first
    yes, no = _node(tree.Truth, True), _node(tree.Truth, False)
    choice = _node(tree.Choice)
    either_of, both_of, negation, minus = map(_operator, ("or", "and", "not", "-"))

    def name(self, meta: Meta, items: Items) -> tree.Name:
        return tree.Name(items[0].text, items[0].span)

    def missing(self, meta: Meta, items: Items) -> tree.Hole:
        return tree.Hole(self._span(meta))

    hole = missing

    def call(self, meta: Meta, items: Items) -> tree.Call | tree.Fold:
        head, arguments = items
        span = self._span(meta)
        if isinstance(arguments, dict):
            return tree.Fold(head.text, head.span, span=span, **arguments)
        return tree.Call(head.text, head.span, tuple(arguments or ()), span)

    def arguments(self, meta: Meta, items: Items) -> Items | dict[str, Any]:
        return items[0] if isinstance(items[0], dict) else items

    def comprehension(self, meta: Meta, items: Items) -> dict[str, Any]:
        body, variable, domain, condition = items
        return {"body": body, "variable": variable, "domain": domain, "condition": condition}

    def range(self, meta: Meta, items: Items) -> tree.Operator:
        return tree.Operator(items[0].text, tuple(items[1:]), self._span(meta))

    def binary(self, meta: Meta, items: Items) -> tree.Operator:
        left, symbol, right = items
        return tree.Operator(symbol.text, (left, right), self._span(meta))

    compare = binary

    # statements

    on = guard = other = who = example_line = _first
    win = _node(tree.Win)
    to_phrase, by_phrase, on_phrase = map(_phrase, ("to", "by", "on"))
    when, whenever, each = map(_node, (tree.When, tree.Whenever, tree.Each))
    if_block = _node(tree.If)
    otherwise, may = _node(tree.Branch, "otherwise"), _node(tree.Branch, "may")
    either, or_else = _node(tree.Branch, "either"), _node(tree.Branch, "or")
    repeat, up_to = _node(tree.Repeat, "repeat"), _node(tree.Repeat, "up to")
    once, twice = _node(tree.Limit, 1), _node(tree.Limit, 2)

    def phrase(self, meta: Meta, items: Items) -> tree.StepArgument:
        return tree.StepArgument(items[0], items[-1])

    def wording(self, meta: Meta, items: Items) -> tree.Wording:
        return tree.Wording(items[0].text, items[0].span)

    def names(self, meta: Meta, items: Items) -> tuple[tree.Word, ...]:
        return tuple(items)

    def norm(self, meta: Meta, items: Items) -> tree.Norm:
        kind, verbs, on, guard = items
        return tree.Norm(kind.text, verbs, on, guard, self._span(meta))

    def change(self, meta: Meta, items: Items) -> tree.Change:
        kind, quantity, amount, guard = items
        return tree.Change(kind.text, quantity, amount, guard, self._span(meta))

    def per(self, meta: Meta, items: Items) -> tree.Per:
        every, variable, domain = items
        return tree.Per(every.value if every else 1, variable, domain)

    def rank(self, meta: Meta, items: Items) -> tree.Rank:
        return tree.Rank(items[0], items[1])

    def award(self, meta: Meta, items: Items) -> tree.Award:
        per = next((item for item in items[1:] if isinstance(item, tree.Per)), None)
        rank = next((item for item in items[1:] if isinstance(item, tree.Rank)), None)
        return tree.Award(items[0], per, rank, items[-1], self._span(meta))

    def adverb(self, meta: Meta, items: Items) -> tree.StepArgument:
        return tree.StepArgument(items[0], None)

    def step(self, meta: Meta, items: Items) -> tree.Step:
        verb, *rest, guard = items
        phrases = tuple(item for item in rest if isinstance(item, tree.StepArgument))
        operand = next(
            (i for i in rest if i is not None and not isinstance(i, tree.StepArgument)), None
        )
        return tree.Step(verb, operand, phrases, guard, self._span(meta))

    def hole_block(self, meta: Meta, items: Items) -> tree.If:
        span = self._span(meta)
        body = items[-1] if isinstance(items[-1], tuple) else tuple(items[1:])
        if any(isinstance(item, Span) for item in body):  # an example: its lines are no steps
            body = ()
        return tree.If(tree.Hole(span), body, span)

    def suite(self, meta: Meta, items: Items) -> tree.Statements:
        return tuple(items)

    def reaction(self, meta: Meta, items: Items) -> tuple[tuple[tree.Word, ...], tree.Word | None]:
        return items[0], items[1]

    def section(self, meta: Meta, items: Items) -> tree.Section:
        name, reaction, limit, guard, body = items
        events, who = reaction or ((), None)
        return tree.Section(name.text, events, who, limit, guard, body, self._span(meta))

    def drawing(self, meta: Meta, items: Items) -> Span:
        return Span(items[0].span.source, items[0].span.start, items[-1].span.end)

    def example(self, meta: Meta, items: Items) -> tree.Example:
        title = next((item.text for item in items if isinstance(item, tree.Word)), "")
        drawing = next((item for item in items if isinstance(item, Span)), None)
        lines = tuple(item for item in items if isinstance(item, tree.Step))
        return tree.Example(title, drawing, lines, self._span(meta))

    # declarations

    question, source, title = map(_note, ("question", "source", "title"))

    def replaces(self, meta: Meta, items: Items) -> dict[str, tree.Word]:
        return {"replaces": items[0]}

    def table(self, meta: Meta, items: Items) -> tree.Table:
        return tree.Table(tuple(_cells(row.span) for row in items), self._span(meta))

    def rule(self, meta: Meta, items: Items) -> tree.Rule:
        kind, name, *rest = items
        table = rest.pop() if isinstance(rest[-1], tree.Table) else None
        title = rest.pop(0).text if isinstance(rest[0], tree.Word) else ""
        replaces = rest.pop(0)["replaces"] if isinstance(rest[0], dict) else None
        return tree.Rule(kind, name, title, replaces, tuple(rest), self._span(meta), table)

    def parameter_list(self, meta: Meta, items: Items) -> tuple[tuple[tree.Word, tree.Word], ...]:
        return tuple(zip(items[::2], items[1::2], strict=True))

    def define_body(self, meta: Meta, items: Items) -> dict[str, tree.Expression]:
        return {"body": items[0]}

    define = define_called = _declared(tree.Define)

    def steps_body(self, meta: Meta, items: Items) -> dict[str, tree.Statements]:
        return {"body": tuple(items)}

    steps = steps_called = _declared(tree.Steps)

    def option(self, meta: Meta, items: Items) -> tree.Option:
        name, value, *wording, notes = items
        text = wording[0].text if wording else ""
        return tree.Option(name, value.value, text, notes, self._span(meta))

    def option_body(self, meta: Meta, items: Items) -> tuple[tree.Note, ...]:
        notes = (item for item in items if isinstance(item, tree.Note))
        return tuple(sorted(notes, key=lambda note: note.kind))

    def memory(self, meta: Meta, items: Items) -> tree.Memory:
        name, sort, scope, *wording, notes = items
        text = wording[0].text if wording and wording[0] else ""
        return tree.Memory(name, sort, scope, text, notes, self._span(meta))

    def broken(self, meta: Meta, items: Items) -> tree.Broken:
        span = self._span(meta)
        unnamed = tree.Word("", span)
        return tree.Broken(unnamed, unnamed, tuple(i for i in items[1:] if i is not None), span)

    def start(self, meta: Meta, items: Items) -> tree.Declaration:
        declaration: tree.Declaration = items[-1]
        return declaration


def _cells(row: Span) -> tuple[tree.Word, ...]:
    """What stands between the bars of a row, without the blanks around it."""
    written = row.text.rstrip()
    inside = written[1:-1] if written.endswith("|") and len(written) > 1 else written[1:]
    found, at = [], row.start + 1
    for cell in inside.split("|"):
        text = cell.strip()
        start = at + len(cell) - len(cell.lstrip()) if text else at
        found.append(tree.Word(text, row.source.span(start, start + len(text))))
        at += len(cell) + 1
    return tuple(found)


def _given_place(method: Any, rule: str, items: Items, meta: Meta) -> Any:
    return method(meta, items)


# As `v_args(meta=True)` does, which makes an object for every node of every file.
for _method in vars(TreeBuilder).values():
    if isfunction(_method):
        vars(_method)["visit_wrapper"] = _given_place
