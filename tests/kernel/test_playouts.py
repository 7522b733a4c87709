"""Playouts, games in place and rollouts by each engine are the games of the reference."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE, IllegalMove
from kbrules.engine.game import Game
from kbrules.engine.matches import Match, Outcome, outcome, random_bot
from kbrules.engine.setup import choose_table, game_at, sections_of
from kbrules.engine.simulation.kernels import ENGINES, MissingNumba, OutOfRoom, kernel_of
from kbrules.engine.simulation.playouts import Playouts
from kbrules.engine.simulation.playthrough import Playthrough, Rollouts, rollouts_of
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.kernel import layout
from kbrules.kernel.layout import MAX_COUNTS
from kbrules.kernel.lowering.blocks import EFFECTS
from kbrules.kernel.lowering.writing import NotLowered
from kbrules.library.boards.tables import Layout, can_turn
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.bots import (
    bot_named,
    leads_by_kernel,
    leads_by_states,
    native_bot_named,
)
from tests.kernel.traces import piece_masks, traced

pytest.importorskip("numba")


DALE, HEX = "tests/house/dale", "tests/house/hex"
EVERY = "base nomads crossroads marshlands harvest island new_edition"
MIXES = [
    "base nomads", "base crossroads", "base marshlands", "base harvest island",
    "base new_edition", EVERY,
    "base nomads crossroads marshlands harvest island six_sections",
    "base capitol caves returning_tiles",
    "base casual settled_lords", DALE, HEX,
]  # fmt: skip


@lru_cache(maxsize=2)
def _rules(names: str) -> Ruleset:
    if names.startswith("tests"):
        return load(folders=[names])
    return load(*names.split())


def _game(ruleset: Ruleset, seed: int) -> Game:
    least, most = ruleset.parts.players
    return game_at(ruleset, choose_table(ruleset, least + seed % (most - least + 1), seed))


def _same(game: Game, native: Playouts, seed: int) -> None:
    """One game in both ways."""
    bots = [random_bot] * game.players
    match = Match(game, seed, bots)
    moves = [(p.player, p.move.verb, p.move.rule, p.move.hex) for p in match]
    assert traced(native, seed)[1] == moves
    pieces = piece_masks(native)
    assert pieces == {
        "nobody": list(match.state.neutral),
        **{str(p): list(seat.pieces) for p, seat in enumerate(match.state.seats)},
    }
    assert native(seed) == outcome(game, seed, bots)
    assert native.faults == 0


@pytest.mark.parametrize("names", ["base", HEX])
def test_native_games_are_those_of_the_engine(names: str) -> None:
    ruleset = _rules(names)
    for seed in range(12):
        game = _game(ruleset, seed)
        _same(game, Playouts(game, NATIVE), seed)


@pytest.mark.parametrize("names", MIXES)
def test_the_text_of_a_kernel_says_what_the_engine_does(names: str) -> None:
    ruleset = _rules(names)
    for seed in range(40, 43):
        game = _game(ruleset, seed)
        _same(game, Playouts(game, PYTHON), seed)


@pytest.mark.slow
@pytest.mark.parametrize("names", MIXES)
def test_native_games_of_all_boxes_are_those_of_the_engine(names: str) -> None:
    ruleset = _rules(names)
    for seed in range(100):
        game = _game(ruleset, seed)
        _same(game, Playouts(game, NATIVE), seed)


def _laid(ruleset: Ruleset, rows: int, columns: int) -> Game:
    """A table of so many sections, some of them turned, each as often as it takes."""
    ids = sections_of(ruleset, "")
    turns = can_turn(ruleset.parts.section_size)
    spots = [(ids[n % len(ids)], turns and n % 3 == 1) for n in range(rows * columns)]
    layout = Layout(tuple(tuple(spots[n * columns : (n + 1) * columns]) for n in range(rows)))
    return game_at(ruleset, replace(choose_table(ruleset, 2, 1), layout=layout))


@pytest.mark.slow
@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 2), (1, 3), (2, 3), (3, 4)])
def test_native_games_are_those_of_the_engine_on_boards_of_any_size(
    rows: int, columns: int
) -> None:
    game = _laid(_rules("base"), rows, columns)
    native = Playouts(game, NATIVE)
    for seed in range(3):
        _same(game, native, seed)
        _same(game, Playouts(game, PYTHON), seed)
    assert 64 * kernel_of(game, NATIVE).lowered.layout.width > game.board.grid.full.bit_length()
    assert (rows * columns < 12) is (game.board.grid.full.bit_length() <= 1024)


def test_many_seeds_are_answered_in_order_and_as_one_by_one() -> None:
    native = Playouts(_game(_rules("base"), 1), NATIVE)
    seeds = [5, 3, 5, -8, 2**40, *range(2000)]
    assert list(native.outcomes(seeds)) == [native(seed) for seed in seeds]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", [2**70, -(2**63), True])
def test_a_seed_may_be_any_number(seed: int, engine: str) -> None:
    game = _game(_rules("base"), 1)
    playouts = Playouts(game, engine)
    found = list(playouts.outcomes([3, seed, 4]))
    assert found == [outcome(game, each, [random_bot] * game.players) for each in (3, seed, 4)]
    assert playouts.faults == 0 and len({*found}) == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_that_needs_more_room_says_so(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = _game(_rules(HEX), 1)
    playouts = Playouts(game, engine)
    played = playouts.rows

    def with_a_fault(seeds: Any) -> Any:
        numbers = played(seeds)
        numbers[2 * len(numbers) // len(seeds)] = 1
        return numbers

    monkeypatch.setattr(playouts, "rows", with_a_fault)
    found = playouts.outcomes([4, 5, 6, 7])
    assert [next(found), next(found)] == [game.playout(4), game.playout(5)]
    with pytest.raises(OutOfRoom, match=r"the game with seed 6: .*`reference`"):
        next(found)
    assert playouts.faults == 1


@pytest.mark.parametrize(
    "name, most, much", [("GROUP", 1, "groups of moves"), ("TILES", 0, "tiles of one player"),
                         ("FRAME", 1, "blocks that run"), ("SHOWN", 0, "cards in one hand")]
)  # fmt: skip
def test_it_says_what_there_is_too_much_of(
    name: str, most: int, much: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(layout.MAX_COUNTS, name, most)
    game = _game(load("base"), 1)
    with pytest.raises(OutOfRoom, match=f"too many {much}") as found:
        game.playout(1, PYTHON)
    assert str(pickle.loads(pickle.dumps(found.value))) == str(found.value)
    assert list(game.playouts([1], REFERENCE)) == [outcome(game, 1, [random_bot] * game.players)]


def test_tables_that_share_a_memory_are_played_in_turns() -> None:
    ruleset = _rules("base")
    for engine in ENGINES:
        first, second = (Playouts(_game(ruleset, seed), engine) for seed in (1, 2))
        games = [first(7), second(7), first(8)]
        moves = traced(first, 7)[1], traced(second, 7)[1]
        assert games == [_game(ruleset, 1).playout(7), second(7), _game(ruleset, 1).playout(8)]
        assert moves == (traced(first, 7)[1], traced(second, 7)[1]) and moves[0] != moves[1]


def test_without_numba_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kbrules.kernel.native.jit", None)
    _rules.cache_clear()
    with pytest.raises(MissingNumba) as missing:
        Playouts(_game(_rules("base"), 1), NATIVE)
    assert missing.value.help == "pip install 'kbrules[fast]'"


def test_a_card_that_is_only_paid_shares_the_kernel_of_others() -> None:
    ruleset = _rules("base")
    kernels = {id(kernel_of(_game(ruleset, seed), PYTHON)) for seed in range(8)}
    assert len(kernels) == 1


def test_rules_that_cannot_be_lowered_are_played_by_the_reference_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(EFFECTS, "build")
    game = _game(load("base"), 1)
    for engine in ENGINES:
        with pytest.raises(NotLowered, match="the step `build`") as refused:
            game.playout(1, engine)
        assert refused.value.code == "KB065" and "reference" in refused.value.help
    found = list(game.playouts([1, 2], REFERENCE))
    assert found == [outcome(game, seed, [random_bot] * game.players) for seed in (1, 2)]


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


def test_a_game_in_place_that_needs_more_room_says_so(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_without_numba_a_game_in_place_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "kbrules.kernel.native.jit", None)
    game = table_of("base")
    with pytest.raises(MissingNumba) as missing:
        game.playthrough(1, NATIVE)
    assert missing.value.help == "pip install 'kbrules[fast]'"
    game.playthrough(1, PYTHON)


SEED = 5
TRIED = 3


@pytest.fixture
def game() -> Game:
    ruleset = load("base")
    return game_at(ruleset, choose_table(ruleset, 2, SEED))


def _some_state(game: Game, most: int = 20) -> State:
    """One in the middle of a game."""
    state, random = game.start(), Random(SEED, "moves")
    for _ in range(most):
        state = game.apply(state, game.legal_moves(state).sample(random))
    while game.legal_moves(state).player == CHANCE or len(game.legal_moves(state)) < TRIED:
        state = game.apply(state, game.legal_moves(state).sample(random))
    return state


def _same_rollouts(game: Game, state: State, times: int) -> None:
    moves, random = game.legal_moves(state), Random(SEED, "bot")
    tried, twin = list(moves)[:TRIED], copy(random)
    mine = leads_by_kernel(game, state, moves.player, tried, times, random)
    assert mine == leads_by_states(game, state, moves.player, tried, times, twin)
    assert random.next64() == twin.next64()


@pytest.mark.parametrize("name", ["mc:1", "mc:8"])
def test_a_bot_makes_the_same_moves_as_without_it(game: Game, name: str) -> None:
    one, other = (
        Match(game, SEED, [make(name)] * game.players) for make in (bot_named, native_bot_named)
    )
    assert [played.move for played in one] == [played.move for played in other]
    assert one.state.is_over
    assert rollouts_of(game).faults == 0


@pytest.mark.parametrize("times", [1, 4, 40])
def test_chance_stands_where_it_would_stand_without_it(game: Game, times: int) -> None:
    state = _some_state(game)
    _same_rollouts(game, state, times)
    assert rollouts_of(game).faults == 0


def _with_faults(memory: Any) -> Callable[..., int]:
    """Plays at most one game at a time, and then says that the next one does not fit."""
    played = memory.call

    def call(what: int, until: int, wanted: list[int], out: Any) -> int:
        return int(played(what, min(until, wanted[2] + 1), wanted, out))

    return call


def test_what_needs_more_room_is_played_plainly(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = rollouts_of(game)._memory
    monkeypatch.setattr(memory, "call", _with_faults(memory))
    _same_rollouts(game, _some_state(game), 5)
    assert rollouts_of(game).faults == 7


@pytest.mark.slow
def test_a_game_that_outgrows_its_room_is_begun_again_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MAX_COUNTS, "TILES", 3)
    ruleset = load(folders=["tests/house/dale"])
    game = game_at(ruleset, choose_table(ruleset, ruleset.parts.players[0], SEED))
    _same_rollouts(game, _some_state(game), 30)
    assert 0 < rollouts_of(game).faults < 90


def test_a_state_without_room_is_played_plainly(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    rollouts_of(game)
    monkeypatch.setitem(MAX_COUNTS, "FRAME", 0)
    _same_rollouts(game, _some_state(game), 2)
    assert rollouts_of(game).faults == 2 * TRIED


def test_a_move_that_the_kernel_does_not_offer_is_left_to_the_engine(game: Game) -> None:
    state, random = _some_state(game), Random(SEED, "bot")
    move = game.legal_moves(state).sample(random)._replace(hex=4000)
    asked: list[int] = []

    def plainly(_move: object, _random: object) -> int:
        asked.append(1)
        return 7

    player = game.legal_moves(state).player
    assert Rollouts(game).leads(state, player, [move], 2, random, plainly) == [14]
    assert len(asked) == 2
