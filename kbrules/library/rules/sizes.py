"""How many hexes sets can have at most, for words that answer for small sets only.

What no rule here bounds may be as large as the board. The pieces of one player count as few: how
many there are is a matter of the boxes, and a larger group of them is refused when it comes up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.hex.ways import LARGEST
from kbrules.lang.typed.core import (
    Award,
    Call,
    Conditional,
    Each,
    Expr,
    Fold,
    Lit,
    Rule,
    Var,
    nodes_in,
)
from kbrules.lang.typed.sorts import Sort

MOST_HEXES = {"longest_way(hexes)": LARGEST}
"""The words that answer for small sets only, and how many hexes a connected group may have."""
_BOARD = 1 << 20
_PIECE = 7  # hexes of a piece: what events and steps name
_PIECES_OF_ONE = ("mine()", "mine(piece)", "pieces(player)")
_NO_LARGER = (
    "-(hexes,hexes)", "narrowed", "inside(hexes)", "mirrored(hexes)", "flipped(hexes)",
    "turned(hexes)", "linked(hexes,hexes)", "largest(groups)", "smallest(groups)", "groups(hexes)",
    "lines(hexes,range)", "parts(hexes,groups)", "linked(groups,hexes)",
)  # fmt: skip
"""Words whose sets, or each of whose groups, have no more hexes than their first argument."""
_OF_FEW = {"triangles(hexes)": 3, "rings(hexes)": 6}


def too_large_sets(rules: Iterable[Rule]) -> Iterator[Diagnostic]:
    """Yield a finding for each word asked of a set that may be larger than it answers for."""
    for rule in rules:
        nodes = [*nodes_in(rule)]
        calls = [each for each in nodes if type(each) is Call and each.word in MOST_HEXES]
        sizes = _Sizes(_domains(nodes)) if calls else None
        for call in calls:
            most = MOST_HEXES[call.word]
            if sizes is not None and sizes.of(call.arguments[0]) > most:
                yield _too_large(call, most)


def _too_large(call: Call, most: int) -> Diagnostic:
    name, of = call.word.partition("(")[0], call.arguments[0].span
    message = f"{quoted(of.one_line)} can have more than {most} hexes, too many for `{name}`"
    help_ = f"ask for less: `{name}(mine)`, or a part such as `mine & ...` or `within(here, 2)`"
    return Diagnostic("KB216", of, message, help_)


def _domains(nodes: Iterable[object]) -> Mapping[str, list[Expr]]:
    """What the names run over that loops of a rule bind."""
    found: dict[str, list[Expr]] = {}
    for node in nodes:
        if isinstance(node, Fold | Each):
            found.setdefault(node.variable, []).append(node.domain)
        elif isinstance(node, Award):
            for name, domain, _ in node.loops:
                found.setdefault(name, []).append(domain)
            if node.domain is not None:
                found.setdefault(node.variable, []).append(node.domain)
    return found


class _Sizes:
    """The sizes of the sets of one rule, and of the largest group of its lists of groups."""

    def __init__(self, domains: Mapping[str, list[Expr]]) -> None:
        self._domains = domains

    def of(self, expr: Expr) -> int:
        """How many hexes a set, or one of the groups, has at most."""
        match expr:
            case Lit(value=value):
                return 0 if not value else _BOARD
            case Var(name=name):
                return max(map(self._element, self._domains.get(name, ())), default=_PIECE)
            case Conditional(value=value, other=other):
                return max(self.of(value), self.of(other))
            case Call():
                return self._of_call(expr)
            case Fold(body=body):
                return self.of(body) if expr.sort is Sort.GROUPS else _BOARD
        return _BOARD

    def _element(self, domain: Expr) -> int:
        return 1 if domain.sort is Sort.HEXES else self.of(domain)

    def _of_call(self, call: Call) -> int:
        word, arguments = call.word, call.arguments
        if word in _PIECES_OF_ONE:
            return LARGEST
        if word in _OF_FEW:
            return _OF_FEW[word]
        if word in _NO_LARGER:
            return self.of(arguments[0])
        match word.partition("(")[0]:
            case "&":
                return min(map(self.of, arguments))
            case "|":
                return sum(map(self.of, arguments))
            case "connected":
                return self.of(arguments[1])
            case "foremost":
                return min(1, self.of(arguments[0]))
            case "adjacent" | "straight" | "slide" | "next_in":
                return 6 * self.of(arguments[0])
            case "within" | "reach" if isinstance(steps := arguments[1], Lit):
                return self.of(arguments[0]) * _disk(max(0, steps.value))
        return _BOARD


def _disk(steps: int) -> int:
    """How many hexes are at most so many steps from one."""
    return 1 + 3 * steps * (steps + 1)
