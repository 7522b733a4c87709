"""Games in place by a native program: they offer, refuse and come to what plain ones do."""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Callable
from copy import copy, deepcopy
from functools import lru_cache
from typing import Any

import pytest

from kbrules.compile.native.missing import MissingNumba
from kbrules.engine.game import Game
from kbrules.engine.native import layout
from kbrules.engine.native.playthrough import NativePlaythrough, places_of
from kbrules.engine.native.refused import NotLowered
from kbrules.engine.outcome import Outcome
from kbrules.engine.playthrough import Playthrough
from kbrules.engine.refusal import IllegalMove
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.moves import Group, Move, MoveSet
from kbrules.game.random import Random
from kbrules.library.load import load
from kbrules.text import Source

pytest.importorskip("numba")


@lru_cache(maxsize=1)
def table() -> Game:
    return table_of("base")


def table_of(*boxes: str, **more: Any) -> Game:
    ruleset = load(*boxes, **more)
    return game_at(ruleset, choose_table(ruleset, 2, 3))


def begun(seed: int = 7) -> NativePlaythrough:
    play = table().native_playthrough(seed)
    assert isinstance(play, NativePlaythrough) and play.is_native
    return play


def played(play: Playthrough, moves: int = 10_000) -> Outcome | None:
    """So many moves, by chance; what came of it if it is over then."""
    while play.moves and moves:
        play.apply(play.moves.sample(Random(play.seed, f"move {len(play._log)}")))
        moves -= 1
    return play.outcome() if play.is_over else None


def test_what_is_offered_is_made_of_ordinary_objects() -> None:
    moves = begun().moves
    assert isinstance(moves, MoveSet) and moves.weights == () and type(moves.player) is int
    assert all(type(group) is Group and group.moves() for group in moves.groups)
    assert moves == table().playthrough(7).moves
    assert repr(moves) == repr(table().playthrough(7).moves)
    assert {*moves} == {*list(moves)} and len(moves) == len(list(moves))
    assert hash(moves) == hash(table().playthrough(7).moves)
    kept = pickle.loads(pickle.dumps(moves))
    assert type(kept) is MoveSet and kept == moves


def test_a_set_of_moves_outlives_its_decision_and_its_game() -> None:
    play, plain, chance = begun(), table().playthrough(7), Random(4, "any")
    before, twins = [], []
    while play.moves:
        before.append(play.moves)
        twins.append(plain.moves)
        move = play.moves.sample(chance)
        play.apply(move)
        plain.apply(move)
        one, other = Random(len(before), "one"), Random(len(before), "one")
        assert before[-1].sample(one) == twins[-1].sample(other)
    del play
    assert before == twins
    played(begun(8))
    for mine, theirs in zip(before, twins, strict=True):
        one, other = Random(5, "one"), Random(5, "one")
        for _ in range(3):
            assert mine.sample(one) == theirs.sample(other)


def test_a_stream_is_used_up_as_by_the_plain_engine() -> None:
    moves, twins = begun().moves, table().playthrough(7).moves
    one, other = Random(11, "long"), Random(11, "long")
    for number in range(20_000):
        assert moves.sample(one) == twins.sample(other)
        if number % 100 == 0:
            assert one.below(2**40) == other.below(2**40)
            one, other = copy(one), copy(other)


def test_what_goes_wrong_in_drawing_is_told() -> None:
    class Broken:
        def __init__(self) -> None:
            self.ahead = [0]

        def draw(self, n: int) -> int:
            raise ZeroDivisionError

    play = begun()
    with pytest.raises(ZeroDivisionError):
        play.moves.sample(Broken())  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        play.moves.sample(None)  # type: ignore[arg-type]
    assert played(play) == played(begun())


def test_each_game_is_its_own() -> None:
    seeds = range(6)
    each = [begun(seed) for seed in seeds]
    for number in range(30):
        for play in each:
            played(play, 1 + number % 2)
    assert [played(play) for play in each] == [played(begun(seed)) for seed in seeds]


def test_a_move_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    play, moves = begun(), begun().moves
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


@pytest.mark.parametrize("kind", ["native", "plain"])
def test_a_move_without_a_hex_has_no_other_number(kind: str) -> None:
    play, random = begun() if kind == "native" else table().playthrough(7), Random(2, "one")
    while all(group.hexes for group in play.moves.groups):
        play.apply(play.moves.sample(random))
    alone = next(move for move in play.moves if move.hex < 0)
    with pytest.raises(IllegalMove):
        play.apply(alone._replace(hex=-2))
    play.apply(alone)


def test_a_move_may_be_any_tuple_that_says_the_same() -> None:
    one, other, third = begun(), begun(), begun()
    verb, rule, hex = one.moves.sample(Random(1, "one"))
    one.apply(Move(verb, rule, hex))
    other.apply(("".join(verb), f"{rule} "[:-1], hex))  # type: ignore[arg-type]
    third.apply(Move(verb[:1] + verb[1:], rule[:1] + rule[1:], hex))
    assert one.moves == other.moves == third.moves
    assert one.state == other.state == third.state


