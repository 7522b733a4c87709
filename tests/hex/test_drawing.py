"""Drawings: what is written reads back, and stands where hexes stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.hex.drawing import parse_drawing, render, render_framed
from tests.hex.boards import rhombus

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
