"""Patterns that cards and tasks look for; what lies there already may spoil them."""

from __future__ import annotations

from random import Random

from tests.boxes.scene import Scene
from tests.boxes.targets import flower_of
from tests.oracle.geometry import ISLAND, SIZE, WAYS, Cell, areas, is_on_board, neighbours, step
from tests.oracle.ground import BUILDABLE, SPECIAL


def a_line(s: Scene, random: Random) -> list[Cell]:
    cells = [(random.randrange(SIZE), random.randrange(SIZE))]
    way = random.choice(WAYS)
    while len(cells) < 8 and is_on_board(cells[-1]):
        cells.append(step(cells[-1], way))
    return cells


def an_area(s: Scene, random: Random) -> list[Cell]:
    kind = random.choice([*BUILDABLE, "water", "mountain"])
    small = [area for area in areas(s.ground.of(kind)) if len(area) <= 12]
    return sorted(random.choice(small)) if small else []


def around_a_place(s: Scene, random: Random) -> list[Cell]:
    return sorted(neighbours(random.choice(s.ground.of(*SPECIAL))))


def a_flower(s: Scene, random: Random) -> list[Cell]:
    return flower_of((random.randrange(SIZE), random.randrange(SIZE)))


def an_edge(s: Scene, random: Random) -> list[Cell]:
    at, across = random.choice([0, SIZE - 1]), random.random() < 0.5
    places = sorted(random.sample(range(SIZE), random.choice([6, 7, 9])))
    return [(at, place) if across else (place, at) for place in places]


def all_edges(s: Scene, random: Random) -> list[Cell]:
    last, some = SIZE - 1, random.randrange(SIZE)
    return [(0, some), (last, SIZE - 1 - some), (some, 0), (random.randrange(SIZE), last)]


def an_island(s: Scene, random: Random) -> list[Cell]:
    """Some of it, or most of it; a line now and then."""
    some = random.sample(sorted(ISLAND), random.choice([3, 8, 20]))
    row, _ = some[0]
    return random.choice([some, sorted(cell for cell in ISLAND if cell[0] == row)])


PATTERNS = (a_line, an_area, around_a_place, a_flower, an_edge, all_edges, an_island)
