"""Positions written as scenarios: laid out again they are the same, and shrunk they still show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbrules.game.moves import CHANCE
from kbrules.game.state import FRESH, Tile, draft_of
from kbrules.library.load import load
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_scenario
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Source
from kbrules.tools.sampling import (
    SCATTERED,
    PositionData,
    Sample,
    position_data,
    prepare_position,
    samples,
    scenario_text,
    shrink,
)


def scattered(cache: RulesetCache, seed: int, count: int = 16) -> list[Sample]:
    found = samples(cache.ruleset, count, seed)
    return [sample for sample in found if sample.kind == SCATTERED and not sample.state.is_over]


@pytest.mark.parametrize("boxes", [("base",), ("base", "harvest", "island"), ()])
def test_a_position_that_is_laid_out_again_scores_the_same(boxes: tuple[str, ...]) -> None:
    cache = RulesetCache(load(*boxes))
    for sample in scattered(cache, seed=11):
        again = prepare_position(position_data(sample.game, sample.state, (10, 10)), cache)
        assert again is not None
        if boxes:  # what later boxes remember of the past does not follow from where things lie
            assert again.game.score(again.state) == sample.game.score(sample.state)
        mine = [(seat.pieces, seat.supply, seat.hand, seat.gold) for seat in sample.state.seats]
        theirs = [(seat.pieces, seat.supply, seat.hand, seat.gold) for seat in again.state.seats]
        assert mine == theirs


def test_a_scenario_that_is_written_holds_and_one_that_says_otherwise_does_not() -> None:
    cache = RulesetCache(load("base"))
    sample = scattered(cache, seed=2)[0]
    pose = position_data(sample.game, sample.state)
    game = prepare_position(pose, cache)
    assert game is not None
    gold = game.game.score(game.state).totals[0]
    for said, holds in ((gold, True), (gold + 1, False)):
        text = scenario_text(pose, cache, "Gold", {"gold": {"a": {"total": said}}})
        cases, findings = parse_scenarios(Source("it", text))
        assert not findings
        assert run_scenario(cache, cases[0]).passed is holds


def test_moves_are_written_by_the_names_of_the_smaller_board() -> None:
    cache = RulesetCache(load("base"))
    sample = next(s for s in scattered(cache, 7) if s.game.legal_moves(s.state).player != CHANCE)
    moves = sample.game.legal_moves(sample.state)
    move = next(move for move in moves if move.hex >= 0)
    at = sample.game.board.grid.address(move.hex)
    pose = replace(position_data(sample.game, sample.state, (10, 10)), moves=((move, at),))

    def is_legal(smaller: PositionData) -> bool:
        found = prepare_position(smaller, cache)
        return found is not None and found.moves[0] in found.game.legal_moves(found.state)

    small = shrink(pose, is_legal)
    assert is_legal(small)
    assert len(small.kinds) < 40
    cases, findings = parse_scenarios(
        Source("it", scenario_text(small, cache, "It", {"over": False}))
    )
    assert not findings
    assert run_scenario(cache, cases[0]).passed


def test_what_is_left_of_a_shrunk_position_is_needed() -> None:
    cache = RulesetCache(load("base"))
    sample = next(s for s in scattered(cache, 5) if len(position_data(s.game, s.state).pieces) > 6)

    def has_three(pose: PositionData) -> bool:
        return len(pose.pieces) >= 3

    small = shrink(position_data(sample.game, sample.state), has_three)
    assert len(small.pieces) == 3
    assert not any(seat.tiles or seat.hand for seat in small.seats)
    assert small.cards == ()


def test_a_tile_that_comes_from_no_place_is_written_without_one() -> None:
    cache = RulesetCache(load("base"))
    sample = scattered(cache, seed=2)[0]
    draft = draft_of(sample.state)
    first, *others = draft.seats
    draft.seats = (first._replace(tiles=(Tile(0, -1, FRESH),)), *others)
    pose = position_data(sample.game, draft.seal())
    assert [each.origin for each in pose.seats[0].tiles] == [None]
