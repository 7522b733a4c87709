"""Random expressions, each with what it means in Python's own sets and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.hex.twin import Hex, neighbours_in_words
from tests.primitives.tries import OVER_LISTS, steps
from tests.primitives.worlds import World

MOST = 10**6
Places = set[Hex]


@dataclass(frozen=True)
class Said:
    """An expression as text, and as a function of a world."""

    text: str
    means: Callable[[World], Any]

    def __repr__(self) -> str:
        return self.text


def said(text: str, means: Callable[[World], Any]) -> Said:
    return Said(text, means)


def joined(form: str, means: Callable[..., Any], *parts: Said) -> Said:
    """A form with parts in it, each in parentheses; `means` is given their values."""
    text = form.format(*(f"({part.text})" for part in parts))
    return Said(text, lambda w: means(*(part.means(w) for part in parts)))


def bounded(number: int) -> int:
    return max(-MOST, min(MOST, number))


ATOMS = [
    said("a", lambda w: w.a),
    said("b", lambda w: w.b),
    said("c", lambda w: w.c),
    said("board", lambda w: set(w.twin.hexes)),
    said("mine", lambda w: w.held_by(w.me)),
    said("occupied", lambda w: set(w.pieces)),
    said("empty", lambda w: w.twin.hexes - set(w.pieces)),
    said("theirs", lambda w: w.held_by(0, 1, 2) - w.held_by(w.me)),
    said("lake & board", lambda w: w.of("lake")),
]
COUNTS = [
    said("n", lambda w: w.n),
    said("m", lambda w: w.m),
    said("big", lambda w: w.big),
    said("0", lambda w: 0),
    said("7", lambda w: 7),
    said("999999", lambda w: 999_999),
    said("count(gs)", lambda w: len(w.gs)),
]
for _, _text, _twin in OVER_LISTS:
    _name = f"z{len(COUNTS) + len(ATOMS)}"  # no name is bound twice
    _text = re.sub(r"\bx\b", _name, _text)
    if _text.startswith("each"):
        _joined = f"union({_name}y for {_name}y in {_text})"
        ATOMS.append(Said(_joined, lambda w, twin=_twin: set().union(*twin(w))))
    else:
        COUNTS.append(Said(_text, _twin))
FACTS = [
    said("t", lambda w: w.t),
    said("u", lambda w: w.u),
    said("yes", lambda w: True),
    said("no", lambda w: False),
    said("lift_first", lambda w: True),
]


def near(w: World, places: Places) -> Places:
    return w.twin.neighbours(places)


def image(w: World, of: Places, are_rows_turned: bool, are_columns_turned: bool) -> Places:
    """The hexes to which counting rows or columns backwards, part by part, takes a set."""
    found = set()
    for part, row, column in of:
        places = [place for place in w.twin.hexes if place[0] == part]
        last_row, last_column = max(r for _, r, _ in places), max(c for _, _, c in places)
        new_row = last_row - row if are_rows_turned else row
        new_column = last_column - column if are_columns_turned else column
        found.add((part, new_row, new_column))
    return found & w.twin.hexes


def triangles(of: Places) -> list[Places]:
    """Each three hexes of a set of which each touches the others."""
    near = {place: neighbours_in_words(place) & of for place in of}
    trios = {frozenset({a, b, c}) for a in of for b in near[a] for c in near[a] & near[b]}
    return [set(trio) for trio in trios]


def rings(of: Places, w: World) -> list[Places]:
    """Each six hexes of a set around a hex of the board."""
    return [near for middle in w.twin.hexes if len(near := neighbours_in_words(middle) & of) == 6]


def longest_way(of: Places) -> int:
    """The most hexes of a path, by trying all of them."""

    def longest(path: list[Hex]) -> int:
        onward = neighbours_in_words(path[-1]) & of - set(path)
        return max([longest([*path, place]) for place in onward], default=len(path))

    return max([longest([place]) for place in of], default=0)


IMAGES: list[tuple[str, Callable[[World, Places], Places]]] = [
    ("mirrored({})", lambda w, x: image(w, x, False, True)),
    ("flipped({})", lambda w, x: image(w, x, True, False)),
    ("turned({})", lambda w, x: image(w, x, True, True)),
]


def about(form: str, means: Callable[..., Any], *parts: Said) -> Said:
    """Like `joined`, but the meaning is told the world first."""
    text = form.format(*(f"({part.text})" for part in parts))
    return Said(text, lambda w: means(w, *(part.means(w) for part in parts)))


def folded(form: str, part: Said, test: Said, means: Callable[[World, list[Any]], Any]) -> Said:
    """A fold over `gs` whose part and test are the same for each set; `means` gets the parts."""
    # What is inside is shorter, so that no name is bound twice.
    name = f"x{len(part.text) + len(test.text)}"
    text = form.format(part.text, test.text).replace("@", name)
    return Said(text, lambda w: means(w, [part.means(w) for _ in w.gs if test.means(w)]))


HEXES: st.SearchStrategy[Said] = st.deferred(lambda: st.one_of(
    st.sampled_from(ATOMS), st.sampled_from(ATOMS),
    st.builds(lambda x, y: joined("{} & {}", lambda p, q: p & q, x, y), HEXES, HEXES),
    st.builds(lambda x, y: joined("{} | {}", lambda p, q: p | q, x, y), HEXES, HEXES),
    st.builds(lambda x, y: joined("{} - {}", lambda p, q: p - q, x, y), HEXES, HEXES),
    st.builds(lambda x: about("adjacent({})", near, x), HEXES),
    st.builds(lambda which, x: about(*which, x), st.sampled_from(IMAGES), HEXES),
    st.builds(
        lambda x, t, y: joined("({} if {} otherwise {})", lambda p, q, r: p if q else r, x, t, y),
        HEXES, TRUTHS, HEXES,
    ),
    st.builds(
        lambda x, t: joined("({} if {})", lambda p, q: p if q else set(), x, t), HEXES, TRUTHS
    ),
    st.builds(
        lambda x, t: folded("union(@ & ({0}) for @ in gs if {1})", x, t, of_gs_and), HEXES, TRUTHS
    ),
))  # fmt: skip
NUMBERS: st.SearchStrategy[Said] = st.deferred(lambda: st.one_of(
    st.sampled_from(COUNTS), st.sampled_from(COUNTS),
    st.builds(lambda x: joined("count({})", len, x), HEXES),
    st.builds(lambda x: joined("count(triangles({}))", lambda p: len(triangles(p)), x), HEXES),
    st.builds(lambda x: about("count(rings({}))", lambda w, p: len(rings(p, w)), x), HEXES),
    st.builds(lambda x, y: joined("{} + {}", lambda p, q: bounded(p + q), x, y), NUMBERS, NUMBERS),
    st.builds(lambda x, y: joined("{} - {}", lambda p, q: bounded(p - q), x, y), NUMBERS, NUMBERS),
    st.builds(lambda x, y: joined("{} * {}", lambda p, q: bounded(p * q), x, y), NUMBERS, NUMBERS),
    st.builds(
        lambda x, y: joined("{} / {}", lambda p, q: p // q if q else 0, x, y), NUMBERS, NUMBERS
    ),
    st.builds(lambda x, y: about("distance({}, {})", steps, x, y), HEXES, HEXES),
    st.builds(lambda x, y: joined("most({}, {}, 2)", lambda p, q: max(p, q, 2), x, y),
              NUMBERS, NUMBERS),
    st.builds(lambda x: joined("-{}", lambda p: -p, x), NUMBERS),
    st.builds(
        lambda x, t: folded("sum({0} for @ in gs if {1})", x, t, total), NUMBERS, TRUTHS
    ),
    st.builds(
        lambda x, t: joined("({} if {})", lambda p, q: p if q else 0, x, t), NUMBERS, TRUTHS
    ),
))  # fmt: skip
TRUTHS: st.SearchStrategy[Said] = st.deferred(lambda: st.one_of(
    st.sampled_from(FACTS), st.sampled_from(FACTS),
    st.builds(lambda x: joined("any({})", bool, x), HEXES),
    st.builds(lambda x: joined("none({})", lambda p: not p, x), HEXES),
    st.builds(lambda x, y: joined("{} = {}", lambda p, q: p == q, x, y), HEXES, HEXES),
    st.builds(lambda x, y: joined("{} < {}", lambda p, q: p < q, x, y), NUMBERS, NUMBERS),
    st.builds(lambda x, y: joined("{} >= {}", lambda p, q: p >= q, x, y), NUMBERS, NUMBERS),
    st.builds(lambda x, y: joined("{} and {}", lambda p, q: p and q, x, y), TRUTHS, TRUTHS),
    st.builds(lambda x, y: joined("{} or {}", lambda p, q: p or q, x, y), TRUTHS, TRUTHS),
    st.builds(lambda x: joined("not {}", lambda p: not p, x), TRUTHS),
    st.builds(
        lambda x, y: folded("all({0} for @ in gs if {1})", x, y, lambda _, v: all(v)),
        TRUTHS, TRUTHS,
    ),
))  # fmt: skip


def of_gs_and(w: World, values: list[Places]) -> Places:
    """The union of each set of `gs` with its value; either all of them have one or none has."""
    return {place for x, each in zip(w.gs, values, strict=False) for place in x & each}


def total(w: World, values: list[int]) -> int:
    return bounded(sum(values))
