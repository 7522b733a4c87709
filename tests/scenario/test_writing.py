"""States written as positions: laid again from the text they are the same, or it is told why not.

The law that sampled states of several boxes hold, at their actions and as they stood in play.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbrules.engine.game import Game
from kbrules.game.state import Draft, State, Tile, draft_of
from kbrules.library.load import load
from kbrules.library.position import SeatTile
from kbrules.scenario.position import Laid, build_start, enter_stage
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.setup import RulesetCache
from kbrules.scenario.writing import Inexact, drawn, position_of, scenario_text
from kbrules.text import Source
from kbrules.tools.conform import legal
from kbrules.tools.sampling import Sample, samples
from tests.equal.settings import HOUSE_RULES

MIXES = (("base", "harvest", "island"), ("base", "nomads", "crossroads", "marshlands"), ())
REASONS = ("something is half done", "a position cannot say")


def at_actions(sample: Sample) -> State:
    """The state of a sample with its player at the actions of the turn."""
    draft = draft_of(sample.state)
    enter_stage(draft, sample.game.ruleset, "actions", max(0, sample.state.active))
    return sample.game.run_to_decision(draft)


def laid_again(game: Game, state: State, cache: RulesetCache) -> Laid | Inexact:
    """What the text of a state's position is laid as."""
    position = position_of(game, state)
    if isinstance(position, Inexact):
        return position
    text = scenario_text(position, game.board, "Again", {"over": state.is_over})
    scenarios, findings = parse_scenarios(Source("again", text))
    assert not findings
    laid, findings = build_start(scenarios[0], cache)
    assert laid is not None, findings
    return laid


def is_same(game: Game, state: State, laid: Laid) -> bool:
    same_moves = legal(game, state) == legal(laid.game, laid.state)
    return state.facts_hash() == laid.state.facts_hash() and same_moves


@pytest.mark.parametrize("boxes", MIXES)
def test_a_state_at_its_actions_is_laid_again_as_it_was(boxes: tuple[str, ...]) -> None:
    cache = RulesetCache(load(*boxes))
    for sample in samples(cache.ruleset, 8, seed=5):
        if not sample.state.is_over:
            state = at_actions(sample)
            laid = laid_again(sample.game, state, cache)
            assert isinstance(laid, Laid), laid
            assert is_same(sample.game, state, laid)


@pytest.mark.parametrize("boxes", MIXES[:1])
def test_a_state_in_play_is_laid_again_or_it_is_told_why_not(boxes: tuple[str, ...]) -> None:
    cache, same = RulesetCache(load(*boxes)), 0
    for sample in samples(cache.ruleset, 16, seed=8):
        laid = laid_again(sample.game, sample.state, cache)
        if isinstance(laid, Inexact):
            assert laid.reason.startswith(REASONS)
        else:
            assert is_same(sample.game, sample.state, laid)
            same += 1
    assert same >= 10


def some_state() -> tuple[Game, State]:
    cache = RulesetCache(load("base"))
    sample = next(s for s in samples(cache.ruleset, 9, 3) if s.state.seats[0].pieces[0])
    return sample.game, at_actions(sample)


def changed(draft: Draft, **values: object) -> State:
    for name, value in values.items():
        setattr(draft, name, value)
    return draft.seal()


def test_what_a_position_cannot_say_is_named() -> None:
    game, state = some_state()
    kind, origin = next((kind, hex) for hex, kind in game.board.tiles.items())
    first, *others = state.seats
    lost = first._replace(tiles=(Tile(kind, -1, "ready"),))
    ready = first._replace(tiles=(Tile(kind, origin, "ready"),))
    told = {
        "a limit that the rules have met": changed(draft_of(state), cut=1),
        "that another turn": changed(draft_of(state), further=1),
        "came from no place": changed(draft_of(state), seats=(lost, *others)),
    }
    for words, inexact in told.items():
        found = position_of(game, inexact)
        assert isinstance(found, Inexact)
        assert words in found.reason
    draft = draft_of(state)
    draft.seats = (ready, *others)
    enter_stage(draft, game.ruleset, "actions", 0)
    known = position_of(game, game.run_to_decision(draft))
    assert not isinstance(known, Inexact)
    assert known.seat("a").tiles == (
        SeatTile(game.board.catalog.tiles[kind].id, game.board.grid.name(origin)),
    )


def test_pieces_are_drawn_and_one_below_another_is_listed() -> None:
    game, state = some_state()
    position = position_of(game, state)
    assert not isinstance(position, Inexact)
    owner, piece, hex = next(position.owned())
    shown = drawn(position, game.board)
    assert not [*shown.owned()]
    twice = replace(
        position, seats={**position.seats, "b": replace(position.seat("b"), pieces={piece: (hex,)})}
    )
    listed = [*drawn(twice, game.board).owned()]
    assert listed == [("b" if owner == "a" else owner, piece, hex)]


def test_a_turn_is_the_same_one_where_the_start_player_passes() -> None:
    cache = RulesetCache(load("base", folders=[HOUSE_RULES / "turns"]))
    same = 0
    for sample in samples(cache.ruleset, 12, 2):
        game, state = sample.game, sample.state
        laid = laid_again(game, state, cache)
        if state.stage[0] == "turn" and isinstance(laid, Laid):
            assert (laid.state.stage, laid.state.active) == (state.stage, state.active)
            same += state.stage[1] >= game.players
    assert same
