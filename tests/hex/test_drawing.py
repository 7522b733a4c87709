"""Drawings and names of hexes: what is written reads back."""

from __future__ import annotations

from itertools import islice, product
from string import ascii_lowercase

import pytest
from hypothesis import given, strategies as st

from kbrules.hex.grid import (
    Grid,
    column_letters,
    hex_name,
    parse_drawing,
    read_hex_name,
    render,
    render_framed,
)
from kbrules.hex.sets import Address, Part, bits
from tests.hex.boards import Board, boards, place_of, rhombus

words = st.text(min_size=1, max_size=6).filter(lambda word: word.split() == [word] and word != "|")
plain = st.text("abc+.-", min_size=1, max_size=4)
drawings = st.lists(st.lists(words | plain, min_size=1, max_size=8), max_size=8)


@given(drawings)
def test_what_is_written_reads_back(rows: list[list[str]]) -> None:
    assert parse_drawing(render(rows)).words == tuple(map(tuple, rows))


@given(drawings, st.integers(0, 8))
def test_margins_indents_and_empty_lines_mean_nothing(rows: list[list[str]], indent: int) -> None:
    lines = render(rows).split("\n")
    quoted = "".join(f"{' ' * indent}| {line}  \r\n {' ' * indent}|\n\n" for line in lines)
    assert parse_drawing(quoted).words == tuple(map(tuple, rows))


@given(st.text("ab-| \n\t", max_size=60))
def test_each_word_knows_where_it_stands(text: str) -> None:
    drawing = parse_drawing(text)
    tokens = [token for row in drawing.rows for token in row]
    assert all(row for row in drawing.rows)
    for token in tokens:
        assert text[token.offset :].startswith(token.text)
    everything = "".join(token.text for token in tokens)
    margins = sum(line.split()[:1] == ["|"] for line in text.split("\n"))
    assert len(everything) == len("".join(text.split())) - margins


@given(st.lists(st.lists(plain, min_size=3, max_size=3), min_size=1, max_size=6))
def test_neighbours_stand_side_by_side(rows: list[list[str]]) -> None:
    columns = []
    start = 0
    for line in render(rows).split("\n"):
        row = parse_drawing(line).rows[0]
        columns.append([token.offset for token in row])
    pitch = columns[0][1] - columns[0][0]
    assert pitch % 2 == 0
    assert pitch - 2 <= max(len(word) for row in rows for word in row) < pitch
    for r, starts in enumerate(columns):
        start = r % 2 * pitch // 2
        assert starts == [start, start + pitch, start + 2 * pitch]


def test_a_drawing_as_it_looks() -> None:
    assert render(["abc", "def", "-hi"]) == "a b c\n d e f\n- h i"
    assert render([["a", "bc"], ["d", "e"]]) == "a   bc\n  d   e"
    framed = "   a b c\n 9 x".replace(" 9", " 1")
    assert render_framed([["x"], *[["y"] * 3] * 9]).split("\n")[:2] == framed.split("\n")
    assert render_framed([["x"], *[["y"] * 3] * 9]).split("\n")[-1] == "10  y y y"


def test_holes_are_no_hexes() -> None:
    part = rhombus(4)
    rows = [["x" if (r, c) in part.hexes else "-" for c in range(5)] for r in range(4)]
    assert parse_drawing(render(rows)).hexes == part.hexes


@pytest.mark.parametrize("rows", [[["a"], []], [["a", ""]], [["a b"]], [["a\n"]], [["|", "a"]]])
def test_what_would_not_read_back_is_not_written(rows: list[list[str]]) -> None:
    for write in (render, render_framed):
        with pytest.raises(ValueError, match=r"drawing|hex"):
            write(rows)


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
