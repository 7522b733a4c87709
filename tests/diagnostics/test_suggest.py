"""Near misses, compared with a recursive edit distance."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.diagnostics import _distance, suggest

WORDS = ["adjacent", "count", "rows", "at", "straight", "terrain"]


def distance(left: str, right: str) -> int:
    """A slow twin: the definition of insert, delete, replace and swap, read aloud."""

    @cache
    def ends(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        costs = [ends(i - 1, j) + 1, ends(i, j - 1) + 1]
        costs.append(ends(i - 1, j - 1) + (left[i - 1] != right[j - 1]))
        if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
            costs.append(ends(i - 2, j - 2) + 1)
        return min(costs)

    return ends(len(left), len(right))


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("adjcent", "adjacent"),
        ("cuont", "count"),
        ("Count", "count"),
        ("row", "rows"),
        ("ajdacnet", "adjacent"),
        ("terrrainn", "terrain"),
        ("cxxnt", None),
        ("w" + "o" * 38, "w" + "o" * 39),
        ("w" + "o" * 40, None),
        ("terain", "terrain"),
        ("banana", None),
        ("x", None),
        ("", None),
        ("a" * 500, None),
    ],
)
def test_near_misses_are_seen_and_strangers_are_not(word: str, meant: str | None) -> None:
    assert suggest(word, [*WORDS, "w" + "o" * 39]) == meant


def test_the_word_itself_is_no_suggestion_and_nothing_comes_from_nothing() -> None:
    assert suggest("rows", ["rows"]) is None
    assert suggest("rows", []) is None


SMALL = st.text(st.sampled_from("abc"), min_size=1, max_size=9)


@given(SMALL, st.lists(SMALL, max_size=6))
def test_what_is_suggested_is_the_nearest(word: str, candidates: list[str]) -> None:
    limit = len(word) // 3 if len(word) > 2 else 0
    near = sorted((distance(word, each), each) for each in candidates if each != word)
    expected = near[0][1] if near and near[0][0] <= limit else None
    assert suggest(word, candidates) == expected


@given(st.text("ab", max_size=6), st.text("abc", max_size=6))
def test_distance_is_what_its_definition_says(left: str, right: str) -> None:
    assert _distance(left, right) == distance(left, right)


@given(st.permutations(WORDS))
def test_the_order_of_candidates_does_not_matter(words: list[str]) -> None:
    assert suggest("raws", words) == "rows"
    assert suggest("ct", [*words, "bt"]) is None
