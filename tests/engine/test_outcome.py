"""Outcomes: what is counted of a game is what its events and its score sheet say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import kbrules
from kbrules.engine.game import Game
from kbrules.engine.matches import Match, outcome
from kbrules.game.events import Event, to_json
from kbrules.library.box import usual_boxes
from tests.engine.games import any_move

HOUSE_RULES = Path(__file__).parents[1] / "house"
SEEDS = range(6)


def hexes() -> kbrules.Ruleset:
    ruleset, findings = kbrules.check_all([], [HOUSE_RULES / "hex"])
    assert ruleset is not None and not findings
    return ruleset


RULES: dict[str, Callable[[], kbrules.Ruleset]] = {
    "dale": lambda: kbrules.load(folders=[HOUSE_RULES / "dale"]),
    "hex": hexes,
    "all": lambda: kbrules.load(*usual_boxes()),
}


@pytest.fixture(scope="module", params=RULES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    ruleset = RULES[request.param]()
    least, most = ruleset.parts.players
    return [kbrules.new_game(ruleset, least + seed % (most - least + 1), seed) for seed in SEEDS]


def told(game: Game, seed: int) -> tuple[Match, list[Event], Counter[int]]:
    """A match played on, everything that happened in it, and who decided how often."""
    match = Match(game, seed, [any_move] * game.players)
    events, decided = list(game.opening().events), Counter[int]()
    for played in match:
        events += played.transition.events
        decided[played.player] += 1
    return match, events, decided


def test_it_is_what_the_events_and_the_sheet_say(games: list[Game]) -> None:
    for seed, game in enumerate(games):
        match, events, decided = told(game, seed)
        sheet, found = game.score(match.state), outcome(game, seed, [any_move] * game.players)
        facts = [to_json(event) for event in events]
        assert found.totals == sheet.totals
        assert found.winners == sheet.winners
        assert found.gained == tuple(seat.gold for seat in match.state.seats)
        assert found.turns == sum(fact["event"] == "turnstarted" for fact in facts)
        assert found.decisions == tuple(decided[player] for player in range(game.players))
        for player in range(game.players):
            mine = [fact for fact in facts if fact.get("player") == player]
            for kind in range(len(game.ruleset.catalog.tiles)):
                of_kind = [fact["event"] for fact in mine if fact.get("kind") == kind]
                assert found.used[player][kind] == of_kind.count("used")
                assert found.taken[player][kind] == sum(
                    name in ("took", "received") for name in of_kind
                )


def test_every_rule_pays_in_the_order_of_the_scoring(games: list[Game]) -> None:
    for seed, game in enumerate(games):
        state = told(game, seed)[0].state
        found = outcome(game, seed, [any_move] * game.players)
        for player, paid in enumerate(found.gold):
            lines = [game.scoring.line(rule, state, player).gold for rule in game.scoring.rules]
            assert paid == tuple(lines)


def test_gold_got_in_play_is_told_rule_by_rule(games: list[Game]) -> None:
    for seed, game in enumerate(games):
        found = outcome(game, seed, [any_move] * game.players)
        for player, gains in enumerate(found.gains):
            assert sum(gold for _, gold in gains) == found.gained[player]
            assert list(gains) == sorted(gains)
            assert all(gold and game.ruleset.rule(rule) for rule, gold in gains)


def test_the_same_seed_is_the_same_outcome(games: list[Game]) -> None:
    for game in games[:2]:
        bots = [any_move] * game.players
        assert outcome(game, 1, bots) == outcome(game, 1, bots)
        assert outcome(game, 1, bots) != outcome(game, 2, bots)


def test_a_turn_that_begins_before_anybody_decides_counts() -> None:
    """One stone a turn: as many turns as decisions, the first turn too."""
    game = kbrules.new_game(hexes(), 2, 0)
    found = outcome(game, 0, [any_move] * 2)
    assert found.turns == sum(found.decisions) > 11
    assert len(found.winners) == 1