@pytest.mark.parametrize("thing", ["f7", "abc", "build f7", None, 7, Move, Group, MoveSet])
def test_what_is_no_move_is_said_to_be_none(thing: Any) -> None:
    play, moves = begun(), begun().moves
    with pytest.raises(TypeError, match="a move is wanted"):
        play.apply(thing)
    assert play.moves == moves


def test_what_looks_like_a_move_and_is_none_is_refused() -> None:
    play, moves = begun(), begun().moves
    verb, rule, hex = moves.sample(Random(1, "one"))
    for odd in ((), (verb,), (verb, rule), (verb, rule, hex, hex), (verb, rule, str(hex)),
                (verb, rule, None), (None, None, None)):  # fmt: skip
        for move in (odd, tuple.__new__(Move, odd)):
            with pytest.raises((ValueError, TypeError, IllegalMove)):
                play.apply(move)  # type: ignore[arg-type]
            assert play.moves == moves


def test_nothing_can_be_done_when_it_is_over() -> None:
    play, random = begun(), Random(3, "one")
    with pytest.raises(ValueError, match="not over"):
        play.outcome()
    while not play.is_over:
        last = play.moves.sample(random)
        play.apply(last)
    assert play.moves == MoveSet(-1, ()) and play.player == -1
    with pytest.raises(IllegalMove):
        play.apply(last)
    assert play.outcome().totals == table().totals(play.state)


def test_memory_is_used_again_and_not_by_two() -> None:
    here = begun(1)
    played(here, 20)
    before, idle = here.moves, len(places_of(table())._idle)
    for seed in range(5):
        played(begun(seed))
    assert len(places_of(table())._idle) <= max(idle, 1)
    assert here.moves == before
    played(here)
    assert here.outcome() == played(begun(1))


def test_objects_are_let_go() -> None:
    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(each) for each in (Move, Group, MoveSet, ())]

    played(begun())
    before, blocks = counts(), sys.getallocatedblocks()
    for seed in range(20):
        played(begun(seed))
        with pytest.raises(IllegalMove):
            begun(seed).apply(Move("build", "nothing", 0))
    assert max(abs(a - b) for a, b in zip(counts(), before, strict=True)) < 20
    assert abs(sys.getallocatedblocks() - blocks) < 1000


def test_a_seed_too_large_for_a_kernel_is_played_plainly() -> None:
    native, plain = table().native_playthrough(2**70), table().playthrough(2**70)
    assert played(native) == played(plain) and native.state == plain.state
    assert isinstance(native, NativePlaythrough) and not native.is_native


@pytest.mark.parametrize("after", [0, 1, 25])
def test_a_game_that_needs_more_room_goes_on_plainly(after: int) -> None:
    native, plain = begun(9), table().playthrough(9)
    assert played(native, after) == played(plain, after)
    memory = native._place._memory
    memory._numbers[memory._layout["FAULT"]] = 1  # as the kernel says it
    assert played(native, 1) == played(plain, 1)
    assert not native.is_native and native.moves == plain.moves
    with pytest.raises(IllegalMove):
        native.apply(Move("build", "nothing", 0))
    with pytest.raises(TypeError, match="a move is wanted"):
        native.apply("f7")  # type: ignore[arg-type]
    assert played(native) == played(plain) and native.state == plain.state


def test_where_more_is_offered_than_there_is_room_for_it_goes_on_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(layout.MOST, "GROUP", 1)
    game = table_of(folders=["tests/house/dale"])
    for seed in range(8):
        native = game.native_playthrough(seed)
        assert played(native) == played(game.playthrough(seed))
        assert isinstance(native, NativePlaythrough) and not native.is_native


@pytest.mark.parametrize("copied", [copy, deepcopy])
def test_a_copy_goes_its_own_way(copied: Callable[[Playthrough], Playthrough]) -> None:
    play = begun()
    played(play, 12)
    twin, moves = copied(play), play.moves
    assert type(twin) is NativePlaythrough and twin.moves == moves and twin.state == play.state
    assert played(twin) == played(begun()) and play.moves == moves


OWN = """
rule spread "Spread":
    "Odd jumps."
    gold 1 per hex in straight(mine, count(mine))
"""


def test_what_cannot_be_lowered_is_named_with_its_place() -> None:
    with pytest.raises(NotLowered, match="`straight`"):
        table_of("base", texts=[Source("own.kb", OWN)]).native_playthrough(1)


def test_without_numba_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kbrules.compile.native.jit", None)
    game = table_of("base")
    with pytest.raises(MissingNumba) as missing:
        game.native_playthrough(1)
    assert missing.value.help == "pip install 'kbrules[fast]'"
    game.playthrough(1)
