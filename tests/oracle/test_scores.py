"""Gold as the engine counts it and as one counts it with a finger on the board."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.oracle.effort import often
from tests.oracle.ground import lay
from tests.oracle.picture import Picture, new_table
from tests.oracle.positions import CARDS, Drawn, positions
from tests.oracle.twin_scores import SCORES, score


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
