"""Games changed in place and playouts offer, and come to, what states do."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from time import process_time
from typing import Any

import pytest

from kbrules.engine.configuration import NATIVE, REFERENCE, IllegalMove
from kbrules.engine.simulation.kernels import ENGINES
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.kernel.layout import KernelMemory
from kbrules.kernel.states import MoveDecoder
from tests.equal.outcomes import (
    SEEDS,
    compared as compared_outcomes,
    compared_natively as compared_outcomes_natively,
)
from tests.equal.playthroughs import compared, compared_natively
from tests.equal.settings import HOUSE_BOXES, OF_A_MIX, Mix, of_each_mix, setting_of
from tests.equal.unequal import Unequal

PLAIN = [Mix(("base",)), *HOUSE_BOXES.values()]


@of_each_mix
def test_every_move_is_offered_as_states_offer_it(mix: int) -> None:
    for seed in range(mix * OF_A_MIX, mix * OF_A_MIX + 2):
        compared(setting_of(seed))


@pytest.mark.parametrize("mix", PLAIN, ids=str)
def test_the_base_game_and_others_do(mix: Mix) -> None:
    for seed in range(6):
        compared(setting_of(seed, mix))


@pytest.mark.parametrize("mix", [PLAIN[0], HOUSE_BOXES["hex"]], ids=str)
def test_a_native_program_offers_every_move_as_states_do(mix: Mix) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    for seed in range(6):
        compared_natively(setting_of(seed, mix))


@pytest.mark.slow
@of_each_mix
def test_native_programs_of_all_boxes_do(mix: int) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    compared_natively(setting_of(mix * OF_A_MIX), 20)


def begun() -> Playthrough:
    return setting_of(1, Mix(("base",))).game(REFERENCE).playthrough(7)


def test_a_move_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    game, moves = begun(), begun().moves
    with pytest.raises(IllegalMove):
        game.apply(Move("build", "nothing", 0))
    assert game.moves == moves
    game.apply(moves.sample(Random(1, "one")))
    assert game.moves != moves


def test_a_text_is_no_move() -> None:
    game: Any = begun()
    for text in ("f7", "abc", "build f7"):
        with pytest.raises(TypeError, match="a move is wanted"):
            game.apply(text)


def test_nothing_can_be_done_when_it_is_over() -> None:
    game, random = begun(), Random(3, "one")
    while not game.is_over:
        last = game.moves.sample(random)
        game.apply(last)
    with pytest.raises(IllegalMove):
        game.apply(last)


def test_what_came_of_it_is_known_at_the_end_only() -> None:
    game = begun()
    with pytest.raises(ValueError, match="not over"):
        game.outcome()


def test_a_seed_is_a_game() -> None:
    one, two = begun(), begun()
    random = Random(3, "one")
    while not one.is_over:
        move = one.moves.sample(random)
        one.apply(move)
        two.apply(move)
    assert one.outcome() == two.outcome()
    assert one.state == two.state
    assert one.state.is_over


@pytest.mark.parametrize("copied", [copy, deepcopy])
def test_a_copy_goes_its_own_way(copied: Callable[[Playthrough], Playthrough]) -> None:
    game, random = begun(), Random(5, "one")
    for _ in range(12):
        game.apply(game.moves.sample(random))
    twin, moves = copied(game), game.moves
    assert twin.moves == moves and twin.state == game.state
    while not twin.is_over:
        twin.apply(twin.moves.sample(random))
    assert game.moves == moves and twin.outcome().totals


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_offered_wrongly_is_found(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == NATIVE:
        pytest.importorskip("numba", reason="the extra `fast` is not installed")
    right = MoveDecoder.offered

    def fewer(self: MoveDecoder, memory: KernelMemory) -> MoveSet:
        moves = right(self, memory)
        return MoveSet(moves.player, moves.groups[:1], moves.weights)

    compared(setting_of(1, Mix(("base",))), engine)
    monkeypatch.setattr(MoveDecoder, "offered", fewer)
    with pytest.raises(Unequal):
        compared(setting_of(1, Mix(("base",))), engine)


def test_an_index_beyond_what_is_offered_is_refused() -> None:
    game = begun()
    for index in (-1, game.count, 10**30):
        with pytest.raises(IndexError):
            game.choose(index)
    game.choose(game.count - 1)


OF_EACH = 1
"""What is played with more seeds."""
LONG, PARTS, SECONDS = 2_000, 8, 400


@of_each_mix
def test_a_game_at_a_stretch_ends_as_move_by_move(mix: int) -> None:
    for seed in range(mix * OF_A_MIX, mix * OF_A_MIX + OF_EACH):
        assert compared_outcomes(setting_of(seed)) == 0, "all that the boxes need is written out"


@pytest.mark.parametrize("mix", PLAIN, ids=str)
def test_the_base_game_and_others_are_played_to_the_end(mix: Mix) -> None:
    assert sum(compared_outcomes(setting_of(seed, mix)) for seed in range(4)) == 0


@pytest.mark.slow
@of_each_mix
def test_a_native_game_ends_as_move_by_move(mix: int) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    compared_outcomes_natively(setting_of(mix * OF_A_MIX))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_more_games_at_a_stretch_end_so(part: int) -> None:
    played, until = 0, process_time() + SECONDS / PARTS
    for seed in range(10_000 + part, 10_000 + LONG * OF_A_MIX, OF_A_MIX * PARTS // 5):
        if process_time() > until:
            break
        compared_outcomes(setting_of(seed))
        played += len(SEEDS)
    assert played > 100
