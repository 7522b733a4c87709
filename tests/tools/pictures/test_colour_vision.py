"""Colours as people see them who lack a kind of cone: what differs still does.

Simulated by the matrices of Machado, Oliveira and Fernandes (2009) for full dichromacy, which hold
for linear light; distances are those of Oklab (Ottosson, 2020) times a hundred. Two is about what
an eye can tell side by side.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from kbrules.library.boards.positions import NOBODY
from kbrules.library.box import usual_boxes
from kbrules.library.load import load
from kbrules.tools.pictures.drawings import style_of, texture_names

Triple = tuple[float, ...]
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TERRAINS, PLAYERS = 8.0, 9.0


def linear(colour: str) -> Triple:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)


def times(matrix: tuple[Triple, ...], vector: Triple) -> Triple:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OPPONENTS = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def seen(colour: str, eye: str) -> Triple:
    light = tuple(min(1.0, max(0.0, part)) for part in times(EYES[eye], linear(colour)))
    return times(OPPONENTS, tuple(part ** (1 / 3) for part in times(CONES, light)))


def distance(one: str, other: str, eye: str) -> float:
    pairs = zip(seen(one, eye), seen(other, eye), strict=True)
    return 100 * sum((a - b) ** 2 for a, b in pairs) ** 0.5


def test_the_simulation_does_what_it_is_known_for() -> None:
    assert distance("#000000", "#ffffff", "all cones") == pytest.approx(100, abs=0.1)
    for eye in EYES:  # whoever lacks a cone sees greys as they are
        assert seen("#777777", eye) == pytest.approx(seen("#777777", "all cones"), abs=0.001)
    red, green, blue = "#a04000", "#4a6a00", "#0000ff"
    assert distance(red, green, "deuteranopia") < distance(red, green, "all cones") / 2
    assert distance(red, blue, "deuteranopia") > distance(red, blue, "all cones") / 2


@pytest.mark.parametrize("eye", EYES)
def test_terrains_differ_in_colour_and_always_in_texture(eye: str) -> None:
    kinds = [kind for kind in load(*usual_boxes()).catalog.hexes if not kind.is_place]
    assert len(kinds) > 8
    near = {
        (one.id, other.id): round(distance(one.colour, other.colour, eye), 1)
        for one, other in combinations(kinds, 2)
        if distance(one.colour, other.colour, eye) < TERRAINS
    }
    assert near == {}
    assert len(set(texture_names(kinds))) == len(kinds)


@pytest.mark.parametrize("eye", EYES)
def test_players_differ_in_colour_and_always_in_shape(eye: str) -> None:
    players = range(NOBODY, 6)
    near = {
        (one, other): round(distance(style_of(one).colour, style_of(other).colour, eye), 1)
        for one, other in combinations(players, 2)
        if distance(style_of(one).colour, style_of(other).colour, eye) < PLAYERS
    }
    assert near == {}
    shapes = {(style_of(each).corners, style_of(each).rotation) for each in players}
    assert len(shapes) == len(players)


def test_places_are_told_by_their_icons() -> None:
    kinds = [kind for kind in load(*usual_boxes()).catalog.hexes if kind.is_place]
    assert len({kind.icon for kind in kinds if kind.icon}) == len(kinds) > 4
