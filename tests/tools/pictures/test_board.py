"""Boards as SVG and pages of pictures: in the right places, readable, safe."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from hashlib import sha256
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at, new_game
from kbrules.game.board import ICONS, TEXTURES, Board, HexKind
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.library.boards.positions import NOBODY
from kbrules.library.box import usual_boxes
from kbrules.library.load import load
from kbrules.scenario.report import visible_pieces
from kbrules.tools.pictures.board import Picture, board_svg, initials, picture_page
from kbrules.tools.pictures.drawings import (
    ICON_PATHS,
    LEADING,
    TEXTURE_PATHS,
    WIDTH,
    box_of,
    centre,
    extent,
    fit_text,
    piece_svg,
    style_of,
    text_width,
    texture_names,
)
from kbrules.tools.pictures.replay import picture_of_state
from kbrules.tools.reports.page import as_script_data, html_page
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


RULES = load("base", "nomads")
BOARD = game_at(RULES, choose_table(RULES, 2, 3)).board


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner), max_leaves=8))
def test_data_in_a_page_ends_nothing_and_is_read_as_it_was(data: object) -> None:
    text = as_script_data(data)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == data


def test_only_what_is_named_by_its_hash_may_run() -> None:
    page = html_page("A title", "<p>body</p>", "p { color: red }", "let a = 1;", {"a": "</script>"})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    said = policy[1].replace("&#39;", "'").split("; ")
    assert said[0] == "default-src 'none'"
    assert {"base-uri 'none'", "form-action 'none'"} <= set(said)
    for kind, text in (("style", "p { color: red }"), ("script", "let a = 1;")):
        (source,) = (part for part in said if part.startswith(f"{kind}-src "))
        digest = re.fullmatch(rf"{kind}-src 'sha256-(.*)'", source)
        assert digest is not None
        assert b64decode(digest[1]) == sha256(text.encode()).digest()
    assert page.count("</script>") == 2
    assert "unsafe" not in page


def test_the_key_of_a_picture_names_every_letter_and_every_tile() -> None:
    page = picture_page(Picture(BOARD, title="<A board>"))
    assert "<title>&lt;A board&gt;</title>" in page
    for kind, mask in zip(BOARD.catalog.hexes, BOARD.kinds, strict=True):
        tiles = sum(1 << hex for hex in BOARD.tiles)
        assert (f"</svg> {kind.title}</li>" in page) == bool(mask & ~tiles)
    for tile in set(BOARD.tiles.values()):
        assert re.search(rf"</svg> {BOARD.catalog.tiles[tile].title}( \(.*\))?</li>", page)


def test_a_page_says_of_stand_ins_what_they_are() -> None:
    invented = replace(BOARD, stand_ins=("heath",))
    assert f'<p class="note">{invented.note}</p>' in picture_page(Picture(invented))
    assert 'class="note"' not in picture_page(Picture(replace(BOARD, stand_ins=())))


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
