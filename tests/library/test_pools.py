"""Tiles drawn for places and for whole sectors: each copy once, on every open place."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from kbrules.game.board import Board
from kbrules.library.boards.positions import draw_framed, drawn_tiles, legend_of
from kbrules.library.boards.tables import (
    draw_tiles,
    has_pools,
    laid_tiles,
    lay_table,
    lay_tiles,
    open_places,
    open_sectors,
    pools,
    read_layout,
    tiles_named,
    why_no_tile,
)
from kbrules.library.union import merge
from tests.library.written import box, facts

DALE = """
table: {rows: 1, columns: 2}
section: {rows: 2, columns: 4}
terrains: {heath: {letter: H}}
places:
  ford: {letter: Y}
  well: {letter: V}
tiles:
  coin: {kind: nomad, place: ford, copies: 2}
  ferry: {kind: nomad, place: ford, copies: 1}
  boots: {kind: nomad, place: ford, copies: 2}
  bucket: {kind: nomad, place: well, copies: 3, each: 2}
  mill: {kind: location, place: ford, each: 2}
sections:
  one:
    places: {"1": mill, "2": ferry}
    rows: |
      Y H 1 H
       H V H 2
  two:
    rows: |
      Y Y H H
       H H H V
"""
MORE = """
places: {gate: {letter: E}}
tiles:
  lamp: {kind: nomad, place: gate, copies: 9}
sections:
  three:
    rows: |
      E H H H
       H H H E
