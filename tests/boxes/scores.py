"""What pays at the end, counted hex by hex: cards, castles, capitols and tasks."""

from __future__ import annotations

from collections.abc import Callable

from tests.boxes.ground import distances
from tests.boxes.scene import Scene
from tests.oracle import twin_scores
from tests.oracle.geometry import (
    ISLAND,
    SIZE,
    WAYS,
    Cell,
    areas,
    is_on_board,
    is_on_table,
    neighbours,
    step,
)
from tests.oracle.ground import SPECIAL
from tests.oracle.picture import OPTIONS, Picture

BASE = tuple(twin_scores.SCORES)
EAST_SOUTH_EAST, EAST_SOUTH_WEST = 1, 2


def score(s: Scene, rule: str, player: int) -> int:
    """The gold of one rule or card for one player."""
    if rule in BASE:
        return twin_scores.score(plain(s), rule, player)
    return SCORES[rule](s, player)


def plain(s: Scene) -> Picture:
    """The scene as the base game sees it: whose hex it is, and nothing else."""
    pieces = {cell: piece.owner for cell, piece in s.pieces.items()}
    return Picture(s.ground, s.players, OPTIONS | s.options, pieces)


def capitol(s: Scene, me: int) -> int:
    return sum(distances(c).get(cell, 3) <= 2 for c in s.capitols for cell in s.own(me))


def coast_fishing(s: Scene, me: int) -> int:
    """What lies at the sea and at no water of the island; the Fishermen pay for the others."""
    if not s.has("coast_is_water"):
        return 0
    water = set(s.ground.of("water"))
    dry = [cell for cell in s.own(me) if cell in ISLAND and cell not in water]
    return sum(len(neighbours(cell)) < 6 and not neighbours(cell) & water for cell in dry)


def home_country(s: Scene, me: int) -> int:
    own = set(s.own(me))
    kinds = set(s.ground.kind.values()) - set(SPECIAL)
    if not s.has("any_home_country"):
        kinds -= {"water", "mountain"}
    return 5 * any(area <= own for kind in kinds for area in areas(s.ground.of(kind)))


def fortress(s: Scene, me: int) -> int:
    return 6 * any(surrounded(s, me, cell) for cell in s.own(me))


def surrounded(s: Scene, me: int, cell: Cell) -> bool:
    """Whether all six neighbours are the player's; at the edge there are fewer."""
    own = set(s.own(me))
    return all(is_on_board(near) and near in own for near in (step(cell, way) for way in WAYS))


def road(s: Scene, me: int) -> int:
    own = set(s.own(me))
    return 7 * any(
        all(cell in own for cell in line(start, way, 7))
        for start in own
        for way in (EAST_SOUTH_EAST, EAST_SOUTH_WEST)
    )


def line(cell: Cell, way: int, length: int) -> list[Cell]:
    found = [cell]
    while len(found) < length:
        found.append(step(found[-1], way))
    return found


def place_of_refuge(s: Scene, me: int) -> int:
    own = set(s.own(me))
    return 8 * any(neighbours(place) <= own for place in s.ground.of(*SPECIAL))


EDGES: tuple[Callable[[Cell], bool], ...] = (
    lambda cell: cell[0] == 0,
    lambda cell: cell[0] == SIZE - 1,
    lambda cell: cell[1] == 0 and is_on_table(cell),
    lambda cell: cell[1] == SIZE - 1,
)


def advance(s: Scene, me: int) -> int:
    return 9 * any(sum(map(on_edge, s.own(me))) >= 7 for on_edge in EDGES)


def compass_points(s: Scene, me: int) -> int:
    return 10 * all(any(map(on_edge, s.own(me))) for on_edge in EDGES)


TASKS = ("home_country", "fortress", "road", "place_of_refuge", "advance", "compass_points")
SCORES: dict[str, Callable[[Scene, int], int]] = {
    each.__name__: each
    for each in (
        capitol, coast_fishing, home_country, fortress, road, place_of_refuge, advance,
        compass_points,
    )
}  # fmt: skip
