"""Writing the text of one function of a program that plays at a stretch.

Expressions are written as `compile.writing` does, but of a table whose parts stand in local
names: `t` the table, `me` the player, `seat` that player's part, `view` their view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from kbrules.compile.places import Marks
from kbrules.compile.whole.kinds import is_mine, of_kinds
from kbrules.compile.whole.manners import Manner
from kbrules.compile.whole.plan import Plan
from kbrules.compile.whole.words import LIGHT, WORDS
from kbrules.compile.writing import Writer, all_parts, identity
from kbrules.lang.core import Call, Expr, Fold, Lit, Var, parts_of

PLACES = (
    ("view.state.seats[view.me]", "seat"),
    ("view.state", "t"),
    ("view.me", "me"),
    ("view.board", "board"),
    ("view.memo", "board.memo"),
)
"""Where the parts of a view stand, longest first."""


OF_OTHERS = ("open(verb)", "forbidden(verb)", "dead(verb)", "stuck(verb)", "quantity")
"""Words that stand for what other rules say."""


class Names:
    """The values that a program's text names: fixed ones, and those that a board decides.

    marks: of the places in the rules that its lines come from.
    """

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self.of_board: dict[str, Any] = {}
        self.marks = Marks()
        self.of_board_alone: dict[int, tuple[Expr, bool]] = {}
        self._found: dict[int, tuple[Any, str]] = {}
        self._floods = 0

    def of(self, value: Any) -> str:
        """The name of a value that is the same on every board."""
        found = self._found.get(id(value))
        if found is None:
            found = self._found[id(value)] = value, f"k{len(self.known)}"
            self.known[found[1]] = value
        return found[1]

    def flood(self) -> int:
        """The number of another place where a flood is asked for."""
        self._floods += 1
        return self._floods

    def on_board(self, node: Any) -> str:
        """The name of what a node says of the board."""
        found = self._found.get(id(node))
        if found is None:
            found = self._found[id(node)] = node, f"b{len(self.of_board)}"
            self.of_board[found[1]] = node
        return found[1]


class Scribe(Writer):
    """The lines of a function under way."""

    def __init__(self, plan: Plan, names: Names, manner: Manner, depth: int = 1) -> None:
        super().__init__((), plan.implementations, plan.fixed)
        self.plan = plan
        self.names = names
        self.manner = manner
        self.depth = depth
        self._repeated = set()
        self._laid: int | None = None
        self.repeating = False
        self._seldom: dict[str, tuple[int, int]] = {}
        self.function: Callable[..., str] | None = None
        self._marks = names.marks

    @property
    def lines(self) -> list[str]:
        """What was written so far."""
        return self._lines

    # lines

    @contextmanager
    def within(self, depth: int) -> Iterator[None]:
        """Lines that go on where lines so deep have just ended."""
        before, self.depth = self.depth, depth
        yield
        self.depth = before

    def forget(self) -> None:
        """Something was changed: nothing that was worked out holds any more."""
        self._kept = {}

    @contextmanager
    def apart(self) -> Iterator[None]:
        """While the table is another one, nothing that was worked out holds."""
        kept, repeated = self._kept, self._repeated
        self._kept = {}
        yield
        self._kept, self._repeated = kept, repeated

    @contextmanager
    def binding(self, names: dict[str, str]) -> Iterator[None]:
        """While these variables stand in these local names."""
        before = self.variables
        self.variables = {**before, **names}
        yield
        self.variables = before

    @contextmanager
    def laying(self, piece: int) -> Iterator[None]:
        """While `here` is the hex of a piece of a kind that was just laid."""
        self._laid = piece
        yield
        self._laid = None

    def is_laid(self, expr: Expr, among: Expr) -> bool:
        """Whether it is the hex of a piece just laid, of which a tag of pieces is asked."""
        if self._laid is None or not isinstance(expr, Var) or expr.name != "here":
            return False
        kinds = self.plan.tagged.get(among.word, ()) if isinstance(among, Call) else ()
        return self._laid in kinds

    # expressions

    def share(self, exprs: Iterable[Expr | None]) -> None:
        """Expressions that are asked at one moment: what they have in common is asked once."""
        counted: Counter[Any] = Counter()
        for expr in exprs:
            if expr is not None:
                self._counted(expr, counted)
        self._repeated = {key for key, count in counted.items() if count > 1}

    def _counted(self, expr: Expr, counted: Counter[Any]) -> None:
        """Count an expression and its parts; those of what is asked again are asked once."""
        key = identity(expr)
        counted[key] += 1
        if counted[key] == 1 or isinstance(expr, Lit | Var):
            for part in self._parts(expr):
                self._counted(part, counted)

    def ahead(self, exprs: Iterable[Expr | None]) -> None:
        """The same, and what more than one of them is cut down by is worked out at once."""
        given = [expr for expr in exprs if expr is not None]
        self.share(given)
        counted: Counter[Any] = Counter()
        cutting: dict[Any, Expr] = {}
        for expr in given:
            found = {identity(cut): cut for cut in self._cutting(expr)}
            counted.update({*found, identity(expr)})
            cutting |= found
        for key, cut in cutting.items():
            if counted[key] > 1 and not self._is_light(cut):
                self.text(cut)

    def _cutting(self, expr: Expr) -> Iterator[Expr]:
        for part in self._opened(expr):
            if isinstance(part, Call) and part.word == "-(hexes,hexes)":
                yield part.arguments[1]

    @contextmanager
    def beside(self, word: str) -> Iterator[None]:
        """While a word answers something else; what does not ask it still holds."""
        kept, repeated = self._kept, self._repeated
        self._kept = {key: text for key, text in kept.items() if not self._asks(key, word)}
        yield
        self._kept, self._repeated = kept, repeated

    def _asks(self, key: Any, word: str) -> bool:
        """Whether what an identity stands for asks a word; what is called may ask anything."""
        if not isinstance(key, tuple):
            return bool(key == word)
        if key and key[0] in OF_OTHERS:
            return True
        return any(self._asks(part, word) for part in key)

    def _opened(self, expr: Expr) -> Iterator[Expr]:
        """All parts, those of what words stand for too."""
        yield expr
        for part in self._parts(expr):
            yield from self._opened(part)

    def _parts(self, expr: Expr) -> Iterator[Expr]:
        """What an expression is made of, and what a word stands for."""
        yield from parts_of(expr)
        if isinstance(expr, Call) and expr.word in ("open(verb)", "dead(verb)"):
            first = expr.arguments[0]
            if isinstance(first, Lit) and first.value in self.plan.open:
                yield self.plan.open[first.value]

    def kept(self, expr: Expr) -> str:
        """A local name, or a number, for the value of an expression."""
        text = self.text(expr)
        return text if text.isidentifier() or text.isdigit() else self.keep(text)

    def bound(self, value: Any) -> str:
        return self.names.of(value)

    def _variable(self, name: str) -> str:
        return self.variables.get(name, "0")

    def _fresh(self, expr: Expr) -> str:
        if isinstance(expr, Call) and expr.fixed and expr.word != "option":
            return self._remembered(expr)
        if self.is_of_board(expr):
            return self.names.on_board(self.plan.fixed(expr))
        if isinstance(expr, Call) and expr.word in self.plan.tagged:
            return of_kinds(self, self.plan.tagged[expr.word])
        if isinstance(expr, Call) and expr.word in WORDS:
            found: str | None = WORDS[expr.word](self, expr)
            if found is not None:
                return found
        return super()._fresh(expr)

    def is_of_board(self, expr: Expr) -> bool:
        """Whether the board alone decides what something says that is more than a number."""
        if isinstance(expr, Lit | Var):
            return False
        found = self.names.of_board_alone.get(id(expr))
        if found is None:
            answer = self._is_of_board(expr, frozenset())
            found = self.names.of_board_alone[id(expr)] = expr, answer
        return found[1]

    def _is_of_board(self, expr: Expr, bound: frozenset[str]) -> bool:
        """Whether the board alone decides what it says, but for names that are bound in it."""
        match expr:
            case Lit():
                return True
            case Var(name=name):
                return name in bound
            case Call(word=word, fixed=fixed):
                own = fixed or self.implementations[word].first != "view"
                own = own and word not in ("option", "memory", "quantity")
                return own and all(self._is_of_board(p, bound) for p in expr.arguments)
            case Fold(variable=variable):
                own = self.implementations[expr.word].first != "view"
                inner = bound | {variable}
                return own and all(self._is_of_board(p, inner) for p in parts_of(expr))
        return all(self._is_of_board(part, bound) for part in parts_of(expr))

    def _is_light(self, expr: Expr) -> bool:
        if self.is_of_board(expr):
            return True
        if isinstance(expr, Call):
            if expr.fixed or expr.word in LIGHT or expr.word in self.plan.tagged:
                return True
            if expr.word == "adjacent(hexes)" and is_mine(expr.arguments[0]):
                return True
        return super()._is_light(expr)

    def _cut(self, call: Call) -> str:
        self._ahead(call.arguments[1])
        return super()._cut(call)

    def _cut_down(self, call: Call, one: str) -> str:
        if one not in self._seldom or self.is_kept(call.arguments[0]):
            return super()._cut_down(call, one)
        with self.where(one):
            code, second = self.implementations[call.word].code, call.arguments[1]
            self.line(f"{one} = {self.applied(code, [one, self.text(second)])}")
        return one

    @contextmanager
    def where(self, name: str) -> Iterator[None]:
        """Lines for when the set of a local name, which mostly is empty, is not.

        They go on where such lines of the same name have just ended.
        """
        if self._seldom.get(name) == (len(self.lines), self.depth):
            kept, self._kept = self._kept, dict(self._kept)
            self.depth += 1
            yield
            self.depth -= 1
            self._kept = kept
        else:
            with self.under(f"if {name}:"):
                yield
        self._seldom[name] = len(self.lines), self.depth

    def is_seldom(self, name: str) -> bool:
        """Whether a local name is that of a set which mostly is empty."""
        return name in self._seldom

    def _ahead(self, expr: Expr) -> None:
        """What is asked again and costs little is worked out before it stands under a condition."""
        for part in all_parts(expr):
            again = isinstance(part, Call) and not part.fixed and self._is_light(part)
            if again and identity(part) in self._repeated:
                self.text(part)

    def _remembered(self, call: Call) -> str:
        return self.names.on_board(self.plan.fixed(call))

    def applied(self, code: Callable[..., Any], texts: list[str]) -> str:
        texts = ["board" if text == "view.board" else text for text in texts]
        text = super().applied(code, texts)
        for place, name in PLACES:
            text = text.replace(place, name)
        return text
