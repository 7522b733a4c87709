"""Which expressions a board decides alone, so that they are worked out once for a game.

Where a definition is written out in a rule its words keep what the check said of them, when
their arguments were still names; here they are looked at again, and folds as well.
"""

from __future__ import annotations

from kbrules.lang.typed import LISTS, Call, Conditional, Expr, Fold, Lit, Sort, Var
from kbrules.primitives.vocabulary import implementations

HOISTED_SORTS = (Sort.HEXES, Sort.GROUPS)
"""Numbers and the like are worked out as quickly as read."""
OF_THE_GRID = frozenset({"edge()", "rows()", "diagonals()", "edges()", "sectors()"})
"""Words that the shape of a table decides, whatever lies on it; no kernel works them out."""
DIRECT_LOADS = frozenset({"board()", "terrain(terrain)", "place(place)"})
"""Words that are read from the memory as they are."""


def is_cheap(expr: Expr) -> bool:
    """Whether an expression is read from the memory without working out anything."""
    return (
        isinstance(expr, Call)
        and expr.word in DIRECT_LOADS
        and all(isinstance(each, Lit) for each in expr.arguments)
    )


def depends_on_grid_only(expr: Expr) -> bool:
    """Whether an expression is to be hoisted to the grid, for all tables of its shape."""
    return isinstance(expr, Call) and expr.word in OF_THE_GRID


def depends_on_board_only(expr: Expr) -> bool:
    """Whether an expression is to be hoisted to the board: it answers hexes, always the same."""
    if isinstance(expr, Call) and expr.fixed:
        return expr.sort not in LISTS
    return expr.sort in HOISTED_SORTS and not isinstance(expr, Lit) and _is_fixed(expr, frozenset())


def _is_fixed(expr: Expr, bound: frozenset[str]) -> bool:
    """Whether board and options decide a value, but for the names of loops around it."""
    match expr:
        case Lit():
            return True
        case Var(name=name):
            return name in bound
        case Call(word=word, arguments=arguments, fixed=fixed):
            return fixed or (_is_blind(word) and all(_is_fixed(each, bound) for each in arguments))
        case Fold(word=word, variable=variable, domain=domain, condition=condition, body=body):
            parts = [body] if condition is None else [body, condition]
            inside = all(_is_fixed(each, bound | {variable}) for each in parts)
            return _is_blind(word) and inside and _is_fixed(domain, bound)
        case Conditional(condition=condition, value=value, other=other):
            return all(_is_fixed(each, bound) for each in (condition, value, other))


def _is_blind(word: str) -> bool:
    """Whether the code of a word does not see the state, but the board at most."""
    found = implementations().get(word)
    return found is not None and found.first != "view"
