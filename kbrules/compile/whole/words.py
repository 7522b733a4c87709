"""Words that are written out for a table which is changed in place, instead of being called.

What the table keeps up to date is read from it; what the rules answer is written as they say it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kbrules.compile.flooding import connected
from kbrules.compile.whole.grounds import as_before, suppose
from kbrules.compile.whole.kinds import OF_PIECES, in_supply, is_mine, own_kinds, value_of
from kbrules.game.state import ZONES
from kbrules.lang.core import Call, Expr, Lit, is_fixed
from kbrules.primitives.operators import MOST, bounded
from kbrules.primitives.registry import is_symmetric
from kbrules.primitives.steps import MAIN

if TYPE_CHECKING:
    from kbrules.compile.whole.scribe import Scribe

SUM = "+(number,number)"
NATURAL = ("memory", "quantity", "count(hexes)", "count(groups)")
"""Words for numbers that are never below 0."""
Written = Callable[["Scribe", Call], str | None]


def _played(scribe: Scribe, call: Call) -> str:
    return "t.played"


def _terrain(scribe: Scribe, call: Call) -> str | None:
    first = call.arguments[0]
    is_played = isinstance(first, Call) and first.word == "played()"
    return "t.ground" if is_played else None


def _stocked(scribe: Scribe, call: Call) -> str:
    return "t.stocked"


def _adjacent(scribe: Scribe, call: Call) -> str:
    of = call.arguments[0]
    if is_mine(of):
        return "seat.near"
    one = scribe.keep(scribe.text(of))
    if _is_seldom(scribe, of):
        found = scribe.new()
        scribe.line(f"{found} = 0")
        with scribe.under(f"if {one}:"):
            scribe.line(f"{found} = {_beside(scribe, one)}")
        return found
    return _beside(scribe, one)


def _is_seldom(scribe: Scribe, expr: Expr) -> bool:
    """Whether it is pieces of another kind than the main one, of which there mostly are none."""
    if not isinstance(expr, Call):
        return False
    if expr.word == "pieces(piece)":
        return isinstance(value_of(expr), int) and value_of(expr) != MAIN
    return MAIN not in scribe.plan.tagged.get(expr.word, (MAIN,))


def _beside(scribe: Scribe, one: str) -> str:
    """The hexes beside a set."""
    two = scribe.keep(f"{one} | {one} << 1")
    return f"(({one} << 1 | {one} >> 1 | {two} << stride_less | {two} >> stride) & full)"


def _both(scribe: Scribe, call: Call) -> str | None:
    """What touches a set and lies in what the board decides: mostly nothing, as is seen first.

    Where two hexes are related so is each to the other, so that the set is asked first whether
    any of it is related to the second part.
    """
    related, fixed = call.arguments
    own = own_kinds(scribe, related, fixed)
    if own is not None:
        return own
    if scribe.is_laid(related, fixed):
        return scribe.text(related)
    if not isinstance(related, Call) or not is_fixed(fixed) or isinstance(fixed, Lit):
        return None
    of, *rest = related.arguments or (fixed,)
    alone = all(isinstance(part, Lit) for part in rest) and not is_fixed(related)
    if not is_symmetric(related.word) or not alone or is_mine(of) or isinstance(of, Lit):
        return None
    back = Call(related.sort, related.span, related.word, (fixed, *rest), fixed=True)
    one = scribe.keep(scribe.text(of))
    found = scribe.new()
    scribe.line(f"{found} = {one} & {scribe.text(back)}")
    with scribe.where(found):
        scribe.line(f"{found} = {scribe.text(related)} & {scribe.text(fixed)}")
    return found


def _connected(scribe: Scribe, call: Call) -> str:
    of, by = map(scribe.text, call.arguments)
    return connected(scribe, (of, by), "seat.floods", str(scribe.names.flood()), "board.grid")


def _open(scribe: Scribe, call: Call) -> str | None:
    expr = scribe.plan.open.get(str(value_of(call)))
    return "0" if expr is None else scribe.text(expr)


def _forbidden(scribe: Scribe, call: Call) -> str | None:
    expr = scribe.plan.barred.get(str(value_of(call)))
    return "0" if expr is None else scribe.text(expr)


def _dead(scribe: Scribe, call: Call) -> str:
    return f"({_dead_at(scribe, call)} if {_is_dead(scribe, call)} else 0)"


def _is_dead(scribe: Scribe, call: Call) -> str:
    """Nothing is dead while something is open, which is asked first."""
    return f"not {_open(scribe, call)} and t.shown"


def _dead_at(scribe: Scribe, call: Call) -> str:
    """A call of the function for the first card with nothing open, where that is asked."""

    def write(inner: Scribe) -> None:
        inner.line("if t.played >= 0: return 1")
        with inner.under("for at, card in enumerate(t.shown, 1):"):
            with inner.under("for terrain in board.shows[card]:"):
                inner.line(f"{inner.names.of(suppose)}(t, terrain)")
                found = inner.new()
                inner.line(f"{found} = {_open(inner, call)}")
                inner.line(f"{inner.names.of(as_before)}(t)")
                inner.line(f"if {found}: break")
            inner.line("else: return at")
        inner.line("return 0")

    if scribe.function is None:
        return f"{scribe.bound(_code(scribe, call))}(view, {scribe.literal(value_of(call))})"
    return f"{scribe.function(('dead', str(value_of(call))), ', me', write)}(t, me)"


def _above(scribe: Scribe, call: Call) -> str | None:
    """Whether something is dead, or a tile held, or usable, of which the number is not asked."""
    first, second = call.arguments
    if not isinstance(first, Call) or not isinstance(second, Lit) or second.value != 0:
        return None
    if first.word == "dead(verb)":
        return f"({_is_dead(scribe, first)} and {_dead_at(scribe, first)} > 0)"
    if first.word in ("held(tile)", "usable(tile)") and isinstance(first.arguments[0], Lit):
        kind = first.arguments[0].value
        return f"({kind} in seat.{'ready' if first.word == 'usable(tile)' else 'kinds'})"
    return None


def _held(scribe: Scribe, call: Call) -> str | None:
    kind = value_of(call)
    return f"seat.kinds.count({kind})" if isinstance(kind, int) else None


def _usable(scribe: Scribe, call: Call) -> str | None:
    kind = value_of(call)
    return f"seat.ready.count({kind})" if isinstance(kind, int) else None


def _and(scribe: Scribe, call: Call) -> str | None:
    """Of a tile that is usable it is not asked whether it is held."""
    first, second = call.arguments
    kind = _tile_of(first, "held(tile)")
    if kind is None or all(_tile_of(part, "usable(tile)") != kind for part in _conjuncts(second)):
        return None
    return scribe.text(second)


def _conjuncts(expr: Expr) -> list[Expr]:
    if isinstance(expr, Call) and expr.word == "and(truth,truth)":
        return [part for each in expr.arguments for part in _conjuncts(each)]
    return [expr]


def _tile_of(expr: Expr, word: str) -> object:
    """The kind of tile of which there is asked, by a word, whether there is one; None if not."""
    if not isinstance(expr, Call) or expr.word != ">(number,number)":
        return None
    first, second = expr.arguments
    is_it = isinstance(first, Call) and first.word == word
    is_any = isinstance(second, Lit) and second.value == 0
    return value_of(first) if is_it and is_any and isinstance(first, Call) else None


def _equal(scribe: Scribe, call: Call) -> str | None:
    """Whether a pile is empty, which is asked before every draw, or a supply."""
    first, second = call.arguments
    if not isinstance(first, Call) or not isinstance(second, Lit) or second.value != 0:
        return None
    of = value_of(first) if first.arguments else None
    if first.word == "supply(piece)" and isinstance(of, int):
        return f"(not {in_supply(of)})"
    if first.word != "cards(zone)":
        return None
    return f"(not any(t.piles[{ZONES.index(of)}]))" if of in ZONES else "(not t.shown)"


def _ends(scribe: Scribe, call: Call) -> str | None:
    """The ends of lines of some length or more, found without the lines."""
    lines = call.arguments[0]
    if not isinstance(lines, Call) or lines.word != "lines(hexes,range)":
        return None
    of, length = lines.arguments
    if not isinstance(length, Lit) or length.value[1] < 400:
        return None
    return f"board.grid.ends({scribe.text(of)}, {max(2, length.value[0])})"


def _code(scribe: Scribe, call: Call) -> object:
    return scribe.plan.implementations[call.word].code


def _quantity(scribe: Scribe, call: Call) -> str:
    name = value_of(call)
    assert isinstance(name, str)
    number, changes = scribe.plan.changes[name]
    if not changes:
        return str(max(0, number))
    found = scribe.new()
    scribe.line(f"{found} = {number}")
    for guard, tile, amount in changes:
        tests = [f"{tile} in seat.kinds"] if tile >= 0 else []
        if guard is not None:
            tests.append(scribe.text(guard))
        if not tests:
            scribe.line(f"{found} += {scribe.text(amount)}")
            continue
        with scribe.under(f"if {' and '.join(tests)}:"):
            scribe.line(f"{found} += {scribe.text(amount)}")
    if not all(_is_natural(amount) for _, _, amount in changes):
        scribe.line(f"if {found} < 0: {found} = 0")
    return found


def _is_natural(expr: Expr) -> bool:
    """Whether a number is never below 0."""
    if isinstance(expr, Lit):
        return bool(expr.value >= 0)
    if not isinstance(expr, Call):
        return False
    return expr.word in NATURAL or (expr.word == SUM and all(map(_is_natural, expr.arguments)))


def _sum(scribe: Scribe, call: Call) -> str:
    """A sum; it is seldom so large that it must be cut."""
    first, second = map(scribe.text, call.arguments)
    found = scribe.keep(f"{first} + {second}")
    least = "" if _is_natural(call) else f"{-MOST} <= "
    return f"({found} if {least}{found} <= {MOST} else {scribe.bound(bounded)}({found}))"


def _memory(scribe: Scribe, call: Call) -> str:
    name = value_of(call)
    assert isinstance(name, str)
    scope, slot = scribe.plan.memories[name]
    return f"t.memory[{slot}]" if scope == "table" else f"seat.memory[{slot}]"


def _required(scribe: Scribe, call: Call) -> str:
    return "t.required"


def _drawing(scribe: Scribe, call: Call) -> str:
    return "False"


def _repeated(scribe: Scribe, call: Call) -> str:
    return str(scribe.repeating)


def _cards(scribe: Scribe, call: Call) -> str | None:
    zone = value_of(call)
    return f"sum(t.piles[{ZONES.index(zone)}])" if zone in ZONES else "len(t.shown)"


def _any(scribe: Scribe, call: Call) -> str:
    return f"({_named(scribe, call.arguments[0])} != 0)"


def _none(scribe: Scribe, call: Call) -> str:
    return f"({_named(scribe, call.arguments[0])} == 0)"


def _named(scribe: Scribe, expr: Expr) -> str:
    return scribe.text(expr)


def _count(scribe: Scribe, call: Call) -> str:
    return f"({scribe.text(call.arguments[0])}).bit_count()"


def _me(scribe: Scribe, call: Call) -> str:
    return "me"


def _my_turn(scribe: Scribe, call: Call) -> str:
    return "(me == t.active)"


WORDS: Mapping[str, Written] = {
    **OF_PIECES,
    "&(hexes,hexes)": _both,
    "connected(hexes,hexes)": _connected,
    "played()": _played,
    "terrain(terrain)": _terrain,
    "stocked()": _stocked,
    "adjacent(hexes)": _adjacent,
    "open(verb)": _open,
    "forbidden(verb)": _forbidden,
    "dead(verb)": _dead,
    ">(number,number)": _above,
    "and(truth,truth)": _and,
    "held(tile)": _held,
    "usable(tile)": _usable,
    "=(number,number)": _equal,
    "ends(groups)": _ends,
    "quantity": _quantity,
    SUM: _sum,
    "memory": _memory,
    "required()": _required,
    "drawing()": _drawing,
    "repeated()": _repeated,
    "cards(zone)": _cards,
    "any(hexes)": _any,
    "none(hexes)": _none,
    "count(hexes)": _count,
    "me()": _me,
    "my_turn()": _my_turn,
}
"""By the key of the word; a text, or None if it is to be called after all."""

LIGHT = frozenset({"played()", "stocked()", "memory", "required()", "me()", "mine()"})
"""Words that cost no more than asking whether they are needed."""
