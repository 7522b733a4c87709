"""The names of hexes, there and back."""

from __future__ import annotations

from itertools import islice, product
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.hex.grid import Grid, column_letters, hex_name, read_hex_name
from kbrules.hex.sets import Address, Part, bits
from tests.hex.boards import Board, boards, place_of

TABLE = Grid((Part.rectangle(20, 20), Part("island", frozenset({(0, 0), (2, 1)}))))


@given(boards())
def test_indexes_places_and_names_are_one_to_one(its: Board) -> None:
    grid = its.grid
    indexes = bits(grid.full)
    assert [grid.index(grid.name(i)) for i in indexes] == indexes
    assert [grid.index_at(p.row, p.column, p.part) for p in map(grid.address, indexes)] == indexes
    assert {place_of(grid, i) for i in indexes} == its.twin.hexes
    assert len(indexes) == grid.size == len(its.twin.hexes)


@given(st.sampled_from(["", "island"]), st.integers(0, 9999), st.integers(0, 9999))
def test_names_of_any_board_read_back(part: str, row: int, column: int) -> None:
    address = Address(part, row, column)
    assert read_hex_name(hex_name(address)) == address


def test_letters_go_on_after_z() -> None:
    one, two = list(ascii_lowercase), map("".join, product(ascii_lowercase, repeat=2))
    three = map("".join, product(ascii_lowercase, repeat=3))
    expected = [*one, *two, *islice(three, 30)]
    assert [column_letters(c) for c in range(len(expected))] == expected


def test_corners_of_the_table() -> None:
    names = {"a1": (0, 0), "t1": (0, 19), "a20": (19, 0), "t20": (19, 19), "c11": (10, 2)}
    for name, (row, column) in names.items():
        assert TABLE.address(TABLE.index(name)) == ("", row, column)
    assert TABLE.address(TABLE.index("island:b3")) == ("island", 2, 1)
    assert Grid((Part.rectangle(1, 30),)).index("aa1") == 26


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *((bad, "not the name of a hex") for bad in ("", "A1", "a", "1", "a0", "a01", "a1 ", "1a")),
        *(
            (bad, "not the name of a hex")
            for bad in (":a1", "a-1", "a١", "x y:a1", "a" + "1" * 5000)
        ),
        ("u1", "columns are `a` to `t`, rows 1 to 20"),
        ("a21", "columns are `a` to `t`, rows 1 to 20"),
        ("island:c1", "columns are `a` to `b`, rows 1 to 3"),
        ("island:b1", "hole"),
        ("isle:a1", "`island:`"),
    ],
)
def test_a_bad_name_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"`{name[:37]}") as refused:
        TABLE.index(name)
    assert reason in str(refused.value)


def test_what_is_no_hex_has_no_name() -> None:
    guard = TABLE.index("t1") + 1
    for question in (TABLE.name, TABLE.address):
        with pytest.raises(ValueError, match=str(guard)):
            question(guard)
    for off_board in ((20, 0, ""), (0, -1, ""), (0, 1, "island"), (0, 0, "isle")):
        with pytest.raises(ValueError, match="no hex"):
            TABLE.index_at(*off_board)
