"""Random syntax trees: all that the grammar can say; and a text with every bracket there can be.

The trees have no places: every span is the same empty one. Words of the grammar are not used as
names, and texts hold nothing that ends a line or a quotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

from hypothesis import strategies as st

from kbrules.lang.formatting import are_adjacent, output_lines
from kbrules.lang.syntax import tree
from kbrules.text import Source, Span

T = TypeVar("T")
NOWHERE = Span.none("tree")
WORDS = frozenset((
    "permit", "forbid", "prefer", "waive", "deny", "required", "action", "before", "setup", "turn",
    "finish", "increase", "decrease", "at", "exactly", "from", "into", "of", "with", "as", "beside",
    "to", "by", "on", "if", "for", "in", "per", "times", "or", "and", "not", "yes", "no", "gold",
    "otherwise", "when", "whenever", "repeat", "up", "either", "example", "replaces", "define",
    "option", "memory", "steps", "win", "once", "twice", "table",
))  # fmt: skip
# Names that only begin like a word of the grammar, and long ones that make lines break.
TRICKY = (
    "least", "most", "order", "iffy", "at_x", "notx", "exactly_x", "permit_x", "turns", "form",
    "byte", "x1", "a_", "a_name_that_is_rather_long_for_a_single_word",
    "another_name_of_some_length_that_fills_a_line",
)  # fmt: skip
SUMS, PRODUCTS = ("+", "-", "|"), ("*", "/", "&")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
BINARY = ("or", "and", *COMPARISONS, *SUMS, *PRODUCTS)
UNARY = ("-", "not", "at least", "at most", "exactly")
PREPOSITIONS = ("from", "into", "of", "with", "at", "as", "beside", "to", "by", "on")
SECTIONS = ("required action", "action", "before setup", "after setup", "setup", "turn", "finish")
NORMS = ("permit", "forbid", "prefer", "waive", "deny")

names = st.one_of(
    st.sampled_from(TRICKY),
    st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True).filter(lambda name: name not in WORDS),
)
texts = st.text(
    st.characters(exclude_categories=("C", "Zl", "Zp"), exclude_characters='"'), max_size=20
)
words = st.builds(tree.Word, names, st.just(NOWHERE))


def placed(kind: Any, *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A node of a kind whose last field is its span."""
    return st.builds(kind, *parts, st.just(NOWHERE))


