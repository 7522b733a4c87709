"""Games in place by each engine: they offer, refuse and come to what states do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy, deepcopy
from functools import lru_cache
from typing import Any

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE, IllegalMove
from kbrules.engine.game import Game
from kbrules.engine.matches import Match, Outcome, outcome
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import ENGINES, MissingNumba, OutOfRoom
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.kernel import layout
from kbrules.library.load import load

pytest.importorskip("numba")


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@lru_cache(maxsize=1)
def table() -> Game:
    return table_of("base")


def table_of(*boxes: str, **more: Any) -> Game:
    ruleset = load(*boxes, **more)
    return game_at(ruleset, choose_table(ruleset, 2, 3))


def begun(engine: str, seed: int = 7) -> Playthrough:
    return table().playthrough(seed, engine)


def played(play: Playthrough, moves: int = 10_000) -> Outcome | None:
    """So many moves, by chance; what came of it if it is over then."""
    while play.count and moves:
        play.choose(Random(play.seed, f"move {play.moves_made}").below(play.count))
        moves -= 1
    return play.outcome() if play.is_over else None


def by_states(game: Game, seed: Any) -> Outcome:
    """The game that `played` plays to its end."""
    made = iter(range(10_000))

    def bot(_game: Game, _state: State, moves: MoveSet, _random: Random) -> Move:
        return moves[Random(seed, f"move {next(made)}").below(len(moves))]

    return outcome(game, seed, [bot] * game.players)


def test_what_is_offered_is_what_states_offer(engine: str) -> None:
    play = begun(engine)
    state = play.state
    assert play.moves == table().legal_moves(state)
    assert all(type(group) is MoveGroup for group in play.moves.groups)
    assert play.count == len(play.moves) and play.player == play.moves.player
    assert engine in repr(play) and "seed 7" in repr(play)


def test_an_engine_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="python or native"):
        table().playthrough(1, "fast")
    with pytest.raises(ValueError, match="python or native"):
        table().playout(1, "")


def test_each_game_is_its_own(engine: str) -> None:
    seeds = range(4)
    each = [begun(engine, seed) for seed in seeds]
    for number in range(30):
        for play in each:
            played(play, 1 + number % 2)
    assert [played(play) for play in each] == [by_states(table(), seed) for seed in seeds]


def test_a_move_that_is_not_offered_is_refused_and_changes_nothing(engine: str) -> None:
    play, moves = begun(engine), begun(engine).moves
    legal = moves.sample(Random(1, "one"))
    for move in (
        Move("build", "nothing", 0), Move("end", legal.rule), Move(legal.verb, legal.rule, 10**30),
        Move(legal.verb, legal.rule, 2**64 + legal.hex), legal._replace(hex=-1),
        legal._replace(hex=-(10**30)),
    ):  # fmt: skip
        with pytest.raises(IllegalMove):
            play.apply(move)
        assert play.moves == moves
    play.apply(legal)
    assert play.moves != moves


def test_a_move_without_a_hex_has_no_other_number(engine: str) -> None:
    play, random = begun(engine), Random(2, "one")
    while all(group.hexes for group in play.moves.groups):
        play.apply(play.moves.sample(random))
    alone = next(move for move in play.moves if move.hex < 0)
    with pytest.raises(IllegalMove):
        play.apply(alone._replace(hex=-2))
    play.apply(alone)


def test_a_move_may_be_any_tuple_that_says_the_same(engine: str) -> None:
    one, other, third = begun(engine), begun(engine), begun(engine)
    verb, rule, hex = one.moves.sample(Random(1, "one"))
    one.apply(Move(verb, rule, hex))
    other.apply(("".join(verb), f"{rule} "[:-1], hex))  # type: ignore[arg-type]
    third.apply(Move(verb[:1] + verb[1:], rule[:1] + rule[1:], hex))
    assert one.moves == other.moves == third.moves
    assert one.state == other.state == third.state


@pytest.mark.parametrize("thing", ["f7", "abc", "build f7", None, 7, Move, MoveGroup, MoveSet])
def test_what_is_no_move_is_said_to_be_none(thing: Any, engine: str) -> None:
    play, moves = begun(engine), begun(engine).moves
    with pytest.raises(TypeError, match="a move is wanted"):
        play.apply(thing)
    assert play.moves == moves


def test_what_looks_like_a_move_and_is_none_is_refused(engine: str) -> None:
    play, moves = begun(engine), begun(engine).moves
    verb, rule, hex = moves.sample(Random(1, "one"))
    for odd in ((), (verb,), (verb, rule), (verb, rule, hex, hex), (verb, rule, str(hex)),
                (verb, rule, None), (None, None, None)):  # fmt: skip
        for move in (odd, tuple.__new__(Move, odd)):
            with pytest.raises((ValueError, TypeError, IllegalMove)):
                play.apply(move)  # type: ignore[arg-type]
            assert play.moves == moves


def test_nothing_can_be_done_when_it_is_over(engine: str) -> None:
    play, random = begun(engine), Random(3, "one")
    with pytest.raises(ValueError, match="not over"):
        play.outcome()
    while not play.is_over:
        last = play.moves.sample(random)
        play.apply(last)
    assert play.moves == MoveSet(-1, ()) and play.player == -1
    with pytest.raises(IllegalMove):
        play.apply(last)
    assert play.outcome().totals == table().totals(play.state)


@pytest.mark.parametrize("seed", [True, 0, -1, 2**63 - 1, 2**63, -(2**70)])
def test_any_whole_number_is_the_seed_of_a_game(seed: Any, engine: str) -> None:
    play = begun(engine, seed)
    assert played(play) == by_states(table(), seed)
    assert [*table().playouts([seed, 3], engine)] == [
        outcome(table(), each, [_evenly] * 2) for each in (seed, 3)
    ]


@pytest.mark.parametrize("seed", [7.0, "seven", None])
def test_nothing_else_is_a_seed(seed: Any, engine: str) -> None:
    for asked in (lambda: begun(engine, seed), lambda: [*table().playouts([seed], engine)]):
        with pytest.raises(TypeError):
            asked()


def _evenly(_game: Game, _state: State, moves: MoveSet, random: Random) -> Move:
    return moves.sample(random)


def test_a_game_that_needs_more_room_says_so(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(layout.MAX_COUNTS, "GROUP", 1)
    game = table_of(folders=["tests/house/dale"])
    with pytest.raises(OutOfRoom, match="seed 1"):
        played(game.playthrough(1, engine))
    with pytest.raises(OutOfRoom, match="seed 1"):
        game.playout(1, engine)
    assert game.playout(1, REFERENCE) == outcome(game, 1, [_evenly] * 2)


@pytest.mark.parametrize("copied", [copy, deepcopy])
def test_a_copy_goes_its_own_way(copied: Callable[[Playthrough], Playthrough], engine: str) -> None:
    play = begun(engine)
    played(play, 12)
    twin, moves = copied(play), play.moves
    assert type(twin) is Playthrough and twin.moves == moves and twin.state == play.state
    assert played(twin) == by_states(table(), 7) and play.moves == moves


def test_a_copy_is_a_row_until_it_is_asked(engine: str) -> None:
    play = begun(engine)
    played(play, 12)
    twin = copy(play)
    again = copy(twin)
    played(play)
    assert again.save().row == twin.save().row and not {"_pooled", "_choose"} & {*vars(twin)}
    assert played(twin) == played(again) == by_states(table(), 7)


def test_a_game_too_large_for_a_row_is_copied_all_the_same(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(layout.MAX_COUNTS, "ROW_GROUPS", 0)
    play = table_of("base").playthrough(7, engine)
    with pytest.raises(OutOfRoom, match="seed 7"):
        play.save()
    twin = copy(play)
    assert played(play) == played(twin)


def test_memories_are_lent_again(engine: str) -> None:
    game = table_of("base")
    first = game.playthrough(1, engine)
    memory = first._pooled.memory
    played(first, 20)
    del first
    second = game.playthrough(1, engine)
    assert second._pooled.memory is memory
    assert second.moves == game.playthrough(1, engine).moves


def test_what_was_saved_is_restored_as_often_as_wanted(engine: str) -> None:
    play = begun(engine)
    saved = [play.save()]
    seen = [(play.moves, play.count)]
    while play.count:
        played(play, 7)
        saved.append(play.save())
        seen.append((play.moves, play.count))
    for at in (3, 0, len(saved) - 1, 5, 3):
        play.restore(saved[at])
        assert (play.moves, play.count) == seen[at] and play.moves_made == saved[at].moves_made
    assert played(play) == by_states(table(), 7)
    twin = copy(begun(engine))
    twin.restore(saved[2])
    assert played(twin) == by_states(table(), 7)


def test_the_state_is_that_of_the_same_moves(engine: str) -> None:
    play, chosen = begun(engine), []
    while play.count:
        chosen.append(Random(play.seed, f"move {play.moves_made}").below(play.count))
        play.choose(chosen[-1])
    made = iter(chosen)

    def bot(_game: Game, _state: State, moves: MoveSet, _random: Random) -> Move:
        return moves[next(made)]

    match = Match(table(), 7, [bot] * 2)
    assert [each.player for each in match].count(CHANCE) > 3
    assert play.state == match.state and play.state.is_over


def test_without_numba_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kbrules.kernel.native.jit", None)
    game = table_of("base")
    with pytest.raises(MissingNumba) as missing:
        game.playthrough(1, NATIVE)
    assert missing.value.help == "pip install 'kbrules[fast]'"
    game.playthrough(1, PYTHON)
