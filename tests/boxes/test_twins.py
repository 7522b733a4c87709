"""The twins themselves, held to the numbers and examples of the rule book."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.boxes import red_cards, targets
from tests.boxes.ground import lay
from tests.boxes.scattered import NOMAD_TILES
from tests.boxes.scene import NOBODY, SUPPLY, Piece, Scene
from tests.boxes.scores import score
from tests.oracle.geometry import Cell, areas, neighbours

FIRST_GAME = lay(((("tavern", False), ("paddock", False)), (("oasis", False), ("farm", False))))
NOMADIC = lay(((("quarry", False), ("harbor", False)), (("oasis", False), ("farm", False))))
ROW, A, B = tuple((9, column) for column in range(7)), 0, 1


def on(*cells: Cell, kind: str = "settlement", ground: object = FIRST_GAME) -> Scene:
    """A scene with these pieces of the first of three players."""
    s = Scene(ground, 3, A, ["grass"], gold=[0] * 3)  # type: ignore[arg-type]
    s.supply = [Counter(SUPPLY) for _ in range(3)]
    s.pieces = dict.fromkeys(cells, Piece(A, kind))
    return s


def spread(cell: Cell) -> tuple[Cell, ...]:
    return (cell, *sorted(neighbours(cell)))


DIAGONAL = ((0, 3), (1, 3), (2, 4), (3, 4), (4, 5), (5, 5), (6, 6))
CASTLE = (3, 3)


@pytest.mark.parametrize(
    ("task", "cells", "gold"),
    [
        ("road", DIAGONAL, 7),
        ("road", DIAGONAL[:6], 0),
        ("road", (*DIAGONAL[:6], (7, 6)), 0),  # a gap
        ("road", ROW, 0),  # a row is no diagonal
        ("fortress", spread((9, 5)), 6),
        ("fortress", spread((0, 5)), 0),  # at the edge it cannot be
        ("place_of_refuge", sorted(neighbours(CASTLE)), 8),
        ("place_of_refuge", sorted(neighbours(CASTLE))[:5], 0),
        ("advance", tuple((0, column) for column in range(7)), 9),
        ("advance", tuple((0, column) for column in range(6)), 0),
        ("advance", ((0, 0), (0, 1), (0, 2), (0, 3), (5, 0), (6, 0), (7, 0)), 0),  # two edges
        ("compass_points", ((0, 0), (19, 19)), 10),  # corners serve two edges
        ("compass_points", ((0, 5), (5, 0), (19, 5)), 0),
        ("home_country", ((2, 10), (2, 11)), 0),
    ],
)
def test_tasks(task: str, cells: tuple[Cell, ...], gold: int) -> None:
    assert score(on(*cells), task, A) == gold
    assert score(on(*cells), task, B) == 0


def test_a_country_is_filled_or_it_is_not() -> None:
    water = FIRST_GAME.of("water")
    lake = next(area for area in areas(water) if (3, 0) in area)
    assert score(on(*lake), "home_country", A) == 5
    assert score(on(*sorted(lake)[1:]), "home_country", A) == 0
    walled = on(*sorted(lake)[1:])
    walled.pieces[min(lake)] = Piece(NOBODY, "wall")
    assert score(walled, "home_country", A) == 0


def test_a_hall_is_seven_pieces_for_every_card() -> None:
    s = on(*spread((9, 5)), kind="hall")
    assert score(s, "citizens", A) == 3
    assert score(s, "knights", A) == 6
    assert score(s, "hermits", A) == 1
    assert score(s, "discoverers", A) == 3
    assert score(s, "fortress", A) == 6


def test_ships_do_not_fish_and_walls_are_nobodys() -> None:
    water = FIRST_GAME.of("water")[0]
    assert score(on(water, kind="ship"), "fishermen", A) == 0
    s = on((9, 0))
    s.pieces |= dict.fromkeys([(9, 1), (9, 5)], Piece(NOBODY, "wall"))
    assert [score(s, "hermits", player) for player in range(3)] == [1, 0, 0]


def test_nomad_spaces_count_for_workers_and_merchants() -> None:
    place = NOMADIC.of("nomad")[0]
    nearby = sorted(neighbours(place))[0]
    assert score(on(nearby, ground=NOMADIC), "workers", A) == 1


def test_capitols_pay_for_two_hexes_around_each() -> None:
    s = on((5, 5), (5, 6), (5, 7), (5, 3), (5, 2), (7, 5), (8, 5))
    s.capitols = [(5, 5)]
    s.pieces.pop((5, 5))
    assert score(s, "capitol", A) == 4
    s.capitols = [(5, 5), (5, 4)]
    assert score(s, "capitol", A) == 4 + 4


def test_families_stand_in_any_order_but_without_a_gap() -> None:
    assert red_cards.families([(9, 2), (9, 0), (9, 1)]) == 2
    assert red_cards.families([DIAGONAL[2], DIAGONAL[0], DIAGONAL[1]]) == 2
    assert red_cards.families([(9, 0), (9, 1), (9, 3)]) == 0
    assert red_cards.families([(9, 0), (9, 1), (8, 1)]) == 0
    assert red_cards.families([(9, 0), (9, 1)]) == 0


def test_ambassadors_pay_once_for_each_build_and_not_for_walls() -> None:
    s = on((9, 0))
    s.pieces |= {(9, 1): Piece(NOBODY, "wall")}
    assert red_cards.ambassadors(s, A, [(9, 0)]) == 0
    s.pieces |= dict.fromkeys(neighbours((9, 0)), Piece(B, "settlement"))
    assert red_cards.ambassadors(s, A, [(9, 0)]) == 1


def test_a_caravan_goes_until_something_stops_it() -> None:
    s = on((0, 6))  # desert, behind it canyon up to the section's side and beyond
    far = targets.slide((0, 6), targets.WAYS[0], s.open_ground())
    assert far == [(0, 14)]  # water follows
    s.pieces[(0, 9)] = Piece(B, "warrior")
    assert targets.slide((0, 6), targets.WAYS[0], s.open_ground()) == [(0, 7)]
    s.pieces[(0, 7)] = Piece(NOBODY, "wall")
    assert targets.slide((0, 6), targets.WAYS[0], s.open_ground()) == []


def test_the_vacated_hex_draws_but_is_no_target() -> None:
    """Of two pieces side by side one is lifted from the only card hex beside the other."""
    grass = sorted(FIRST_GAME.of("grass"))
    s = on()
    home = next(
        (cell, near)
        for cell in grass
        for near in sorted(neighbours(cell))
        if FIRST_GAME.kind[near] == "water"
        and sum(FIRST_GAME.kind[n] == "grass" for n in neighbours(near)) == 1
    )
    s.pieces = dict.fromkeys(home, Piece(A, "settlement"))
    assert home[0] not in targets.lifts(s, A, "barn")
    s.options = {"null_moves": True}
    assert targets.moves(s, A, "barn", home[0]) == {home[0]}


def test_the_pool_of_nomad_tiles() -> None:
    assert len(NOMAD_TILES) == 15
    assert sum(tile.startswith("donation") for tile in NOMAD_TILES) == 7
    assert Counter(NOMAD_TILES)["sword"] == 2
