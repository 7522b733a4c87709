"""Actions that say beside what a piece may come, each said a second time, in Python.

Each is asked with the board, the state with a moved piece taken up, the player and the ground
that the action may use at all, and answers what is left of that ground.
"""

from __future__ import annotations

from collections.abc import Callable

from kbrules.game.state import State
from kbrules.hex.sets import Mask, bits


Beside = Callable[["Ground", State, int, Mask], Mask]


def village(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    mine = state.seats[player].all
    found = (h for h in bits(land & ground.around(mine)) if (ground.near[h] & mine).bit_count() > 2)
    return sum(1 << hex for hex in found)


def fountain(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    """Exactly one of one's own and none of others; on mountains with the bonus."""
    if ground.holds(state, player, "fountain_bonus"):
        land |= ground.of["mountain"]
    mine = state.seats[player].all
    land &= ground.around(mine) & ~ground.around(ground.theirs(state, player))
    return sum(1 << h for h in bits(land) if (ground.near[h] & mine).bit_count() == 1)


def scout_cabin(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    in_chain = ground.option("scouts_in_chain")
    mine = state.seats[player].all if in_chain else ground.lasting(state, player)
    return (land | ground.of["water"] | ground.of["mountain"]) & ground.around(mine)


def city_hall(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    return land if ground.option("halls_off_table") else land & ground.grid.part()


def beside_mine(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    return land & ground.around(state.seats[player].all)


BESIDE: dict[str, Beside] = {
    "tower": lambda ground, state, player, land: land & ground.grid.edge(),
    "village": village,
    "city_hall": city_hall,
    "fountain": fountain,
    "scout_cabin": scout_cabin,
    "farm_action": beside_mine,
    "silos": beside_mine,
    "water_mill": lambda ground, state, player, land: land & ground.around(ground.of["water"]),
    "mountain_station": lambda g, state, player, land: land & g.around(g.of["mountain"]),
    "university": lambda ground, state, player, land: land & ground.around(ground.special),
    "watchtower": lambda g, state, player, land: land & g.around(g.theirs(state, player)),
}
