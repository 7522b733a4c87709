"""Small positions in which each word is tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.hex.twin import Hex
from tests.primitives.ledger import Try
from tests.primitives.worlds import PLAYERS, World

__all__ = ["OVER_LISTS", "id_of", "names", "steps"]


def cards(w: World, where: str) -> set[str]:
    """The scoring cards of the table that are in play, beside it, or retired."""
    known, state = w.game.ruleset.catalog.cards, w.state
    beside = {name for i, name in enumerate(known) if state.beside // 2**i % 2}
    retired = {name for i, name in enumerate(known) if state.retired // 2**i % 2}
    return {"beside": beside, "retired": retired}.get(where, {*w.game.cards} - beside - retired)


def id_of(w: World, table: str, index: int) -> str:
    return str(getattr(w.game.ruleset.catalog, table)[index].id)


def names(w: World, table: str) -> list[str]:
    """The names of the terrains, places or tiles on the board, or of players' kinds of piece."""
    catalog, found = w.game.ruleset.catalog, w.kind.values()
    return {
        "terrains": [each.id for each in catalog.hexes if each.id in found and not each.is_place],
        "places": [each.id for each in catalog.hexes if each.id in found and each.is_place],
        "pieces": [each.id for each in catalog.pieces if not each.neutral],
        "tiles": [each.id for each in catalog.tiles if each.id in w.tiles.values()],
        "held": [id_of(w, "tiles", tile.kind) for tile in w.state.seats[w.me].tiles],
    }[table]


def lying(w: World, tile: str) -> set[Hex]:
    return {place for place, each in w.tiles.items() if each == tile}


def steps(w: World, one: set[Hex], other: set[Hex]) -> int:
    """The smallest radius around a set at which it meets the other one."""
    radii = range(40) if one and other else ()
    return next((n for n in radii if w.twin.within(one, n) & other), 0)


def rest(one: int, other: int) -> int:
    """What is between a number and the multiple of another that lies below it."""
    if other == 0:
        return 0
    below = 0
    while not 0 <= one - below < abs(other):
        below += abs(other) * max(1, abs(one - below) // abs(other)) * (1 if one > below else -1)
    return one - below + (other if other < 0 and one != below else 0)


OVER_LISTS: list[tuple[str, str, Callable[[World], Any]]] = [
    ("terrains()", "each(terrain(x) - a for x in terrains)",
     lambda w: [w.of(each) - w.a for each in names(w, "terrains")]),
    ("place_kinds()", "each(place(x) for x in place_kinds if x != mound)",
     lambda w: [w.of(each) for each in names(w, "places") if each != "mound"]),
    ("piece_kinds()", "each(pieces(x) & a for x in piece_kinds)",
     lambda w: [w.with_piece(each) & w.a for each in names(w, "pieces")]),
    ("tile_kinds()", "each(holding(x) for x in tile_kinds if x != mill)",
     lambda w: [lying(w, each) for each in names(w, "tiles") if each != "mill"]),
    ("held_tiles()", "each(holding(x) for x in held_tiles)",
     lambda w: [lying(w, each) for each in names(w, "held")]),
    ("players()", "each(pieces(x) for x in players)",
     lambda w: [w.held_by((w.me + i) % PLAYERS) for i in range(PLAYERS)]),
    ("others()", "each(pieces(x) for x in others)",
     lambda w: [w.held_by((w.me + i) % PLAYERS) for i in range(1, PLAYERS)]),
    ("scoring_cards()", "count(in_play(x) for x in scoring_cards if x != rowers)",
     lambda w: len(cards(w, "play") - {"rowers"})),
    ("=(card,card)", "count(x = rowers for x in scoring_cards)",
     lambda w: int("rowers" in cards(w, "play"))),
    ("!=(card,card)", "count(x != rowers for x in scoring_cards)",
     lambda w: len(cards(w, "play") - {"rowers"})),
    ("count(players)", "count(others)", lambda w: PLAYERS - 1),
    ("count(players)", "count((others if t))", lambda w: (PLAYERS - 1) * w.t),
    ("count(terrains)", "count(terrains)", lambda w: len(names(w, "terrains"))),
    ("count(terrains)", "count((terrains if t))", lambda w: len(names(w, "terrains")) * w.t),
    ("count(places)", "count(place_kinds)", lambda w: len(names(w, "places"))),
    ("count(pieces)", "count(piece_kinds)", lambda w: len(names(w, "pieces"))),
    ("count(tiles)", "count(held_tiles)", lambda w: len(names(w, "held"))),
    ("count(tiles)", "count(tile_kinds)", lambda w: len(names(w, "tiles"))),
    ("count(tiles)", "count((held_tiles if u otherwise tile_kinds))",
     lambda w: len(names(w, "held" if w.u else "tiles"))),
    ("count(cards)", "count(scoring_cards)", lambda w: len(cards(w, "play"))),
    ("waiting_cards()", "count(x != lords for x in waiting_cards)",
     lambda w: len(cards(w, "beside") - {"lords"})),
    ("remainder(number,number)", "remainder(n, m)", lambda w: rest(w.n, w.m)),
    ("remainder(number,number)", "remainder(big, n)", lambda w: rest(w.big, w.n)),
    ("most(number,number)", "most(n, m)", lambda w: w.n if w.n > w.m else w.m),
    ("least(number,number)", "least(n, m)", lambda w: w.n if w.n < w.m else w.m),
    ("most(number,number)", "most(n, m, count(a), big)",
     lambda w: sorted([w.n, w.m, len(w.a), w.big])[-1]),
    ("least(number,number)", "least(n, m, count(a), big, -3)",
     lambda w: sorted([w.n, w.m, len(w.a), w.big, -3])[0]),
    ("count(truth)", "count(count(x & a) > n for x in gs if any(x & b))",
     lambda w: sum(len(x & w.a) > w.n for x in w.gs if x & w.b)),
]  # fmt: skip
"""The key of a word, a text with it, and its twin: lists of sets for `each`, or numbers."""


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


CardArguments = dict[str, Any]


def some_card(t: Try) -> int:
    return t.random.choice(t.w.game.card_indexes or (0,))


def retire(t: Try) -> CardArguments:
    which = some_card(t)
    t.now.beside.discard(which)
    t.now.retired.add(which)
    return {"which": which}


def bring(t: Try) -> CardArguments:
    which = some_card(t)
    t.now.beside.discard(which)
    return {"which": which}


def substitute(t: Try) -> CardArguments:
    which, other = some_card(t), some_card(t)
    in_play = {*t.w.game.card_indexes} - t.now.beside - t.now.retired
    if which in in_play and other in t.now.beside:
        t.now.beside = t.now.beside - {other} | {which}
    return {"which": which, "other": other}
