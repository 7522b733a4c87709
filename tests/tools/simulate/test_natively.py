"""Deals played and told in arrays are those that are played and told one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from kbrules.engine.game import Game
from kbrules.engine.matches import Outcome
from kbrules.engine.simulation.kernels import OutOfRoom
from kbrules.engine.simulation.playouts import TablePlayouts
from kbrules.tools.simulate import native as table_rows
from kbrules.tools.simulate.question import Question, QuestionTables, Side
from kbrules.tools.simulate.results_file import DealSpan, PlayedSpan
from kbrules.tools.simulate.run import NATIVE_METHOD, REFERENCE_METHOD, play, random_outcomes
from tests.tools.simulate.small import fell, question

pytest.importorskip("numba")


RANDOM = "random"
SPAN = DealSpan(3, 24)


def both(asked: Question, span: DealSpan = SPAN) -> tuple[PlayedSpan, PlayedSpan]:
    """The deals of a question played natively, and one by one."""
    return play(QuestionTables(asked), span, NATIVE_METHOD), play(
        QuestionTables(asked), span, REFERENCE_METHOD
    )


def drawn(tables: QuestionTables, side: int = 0) -> bool:
    """Whether tables are drawn side by side."""
    return tables.cache[table_rows.TableEncoder, side]._sampler is not None


@pytest.fixture
def asked(tmp_path: Path) -> Question:
    """Random players at the small game."""
    return replace(question(fell(tmp_path / "fell")), lineups=((RANDOM,) * 2,))


@pytest.mark.parametrize("per_table", [1, 5])
@pytest.mark.parametrize("seed", [0, -(2**40)])
def test_they_are_the_same(asked: Question, per_table: int, seed: int) -> None:
    mine, theirs = both(replace(asked, per_table=per_table, seed=seed))
    assert mine.rows == theirs.rows and len(mine.rows) == 48
    assert mine.stand_ins == theirs.stand_ins


def test_so_are_two_sides_and_cards_that_are_asked_for(asked: Question) -> None:
    (side,) = asked.sides
    sides = replace(side, cards=("gulls",)), replace(side, cards=("rowers",))
    mine, theirs = both(replace(asked, sides=sides))
    assert mine.rows == theirs.rows and len(mine.rows) == 96


def test_seeds_without_a_stream_in_the_kernel_are_played_one_by_one(asked: Question) -> None:
    mine, theirs = both(replace(asked, seed=2**70), DealSpan(0, 3))
    assert mine.rows == theirs.rows and len(mine.rows) == 6


def test_boxes_that_bring_more_than_sections_and_cards() -> None:
    tables = QuestionTables(
        Question((Side(("base", "marshlands", "crossroads")),), 3, ((RANDOM,) * 3,))
    )
    mine = play(tables, DealSpan(0, 6), NATIVE_METHOD)
    assert not drawn(tables)
    assert mine.rows == play(tables, DealSpan(0, 6), REFERENCE_METHOD).rows


def test_the_base_game_is_drawn_side_by_side() -> None:
    tables = QuestionTables(Question((Side(("base",)),), 2, ((RANDOM,) * 2,)))
    mine = play(tables, DealSpan(0, 40), NATIVE_METHOD)
    assert drawn(tables)
    assert mine.rows == play(tables, DealSpan(0, 40), REFERENCE_METHOD).rows


def test_games_that_need_more_room_are_played_by_the_reference(
    asked: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = play(QuestionTables(asked), SPAN, REFERENCE_METHOD).rows
    with out_of_room(monkeypatch, 4):
        found = play(QuestionTables(asked), SPAN, NATIVE_METHOD)
    assert sorted(found.rows, key=str) == sorted(expected, key=str)
    assert found.by_reference == 1


@contextmanager
def out_of_room(monkeypatch: pytest.MonkeyPatch, game: int) -> Iterator[None]:
    """One game of a span finds no room in the kernel."""
    plainly = TablePlayouts.play

    def short(self: TablePlayouts, seeds: object, rows: object) -> object:
        found = plainly(self, seeds, rows)
        found[game, 0] = 1
        return found

    with monkeypatch.context() as patch:
        patch.setattr(TablePlayouts, "play", short)
        yield


def test_rooms_that_are_too_small_are_told_one_by_one_as_well(
    asked: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, slow = QuestionTables(asked).game(asked.deal(0), 0), list[int]()
    expected = [game.playout(seed) for seed in range(6)]
    plainly = Game.playouts

    def short(self: Game, seeds: list[int], engine: str = "python") -> Iterator[Outcome]:
        for seed in seeds:
            if seed in (1, 4) and engine != "reference":
                raise OutOfRoom(f"the game with seed {seed}", 1)
            yield from plainly(self, [seed], engine)

    monkeypatch.setattr(Game, "playouts", short)
    assert list(random_outcomes(game, range(6), "python", slow)) == expected
    assert slow == [1, 4]
