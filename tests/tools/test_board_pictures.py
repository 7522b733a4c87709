"""Boards as SVG: well-formed, in the right places, and the same to eye and ear."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import new_game
from kbrules.game.state import State
from kbrules.hex.masks import bits
from kbrules.library.load import load
from kbrules.scenario.report import visible_pieces
from kbrules.tools.publishing.pictures.board import Picture, board_svg
from kbrules.tools.publishing.pictures.layout import WIDTH, centre
from tests.properties.mixes import played

SVG = "{http://www.w3.org/2000/svg}"
GAME = new_game(load("base", "crossroads", "nomads"), 5, 7)


def later(game: Game, moves: int) -> State:
    state = game.start()
    for number, (_, _, step) in enumerate(played(game, 1)):
        state = step.state
        if number == moves:
            break
    return state


STATE = later(GAME, 200)
PICTURE = Picture(
    GAME.board, visible_pieces(STATE), {"+": 1 << GAME.board.grid.index("c3")}, "A & B"
)
ROOT = ElementTree.fromstring(board_svg(PICTURE))
HEXES = {str(each.get("data-hex")): each for each in ROOT.iter(f"{SVG}g") if each.get("data-hex")}


def corners(hex: str) -> list[tuple[float, float]]:
    polygon = HEXES[hex].find(f"{SVG}polygon")
    assert polygon is not None
    pairs = (pair.split(",") for pair in str(polygon.get("points")).split())
    return [(float(x), float(y)) for x, y in pairs]


def test_each_hex_is_drawn_once_inside_of_the_picture() -> None:
    grid = GAME.board.grid
    assert set(HEXES) == {grid.name(hex) for hex in bits(grid.full)}
    _, _, width, height = map(float, str(ROOT.get("viewBox")).split())
    points = [point for hex in HEXES for point in corners(hex)]
    assert all(0 < x < width and 0 < y < height for x, y in points)


def test_neighbours_share_a_side_and_others_do_not() -> None:
    """Told by the middles alone: neighbours are one width apart, nobody is nearer."""
    grid = GAME.board.grid
    some = list(bits(grid.full))[::7]
    for one, other in combinations(some[:30] + list(bits(grid.neighbours(1 << some[20]))), 2):
        (x, y), (u, v) = centre(GAME.board, one), centre(GAME.board, other)
        apart = ((x - u) ** 2 + (y - v) ** 2) ** 0.5
        touching = bool(grid.neighbours(1 << one) >> other & 1)
        assert (abs(apart - WIDTH) < 0.01) == touching
        assert apart > WIDTH - 0.01 or one == other


def test_a_hex_stands_on_a_point() -> None:
    xs, ys = zip(*corners("c3"), strict=True)
    assert (max(ys) - min(ys)) / (max(xs) - min(xs)) == pytest.approx(2 / 3**0.5, abs=0.01)


def test_the_label_of_a_hex_says_all_that_is_seen() -> None:
    labels = {hex: str(each.findtext(f"{SVG}title")) for hex, each in HEXES.items()}
    assert labels["c3"].endswith("marked +")
    for (player, piece), mask in visible_pieces(STATE).items():
        title = GAME.board.catalog.pieces[piece].title
        whose = "nobody" if player < 0 else f"player {'abcde'[player]}"
        for hex in bits(mask):
            assert f"{title} of {whose}" in labels[GAME.board.grid.name(hex)]
    for hex in bits(GAME.board.grid.full):
        kind = GAME.board.catalog.hexes[GAME.board.kind_at(hex)]
        assert labels[GAME.board.grid.name(hex)].startswith(f"{GAME.board.grid.name(hex)}: ")
        assert kind.title in labels[GAME.board.grid.name(hex)]


def test_no_two_players_have_the_same_shape() -> None:
    shapes = {}
    for player in range(-1, 6):
        lone = Picture(GAME.board, {(player, 0): 1 << GAME.board.grid.index("c3")}, {})
        shapes[player] = re.findall(r'<path d="(M[^"]*z)"', board_svg(lone))
    assert all(len(found) == 1 for found in shapes.values())
    assert len({found[0] for found in shapes.values()}) == 7


def test_no_two_terrains_look_alike() -> None:
    patterns = [ElementTree.tostring(each) for each in ROOT.iter(f"{SVG}pattern")]
    paths = [re.findall(rb' d="([^"]*)"', each) for each in patterns]
    assert len({tuple(path) for path in paths}) == len(paths) > 8


def test_text_from_outside_stays_text() -> None:
    board = GAME.board
    hostile = '<script>alert("1")</script>'
    kinds = [replace(kind, title=hostile, colour='"/><script>') for kind in board.catalog.hexes]
    catalog = replace(board.catalog, hexes=tuple(kinds))
    text = board_svg(Picture(replace(board, catalog=catalog), {}, {'"<': 1 << 30}, hostile))
    root = ElementTree.fromstring(text)
    assert "script" not in {each.tag.removeprefix(SVG) for each in root.iter()}
    assert root.findtext(f"{SVG}title") == hostile


def test_nothing_is_loaded_from_anywhere() -> None:
    text = board_svg(PICTURE).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in text
    assert "href" not in text


def test_a_stand_in_is_called_one_to_the_eye_and_to_the_ear() -> None:
    board = replace(GAME.board, stand_ins=("heath",))
    text = board_svg(Picture(board, {}, {}))
    root = ElementTree.fromstring(text)
    assert board.note in str(root.get("aria-label"))
    assert board.note in [each.text for each in root.findall(f"{SVG}text")]
    assert "stand-in" not in board_svg(PICTURE)
