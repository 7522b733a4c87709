"""Generated steps: the machine's states, without the machine; it takes over where they end."""

from __future__ import annotations

import ast
import traceback
from collections import Counter

import pytest

from kbrules.compile.steps import parts, words
from kbrules.engine.game import Game
from kbrules.engine.machine import Machine
from kbrules.engine.refusal import IllegalMove
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.works import written_for
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.plan.evaluators import generated, reference

BASE = ("base",)
MORE = ("base", "nomads", "crossroads", "marshlands", "harvest")


@pytest.fixture(params=[BASE, MORE], ids=["base", "more boxes"])
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    rules = load(*request.param)
    rules.kept.clear()
    return rules


def played(ruleset: Ruleset, seed: int, watched: bool) -> None:
    """A random game in both ways, state by state, and event by event if it is watched."""
    table = choose_table(ruleset, 2 + seed % 3, seed)
    one, other = game_at(ruleset, table, generated), game_at(ruleset, table, reference)
    state, should, random = one.start(), other.start(), Random(seed, "steps")
    while not should.is_over:
        moves = one.legal_moves(state)
        assert moves == other.legal_moves(should)
        move = moves.sample(random)
        if watched:
            seen: list[tuple[object, str]] = []
            known: list[tuple[object, str]] = []
            done = one.play(state, move, lambda e, s, seen=seen: seen.append((e, s.facts_hash())))
            right = other.play(
                should, move, lambda e, s, known=known: known.append((e, s.facts_hash()))
            )
            assert (done.events, seen) == (right.events, known)
            state, should = done.state, right.state
        else:
            state, should = one.apply(state, move), other.apply(should, move)
        assert state.to_json() == should.to_json()
    assert state.is_over


def test_steps_that_are_written_out_do_nothing_that_is_not_offered(ruleset: Ruleset) -> None:
    """A move like those of a group, but on no hex or with no card; below none there is nothing."""
    game = game_at(ruleset, choose_table(ruleset, 2, 1))
    works = written_for(ruleset, 2, (), game.options)
    for steps in (works.steps, works.telling):
        steps.all_written()
    state, random = game.start(), Random(1, "steps")
    while moves := game.legal_moves(state):
        listed = [*moves]
        for group in moves.groups:
            for move in (Move(group.verb, group.rule, hex) for hex in (-2, -1)):
                if move not in listed:
                    refused(game, state, move)
        state = game.apply(state, moves.sample(random))


def refused(game: Game, state: State, move: Move) -> None:
    """A move is not legal, whoever asks."""
    assert move not in game.legal_moves(state)
    for do in (game.apply, game.play):
        with pytest.raises(IllegalMove):
            do(state, move)


@pytest.mark.parametrize("watched", [False, True], ids=["silent", "watched"])
def test_states_and_events_are_those_of_the_machine(ruleset: Ruleset, watched: bool) -> None:
    for seed in range(4):
        played(ruleset, seed, watched)


def test_the_straight_path_needs_no_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A base game is played by what is written; the machine is left with its very edges."""
    ruleset, falls = load(*BASE), Counter[str]()
    run = Machine.run

    def counted(self: Machine, table: object, floor: int = -1) -> object:
        falls["run"] += floor < 0
        return run(self, table, floor)  # type: ignore[arg-type]

    def game(seed: int) -> int:
        table = game_at(ruleset, choose_table(ruleset, 2, seed))
        state, random, number = table.start(), Random(seed, "steps"), 0
        while not state.is_over:
            state = table.apply(state, table.legal_moves(state).sample(random))
            number += 1
        return number

    for seed in range(8):
        game(seed)
    monkeypatch.setattr(Machine, "run", counted)
    monkeypatch.setattr(words, "give_over", None)
    moves = sum(map(game, range(8, 16)))
    assert falls["run"] < moves / 10


def test_all_there_is_can_be_written(ruleset: Ruleset) -> None:
    """No block, and no action, is such that writing it out fails or does not compile."""
    works = written_for(ruleset, 3, (), {})
    silent, telling = works.steps.all_written(), works.telling.all_written()
    assert "note(t, " in telling and "note(t, " not in silent
    assert not any(isinstance(f, parts.Stub) for f in works.steps.part("rule/turn/1").runs)


OWN = {"", "turn", "turn over", "up to", "repeat", "each", "end", "finish", "discards"}


def test_no_text_of_the_rules_reaches_the_source(ruleset: Ruleset) -> None:
    """Its texts are the engine's own words."""
    works = written_for(ruleset, 2, (), {})
    tree = ast.parse(works.telling.all_written())
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    assert {text for text in texts if isinstance(text, str)} <= OWN


def test_a_traceback_points_into_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load(*BASE)
    ruleset.kept.clear()
    game = game_at(ruleset, choose_table(ruleset, 2, 1))
    module = written_for(ruleset, 2, (), {}).steps
    module.all_written()
    state = game.start()
    while state.stage[0] == "setup":
        state = game.apply(state, next(iter(game.legal_moves(state))))
    monkeypatch.setitem(module.names.known, "draft_of", None)
    with pytest.raises(TypeError) as caught:
        game.apply(state, next(iter(game.legal_moves(state))))
    assert "d = draft_of(state)" in "".join(traceback.format_exception(caught.value))


def test_what_is_no_legal_move_is_refused_as_ever(ruleset: Ruleset) -> None:
    from kbrules.engine.refusal import IllegalMove

    game = game_at(ruleset, choose_table(ruleset, 2, 1))
    for wrong in (Move("build", "mandatory", 3), Move("end", "turn"), Move("draw", "", 99)):
        with pytest.raises(IllegalMove):
            game.apply(game.start(), wrong)
