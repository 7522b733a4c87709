"""Writing out which pieces have somewhere to go, all at once where that is exact."""

from __future__ import annotations

from kbrules.compile.steps.plan import Asked
from kbrules.compile.steps.scribe import ADJACENT, Scribe
from kbrules.lang.core import Call, Expr


def sources(pen: Scribe, asked: Asked) -> str:
    """The pieces that may be moved: those that would have a target once lifted.

    See the engine's page on sources for why this is what lifting each piece in turn would find.
    """
    if asked.sourcing is None or asked.sets[0] is None or asked.word.can is not None:
        return f"K.legal({pen.bound(asked.handle)}, {pen.view()}, ())"
    found, own, free = pen.new_name(), pen.new_name(), pen.new_name()
    pen.line(f"{found} = 0")
    terms = " & ".join(f"({pen.text(term)})" for term in asked.sourcing.free) or "K.full"
    pen.line(f"{own} = {terms}")
    pen.line(f"{free} = {own} & ~({pen.text(asked.forbidden)})")
    with pen.under(f"if {free}:"):
        pen.line(f"{found} = {_pieces(pen, asked)}")
        if asked.sourcing.relation is not None:
            outer = pen.variables
            pen.variables = {**outer, "origin": free}
            pen.line(f"{found} &= {pen.text(asked.sourcing.relation)}")
            pen.variables = outer
        if not asked.is_free:
            _doubtful(pen, asked, found, own, free)
    return found


def _pieces(pen: Scribe, asked: Asked) -> str:
    assert asked.sets[0] is not None
    found = [f"({pen.text(asked.sets[0])})", pen.occupied()]
    found += [f"~held_by_anybody({pen.draft}, {kind})" for kind in asked.stays]
    if asked.piece is not None:
        found.append(f"held_by_anybody({pen.draft}, {pen.text(asked.piece)})")
    return " & ".join(found)


def _doubtful(pen: Scribe, asked: Asked, found: str, own: str, free: str) -> None:
    """Pieces that stand where they might go: may nothing but their own hex be preferred?

    If two pieces of the player touch what is free, lifting one of them leaves the other beside a
    free hex; so a free hex is preferred, whichever is lifted.
    """
    with pen.under(f"if {found} & {own}:"):
        one = pen.new_name()
        if _prefers_company(asked):
            beside = pen.neighbours(f"{free} & ~{pen.occupied()}")
            pen.line(f"{one} = {beside} & {pen.seat('mine')}")
            test = f"if not {one} & ({one} - 1):"
        else:
            test = "if True:"
        with pen.under(test):
            pen.line(f"{one} = {found} & {own}")
            each = f"K.one_by_one({pen.bound(asked.handle)}, {pen.view()}, {one})"
            pen.line(f"{found} = {found} & ~{one} | {each}")


def _prefers_company(asked: Asked) -> bool:
    """Whether all that is preferred are the hexes beside the player's own pieces."""
    return len(asked.prefers) == 1 and _is_beside_mine(asked.prefers[0])


def _is_beside_mine(expr: Expr) -> bool:
    if not isinstance(expr, Call) or expr.word != ADJACENT:
        return False
    first = expr.arguments[0]
    return isinstance(first, Call) and first.word == "mine()"
