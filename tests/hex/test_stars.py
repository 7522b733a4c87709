"""Stars: sets of sevens are cut as they were put together, and what is over is told."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kbrules.hex.grid import SIZE, Grid, disks
from kbrules.hex.sets import Part, mask_of
from tests.hex.twin import Hex, neighbours_in_words

HEIGHT, WIDTH = 9, 12
GRID = Grid((Part.rectangle(HEIGHT, WIDTH), Part.rectangle(3, 3, "isle")))
INSIDE = [("", r, c) for r in range(1, HEIGHT - 1) for c in range(1, WIDTH - 1)] + [("isle", 1, 1)]


def bit(place: Hex) -> int:
    part, row, column = place
    return GRID.index_at(row, column, part)


def put_down(wanted: list[Hex]) -> list[tuple[Hex, set[Hex]]]:
    """A star around each of these hexes, as far as no two have a hex in common."""
    laid: list[tuple[Hex, set[Hex]]] = []
    for centre in wanted:
        star = {centre} | neighbours_in_words(centre)
        if all(not star & other for _, other in laid):
            laid.append((centre, star))
    return laid


@given(st.lists(st.sampled_from(INSIDE), max_size=30))
def test_stars_are_found_again(wanted: list[Hex]) -> None:
    laid = put_down(wanted)
    everything = mask_of(bit(place) for _, star in laid for place in star)
    centres, rest = disks(GRID, everything)
    assert sorted(centres) == sorted(bit(centre) for centre, _ in laid)
    assert rest == 0


@given(st.lists(st.sampled_from(INSIDE), min_size=1, max_size=12), st.data())
@settings(max_examples=60)
def test_a_star_without_one_hex_is_none(wanted: list[Hex], data: st.DataObject) -> None:
    laid = put_down(wanted)
    everything = mask_of(bit(place) for _, star in laid for place in star)
    lost = data.draw(st.sampled_from(sorted(place for _, star in laid for place in star)))
    centres, rest = disks(GRID, everything & ~(1 << bit(lost)))
    assert len(centres) < len(laid) and rest
    assert len(centres) * SIZE + rest.bit_count() == len(laid) * SIZE - 1


def test_at_the_rim_there_is_no_star() -> None:
    corner = GRID.index("a1")
    assert disks(GRID, 1 << corner | GRID.neighbours(1 << corner))[0] == ()
    assert disks(GRID, 0) == ((), 0)
