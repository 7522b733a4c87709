"""Boards as SVG: well-formed, in the right places, and the same to eye and ear."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import new_game
from kbrules.game.board import ICONS, TEXTURES, Board, HexKind
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.library.load import load
from kbrules.scenario.report import visible_pieces
from kbrules.tools.pictures.board import Picture, board_svg, initials
from kbrules.tools.pictures.drawings import (
    ICON_PATHS,
    TEXTURE_PATHS,
    WIDTH,
    box_of,
    centre,
    extent,
    piece_svg,
    texture_names,
)
from kbrules.tools.pictures.scenes import picture_of_state
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
        shapes[player] = re.findall(r'<path d="(M[^"]*z)"', piece_svg(GAME.board, player, 0))[0]
    assert len(set(shapes.values())) == 7


def test_pieces_of_a_player_are_told_apart_by_what_they_show() -> None:
    board = new_game(load("base", "crossroads", "harvest"), 2, 1).board
    kinds = range(len(board.catalog.pieces))
    assert len({piece_svg(board, 0, kind) for kind in kinds}) == len(kinds) > 4
    bare = [replace(piece, icon="") for piece in board.catalog.pieces]
    plain = replace(board, catalog=replace(board.catalog, pieces=tuple(bare)))
    assert len({piece_svg(plain, 0, kind) for kind in kinds}) == len(kinds)


def test_no_two_terrains_look_alike() -> None:
    """Each has a texture of its own, those of a box that names none among them."""
    kinds = [kind for kind in GAME.board.catalog.hexes if not kind.is_place]
    assert len(set(texture_names(kinds))) == len(kinds) > 6
    bare = [replace(kind, texture="") for kind in kinds]
    assert len(set(texture_names(bare))) == len(kinds)
    mixed = [*bare[:3], *kinds[3:]]
    assert len(set(texture_names(mixed))) == len(kinds)
    shown = {board_svg(Picture(only(kind))) for kind in kinds}
    assert len(shown) == len(kinds)


def only(kind: HexKind) -> Board:
    """The board with nothing but one kind of hex, told by its texture alone."""
    bare = replace(kind, colour="", title="", letter="A")
    kinds = (GAME.board.grid.full, *(0 for _ in GAME.board.kinds[1:]))
    catalog = replace(GAME.board.catalog, hexes=(bare, *GAME.board.catalog.hexes[1:]))
    return replace(GAME.board, catalog=catalog, kinds=kinds, tiles={})


def test_every_name_of_a_look_is_drawn_and_no_two_alike() -> None:
    assert set(TEXTURE_PATHS) == set(TEXTURES)
    assert set(ICON_PATHS) == set(ICONS)
    for paths in (TEXTURE_PATHS, ICON_PATHS):
        assert len(set(paths.values())) == len(paths)


def test_a_tile_is_told_by_the_beginning_of_its_title() -> None:
    found = initials(GAME.board)
    assert set(found) == set(GAME.board.tiles.values())
    assert len(set(found.values())) == len(found)
    assert all(GAME.board.catalog.tiles[tile].title.startswith(it) for tile, it in found.items())


def test_marks_of_boxes_are_drawn_and_said() -> None:
    game = new_game(load("base", "caves"), 2, 1)
    picture = picture_of_state(game, game.start(), "")
    (badge,) = picture.badges
    assert badge.hexes
    drawn, bare = board_svg(picture), board_svg(replace(picture, badges=()))
    assert drawn.count(f", {badge.title}</title>") == badge.hexes.bit_count()
    assert drawn.count("<use") - bare.count("<use") == badge.hexes.bit_count()


def test_a_further_grid_stands_below_and_takes_no_room_from_the_first() -> None:
    game = new_game(load("base", "island"), 2, 1)
    first, *others = game.board.grid.parts
    assert others
    boxes = [box_of(game.board, game.board.grid.part(part.name)) for part in (first, *others)]
    for (_, top, _, height), (_, below, _, _) in pairwise(boxes):
        assert top + height < below
    assert extent(game.board)[0] == extent(new_game(load("base"), 2, 1).board)[0]


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
    assert "url(" not in text
    names = re.findall('href="([^"]*)"', text)
    assert names
    assert all(name.startswith("#") and text.count(f'id="{name[1:]}"') == 1 for name in names)


def test_a_stand_in_is_called_one_to_the_eye_and_to_the_ear() -> None:
    board = replace(GAME.board, stand_ins=("heath",))
    text = board_svg(Picture(board, {}, {}))
    root = ElementTree.fromstring(text)
    assert board.note in str(root.get("aria-label"))
    assert board.note in [each.text for each in root.findall(f"{SVG}text")]
    assert "stand-in" not in board_svg(PICTURE)
