"""Writing out which pieces have somewhere to go, all at once where that is exact."""

from __future__ import annotations

import re

from kbrules.compile.steps.facts import replaced
from kbrules.compile.steps.plan import Asked
from kbrules.compile.steps.scribe import ADJACENT, SEAT, Scribe
from kbrules.lang.core import Call, Expr

PARTS = ("pieces", "mine", "occupied")
"""The local names that lifting a piece changes."""
_DRAFT = re.compile(r"\be\b")


def sources(pen: Scribe, asked: Asked) -> str:
    """The pieces that may be moved: those that would have a target once lifted.

    See the engine's page on sources for why this is what lifting each piece in turn would find.
    """
    if len(asked.sets) < 2 or asked.word.can is not None or not asked.word.lifts:
        return f"K.legal({pen.bound(asked.handle)}, {pen.view()}, ())"
    if asked.sourcing is None:
        return _one_by_one(pen, asked, _pieces(pen, asked))
    found, own, free = pen.new(), pen.new(), pen.new()
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


def _one_by_one(pen: Scribe, asked: Asked, pieces: str) -> str:
    """Of some pieces those that have a target once lifted: each is lifted to see."""
    found, left = pen.new(), pen.new()
    pen.line(f"{found} = 0")
    pen.line(f"{left} = {pieces}")
    pen.seat("mine")
    pen.occupied()
    # What is not of the main kind, or of somebody else, is asked by the machine.
    with pen.under(f"if {left} & ~pieces[0]:"):
        others = f"{left} & ~pieces[0]"
        handle = pen.bound(asked.handle)
        pen.line(f"{found} = K.one_by_one({handle}, {pen.view()}, {others})")
    kept = [pen.new() for _ in PARTS]
    pen.line(f"{', '.join(kept)} = {', '.join(PARTS)}")
    with pen.under(f"for hex_ in bits({left} & pieces[0]):"):
        pen.line("origin = 1 << hex_")
        pen.line(f"{', '.join(PARTS)} = {', '.join(kept)}")
        text = targets(pen, asked)
        pen.line(f"if {text}: {found} |= origin")
    pen.line(f"{', '.join(PARTS)} = {', '.join(kept)}")
    pen.changed()
    return found


def targets(pen: Scribe, asked: Asked) -> str:
    """Where the piece on `origin` may go, which is lifted in local names and in no draft.

    Where what is asked wants a draft after all, one is made.
    """
    size = len(pen.plan.ruleset.catalog.pieces)
    pen.line(f"pieces = {replaced('pieces', 0, 'pieces[0] & ~origin', size)}")
    pen.line("mine &= ~origin")
    pen.line("occupied &= ~origin")
    start = len(pen.lines)
    with pen.lifting():
        text = pen.keep(pen.text(asked.legal))
    if any(_DRAFT.search(line) for line in pen.lines[start:]):
        made = (
            "e = draft_of(d)",
            "e.occupied = occupied",
            f"seat = seat_of(({', '.join(SEAT)}))",
            "e.seats = with_item(e.seats, me, seat)",
        )
        pen.lines[start:start] = [pen.indented(line) for line in made]
    return text


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
        one = pen.new()
        if _prefers_company(asked):
            beside = pen.neighbours(f"{free} & ~{pen.occupied()}")
            pen.line(f"{one} = {beside} & {pen.seat('mine')}")
            test = f"if not {one} & ({one} - 1):"
        else:
            test = "if True:"
        with pen.under(test):
            pen.line(f"{one} = {found} & {own}")
            each = _one_by_one(pen, asked, one)
            pen.line(f"{found} = {found} & ~{one} | {each}")


def _prefers_company(asked: Asked) -> bool:
    """Whether all that is preferred are the hexes beside the player's own pieces."""
    return len(asked.prefers) == 1 and _is_beside_mine(asked.prefers[0])


def _is_beside_mine(expr: Expr) -> bool:
    if not isinstance(expr, Call) or expr.word != ADJACENT:
        return False
    first = expr.arguments[0]
    return isinstance(first, Call) and first.word == "mine()"
