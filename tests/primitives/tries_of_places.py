"""What steps about places, two pieces and cards kept should change, in lists and dictionaries."""

from __future__ import annotations

from typing import Any

from tests.primitives.ledger import Try

Arguments = dict[str, Any] | None


def withdraw(t: Try) -> Arguments:
    for each in t.w.a & set(t.now.stock):
        t.now.stock[each] = []
    return {"places": t.w.board.mask(t.w.a)}


def restock(t: Try) -> Arguments:
    for tile in [tile for tile in t.now.tiles[t.me] if tile[1] in t.w.a]:
        t.now.tiles[t.me].remove(tile)
        assert tile[1] is not None
        t.now.stock[tile[1]].append(tile[0])
    return {"places": t.w.board.mask(t.w.a), "used_first": None}


def restock_used_first(t: Try) -> Arguments:
    before = list(t.now.tiles[t.me])
    restock(t)
    for kind in {kind for kind, _, _ in before}:
        t.keep_uses(before, kind)
    return {"places": t.w.board.mask(t.w.a), "used_first": True}


def keep(t: Try) -> Arguments:
    """Cards set aside come back; if none of several was chosen, those face up do, before them."""
    unused = t.now.shown if len(t.now.shown) > 1 and t.now.choice < 0 else []
    t.now.hands[t.me] += [*unused, *t.now.aside]
    t.now.shown = [] if unused else t.now.shown
    t.now.aside = []
    return {}


def choose(t: Try) -> Arguments:
    """Which terrain is used is open again; the cards stay where they are."""
    t.now.choice = -1
    return {}


def swap(t: Try) -> Arguments:
    """Each stands where the other stood, and nobody's supply changes."""
    one, other = t.single(), t.single()
    if one is None or other is None or t.now.pieces[one] == t.now.pieces[other]:
        return None
    t.now.pieces |= {one: t.now.pieces[other], other: t.now.pieces[one]}
    return {"hexes": (t.bit(one), t.bit(other)), "piece": None}