"""


def board_of(layout: str, *more: str) -> Board:
    boxes = [box(DALE), *(box(text, f"more{i}") for i, text in enumerate(more))]
    catalog, parts, found = merge(boxes)
    assert found == []
    return lay_table(catalog, parts, read_layout(layout))


def test_a_pool_has_each_copy_and_a_place_with_a_tile_is_not_open() -> None:
    board = board_of("one two")
    assert pools(board.catalog) == {
        "ford": ("boots", "boots", "coin", "coin", "ferry"),
        "well": ("bucket",) * 3,
    }
    assert open_places(board) == {"ford": ("a1", "e1", "f1"), "well": ("b2", "h2")}
    kinds = [(tile.id, tile.each, tile.copies) for tile in board.catalog.tiles]
    assert kinds == [
        ("coin", 1, 2), ("ferry", 1, 1), ("boots", 1, 2), ("bucket", 2, 3), ("mill", 2, 0),
    ]  # fmt: skip


@given(st.integers())
def test_every_open_place_gets_a_tile_of_its_pool_and_no_copy_comes_twice(seed: int) -> None:
    board = board_of("one two")
    drawn = draw_tiles(board, seed)
    assert list(drawn) == ["a1", "e1", "f1", "b2", "h2"]
    assert not Counter(drawn[name] for name in ("a1", "e1", "f1")) - Counter(
        {"coin": 2, "boots": 2, "ferry": 1}
    )
    assert drawn["b2"] == drawn["h2"] == "bucket"
    assert draw_tiles(board, seed) == drawn


def test_every_tile_comes_up_everywhere_as_often_as_it_has_copies() -> None:
    board = board_of("one two")
    seen = Counter(spot for seed in range(900) for spot in draw_tiles(board, seed).items())
    for name in ("a1", "e1", "f1"):
        assert abs(seen[name, "ferry"] - 180) < 50
        assert abs(seen[name, "coin"] - 360) < 70
        assert abs(seen[name, "boots"] - 360) < 70


def test_a_seed_means_the_same_tiles_for_ever() -> None:
    assert [draw_tiles(board_of("one two"), seed) for seed in (0, 7)] == [
        {"a1": "boots", "e1": "ferry", "f1": "coin", "b2": "bucket", "h2": "bucket"},
        {"a1": "ferry", "e1": "coin", "f1": "boots", "b2": "bucket", "h2": "bucket"},
    ]  # fmt: skip


def test_the_pool_of_another_box_changes_nothing() -> None:
    for seed in range(20):
        drawn = draw_tiles(board_of("one two", MORE), seed)
        assert drawn == draw_tiles(board_of("one two"), seed)


def test_the_tiles_lie_on_the_board() -> None:
    board = board_of("one two")
    drawn = draw_tiles(board, 3)
    laid = laid_tiles(board, drawn)
    there = {laid.grid.name(hex): laid.catalog.tiles[kind].id for hex, kind in laid.tiles.items()}
    assert there == {**drawn, "c1": "mill", "d2": "ferry"}
    assert laid.places == tuple(sorted(laid.tiles)) and laid.kinds == board.kinds
    assert open_places(laid) == {"ford": (), "well": ()}
    assert lay_tiles(board, {}) is board


def test_a_drawing_shows_the_place_and_names_the_tile_elsewhere() -> None:
    board = lay_tiles(board_of("one two"), {"a1": "coin"})
    assert legend_of(board) == {"1": "mill"}
    assert draw_framed(board, {}, {}).splitlines()[1].split() == [
        "1", "Y", "H", "1", "H", "Y", "Y", "H", "H",
    ]  # fmt: skip
    names = {board.grid.name(hex): kind for hex, kind in drawn_tiles(board).items()}
    assert names == {"a1": 0, "d2": 1}


@pytest.mark.parametrize(
    ("name", "id", "words"),
    [
        ("a1", "coin", ""),
        ("a1", "coins", "is it `coin`?"),
        ("a1", "mill", "`mill` is no tile that is drawn"),
        ("a1", "bucket", "a1 is no place for which `bucket`"),
        ("b1", "coin", "b1 is no place for which `coin`"),
        ("d2", "ferry", "d2 is no place for which `ferry`"),
        ("z9", "coin", "z9 is no place"),
    ],
)
def test_what_may_lie_where(name: str, id: str, words: str) -> None:
    said = why_no_tile(board_of("one two"), name, id)
    assert words in said and bool(words) == bool(said)


GOOD = {"a1": "coin", "e1": "coin", "f1": "boots", "b2": "bucket", "h2": "bucket"}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"a1": "chess"}, "there is no tile `chess`"),
        ({"c1": "coin"}, "c1 is no place"),
        ({"f1": "coin"}, "`coin` lies on 3 places, but there are 2 of it"),
    ],
)
def test_a_table_that_cannot_be(changed: dict[str, str], words: str) -> None:
    board = board_of("one two")
    assert laid_tiles(board, GOOD)
    with pytest.raises(ValueError, match=words):
        laid_tiles(board, {**GOOD, **changed})


def test_a_table_with_an_open_place_cannot_be() -> None:
    with pytest.raises(ValueError, match="no tile lies on a1"):
        laid_tiles(board_of("one two"), {k: v for k, v in GOOD.items() if k != "a1"})


def test_a_pool_too_small_for_a_table_is_told_when_it_is_laid() -> None:
    with pytest.raises(ValueError, match="7 places `ford` there are only 5 tiles"):
        draw_tiles(board_of("two two/two one"), 0)  # by name a section may lie there twice


def test_a_pool_too_small_for_every_table_is_a_finding() -> None:
    few = DALE.replace("place: ford, copies: 2", "place: ford, copies: 0")
    catalog, _, found = merge([box(few)])
    assert facts(found) == [("KB414", "ferry")]
    assert "1 tile can be drawn for `ford`, but a table can have 3 such places" in str(found[0])
    one = few.replace("columns: 2}", "columns: 1}")
    assert "2 such places" in str(merge([box(one)])[2][0])
    assert catalog.tiles[0].each == 0


def test_copies_need_a_place() -> None:
    _, _, found = merge([box("tiles:\n  coin: {kind: nomad, copies: 2}\n")])
    assert facts(found) == [("KB403", "copies")]


TASKS = """
table: {rows: 1, columns: 2}
section: {rows: 1, columns: 2}
terrains: {heath: {letter: H}}
"""
SECTION = "  {}: {{tasks: {}, rows: H H}}\n"


@pytest.mark.parametrize(
    ("tasks", "counts", "words"),
    [
        ("[bridge, road]", (1, 1, 1), ""),
        ("[bridge]", (1, 0, 0), ""),
        ("[bridge]", (1, 0, 1), "bring 2 tasks into play, but there are only 1"),
        ("[]", (0, 1, 0), "bring 1 task into play, but there is none"),
    ],
)
def test_enough_tasks_for_every_table(tasks: str, counts: tuple[int, ...], words: str) -> None:
    sections = "".join(SECTION.format(f"s{i}", count) for i, count in enumerate(counts))
    catalog, parts, found = merge([box(f"{TASKS}tasks: {tasks}\nsections:\n{sections}")])
    assert [section.tasks for section in parts.sections.values()] == list(counts)
    assert [each.code for each in found] == (["KB414"] if words else [])
    assert not words or words in str(found[0])
    assert catalog.tasks == catalog.cards and catalog.scoring == ()


def test_tasks_are_cards_and_share_their_ids() -> None:
    one, two = box("cards: [rowers]\ntasks: [bridge]\n", "a"), box("cards: [bridge, poets]\n", "b")
    catalog, _, found = merge([one, two])
    assert facts(found) == [("KB411", "bridge")]
    assert (catalog.cards, catalog.tasks) == (("rowers", "bridge", "poets"), ("bridge",))
    assert catalog.scoring == ("rowers", "poets")


DALE_WITH_SHARES = """
table: {rows: 1, columns: 3}
section: {rows: 2, columns: 4}
terrains: {heath: {letter: H}}
places:
  ford: {letter: Y}
  well: {letter: V}
