"""The target of a step that lifts a piece, taken apart: who can move is then found all at once.

A piece can move if, once lifted, it has a target. That is asked of every piece for itself only
where it cannot be told from sets that lifting a piece leaves as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.engine.asking import Asking
from kbrules.engine.program import Program
from kbrules.engine.sources import BOTH, ORIGIN, is_origin
from kbrules.lang.core import Call, Expr, Lit, Var, parts_of
from kbrules.primitives.registry import is_steady, is_symmetric

Kinds = frozenset[int]
NONE: Kinds = frozenset()
POINTWISE = (BOTH, "|(hexes,hexes)", "-(hexes,hexes)")
OF_KIND = ("pieces(piece)", "mine(piece)")
KEPT = ("memory", "option")
"""What lies on the board is nothing to them."""
THROUGH = {"slide(hexes,hexes)": (1, True), "next_in(hexes,hexes)": (1, False)}
"""Words that lead on from the origin into a set: which argument that is, and whether only who
stands beside the set has a target; who does has one in any case."""


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """What a target comes to.

    free: what of it is free of the origin. related: a symmetric relation to the origin, or None.
    through: the set into which one is led on from the origin, or None; only: whether nobody has a
    target but those beside it. kinds: of pieces that must be asked one by one, because lifting one
    changes what is said here.
    """

    free: tuple[Expr, ...]
    related: Expr | None
    through: Expr | None
    only: bool
    kinds: Kinds


def apart(asking: Asking, program: Program) -> Apart | None:
    """The target of a step taken apart, None if that does not tell who can move."""
    target = asking.phrases.get(asking.word.asks[-1].phrase)
    denies = asking.norms.denies
    only_origin = len(denies) == 1 and denies[0].test is None and is_origin(denies[0].norm.on)
    plain = asking.word.lifts and asking.can is None and asking.word.room is None
    if target is None or not plain or not only_origin:
        return None
    return _Taking(asking, program).taken(program.folded(target))


class _Taking:
    def __init__(self, asking: Asking, program: Program) -> None:
        self._asking = asking
        self._program = program
        pieces = program.ruleset.catalog.pieces
        tags = {tag for piece in pieces for tag in piece.tags}
        self._tagged = {
            f"{tag}()": frozenset(i for i, p in enumerate(pieces) if tag in p.tags) for tag in tags
        }

    def taken(self, target: Expr) -> Apart | None:
        barred = self._barred()
        terms = list(_terms(target))
        related = [term for term in terms if _mentions_origin(term)]
        free = [term for term in terms if not _mentions_origin(term)]
        kinds = self._all(free)
        if barred is None or kinds is None or len(related) > 1:
            return None
        if not related:
            return Apart(tuple(free), None, None, False, barred | kinds)
        if self._asking.freely is None:
            return None
        if _is_relation(related[0]):
            return Apart(tuple(free), related[0], None, False, barred | kinds)
        return None if free else self._through(related[0], barred)

    def _barred(self) -> Kinds | None:
        """The kinds of which one must not be lifted for norms to bar the same other hexes."""
        found = NONE
        for clause in self._asking.norms.forbids:
            guard = NONE if clause.guard is None else self._guard(clause.norm.guard)
            if clause.norm.on is None or guard is None:
                return None
            on = self._settled(self._program.folded(clause.norm.on))
            if on is None:
                return None
            found |= guard | on
        return found

    def _guard(self, guard: Expr | None) -> Kinds | None:
        return NONE if guard is None else self._steady(self._program.folded(guard))

    def _through(self, related: Expr, barred: Kinds) -> Apart | None:
        """A word that leads on into a set of which nothing is barred."""
        if not isinstance(related, Call) or related.word not in THROUGH:
            return None
        place, only = THROUGH[related.word]
        into = related.arguments[place]
        kinds = self._settled(into)
        if not is_origin(related.arguments[0]) or kinds is None or not self._is_open(into):
            return None
        return Apart((), None, into, only, barred | kinds)

    def _is_open(self, into: Expr) -> bool:
        """Whether it says itself that nothing of it is barred."""
        if not self._asking.norms.forbids:
            return True
        is_less = isinstance(into, Call) and into.word == "-(hexes,hexes)"
        return is_less and isinstance(into, Call) and self._is_forbidden(into.arguments[1])

    def _is_forbidden(self, expr: Expr) -> bool:
        if not isinstance(expr, Call) or expr.word != "forbidden(verb)":
            return False
        verb = expr.arguments[0]
        return isinstance(verb, Lit) and verb.value == self._asking.verb

    def _all(self, exprs: list[Expr]) -> Kinds | None:
        found = NONE
        for expr in exprs:
            kinds = self._steady(expr)
            if kinds is None:
                return None
            found |= kinds
        return found

    def _steady(self, expr: Expr) -> Kinds | None:
        """The kinds of which one must not be lifted for the value to stay; None for any."""
        if isinstance(expr, Lit | Var):
            return None if is_origin(expr) else NONE
        if isinstance(expr, Call):
            first = expr.arguments[0] if expr.arguments else None
            if expr.word in OF_KIND and isinstance(first, Lit):
                return frozenset({first.value})
            if expr.word in self._tagged:
                return self._tagged[expr.word]
            if not (expr.fixed or is_steady(expr.word) or expr.word in KEPT):
                return None
        return self._all(list(parts_of(expr)))

    def _settled(self, expr: Expr) -> Kinds | None:
        """The same, but that the value may change at the very hex of the lifted piece."""
        if isinstance(expr, Call) and (expr.word == "occupied()" or self._is_forbidden(expr)):
            return NONE
        if isinstance(expr, Call) and expr.word in POINTWISE:
            first, second = map(self._settled, expr.arguments)
            return None if first is None or second is None else first | second
        return self._steady(expr)


def _terms(expr: Expr) -> list[Expr]:
    """The parts of an intersection."""
    if isinstance(expr, Call) and expr.word == BOTH:
        return [term for part in expr.arguments for term in _terms(part)]
    return [expr]


def _mentions_origin(expr: Expr) -> bool:
    return is_origin(expr) or any(_mentions_origin(part) for part in parts_of(expr))


def _is_relation(expr: Expr) -> bool:
    """Whether it is a symmetric word of the origin and otherwise constants."""
    if not isinstance(expr, Call) or not is_symmetric(expr.word):
        return False
    first, *rest = expr.arguments
    return is_origin(first) and all(isinstance(part, Lit) for part in rest)


__all__ = ["ORIGIN", "Apart", "apart"]
