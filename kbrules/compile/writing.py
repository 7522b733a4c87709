"""Writing an expression out as a Python function of the view.

Each part is written once: what occurs more than once is kept in a local name for as long as
it is certain to have been worked out. What is asked only in a certain case stands under `if`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from kbrules.compile.bodies import Body, body_of
from kbrules.compile.folds import folded
from kbrules.compile.places import Marks, Places
from kbrules.compile.running import NAME, Source
from kbrules.compile.shortcuts import together
from kbrules.lang.core import Call, Choice, Expr, Fold, Lit, Var, parts_of
from kbrules.lang.deciding import CONNECTIVES, Implementation
from kbrules.lang.nodes import Node
from kbrules.primitives import numbers
from kbrules.text import Span

EMPTIED = frozenset({"&(hexes,hexes)", "-(hexes,hexes)", "narrowed"})
"""Words of two sets of which nothing is left to ask when the first is empty."""
NOTING = (numbers.count, numbers.count_)
"""Words that tell a score sheet what they count."""
FIRST = {"view": ("view",), "board": ("view.board",), "": ()}
DEEPEST = 20
"""Under so many conditions no further one is written: both cases are worked out."""
LONGEST = 200
"""A text that is longer is kept under a name, so that no line grows without end."""


def written(
    expr: Expr, implementations: Mapping[str, Implementation], fixed: Callable[[Call], Node]
) -> Source:
    """The source of an expression; `fixed` gives the node that remembers a part per board."""
    return Writer((expr,), implementations, fixed).source()


class Writer:
    """Writes expressions line by line into one function, for whoever has a use for their texts."""

    def __init__(
        self,
        exprs: Sequence[Expr],
        implementations: Mapping[str, Implementation],
        fixed: Callable[[Call], Node],
    ) -> None:
        self._exprs = exprs
        self.implementations = implementations
        self._fixed = fixed
        self._known: dict[str, Any] = {}
        self._lines: list[str] = []
        self._marks = Marks()
        self._place: Span | None = None
        self._names = 0
        self.depth = 1
        self.variables: dict[str, str] = {}
        self._kept: dict[Any, str] = {}
        counted = Counter(identity(part) for expr in exprs for part in all_parts(expr))
        self._repeated = {key for key, count in counted.items() if count > 1}

    def source(self) -> Source:
        """The whole function of one expression."""
        with self.at(self._exprs[0].span):
            self.line(f"return {self.text(self._exprs[0])}")
        text, places = self.written(f"def {NAME}(view):")
        return Source(text, self._known, places)

    def written(self, head: str) -> tuple[str, Places]:
        """The function under a head, and where in the rules its lines come from."""
        return self._marks.taken_out([head, *self._lines])

    # names

    def bound(self, value: Any) -> str:
        """A name for a value that is no number."""
        for name, known in self._known.items():
            if known is value:
                return name
        name = f"k{len(self._known)}"
        self._known[name] = value
        return name

    def literal(self, value: Any) -> str:
        """A number as it is written; anything else gets a name."""
        if value is None or isinstance(value, bool) or type(value) is int:
            return str(value) if not isinstance(value, int) or value >= 0 else f"({value})"
        return self.bound(value)

    def keep(self, text: str) -> str:
        """A local name for what a text says."""
        if text.isidentifier():
            return text
        name = self.new()
        self.line(f"{name} = {text}")
        return name

    def new(self) -> str:
        """A local name that is free."""
        self._names += 1
        return f"t{self._names}"

    def line(self, text: str) -> None:
        """Write a line, as deep as it is."""
        self._lines.append(self._marks.marked("    " * self.depth + text, self._place))

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Lines that are written meanwhile come from a place, if it is one in a text."""
        before = self._place
        if span.source.text:
            self._place = span
        yield
        self._place = before

    @contextmanager
    def under(self, head: str) -> Iterator[None]:
        """A block; what is worked out in it is known in it only."""
        self.line(head)
        kept = self._kept
        self._kept = dict(kept)
        self.depth += 1
        yield
        self.depth -= 1
        self._kept = kept

    # expressions

    def text(self, expr: Expr) -> str:
        """A text for the value of an expression, in parentheses where that matters."""
        if isinstance(expr, Lit):
            return self.literal(expr.value)
        if isinstance(expr, Var):
            return self._variable(expr.name)
        key = identity(expr)
        if key in self._kept:
            return self._kept[key]
        before = self._place
        if expr.span.source.text:
            self._place = expr.span
        text = self._fresh(expr)
        if key in self._repeated or len(text) > LONGEST:
            text = self._kept[key] = self.keep(text)
        self._place = before
        return text

    def _variable(self, name: str) -> str:
        if name in self.variables:
            return self.variables[name]
        return f"view.env.get({self.bound(name)}, 0)"

    def _fresh(self, expr: Expr) -> str:
        match expr:
            case Choice():
                return self._choice(expr)
            case Fold():
                return self._fold(expr)
            case Call(fixed=True) if not self._is_at_hand(expr):
                return self._remembered(expr)
            case Call(word=word) if word in CONNECTIVES:
                return self._connective(expr)
            case Call(word=word) if word in EMPTIED:
                return self._cut(expr)
            case Call():
                return self._call(expr)
        raise TypeError(f"not to be written: {expr!r}")

    def _call(self, call: Call) -> str:
        text = together(self, call)
        if text is not None:
            return text
        found = self.implementations[call.word]
        texts = [*FIRST[found.first], *(self.text(part) for part in call.arguments)]
        return self.applied(found.code, texts)

    def _is_at_hand(self, call: Call) -> bool:
        """Whether what a board fixes is found on the spot, without asking anything."""
        body = body_of(self.implementations[call.word].code)
        known = all(isinstance(part, Lit) for part in call.arguments)
        return body is not None and not body.asks and known

    def _remembered(self, call: Call) -> str:
        """What a board alone decides is worked out once for the board."""
        node = self.bound(self._fixed(call))
        name = self.keep(f"view.memo.get({node})")
        with self.under(f"if {name} is None:"):
            self.line(f"{name} = {node}.value(view)")
        return name

    def applied(self, code: Callable[..., Any], texts: list[str]) -> str:
        """A call of a word's code, or what it does written in place of it."""
        body = self._body(code)
        if body is None:
            return f"{self.bound(code)}({', '.join(texts)})"
        placed = {name: self.literal(value) for name, value in body.known.items()}
        placed.update(self._placed(body, texts))
        return f"({body.written(placed)})"

    def _body(self, code: Callable[..., Any]) -> Body | None:
        """What may be written in place of a call of a word's code."""
        return body_of(code)

    def _placed(self, body: Body, texts: list[str]) -> Iterator[tuple[str, str]]:
        """What is put for each parameter; more than a name only where that is read once."""
        for (name, times), text in zip(body.taken.items(), texts, strict=True):
            simple = times < 2 or text.replace(".", "").isalnum()
            yield name, text if simple else self.keep(text)

    # what is asked in some cases only

    def _cut(self, call: Call) -> str:
        """A set cut down: nothing is asked if there is nothing to cut."""
        return self._cut_down(call, self.text(call.arguments[0]))

    def _cut_down(self, call: Call, one: str) -> str:
        code, second = self.implementations[call.word].code, call.arguments[1]
        if self._is_light(second) or self.depth > DEEPEST:
            return self.applied(code, [one, self.text(second)])
        name = self.new()
        self.line(f"{name} = {one}")
        with self.under(f"if {name}:"):
            self.line(f"{name} = {self.applied(code, [name, self.text(second)])}")
        return name

    def _connective(self, call: Call) -> str:
        """`and`, `or`: what the first operand decides, the second is not asked."""
        first, second = call.arguments
        stops = CONNECTIVES[call.word]
        one = self.text(first)
        if self._is_light(second) or self.depth > DEEPEST:
            return f"({one} {'or' if stops else 'and'} {self.text(second)})"
        name = self.new()
        self.line(f"{name} = {one}")
        with self.under(f"if not {name}:" if stops else f"if {name}:"):
            self.line(f"{name} = {self.text(second)}")
        return name

    def _choice(self, choice: Choice) -> str:
        test, cases = self.text(choice.condition), (choice.value, choice.other)
        if all(map(self._is_light, cases)) or self.depth > DEEPEST:
            value, other = map(self.text, cases)
            return f"({value} if {test} else {other})"
        name = self.new()
        for head, case in zip((f"if {test}:", "else:"), cases, strict=True):
            with self.under(head):
                self.line(f"{name} = {self.text(case)}")
        return name

    def may_stop(self, fold: Fold) -> bool:
        """Whether a loop may end once its value is known: nobody counts what is left then."""
        inside = (part.word for part in all_parts(fold) if isinstance(part, Call))
        return not any(self.implementations[word].code in NOTING for word in inside)

    def is_kept(self, expr: Expr) -> bool:
        """Whether a part has a name, or gets one because it is asked again."""
        key = identity(expr)
        return key in self._kept or key in self._repeated

    def _is_light(self, expr: Expr) -> bool:
        """Whether a part costs no more than asking whether it is needed."""
        if isinstance(expr, Lit | Var) or identity(expr) in self._kept:
            return True
        if not isinstance(expr, Call) or expr.word in CONNECTIVES:
            return False
        body = self._body(self.implementations[expr.word].code)
        if body is None or body.asks:
            return False
        return all(self._is_light(part) for part in expr.arguments)

    def _fold(self, fold: Fold) -> str:
        """A loop that works out the value, or gathers the values for the code of the word."""
        code = self.implementations[fold.word].code
        text = folded(self, fold, code)
        if text is not None:
            return text
        found = self.new()
        self.line(f"{found} = []")
        with self.looped(fold):
            self._gathered(fold, found)
        return self.applied(code, [found])

    def looped(self, fold: Fold) -> AbstractContextManager[None]:
        """The loop of a fold."""
        return self._each(fold.variable, self.text(fold.domain))

    @contextmanager
    def _each(self, variable: str, items: str, beside: Sequence[str] = ()) -> Iterator[None]:
        """A loop over what a text gives; with more names if its items are that many things."""
        item, outer = self.new(), self.variables
        with self.under(f"for {', '.join((item, *beside))} in {items}:"):
            # What was worked out before may speak of something else by the same name.
            name = ("var", variable)
            self._kept = {k: text for k, text in self._kept.items() if not holds(k, name)}
            self.variables = {**outer, variable: item}
            yield
        self.variables = outer

    def _gathered(self, fold: Fold, found: str) -> None:
        if fold.condition is None:
            self.line(f"{found}.append({self.text(fold.body)})")
            return
        with self.under(f"if {self.text(fold.condition)}:"):
            self.line(f"{found}.append({self.text(fold.body)})")


def all_parts(expr: Expr) -> Iterator[Expr]:
    """An expression and all that it is made of."""
    yield expr
    for part in parts_of(expr):
        yield from all_parts(part)


def holds(key: Any, name: Any) -> bool:
    """Whether what an identity stands for speaks of a name."""
    return key == name or (isinstance(key, tuple) and any(holds(part, name) for part in key))


def identity(expr: Expr) -> Any:
    """What makes two expressions say the same, wherever they are written."""
    if isinstance(expr, Call):
        return (expr.word, *map(identity, expr.arguments))
    if isinstance(expr, Lit):
        return "lit", type(expr.value), expr.value
    if isinstance(expr, Var):
        return "var", expr.name
    parts = map(identity, parts_of(expr))
    if isinstance(expr, Fold):
        return ("fold", expr.word, expr.variable, *parts)
    return ("choice", *parts)
