"""Writing expressions out where the table is at hand: a draft `d`, a player `me`, constants `K`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeGuard

from kbrules.compile.bodies import body_of
from kbrules.compile.steps.names import Names
from kbrules.compile.steps.plan import Plan
from kbrules.compile.writing import Writer, holds, identity
from kbrules.lang.core import Call, Expr, Lit, Var, is_fixed, parts_of
from kbrules.lang.deciding import CONNECTIVES

BOTH, WITHOUT, EITHER = "&(hexes,hexes)", "-(hexes,hexes)", "|(hexes,hexes)"
ADJACENT, CONNECTED, DEAD = "adjacent(hexes)", "connected(hexes,hexes)", "dead(verb)"
SEAT = ("pieces", "mine", "supply", "hand", "tiles", "memory", "gold")
LIGHT = frozenset({"mine()", "mine(piece)", "occupied()", "supply(piece)", "memory", "me()"})
"""Words that are answered by a name."""
CHEAP = frozenset({EITHER, BOTH, WITHOUT, "none(hexes)", "any(hexes)"})
"""Words that cost next to nothing where their parts are at hand."""

Parts = list[tuple[Expr, bool]]
"""What a set is cut down by, and whether each is taken away."""
Special = Callable[["Scribe", Call], str]


class Scribe(Writer):
    """Writes what is asked of a draft, each part once for as long as the draft is what it was.

    The parts of the seat of `me` are in local names once one of them was asked for.
    """

    def __init__(
        self, plan: Plan, names: Names, special: Mapping[str, Special], tells: bool
    ) -> None:
        super().__init__((), plan.ruleset.evaluate.implementations, names.fixed_node)
        self.special = special
        self.plan = plan
        self.names = names
        self.tells = tells
        self.env = "env"
        self.draft = "d"
        self.shared: dict[Any, str] = {}
        self._written = 0
        self._when: dict[Any, int] = {}
        self.required: bool | None = None
        self.pending = ""
        self.viewed = False

    # names

    @property
    def lines(self) -> list[str]:
        """What was written so far."""
        return self._lines

    def indented(self, text: str) -> str:
        """A line as it would stand here."""
        return "    " * self.depth + text

    def bound(self, value: Any) -> str:
        """A name for a value that is no number."""
        return self.names.bound(value)

    def code(self, word: str) -> Callable[..., Any]:
        """The code of a word."""
        return self.implementations[word].code

    def forget_all(self) -> None:
        """From here on it is about another player."""
        self._kept = {}

    def constant(self, call: Call) -> str:
        """What a board alone decides."""
        return f"K.{self.names.fixed(call)}"

    @contextmanager
    def under(self, head: str) -> Iterator[None]:
        seen = dict(self._when)
        with super().under(head):
            yield
        self._when = seen

    def changed(self) -> None:
        """Note that the draft is no longer what it was."""
        self._written += 1

    def recalled(self, key: Any) -> str | None:
        """The text of a part that was worked out before and is still what it was."""
        found = self._kept.get(key)
        return found if found is not None and self._when.get(key) in (-1, self._written) else None

    def remember(self, key: Any, text: str) -> None:
        """Note where the value of a part is to be found."""
        self._kept[key] = text
        self._when[key] = self._written

    def known_for_good(self, key: Any, text: str) -> None:
        """Note a name that is kept up to date whatever happens."""
        self._kept[key] = text
        self._when[key] = -1

    # the draft

    def seat(self, part: str) -> str:
        """A part of the seat of `me`."""
        if self.recalled("seat") is None:
            self.line(f"{', '.join(SEAT)} = {self.draft}.seats[me]")
            self.known_for_good("seat", "seat")
        return part

    def occupied(self) -> str:
        """All pieces on the board."""
        if self.recalled("occupied") is None:
            self.line(f"occupied = {self.draft}.occupied")
            self.known_for_good("occupied", "occupied")
        return "occupied"

    def lines_again(self) -> None:
        """Read again what is in local names, after somebody else wrote to the draft."""
        if self.recalled("seat") is not None:
            self.line(f"{', '.join(SEAT)} = {self.draft}.seats[me]")
        if self.recalled("occupied") is not None:
            self.line(f"occupied = {self.draft}.occupied")
        self.changed()

    @contextmanager
    def speaking_of(self, variable: str, text: str) -> Iterator[None]:
        """While a variable has the value of a text; what is known of it before is not meant."""
        outer, kept, env = self.variables, self._kept, self.env
        self._kept = {k: v for k, v in kept.items() if not holds(k, ("var", variable))}
        self.variables = {**outer, variable: text}
        self.env = f"{{**{env}, {self.bound(variable)}: {text}}}"
        yield
        self.variables, self._kept, self.env = outer, kept, env

    @contextmanager
    def lifting(self) -> Iterator[None]:
        """While the piece on `origin` is lifted: in local names, and in a draft `e`."""
        outer, env, shared = self.variables, self.env, self.shared
        self.shared = {}
        self.variables = {**outer, "origin": "origin"}
        self.env = f"{{**{env}, {self.bound('origin')}: origin}}"
        self.draft = "e"
        self.changed()
        yield
        self.variables, self.env, self.draft, self.shared = outer, env, "d", shared
        self.changed()

    @contextmanager
    def inside(self, required: bool) -> Iterator[None]:
        """What is asked from within an action that is about to begin."""
        kept, before = self._kept, self.required
        self._kept = {key: text for key, text in kept.items() if self._when.get(key) == -1}
        self.required, self.viewed = required, False
        yield
        self._kept, self.required = kept, before

    def view(self) -> str:
        """The table as `me` sees it, for words that are called."""
        self.viewed = True
        key = ("view", self.env)
        found = self.recalled(key)
        if found is None:
            if self.pending and self.plan.minds_stack:
                self.line(f"d.stack = {self.pending}")
            found = self.keep(f"View(K.board, {self.draft}, me, K.rules, {self.env})")
            self.remember(key, found)
        return found

    # expressions

    def text(self, expr: Expr) -> str:
        if isinstance(expr, Call) and expr.fixed:
            return self.constant(expr)
        if isinstance(expr, Lit | Var):
            return super().text(expr)
        key = self.names.identity(expr)
        found = self.recalled(key)
        if found is not None:
            return found
        if key in self.shared:
            return self._first_of_many(expr, key, self.shared[key])
        text = self._fresh(expr)
        cheap = isinstance(expr, Call) and expr.word in CHEAP and len(text) < 60
        if cheap and not text.isidentifier():
            return text
        text = self.keep(text)
        self.remember(key, text)
        return text

    def _first_of_many(self, expr: Expr, key: Any, name: str) -> str:
        """A part that is asked in several cases: worked out in the first that comes up."""
        with self.under(f"if {name} is None:"):
            self.line(f"{name} = {self._fresh(expr)}")
        self.remember(key, name)
        return name

    def _variable(self, name: str) -> str:
        if name in self.variables:
            return self.variables[name]
        return f"{self.env}.get({self.bound(name)}, 0)"

    def _is_at_hand(self, call: Call) -> bool:
        return True

    def _call(self, call: Call) -> str:
        special = self.special.get(call.word)
        if special is not None:
            return special(self, call)
        found = self.implementations[call.word]
        if found.first != "view":
            first = ["K.board"] if found.first else []
            return self.applied(found.code, [*first, *map(self.text, call.arguments)])
        texts = list(map(self.text, call.arguments))
        tag = self.names.pieces_tagged(call)
        if tag is not None:
            return self._tagged(tag)
        return self.applied(found.code, [self.view(), *texts])

    def _tagged(self, kinds: tuple[int, ...]) -> str:
        """The hexes with pieces of some kinds, whoever owns them."""
        if len(kinds) == len(self.plan.ruleset.catalog.pieces):
            return self.occupied()
        seats = [f"s.pieces[{kind}]" for kind in kinds]
        found = " | ".join(f"{self.draft}.neutral[{kind}]" for kind in kinds) or "0"
        name = self.keep(found)
        if name == found:
            name = self.new()
            self.line(f"{name} = {found}")
        with self.under(f"for s in {self.draft}.seats:"):
            self.line(f"{name} |= {' | '.join(seats) or '0'}")
        return name

    def _is_light(self, expr: Expr) -> bool:
        if isinstance(expr, Lit | Var) or self.recalled(self.names.identity(expr)) is not None:
            return True
        if not isinstance(expr, Call) or expr.word in CONNECTIVES:
            return False
        if expr.fixed or expr.word in LIGHT:
            return True
        if expr.word in self.special:
            return False
        body = body_of(self.implementations[expr.word].code)
        if self.implementations[expr.word].first or body is None or body.asks:
            return False
        return all(self._is_light(part) for part in expr.arguments)

    # sets cut down

    def _cut(self, call: Call) -> str:
        """A set cut down: what is at hand first, and nothing is asked of an empty set."""
        if call.word == "narrowed":
            return self._narrowed(call)
        parts = list(_cuts(call, False))
        # What is connected within a set lies in it; looking there first may save the search.
        groups = [part for part in parts if _is_connected(*part)]
        parts = [part for part in parts if part not in groups]
        parts += [(by, False) for group, _ in groups for by in parts_of(group)[1:]] + groups
        light = [part for part in parts if self._is_light(part[0])]
        heavy = [part for part in parts if not self._is_light(part[0])]
        name = self.new()
        near = self._near_test(light, heavy)
        if near:
            self.line(f"{name} = {near}")
            with self.under(f"if {name}:"):
                self._cut_at(name, light, heavy)
        else:
            self._cut_at(name, light, heavy)
        return name

    def _cut_at(self, name: str, light: Parts, heavy: Parts) -> None:
        self.line(f"{name} = {self._first_test(light, heavy)}")
        self._cut_further(name, heavy)

    def _near_test(self, light: Parts, heavy: Parts) -> str:
        """What must hold for hexes that touch a few to be of what the board fixes.

        A few hexes are those of a bound name; looking whether they touch is one `&`.
        """
        fixed = [part for part, taken in light if not taken and is_fixed(part)]
        near = [part for part, taken in heavy if not taken and _is_near_few(part)]
        if not fixed or not near:
            return ""
        few = next(part for part, _ in _cuts(near[0].arguments[0], False) if isinstance(part, Var))
        touching = Call(fixed[0].sort, fixed[0].span, ADJACENT, (fixed[0],), fixed=True)
        return f"{self.text(few)} & {self.constant(touching)}"

    def _first_test(self, light: Parts, heavy: Parts) -> str:
        if not any(not taken for _, taken in light):
            index = next(i for i, (_, taken) in enumerate(heavy) if not taken)
            light.insert(0, heavy.pop(index))
        light.sort(key=lambda part: part[1])
        texts = [f"{'~' * taken}{self._part(part)}" for part, taken in light]
        return " & ".join(texts)

    def _part(self, expr: Expr) -> str:
        text = self.text(expr)
        return text if text.replace(".", "").isalnum() or text[0] == "(" else f"({text})"

    def _cut_further(self, name: str, heavy: Parts) -> None:
        if not heavy:
            return
        (part, taken), *rest = heavy
        with self.under(f"if {name}:"):
            self.line(f"{name} &= {'~' * taken}{self._part(part)}")
            self._cut_further(name, rest)

    def _narrowed(self, call: Call) -> str:
        first, second = call.arguments
        name = self.new()
        self.line(f"{name} = {self.text(first)}")
        with self.under(f"if {name}:"):
            self.line(f"{name} = {name} & {self._part(second)} or {name}")
        return name

    def neighbours(self, text: str) -> str:
        """The hexes that touch a set: six shifts, as `Grid.neighbours` does them."""
        m = self.keep(text)
        t = self.keep(f"{m} | {m} << 1")
        return f"(({m} << 1 | {m} >> 1 | {t} << K.less | {t} >> K.stride) & K.full)"


def _cuts(expr: Expr, taken: bool) -> Iterator[tuple[Expr, bool]]:
    """The parts of a set that is cut down, and whether each is taken away."""
    if isinstance(expr, Call) and not expr.fixed and not taken and expr.word in (BOTH, WITHOUT):
        first, second = expr.arguments
        yield from _cuts(first, False)
        yield from _cuts(second, expr.word == WITHOUT)
    elif isinstance(expr, Call) and not expr.fixed and taken and expr.word == EITHER:
        for part in expr.arguments:
            yield from _cuts(part, True)
    else:
        yield expr, taken


def _is_connected(expr: Expr, taken: bool) -> bool:
    return isinstance(expr, Call) and expr.word == CONNECTED and not taken


def _is_near_few(expr: Expr) -> TypeGuard[Call]:
    """Whether it is what touches the hexes of a bound name, or some of them."""
    if not isinstance(expr, Call) or expr.word != ADJACENT:
        return False
    parts = list(_cuts(expr.arguments[0], False))
    return any(isinstance(part, Var) and not taken for part, taken in parts)


def heavy_parts(expr: Expr) -> Iterator[Any]:
    """The identities of the parts that cost something to work out."""
    if isinstance(expr, Call) and expr.fixed:
        return
    if isinstance(expr, Call) and expr.word == ADJACENT and not _speaks(expr):
        yield identity(expr)
    for part in parts_of(expr):
        yield from heavy_parts(part)


def _speaks(expr: Expr) -> bool:
    return isinstance(expr, Var) or any(map(_speaks, parts_of(expr)))