tiles:
  coin: {kind: location, place: ford, each: 2}
  ferry: {kind: location, place: ford, each: 2}
  boots: {kind: location, place: ford, each: 1}
  bucket: {kind: nomad, place: well, copies: 3}
sector_tiles: {ford: [ferry, coin, boots]}
sections:
  one:
    places: {"1": coin}
    rows: |
      Y H 1 H
       H V H Y
  two:
    rows: |
      Y Y H H
       H H H V
  bare:
    rows: |
      H H H H
       H H H H
"""
GOOD_SHARES = {
    "a1": "ferry",
    "d2": "ferry",
    "e1": "boots",
    "f1": "boots",
    "b2": "bucket",
    "h2": "bucket",
}


def board_with_shares(layout: str, *more: str) -> Board:
    boxes = [box(DALE_WITH_SHARES), *(box(text, f"more{i}") for i, text in enumerate(more))]
    catalog, parts, found = merge(boxes)
    assert found == []
    return lay_table(catalog, parts, read_layout(layout))


def test_the_places_of_a_sector_without_a_tile() -> None:
    board = board_with_shares("one two bare")
    assert has_pools(board.catalog)
    assert board.catalog.by_sector == {"ford": ("boots", "coin", "ferry")}
    assert open_sectors(board, "ford") == (("a1", "d2"), ("e1", "f1"), ())


@given(st.integers())
def test_a_sector_has_one_kind_and_no_other_sector_has_it(seed: int) -> None:
    drawn = draw_tiles(board_with_shares("one two bare"), seed)
    assert drawn.keys() == GOOD_SHARES.keys()
    assert drawn["a1"] == drawn["d2"] != drawn["e1"] == drawn["f1"]
    assert {drawn["a1"], drawn["e1"]} <= {"coin", "ferry", "boots"}


def test_every_kind_comes_up_in_every_sector_alike() -> None:
    board = board_with_shares("one two bare")
    seen = Counter(spot for seed in range(900) for spot in draw_tiles(board, seed).items())
    for name in ("a1", "e1"):
        for tile in ("coin", "ferry", "boots"):
            assert abs(seen[name, tile] - 300) < 60


def test_a_seed_means_the_same_tiles_for_ever_and_pools_are_drawn_as_before() -> None:
    board = board_with_shares("one two")
    alone = DALE_WITH_SHARES.replace("sector_tiles: {ford: [ferry, coin, boots]}", "")
    catalog, parts, _ = merge([box(alone)])
    other = lay_table(catalog, parts, read_layout("one two"))
    drawn = [draw_tiles(board, seed) for seed in (0, 7)]
    assert [(each["a1"], each["e1"]) for each in drawn] == [("boots", "ferry"), ("boots", "coin")]
    for seed in range(20):
        assert draw_tiles(other, seed).items() < draw_tiles(board, seed).items()


def test_other_boxes_may_bring_further_tiles_to_draw() -> None:
    more = "tiles: {lamp: {kind: location, place: ford, each: 2}}\nsector_tiles: {ford: [lamp]}\n"
    board = board_with_shares("one two", more)
    assert board.catalog.by_sector == {"ford": ("boots", "coin", "ferry", "lamp")}


def test_shared_tiles_lie_on_the_board() -> None:
    board = laid_tiles(board_with_shares("one two bare"), GOOD_SHARES)
    tiles = board.catalog.tiles
    there = {board.grid.name(hex): tiles[kind].id for hex, kind in board.tiles.items()}
    assert there == {**GOOD_SHARES, "c1": "coin"}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"d2": "coin"}, "a1 and d2 are in one sector, but have different tiles"),
        ({"e1": "ferry", "f1": "ferry"}, "`ferry` lies on a1 and e1, in two sectors"),
        ({"c1": "ferry"}, "c1 is no place for which `ferry` could be drawn"),
        ({"b2": "ferry"}, "b2 is no place for which `ferry`"),
        ({"e1": "bucket"}, "e1 is no place for which `bucket`"),
        ({"e1": "fery"}, "is it `ferry`?"),
    ],
)
def test_a_table_that_cannot_have_shares(changed: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("?", r"\?")):
        laid_tiles(board_with_shares("one two bare"), {**GOOD_SHARES, **changed})


def test_a_sector_without_a_tile_cannot_be() -> None:
    for lacking in ("a1", "f1"):
        tiles = {name: id for name, id in GOOD_SHARES.items() if name != lacking}
        with pytest.raises(ValueError, match=f"no tile lies on {lacking}"):
            laid_tiles(board_with_shares("one two bare"), tiles)


def test_tiles_named_for_sectors_leave_nothing_of_them_to_draw() -> None:
    board = board_with_shares("one two bare")
    named = tiles_named(board, ["coin", "ferry", "boots"])
    assert named == {"a1": "coin", "d2": "coin", "e1": "ferry", "f1": "ferry"}
    assert draw_tiles(lay_tiles(board, named), 3).keys() == {"b2", "h2"}
    assert why_no_tile(board, "a1", "coin") == ""


def test_too_few_tiles_are_told_when_laid_and_when_loaded() -> None:
    few = DALE_WITH_SHARES.replace("[ferry, coin, boots]", "[ferry]")
    catalog, parts, found = merge([box(few)])
    assert facts(found) == [("KB414", "ferry")]
    assert "1 tile can be drawn for sectors with `ford`, but a table can have 2" in str(found[0])
    board = lay_table(catalog, parts, read_layout("one two"))
    with pytest.raises(ValueError, match="for 2 sectors with `ford` there are only 1 tiles"):
        draw_tiles(board, 0)


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("[ferry, coin,", "[fery, coin,", ("KB413", "fery")),
        ("{ford: [", "{forde: [", ("KB413", "forde")),
        ("boots]", "bucket]", ("KB403", "bucket")),
        ("ferry: {kind", "ferry: {copies: 9, kind", ("KB403", "ferry")),
    ],
)
def test_what_is_drawn_for_sectors_must_fit(old: str, new: str, fact: tuple[str, str]) -> None:
    assert fact in facts(merge([box(DALE_WITH_SHARES.replace(old, new))])[2])


SETUP = "setups:\n  short:\n    sections: [[one, two]]\n    tiles: [[{}]]\n"


@pytest.mark.parametrize(
    ("tiles", "found"),
    [
        ("ferry, coin", []),
        ("ferry", [("KB403", "tiles")]),
        ("ferry, coins", [("KB413", "coins")]),
        ("ferry, bucket", [("KB403", "bucket")]),
    ],
)
def test_a_set_up_may_name_them(tiles: str, found: list[tuple[str, str]]) -> None:
    _, parts, problems = merge([box(DALE_WITH_SHARES), box(SETUP.format(tiles), "more")])
    assert facts(problems) == found
    assert parts.setups["short"].tiles == (tuple(tiles.split(", ")),)


def test_sets_of_sections() -> None:
    text = "section_sets: {front: [one, two]}\n"
    _, parts, found = merge([box(DALE_WITH_SHARES), box(text, "more")])
    assert found == [] and parts.section_sets == {"front": ("one", "two")}
    assert facts(merge([box(DALE_WITH_SHARES), box(text, "a"), box(text, "b")])[2]) == [
        ("KB411", "front")
    ]
    assert facts(merge([box(DALE_WITH_SHARES), box(text.replace("two", "tow"), "a")])[2]) == [
        ("KB413", "tow")
    ]
