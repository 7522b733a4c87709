"""Games of mixed boxes are logged, replayed, told by their events alone, and taken back."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

import pytest

from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.engine.logs.reading import parse_log
from kbrules.engine.logs.replay import replay
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match
from kbrules.engine.setup import game_at
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State, draft_of
from kbrules.text import Source
from tests.properties.mixes import BOXES, MIXES, any_kind, any_move, rules, table_of

GAMES = [(boxes, 7 * i) for i, boxes in enumerate(MIXES) if i % 3 == 0 or boxes == BOXES]


class Logged(NamedTuple):
    """A whole game: the state before every move and after the last, all that happened, its log."""

    game: Game
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    steps: tuple[Transition, ...]
    hashes: tuple[str, ...]
    lines: tuple[str, ...]


def somebody(game: Game, state: State, moves: MoveSet, random: Random) -> Move:
    return any_kind(state, moves, random) if random.below(2) else any_move(state, moves, random)


@lru_cache(maxsize=1)
def logged(boxes: tuple[str, ...], seed: int) -> Logged:
    table = table_of(rules(boxes), seed)
    game = game_at(rules(boxes), table)
    recorder = Recorder(game, game.start(), MatchInfo(table, seed, ("any",) * table.players))
    match = Match(game, seed, [somebody] * table.players, recorder.watch)
    states, moves, steps = [match.state], [], []
    for each in match:
        recorder.add(each.player, each.move, each.transition)
        moves.append(each.move)
        steps.append(each.transition)
        states.append(match.state)
    recorder.close(match.state)
    hashes = tuple(state.hash() for state in states)
    return Logged(game, (*states,), (*moves,), (*steps,), hashes, tuple(recorder.lines))


@pytest.mark.parametrize(("boxes", "seed"), GAMES, ids=lambda value: str(value))
class TestMixedGames:
    """The tests of one game follow one another, so that it is played once for all of them."""

    def test_a_replay_is_the_same_game(self, boxes: tuple[str, ...], seed: int) -> None:
        game = logged(boxes, seed)
        log, found = parse_log(Source("game.kblog", "".join(game.lines)))
        assert log is not None and found == []
        result = replay(rules(boxes), log)
        assert (result.findings, result.difference) == ((), None)
        assert result.moves == len(game.moves)
        assert tuple(state.hash() for state in result.states[-3:]) == game.hashes[-3:]

    def test_the_events_alone_tell_the_table(self, boxes: tuple[str, ...], seed: int) -> None:
        """Folded one by one from the first position on, without any rule and never set right."""
        game = logged(boxes, seed)
        draft = draft_of(game.states[0])
        for line, step in zip(game.lines[1:-1], game.steps, strict=True):
            told: list[Any] = json.loads(line)["events"]
            for event, written in zip(step.events, told, strict=True):
                event.fold(draft)
                assert draft.facts_hash() == written["hash"], written
        assert draft.facts() == game.states[-1].facts()

    def test_no_state_is_changed_by_what_follows(self, boxes: tuple[str, ...], seed: int) -> None:
        """From any state of old another game can be played, and the first one again."""
        game = logged(boxes, seed)
        random = Random(seed, "back")
        for _ in range(8):
            at = random.below(len(game.moves))
            state = game.states[at]
            for _ in range(20):
                moves = game.game.legal_moves(state)
                if moves:
                    state = game.game.apply(state, moves.sample(random))
            assert game.game.apply(game.states[at], game.moves[at]).hash() == game.hashes[at + 1]
        assert tuple(state.hash() for state in game.states) == game.hashes
        assert len(set(game.hashes)) == len(game.hashes), "a position twice"
