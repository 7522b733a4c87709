"""Changes of a draft, beside sets and lists of Python."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kbrules.game.events import Entered, PutBeside, Retired, bring_across, first_of
from kbrules.game.state import FRESH, READY, USED, Tile
from kbrules.reference.machine import is_reusable

CARDS = st.integers(0, 12)
HEXES = st.integers(0, 400)


def mask(numbers: Any) -> int:
    return sum(1 << number for number in {*numbers})


@given(st.sets(CARDS), st.sets(CARDS), CARDS)
def test_cards_come_and_go_as_members_of_sets(beside: set[int], gone: set[int], card: int) -> None:
    for event, its, left in (
        (Entered, beside - {card}, gone),
        (Retired, beside - {card}, gone | {card}),
        (PutBeside, beside | {card}, gone),
    ):
        draft: Any = SimpleNamespace(beside=mask(beside), retired=mask(gone))
        event(0, card).fold(draft)
        assert (draft.beside, draft.retired) == (mask(its), mask(left))


@given(st.sets(HEXES), HEXES, HEXES)
def test_pieces_that_change_places_do_so_in_their_set(
    others: set[int], origin: int, hex: int
) -> None:
    own = (others | {origin}) - {hex}
    draft: Any = SimpleNamespace(neutral=(mask(own),))
    bring_across(draft, -1, 0, origin, hex)
    expected = own if origin == hex else own - {origin} | {hex}
    assert draft.neutral == (mask(expected) if origin != hex else mask(own ^ {origin}),)


def test_a_use_marks_the_first_usable_tile_and_else_the_first_unused() -> None:
    for length in range(4):
        for kinds in product(((0, FRESH), (0, READY), (0, USED), (1, READY)), repeat=length):
            tiles = tuple(Tile(kind, -1, status) for kind, status in kinds)
            ready = [at for at, each in enumerate(kinds) if each == (0, READY)]
            fresh = [at for at, each in enumerate(kinds) if each == (0, FRESH)]
            assert first_of(tiles, 0) == [*ready, *fresh, -1][0]


@given(st.sets(HEXES), st.integers(-1, 400), st.sampled_from((FRESH, READY, USED)))
def test_tiles_of_some_places_are_used_again(places: set[int], origin: int, status: str) -> None:
    tile = Tile(0, origin, status)
    assert is_reusable(tile, mask(places)) == (status != FRESH and origin in places)
