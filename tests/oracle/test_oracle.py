"""The base game and its twin: boards, moves, gold and whole games are the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from kbrules.engine.setup import choose_table, game_at
from kbrules.game.random import Random
from kbrules.library.boards.tables import Layout
from tests.oracle.geometry import SIZE
from tests.oracle.ground import SPECIAL, lay
from tests.oracle.picture import Picture, new_table
from tests.oracle.positions import CARDS, Drawn, layouts, positions, table
from tests.oracle.seen import addresses, cells, follow, picture_of, rules, same
from tests.oracle.twin_game import Story, from_turn, rest_of_turn, whole_game
from tests.oracle.twin_scores import SCORES, score
from tests.pace import often


@settings(max_examples=25)
@given(layouts())
def test_laid_by_hand(layout: Layout) -> None:
    game, _ = table(layout, 2)
    ground, grid, catalog = lay(layout.rows), game.board.grid, game.ruleset.catalog
    by_bit, by_cell = addresses(grid)
    assert len(by_cell) == grid.size == SIZE * SIZE
    for kind, mask in zip(catalog.hexes, game.board.kinds, strict=True):
        assert cells(grid, mask) == set(ground.of(kind.id))
    laid = {by_bit[hex]: catalog.tiles[tile].id for hex, tile in game.board.tiles.items()}
    assert laid == ground.tile
    for number, mask in enumerate(game.board.sectors):
        assert cells(grid, mask) == {cell for cell, s in ground.sector.items() if s == number}
    assert cells(grid, game.board.tagged["special"]) == set(ground.of(*SPECIAL))


def test_the_first_game_lies_as_printed() -> None:
    layout = choose_table(rules(), 2, 0, "first-game").layout
    ground = lay(layout.rows)
    corners = [(0, 0), (0, SIZE - 1), (SIZE - 1, 0), (SIZE - 1, SIZE - 1)]
    assert [ground.kind[cell] for cell in corners] == ["flower", "desert", "water", "water"]
    assert sorted(ground.tile.values()) == sorted(["tavern", "paddock", "oasis", "farm"] * 2)


DECISIONS = 30


def on_from(p: Picture, turn: int) -> Story:
    """The story from a position in which a turn has just shown its card."""
    yield from rest_of_turn(p, turn % p.players)
    if p.ending and (turn + 1) % p.players == 0:
        return
    yield from from_turn(p, turn + 1)


@often(4)
@given(positions(cards=()))
def test_what_is_offered(drawn: Drawn) -> None:
    story = on_from(drawn.picture, drawn.turn)
    random = Random(drawn.seed, "moves")
    follow(drawn.game, drawn.table, drawn.state, drawn.picture, story, random, DECISIONS)


def test_every_card_has_a_twin() -> None:
    assert set(SCORES) == {*CARDS, "castles"}


@often(4)
@given(positions())
def test_gold(drawn: Drawn) -> None:
    game, state = drawn.game, drawn.state
    picture = drawn.picture
    sheet = game.score(state)
    for player in range(game.players):
        paid = {line.rule: line.gold for line in sheet.lines[player]}
        assert paid == {rule: score(picture, rule, player) for rule in SCORES}
    totals = [sum(score(picture, rule, p) for rule in SCORES) for p in range(game.players)]
    assert list(sheet.totals) == totals
    assert set(sheet.winners) == {p for p, gold in enumerate(totals) if gold == max(totals)}


FIRST_GAME = lay(((("tavern", False), ("paddock", False)), (("oasis", False), ("farm", False))))


def with_pieces(*cells: tuple[int, int], others: tuple[tuple[int, int], ...] = ()) -> Picture:
    picture = new_table(FIRST_GAME, 2)
    picture.pieces = dict.fromkeys(cells, 0) | dict.fromkeys(others, 1)
    return picture


ROW = tuple((9, column) for column in range(7))


@pytest.mark.parametrize(
    ("card", "cells", "others", "gold"),
    [
        ("citizens", ROW, (), 3),  # an area of seven is worth 3, a lone piece nothing
        ("citizens", ROW[:1], (), 0),
        ("lords", ((0, 0),), ((0, 19),), 42),  # 12, then 6 for a second place with nothing
        ("lords", (), ((0, 0),), 42),  # and 12 each where nobody is
        ("farmers", ((0, 0), (0, 19), (19, 0)), (), 0),
        ("farmers", ((0, 0), (0, 19), (19, 0), (19, 19)), (), 3),
        ("knights", (*ROW, (0, 0), (0, 1)), (), 14),
        ("discoverers", (*ROW, (0, 0), (0, 1)), (), 2),
        ("hermits", (*ROW, (0, 0), (0, 1), (9, 8)), (), 3),
    ],
)
def test_the_twin_counts_as_the_rule_book_does(
    card: str, cells: tuple[tuple[int, int], ...], others: tuple[tuple[int, int], ...], gold: int
) -> None:
    assert score(with_pieces(*cells, others=others), card, 0) == gold


def test_ties_for_the_first_place_leave_the_second() -> None:
    picture = new_table(FIRST_GAME, 4)
    cells = iter((row, column) for row in range(3) for column in range(10))
    for player, count in enumerate((8, 8, 6, 2)):
        picture.pieces |= {next(cells): player for _ in range(count)}
    empty = 3 * 12  # the other three sectors, where all are equal
    assert [score(picture, "lords", p) - empty for p in range(4)] == [12, 12, 6, 0]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"null_moves": True},
    {"lift_first": False},
    {"lords_rank_zero": False, "build_without_card": True},
    {"lift_first": False, "null_moves": True, "meeples_move": False},
]
GAMES, SOAK = 25, 600


def play(seed: int) -> None:
    setup = "first-game" if seed % 7 == 0 else "random"
    options = OPTIONS[seed % len(OPTIONS)]
    table = choose_table(rules(), 2 + seed % 3, seed, setup, options)
    game = game_at(rules(), table)
    twin = new_table(lay(table.layout.rows), table.players, **options)
    state = follow(game, table, game.start(), twin, whole_game(twin), Random(seed, "play"))
    same(twin, picture_of(game, table, state))
    sheet = game.score(state)
    for player in range(table.players):
        paid = {line.rule: line.gold for line in sheet.lines[player]}
        assert set(paid) == {"castles", *table.cards}
        assert paid == {rule: score(twin, rule, player) for rule in SCORES if rule in paid}


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_random_game(seed: int) -> None:
    play(seed)


@pytest.mark.slow
def test_many_random_games() -> None:
    for seed in range(GAMES, GAMES + SOAK):
        play(seed)