def maybe(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | part


def some(part: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(part, min_size=1, max_size=most).map(tuple)


# expressions

_leaves = st.one_of(
    placed(tree.Number, st.integers(0, 999_999_999) | st.integers(0, 9)),
    placed(tree.Truth, st.booleans()),
    placed(tree.Name, names),
    st.builds(tree.Call, names, st.just(NOWHERE), st.just(()), st.just(NOWHERE)),
)


def _compound(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    here = st.just(NOWHERE)
    one, two = st.tuples(inner), st.tuples(inner, inner)
    return st.one_of(
        placed(tree.Operator, st.sampled_from(UNARY), one),
        placed(tree.Operator, st.sampled_from(BINARY), two),
        placed(tree.Operator, st.sampled_from(SUMS), two),
        st.builds(tree.Call, names, here, some(inner), here),
        st.builds(tree.Fold, names, here, inner, words, inner, maybe(inner), here),
        placed(tree.Choice, inner, inner, maybe(inner)),
    )


expressions: st.SearchStrategy[tree.Expression] = st.recursive(_leaves, _compound, max_leaves=10)
short = st.recursive(_leaves, _compound, max_leaves=3)


def _operation(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    two = st.tuples(inner, inner)
    return st.one_of(
        placed(tree.Operator, st.sampled_from(UNARY), st.tuples(inner)),
        *(
            placed(tree.Operator, st.sampled_from(level), two)
            for level in (("or",), ("and",), COMPARISONS, SUMS, PRODUCTS)
        ),
        placed(tree.Choice, inner, inner, maybe(inner)),
    )


# Nothing but operators, so that every pair of levels meets often.
operations = st.recursive(
    placed(tree.Name, st.sampled_from("abc")), lambda inner: _operation(_operation(inner) | inner),
    max_leaves=6,
)  # fmt: skip


# statements


def _led(first: tree.StepArgument, more: list[tree.StepArgument]) -> tuple[tree.StepArgument, ...]:
    return (first, *more)


def _step(verb: tree.Word, said: Any, guard: tree.Expression | None) -> tree.Step:
    operand, phrases = said
    return tree.Step(verb, operand, phrases, guard, NOWHERE)


_limits = placed(tree.Limit, st.sampled_from((1, 2)), words)


def _section(
    name: str,
    reaction: Any,
    limit: tree.Limit | None,
    guard: tree.Expression | None,
    body: tree.Statements,
) -> tree.Section:
    events, who = reaction
    return tree.Section(name, events, who, limit, guard, body, NOWHERE)


_phrases = st.builds(
    tree.StepArgument, placed(tree.Word, st.sampled_from(PREPOSITIONS)), short | expressions
)
_more_phrases = st.lists(_phrases | st.builds(tree.StepArgument, words, st.none()), max_size=3)
_said = st.one_of(
    st.tuples(expressions, _more_phrases.map(tuple)),
    st.tuples(st.none(), st.builds(_led, _phrases, _more_phrases)),
    st.just((None, ())),
)
steps = st.builds(_step, words, _said, maybe(short))
_pers = st.builds(tree.Per, st.integers(0, 3), words, expressions)
_ranks = st.builds(tree.Rank, words, expressions)
_lines = st.one_of(
    placed(tree.Wording, texts),
    placed(tree.Norm, st.sampled_from(NORMS), some(words), maybe(expressions), maybe(expressions)),
    placed(
        tree.Change, st.sampled_from(("increase", "decrease")), words, expressions, maybe(short)
    ),
    placed(tree.Award, expressions, maybe(_pers), maybe(_ranks), maybe(short)),
    placed(tree.Win, expressions),
    steps,
)


def _drawing(lines: list[str]) -> Span:
    return Source("drawing", "\n".join(f"|{line}".rstrip() for line in lines)).whole()


_drawings = st.lists(st.text(' .+<abGK"#():|', max_size=30), min_size=1, max_size=4).map(_drawing)
_examples = st.one_of(
    placed(tree.Example, texts, _drawings, st.lists(steps, max_size=2).map(tuple)),
    placed(tree.Example, texts, st.none(), some(steps)),
)


def _blocks(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    body = some(inner) | some(steps, 1)
    guard = maybe(short)
    reaction = st.tuples(st.just(()), st.none()) | st.tuples(some(words), maybe(words))
    return st.one_of(
        placed(tree.When, some(words), maybe(words), guard, body),
        placed(tree.Whenever, expressions, body),
        placed(tree.Each, words, expressions, guard, body),
        placed(tree.If, expressions, body),
        placed(tree.Branch, st.sampled_from(("otherwise", "either", "or", "may")), body),
        placed(tree.Repeat, st.sampled_from(("repeat", "up to")), expressions, body),
        st.builds(_section, st.sampled_from(SECTIONS), reaction, maybe(_limits), guard, body),
    )


statements = st.recursive(_lines | _examples, _blocks, max_leaves=5)


# declarations

_notes = st.tuples(
    *(
        st.lists(placed(tree.Note, st.just(kind), texts), max_size=1)
        for kind in ("question", "source")
    )
).map(lambda both: tuple(note for notes in both for note in notes))
_options = placed(tree.Option, words, st.booleans() | st.integers(0, 99), texts, _notes)
_titles = st.lists(placed(tree.Note, st.just("title"), texts), max_size=1).map(tuple)
_memories = placed(tree.Memory, words, words, maybe(words), texts, _titles)
defines = placed(
    tree.Define, words, st.lists(st.tuples(words, words), max_size=3).map(tuple), texts, expressions
)
_named_steps = placed(
    tree.Steps,
    words,
    st.lists(st.tuples(words, words), max_size=3).map(tuple),
    texts,
    some(statements),
)
_cells = st.from_regex(r"[a-z0-9{}]{1,8}( [A-Z+]{1,4})?", fullmatch=True)
_rows = some(some(st.builds(tree.Word, _cells, st.just(NOWHERE)), 4))
_tables = placed(tree.Table, _rows)
rules = st.builds(
    tree.Rule, words, words, texts, maybe(words), some(statements), st.just(NOWHERE), maybe(_tables)
)
declarations: st.SearchStrategy[tree.Declaration] = st.one_of(
    _options, _memories, defines, _named_steps, rules
)


@dataclass(frozen=True)
class Drawn(Generic[T]):
    """Something drawn that prints itself: hypothesis takes minutes to print a deep tree."""

    it: T

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(outline(self.it))


modules = st.lists(declarations, max_size=3).map(Drawn[list[tree.Declaration]])
bodies = (operations | operations | expressions).map(Drawn[tree.Expression])
short_bodies = (operations | short).map(Drawn[tree.Expression])


def outline(node: object) -> str:
    """A tree on one line, without its places."""
    if isinstance(node, Span):
        return repr(node.text)
    if isinstance(node, tuple | list):
        return f"[{', '.join(outline(each) for each in node)}]"
    if not is_dataclass(node):
        return repr(node)
    said = [outline(getattr(node, field.name)) for field in fields(node) if field.name != "span"]
    return f"{type(node).__name__}({', '.join(said)})"


def define(body: tree.Expression) -> tree.Define:
    """A definition of a word `x`."""
    return tree.Define(tree.Word("x", NOWHERE), (), "", body, NOWHERE)


def bracketed(node: tree.Expression) -> str:
    """The text of an expression with a bracket around every part: no precedence is needed."""
    match node:
        case tree.Number(value):
            return f"({value})"
        case tree.Truth(value):
            return "(yes)" if value else "(no)"
        case tree.Name(text):
            return f"({text})"
        case tree.Call():
            return f"({node.name}({', '.join(bracketed(each) for each in node.arguments)}))"
        case tree.Fold():
            only = f" if {bracketed(node.condition)}" if node.condition else ""
            over = f"for {node.variable.text} in {bracketed(node.domain)}"
            return f"({node.name}({bracketed(node.body)} {over}{only}))"
        case tree.Choice():
            other = f" otherwise {bracketed(node.other)}" if node.other else ""
            return f"({bracketed(node.value)} if {bracketed(node.condition)}{other})"
        case tree.Operator(symbol, (only_one,)):
            return f"({symbol} {bracketed(only_one)})"
        case tree.Operator(symbol, (left, right)):
            return f"({bracketed(left)} {symbol} {bracketed(right)})"
    raise AssertionError(node)


def kinds(node: object) -> Iterator[str]:
    """The names of the kinds of all nodes of a tree, with repetitions."""
    if isinstance(node, tuple | list):
        for each in node:
            yield from kinds(each)
    elif is_dataclass(node) and not isinstance(node, Span):
        yield type(node).__name__
        for field in fields(node):
            yield from kinds(getattr(node, field.name))


def format_module(declarations: Sequence[tree.Declaration]) -> str:
    """The canonical text of the declarations of a file, without comments."""
    lines: list[str] = []
    last: tree.Declaration | None = None
    for declaration in declarations:
        if lines and not are_adjacent(last, declaration):
            lines.append("")
        lines += [row.text for row in output_lines(declaration)]
        last = declaration
    return "".join(f"{line}\n" for line in lines)


def is_same(left: object, right: object) -> bool:
    """Whether trees say the same, wherever; of a drawing the signs count, not its indentation."""
    return _shape(left) == _shape(right)


def _shape(node: object) -> object:
    match node:
        case Span():
            lines = (line.strip() for line in node.text.split("\n"))
            return [line for line in lines if line.startswith("|")]
        case tuple() | list():
            return [_shape(each) for each in node]
    if not is_dataclass(node):
        return type(node), node
    names = (field.name for field in fields(node) if field.name not in ("span", "head"))
    return type(node), [_shape(getattr(node, name)) for name in names]
