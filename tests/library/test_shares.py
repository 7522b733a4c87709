"""Tiles drawn for whole sectors: one for each, none twice, on every place that is open."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.game.board import Board
from kbrules.library.boards.sections import (
    draw_tiles,
    has_pools,
    laid_tiles,
    lay_tiles,
    open_sectors,
    tiles_named,
    why_no_tile,
)
from kbrules.library.boards.tables import lay_table, read_layout
from kbrules.library.union import merge
from tests.library.written import box, facts

DALE = """
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
GOOD = {"a1": "ferry", "d2": "ferry", "e1": "boots", "f1": "boots", "b2": "bucket", "h2": "bucket"}


def board_of(layout: str, *more: str) -> Board:
    boxes = [box(DALE), *(box(text, f"more{i}") for i, text in enumerate(more))]
    catalog, parts, found = merge(boxes)
    assert found == []
    return lay_table(catalog, parts, read_layout(layout))


def test_the_places_of_a_sector_without_a_tile() -> None:
    board = board_of("one two bare")
    assert has_pools(board.catalog)
    assert board.catalog.by_sector == {"ford": ("boots", "coin", "ferry")}
    assert open_sectors(board, "ford") == (("a1", "d2"), ("e1", "f1"), ())


@given(st.integers())
def test_a_sector_has_one_kind_and_no_other_sector_has_it(seed: int) -> None:
    drawn = draw_tiles(board_of("one two bare"), seed)
    assert drawn.keys() == GOOD.keys()
    assert drawn["a1"] == drawn["d2"] != drawn["e1"] == drawn["f1"]
    assert {drawn["a1"], drawn["e1"]} <= {"coin", "ferry", "boots"}


def test_every_kind_comes_up_in_every_sector_alike() -> None:
    board = board_of("one two bare")
    seen = Counter(spot for seed in range(900) for spot in draw_tiles(board, seed).items())
    for name in ("a1", "e1"):
        for tile in ("coin", "ferry", "boots"):
            assert abs(seen[name, tile] - 300) < 60


def test_a_seed_means_the_same_tiles_for_ever_and_pools_are_drawn_as_before() -> None:
    board = board_of("one two")
    alone = DALE.replace("sector_tiles: {ford: [ferry, coin, boots]}", "")
    catalog, parts, _ = merge([box(alone)])
    other = lay_table(catalog, parts, read_layout("one two"))
    drawn = [draw_tiles(board, seed) for seed in (0, 7)]
    assert [(each["a1"], each["e1"]) for each in drawn] == [("boots", "ferry"), ("boots", "coin")]
    for seed in range(20):
        assert draw_tiles(other, seed).items() < draw_tiles(board, seed).items()


def test_other_boxes_may_bring_further_tiles_to_draw() -> None:
    more = "tiles: {lamp: {kind: location, place: ford, each: 2}}\nsector_tiles: {ford: [lamp]}\n"
    board = board_of("one two", more)
    assert board.catalog.by_sector == {"ford": ("boots", "coin", "ferry", "lamp")}


def test_the_tiles_lie_on_the_board() -> None:
    board = laid_tiles(board_of("one two bare"), GOOD)
    tiles = board.catalog.tiles
    there = {board.grid.name(hex): tiles[kind].id for hex, kind in board.tiles.items()}
    assert there == {**GOOD, "c1": "coin"}


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
def test_a_table_that_cannot_be(changed: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("?", r"\?")):
        laid_tiles(board_of("one two bare"), {**GOOD, **changed})


def test_a_sector_without_a_tile_cannot_be() -> None:
    for lacking in ("a1", "f1"):
        tiles = {name: id for name, id in GOOD.items() if name != lacking}
        with pytest.raises(ValueError, match=f"no tile lies on {lacking}"):
            laid_tiles(board_of("one two bare"), tiles)


def test_tiles_named_for_sectors_leave_nothing_of_them_to_draw() -> None:
    board = board_of("one two bare")
    named = tiles_named(board, ["coin", "ferry", "boots"])
    assert named == {"a1": "coin", "d2": "coin", "e1": "ferry", "f1": "ferry"}
    assert draw_tiles(lay_tiles(board, named), 3).keys() == {"b2", "h2"}
    assert why_no_tile(board, "a1", "coin") == ""


def test_too_few_tiles_are_told_when_laid_and_when_loaded() -> None:
    few = DALE.replace("[ferry, coin, boots]", "[ferry]")
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
    assert fact in facts(merge([box(DALE.replace(old, new))])[2])


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
    _, parts, problems = merge([box(DALE), box(SETUP.format(tiles), "more")])
    assert facts(problems) == found
    assert parts.setups["short"].tiles == (tuple(tiles.split(", ")),)


def test_sets_of_sections() -> None:
    text = "section_sets: {front: [one, two]}\n"
    _, parts, found = merge([box(DALE), box(text, "more")])
    assert found == [] and parts.section_sets == {"front": ("one", "two")}
    assert facts(merge([box(DALE), box(text, "a"), box(text, "b")])[2]) == [("KB411", "front")]
    assert facts(merge([box(DALE), box(text.replace("two", "tow"), "a")])[2]) == [("KB413", "tow")]
