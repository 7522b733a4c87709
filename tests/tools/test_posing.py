"""Positions written as scenarios: laid out again they are the same, and shrunk they still show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbrules.game.moves import CHANCE
from kbrules.library.load import load
from kbrules.scenario.case import read_cases_of
from kbrules.scenario.items import run_case
from kbrules.scenario.shelf import Shelf
from kbrules.text import Source
from kbrules.tools.posing.posed import Posed, posed
from kbrules.tools.posing.shrinking import shrunk
from kbrules.tools.posing.written import laid, scenario
from kbrules.tools.sampling import STREWN, Sample, samples


def strewn(shelf: Shelf, seed: int, count: int = 16) -> list[Sample]:
    found = samples(shelf.ruleset, count, seed)
    return [sample for sample in found if sample.kind == STREWN and not sample.state.is_over]


@pytest.mark.parametrize("boxes", [("base",), ("base", "harvest", "island"), ()])
def test_a_position_that_is_laid_out_again_scores_the_same(boxes: tuple[str, ...]) -> None:
    shelf = Shelf(load(*boxes))
    for sample in strewn(shelf, seed=11):
        again = laid(posed(sample.game, sample.state, (10, 10)), shelf)
        assert again is not None
        if boxes:  # what later boxes remember of the past does not follow from where things lie
            assert again.game.score(again.state) == sample.game.score(sample.state)
        mine = [(seat.pieces, seat.supply, seat.hand, seat.gold) for seat in sample.state.seats]
        theirs = [(seat.pieces, seat.supply, seat.hand, seat.gold) for seat in again.state.seats]
        assert mine == theirs


def test_a_scenario_that_is_written_holds_and_one_that_says_otherwise_does_not() -> None:
    shelf = Shelf(load("base"))
    sample = strewn(shelf, seed=2)[0]
    pose = posed(sample.game, sample.state)
    game = laid(pose, shelf)
    assert game is not None
    gold = game.game.score(game.state).totals[0]
    for said, holds in ((gold, True), (gold + 1, False)):
        text = scenario(pose, shelf, "Gold", {"gold": {"a": {"total": said}}})
        cases, findings = read_cases_of(Source("it", text))
        assert not findings
        assert run_case(shelf, cases[0]).passed is holds


def test_moves_are_written_by_the_names_of_the_smaller_board() -> None:
    shelf = Shelf(load("base"))
    sample = next(s for s in strewn(shelf, 7) if s.game.legal_moves(s.state).player != CHANCE)
    moves = sample.game.legal_moves(sample.state)
    move = next(move for move in moves if move.hex >= 0)
    at = sample.game.board.grid.place(move.hex)
    pose = replace(posed(sample.game, sample.state, (10, 10)), moves=((move, at),))

    def is_legal(smaller: Posed) -> bool:
        found = laid(smaller, shelf)
        return found is not None and found.moves[0] in found.game.legal_moves(found.state)

    small = shrunk(pose, is_legal)
    assert is_legal(small)
    assert len(small.kinds) < 40
    cases, findings = read_cases_of(Source("it", scenario(small, shelf, "It", {"over": False})))
    assert not findings
    assert run_case(shelf, cases[0]).passed


def test_what_is_left_of_a_shrunk_position_is_needed() -> None:
    shelf = Shelf(load("base"))
    sample = next(s for s in strewn(shelf, 5) if len(posed(s.game, s.state).pieces) > 6)

    def has_three(pose: Posed) -> bool:
        return len(pose.pieces) >= 3

    small = shrunk(posed(sample.game, sample.state), has_three)
    assert len(small.pieces) == 3
    assert not any(seat.tiles or seat.hand for seat in small.seats)
    assert small.cards == ()
