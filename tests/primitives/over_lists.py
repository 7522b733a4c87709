"""Words over lists of things and of numbers, each with what it means of dictionaries of hexes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.hex.twin import Hex
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
