"""Games in place by a native program where something odd happens in the middle: nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from copy import copy, deepcopy
from enum import IntEnum
from typing import Any

import pytest

from kbrules.engine.native.playthrough import NativePlaythrough
from kbrules.engine.playthrough import Playthrough
from kbrules.engine.refusal import IllegalMove
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from tests.engine.native.test_playthrough import begun, played, table

pytest.importorskip("numba")


class Draws:
    """A stream that answers what it is told to."""

    def __init__(self, draw: Callable[[int], Any]) -> None:
        self.ahead: list[int] = []
        self.draw = draw
        self.pick = Random(1, "any").pick


def drawn(moves: MoveSet, draw: Callable[[int], Any]) -> Move:
    stream: Any = Draws(draw)
    return moves.sample(stream)


@pytest.mark.parametrize("number", [-1, -5, -(10**30), 10**4, 10**9, 2**62, 10**30])
def test_a_number_that_is_not_below_how_many_moves_there_are_draws_none(number: int) -> None:
    play = begun()
    with pytest.raises(IndexError, match="not below how many moves"):
        drawn(play.moves, lambda _: number)
    with pytest.raises(IndexError, match="not below how many moves"):
        drawn(play.moves, lambda most: most)
    assert played(play) == played(begun())


@pytest.mark.parametrize("number", [-1, 2**16, 2**40, 2**62, 10**30])
def test_nor_does_one_that_no_stream_keeps_ahead(number: int) -> None:
    play, stream = begun(), Random(1, "one")
    for _ in range(20):
        stream.ahead[:] = [number]
        with suppress(IndexError):
            assert play.moves.sample(stream) in play.moves
    assert played(play) == played(begun())


@pytest.mark.parametrize("number", ["3", None, 1.5])
def test_what_is_no_number_draws_none(number: object) -> None:
    play = begun()
    with pytest.raises(TypeError, match="integer"):
        drawn(play.moves, lambda _: number)


@pytest.mark.parametrize("after", range(0, 40, 3))
def test_a_game_may_go_on_while_a_number_is_drawn(after: int) -> None:
    play = begun()
    played(play, after)
    moves, last = play.moves, list(play.moves)[-1]

    def going_on(most: int) -> int:
        played(play, 1 + after % 2)
        return most - 1

    stream: Any = Draws(going_on)
    stream.pick = lambda hexes: hexes.bit_length() - 1
    assert moves.sample(stream) == last


@pytest.mark.parametrize("kind", ["native", "plain"])
@pytest.mark.parametrize("twin_of", [copy, deepcopy])
def test_a_copy_is_a_game_of_its_own(kind: str, twin_of: Callable[[Any], Any]) -> None:
    play = begun() if kind == "native" else table().playthrough(7)
    played(play, 25)
    moves, twin = play.moves, twin_of(play)
    assert twin.moves == moves and twin.state == play.state and type(twin) is type(play)
    twin.apply(list(twin.moves)[-1])
    assert play.moves == moves
    played(twin)
    assert played(play) == played(begun())


def stopping(does: Callable[..., Any]) -> Callable[..., Any]:
    """Somebody presses Ctrl-C when something has been done, and before it is known."""

    def done(*given: Any) -> Any:
        try:
            does(*given)
        finally:
            raise KeyboardInterrupt

    return done


def interrupted(play: Any, move: Move) -> None:
    """Press Ctrl-C while a move is carried out."""
    name = "_ask" if isinstance(play, NativePlaythrough) else "_send"
    does = getattr(play, name)
    setattr(play, name, stopping(does))
    with pytest.raises(KeyboardInterrupt):
        play.apply(move)
    if isinstance(play, NativePlaythrough):
        play._ask = does


@pytest.mark.parametrize("kind", ["native", "plain"])
@pytest.mark.parametrize("after", [0, 1, 8, 25])
def test_a_move_that_is_interrupted_is_made_or_not(kind: str, after: int) -> None:
    play = begun() if kind == "native" else table().playthrough(7)
    played(play, after)
    interrupted(play, list(play.moves)[-1])
    twin = table().playthrough(7)
    for move in play._log:
        twin.apply(move)
    assert play.moves == twin.moves and play.state == twin.state
    assert played(play) == played(twin)


@pytest.mark.parametrize("kind", ["native", "plain"])
def test_so_it_is_at_the_end(kind: str) -> None:
    play, twin = begun() if kind == "native" else table().playthrough(7), begun()
    played(twin)
    played(play, len(twin._log) - 1)
    last = twin._log[-1]
    interrupted(play, last)
    with suppress(IllegalMove):
        play.apply(last)
    assert play.is_over and play.state.is_over and play._log == twin._log
    assert play.outcome() == twin.outcome()


def test_a_set_of_another_game_is_no_set_of_this_one() -> None:
    one, other = begun(7), begun(8)
    for number in range(40):
        for play, twin in ((one, other), (other, one)):
            for move in [*twin.moves][::9]:
                if move not in play.moves:
                    with pytest.raises(IllegalMove):
                        play.apply(move)
            played(play, 1 + number % 2)
    assert played(one) == played(begun(7)) and played(other) == played(begun(8))


class Small(IntEnum):
    """Numbers with names."""

    NO = -1


class Liar:
    """It says that it is an ordinary number."""

    __class__ = int  # type: ignore[assignment]

    def __index__(self) -> int:
        raise ZeroDivisionError


def test_a_number_of_another_class_is_looked_at_as_any() -> None:
    one, other = begun(), begun()
    for play in (one, other):
        while all(group.hexes for group in play.moves.groups):
            played(play, 1)
    moves, alone = one.moves, next(move for move in one.moves if move.hex < 0)
    liar: Any = Liar()
    for move in (alone._replace(hex=liar), Move(alone.verb, alone.rule, liar)):
        with pytest.raises((TypeError, ZeroDivisionError)):
            one.apply(move)
        assert one.moves is moves
    one.apply(alone)
    other.apply(alone._replace(hex=Small.NO))
    assert one.moves == other.moves


def test_a_refusal_has_nothing_before_it() -> None:
    with pytest.raises(IllegalMove) as refused:
        begun().apply(Move("build", "nothing", 0))
    assert refused.value.__context__ is None


def test_where_there_is_no_room_for_objects_that_is_said() -> None:
    play = begun()
    assert sum(_is_short_of_room(play, left) for left in range(12)) > 6
    played(play, 20)
    assert sum(_is_short_of_room(play, left) for left in range(12)) > 6
    twin = copy(play)
    assert twin.moves == play.moves and twin.state == play.state
    assert played(twin) == played(play)


def _is_short_of_room(play: Playthrough, left: int) -> bool:
    """Choose a move and carry it out where so many objects can be made, and then none."""
    limits = pytest.importorskip("_testcapi")
    limited, free = limits.set_nomemory, limits.remove_mem_hooks
    stream: Any = Draws(lambda most: most // 2)
    stream.pick = lambda hexes: hexes.bit_length() - 1
    limited(left, 0)
    try:
        play.apply(play.moves.sample(stream))
    except MemoryError:
        free()
        return True
    finally:
        free()
    return False


@pytest.mark.parametrize("seed", [True, 7.0, "seven", None, 2**63, -(2**63), -(2**70)])
def test_an_odd_seed_is_that_of_the_plain_game(seed: Any) -> None:
    native, plain = table().native_playthrough(seed), table().playthrough(seed)
    assert played(native) == played(plain) and native.state == plain.state
    assert [*table().playouts([seed, 3])] == [table().playout(seed), table().playout(3)]


@pytest.mark.parametrize("seed", [0, -1, 2**63 - 1, -(2**63) + 1])
def test_any_number_of_64_bits_is_played_natively(seed: int) -> None:
    native, plain = begun(seed), table().playthrough(seed)
    assert played(native) == played(plain) and native.state == plain.state
    assert native.is_native
