"""Positions written as scenarios: laid out again they are the same, and shrunk they still show."""

from __future__ import annotations

from dataclasses import replace

from kbrules.game.moves import CHANCE, write_move
from kbrules.game.state import draft_of
from kbrules.hex.grid import hex_name
from kbrules.library.load import load
from kbrules.library.position import Position, TableBoard, within
from kbrules.scenario.position import lay
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_scenario
from kbrules.scenario.setup import RulesetCache
from kbrules.scenario.writing import Inexact, position_of, scenario_text
from kbrules.text import Source
from kbrules.tools.sampling import SCATTERED, Sample, samples, shrink


def scattered(cache: RulesetCache, seed: int, count: int = 16) -> list[Sample]:
    found = samples(cache.ruleset, count, seed)
    return [sample for sample in found if sample.kind == SCATTERED and not sample.state.is_over]


def pose_of(sample: Sample) -> Position:
    pose = position_of(sample.game, sample.state)
    assert not isinstance(pose, Inexact), pose
    return pose


def test_a_scenario_that_is_written_holds_and_one_that_says_otherwise_does_not() -> None:
    cache = RulesetCache(load("base"))
    sample = scattered(cache, seed=2)[0]
    gold = sample.game.score(sample.state).totals[0]
    for said, holds in ((gold, True), (gold + 1, False)):
        expect = {"gold": {"a": {"total": said}}}
        text = scenario_text(pose_of(sample), sample.game.board, "Gold", expect)
        cases, findings = parse_scenarios(Source("it", text))
        assert not findings
        assert run_scenario(cache, cases[0]).passed is holds


def test_moves_are_written_by_the_names_of_the_smaller_board() -> None:
    cache = RulesetCache(load("base"))
    sample = next(s for s in scattered(cache, 7) if s.game.legal_moves(s.state).player != CHANCE)
    moves = sample.game.legal_moves(sample.state)
    move = next(move for move in moves if move.hex >= 0)
    pose = replace(pose_of(sample), moves=(write_move(move, sample.game.board),))

    def is_legal(smaller: Position) -> bool:
        laid, _ = lay(smaller, cache)
        return laid is not None and laid.moves[0] in laid.game.legal_moves(laid.state)

    small = shrink(pose, is_legal)
    laid, _ = lay(small, cache)
    assert laid is not None
    assert is_legal(small)
    assert laid.game.board.grid.full.bit_count() < 40
    text = scenario_text(small, laid.game.board, "It", {"over": False})
    cases, findings = parse_scenarios(Source("it", text))
    assert not findings
    assert run_scenario(cache, cases[0]).passed


def test_what_is_left_of_a_shrunk_position_is_needed() -> None:
    cache = RulesetCache(load("base"))
    poses = (pose_of(sample) for sample in scattered(cache, 5))
    large = next(pose for pose in poses if len([*pose.owned()]) > 6)

    def has_three(pose: Position) -> bool:
        return len([*pose.owned()]) >= 3

    small = shrink(large, has_three)
    assert len([*small.owned()]) == 3
    assert not any(seat.tiles or seat.hand for seat in small.seats.values())
    assert (small.cards, small.deck, small.discards, small.left) == ((), None, {}, {})


def test_a_part_of_a_board_has_names_of_its_own() -> None:
    board = TableBoard(drawing="A A 2\n A B 1\nC C 2\n", legend={"1": "forge", "2": "mill"})
    whole = Position(board, left={"c2": 1, "c3": 2}, memory={"seen": ("a1", "b3", "c3"), "n": 4})
    moves = ("mill: build c3", "end turn", "draw c3")
    words = {at: word for at, word in board.words().items() if at.row and at.column}
    part = within(replace(whole, moves=moves), words)
    assert [*map(hex_name, words)] == ["b2", "c2", "b3", "c3"]
    assert part.board is not None
    assert part.board.drawing == "-   -\n  B   1\nC   2\n".replace("   ", " ").replace("  ", " ")
    assert part.left == {"b2": 1, "b3": 2}
    assert part.memory == {"seen": ("a3", "b3"), "n": 4}
    assert part.moves == ("mill: build b3", "end turn", "draw c3")


def test_what_is_shown_of_the_piles_and_of_the_past_stays() -> None:
    cache = RulesetCache(load("base"))
    sample = next(s for s in scattered(cache, 7) if len(s.state.piles[0]) > 1 and s.state.shown)
    draft = draft_of(sample.state)
    draft.piles = ((0,) * len(draft.piles[0]), *draft.piles[1:])  # not as it follows from the rest
    pose = position_of(sample.game, draft.seal())
    assert not isinstance(pose, Inexact)

    def is_empty(smaller: Position) -> bool:
        laid, _ = lay(smaller, cache)
        return laid is not None and not any(laid.state.piles[0])

    small = shrink(pose, is_empty)
    assert is_empty(small)
    assert (small.deck, small.left, small.turn.round) == ({}, {}, 1)
