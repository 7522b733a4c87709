"""Words in a box: all of them, inside of it, and as large as they can be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.tools.pictures.drawings import LEADING, fit_text, text_width

WORDS = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=30),
    max_size=30,
)


@given(WORDS, st.floats(10, 80), st.floats(2, 60), st.booleans())
def test_a_text_fits_and_nothing_of_it_is_left_out(
    words: list[str], width: float, height: float, bold: bool
) -> None:
    text = " ".join(words)
    found = fit_text(text, width, height, 4.0, bold)
    assert "".join(found.lines).replace(" ", "") == "".join(text.split())
    assert len(found.lines) * found.size * LEADING <= height
    assert all(text_width(line, bold) * found.size <= width * 1.000001 for line in found.lines)
    assert 0 < found.size <= 4.0


def test_a_short_text_is_as_large_as_asked_and_a_longer_one_never_larger() -> None:
    sizes = [fit_text("One gold. " * many, 52, 26, 3.7).size for many in range(1, 60)]
    assert sizes[0] == 3.7
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[39] > 25.4 / 72 * 6  # 400 characters in at least 6 points


def test_words_are_broken_only_where_letters_are_small_already() -> None:
    found = fit_text("Settlements between mountains", 52, 26, 3.7)
    assert " ".join(found.lines) == "Settlements between mountains"
    long = fit_text("Donaudampfschifffahrtsgesellschaftskapitän", 52, 9, 5.6, bold=True)
    assert "".join(long.lines) == "Donaudampfschifffahrtsgesellschaftskapitän"


@pytest.mark.parametrize("text", ["ü", "u\u0308"])
def test_an_accent_takes_no_room(text: str) -> None:
    assert text_width(text) == text_width("u")
