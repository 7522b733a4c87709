"""Words that ask which kinds of pieces lie where and are left, written out.

A table keeps the main kind apart: it is all that lies there but for what is kept of other kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from kbrules.lang.core import Call, Expr, Lit
from kbrules.primitives.steps import MAIN

if TYPE_CHECKING:
    from kbrules.compile.whole.scribe import Scribe


def value_of(call: Call) -> object:
    """The value of the first argument of a call, None unless it is written out."""
    first = call.arguments[0]
    return first.value if isinstance(first, Lit) else None


def is_mine(expr: Expr) -> bool:
    """Whether it is all that lies of the player."""
    return isinstance(expr, Call) and expr.word == "mine()"


def in_supply(piece: int) -> str:
    """A place of the text: how many of a kind of piece the player has left."""
    return f"seat.supplies[{piece}]" if piece != MAIN else "seat.left"


def _supply(scribe: Scribe, call: Call) -> str | None:
    kind = value_of(call)
    return in_supply(kind) if isinstance(kind, int) else None


def _mine(scribe: Scribe, call: Call) -> str | None:
    kind = value_of(call)
    if not isinstance(kind, int) or scribe.plan.neutral[kind]:
        return None
    return _of_player(scribe, (kind,))


def _can_build(scribe: Scribe, call: Call) -> str | None:
    """For a known kind of piece: whether it has one hex, and there is one left."""
    value = value_of(call)
    kind = value if isinstance(value, int) else 0 if value is None and call.arguments else None
    if kind is None or scribe.plan.neutral[kind]:
        return None
    return in_supply(kind) if scribe.plan.single[kind] else "False"


def _pieces(scribe: Scribe, call: Call) -> str | None:
    kind = value_of(call)
    return of_kinds(scribe, (kind,)) if isinstance(kind, int) else None


def of_kinds(scribe: Scribe, kinds: tuple[int, ...]) -> str:
    """The hexes with a piece of some kinds; all that lie anywhere, if these are all kinds."""
    others = [kind for kind in range(len(scribe.plan.neutral)) if kind not in kinds]
    if not others:
        return "t.occupied"
    if MAIN in kinds:
        return f"(t.occupied & ~({_laid(others)}))"
    return f"({_laid(kinds)})" if kinds else "0"


def _laid(kinds: Iterable[int]) -> str:
    return " | ".join(f"t.laid[{kind}]" for kind in kinds)


def own_kinds(scribe: Scribe, first: Expr, second: Expr) -> str | None:
    """The player's pieces of the kinds of a tag, where that is what is asked."""
    of = second if is_mine(first) else first if is_mine(second) else None
    tagged = scribe.plan.tagged.get(of.word) if isinstance(of, Call) else None
    return None if tagged is None else _of_player(scribe, tagged)


def _of_player(scribe: Scribe, kinds: tuple[int, ...]) -> str:
    """The player's pieces of some kinds."""
    own = [kind for kind, neutral in enumerate(scribe.plan.neutral) if not neutral]
    others = [kind for kind in own if kind not in kinds]
    if not others:
        return "seat.all"
    if MAIN in kinds:
        return f"(seat.all & ~({_other(others)}))"
    return f"({_other(found)})" if (found := [kind for kind in own if kind in kinds]) else "0"


def _other(kinds: Iterable[int]) -> str:
    return " | ".join(f"seat.others[{kind}]" for kind in kinds)


def _neutral(scribe: Scribe, call: Call) -> str:
    kinds = tuple(kind for kind, neutral in enumerate(scribe.plan.neutral) if neutral)
    return of_kinds(scribe, kinds) if kinds else "0"


OF_PIECES: Mapping[str, Callable[[Scribe, Call], str | None]] = {
    "can build": _can_build,
    "supply(piece)": _supply,
    "mine(piece)": _mine,
    "pieces(piece)": _pieces,
    "neutral()": _neutral,
}
"""By the key of the word, as `words.WORDS` has them."""
