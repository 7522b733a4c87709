"""Many games side by side are, one by one, the games in place of the same seeds."""

from __future__ import annotations

import sys
from copy import copy
from functools import lru_cache
from typing import Any

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import MissingNumba, OutOfRoom
from kbrules.engine.simulation.playouts import Batch
from kbrules.kernel import layout
from kbrules.library.load import load

pytest.importorskip("numba")
numpy = pytest.importorskip("numpy")

GAMES = 12


@lru_cache(maxsize=4)
def table(*boxes: str, folder: str = "", players: int = 2) -> Game:
    ruleset = load(*boxes, folders=[folder] if folder else [])
    return game_at(ruleset, choose_table(ruleset, players, 3))


def any_choices(batch: Batch, random: Any) -> Any:
    return (random.random(len(batch)) * numpy.maximum(batch.counts, 1)).astype(int)


def played(batch: Batch, random: Any) -> Batch:
    while not batch.is_over.all():
        batch.step(any_choices(batch, random))
    return batch


@pytest.mark.parametrize(
    "game",
    [lambda: table("base"), lambda: table(folder="tests/house/dale"),
     lambda: table(folder="tests/house/hex")],
    ids=["base", "dale", "hex"],
)  # fmt: skip
def test_each_game_is_that_of_its_seed(game: Any) -> None:
    batch, random = game().batch(range(GAMES)), numpy.random.default_rng(1)
    each = [game().playthrough(seed) for seed in range(GAMES)]
    while not batch.is_over.all():
        assert batch.counts.tolist() == [play.count for play in each]
        assert batch.players.tolist() == [play.player for play in each]
        assert batch.is_over.tolist() == [play.is_over for play in each]
        choices = any_choices(batch, random)
        batch.step(choices)
        for play, choice in zip(each, choices, strict=True):
            if play.count:
                play.choose(int(choice))
    assert batch.outcomes() == [play.outcome() for play in each]
    assert batch.scores().tolist() == [list(play.outcome().totals) for play in each]


def test_codes_are_the_moves_in_order() -> None:
    batch, random = table("base").batch(range(GAMES)), numpy.random.default_rng(2)
    each = [table("base").playthrough(seed) for seed in range(GAMES)]
    while not batch.is_over.all():
        codes, counts = batch.codes(), batch.counts
        assert codes.shape == (GAMES, max(1, counts.max()))
        for play, row in zip(each, codes, strict=True):
            assert [batch.move(code) for code in row[: play.count]] == [*play.moves]
            assert (row[play.count :] == -1).all()
        narrow = batch.codes(3)
        assert (narrow == codes[:, :3]).all() if codes.shape[1] >= 3 else narrow.shape[1] == 3
        choices = any_choices(batch, random)
        batch.step(choices)
        for play, choice in zip(each, choices, strict=True):
            if play.count:
                play.choose(int(choice))


def test_a_copy_goes_its_own_way() -> None:
    batch = table("base").batch([1, 2, 3])
    for _ in range(9):
        batch.step(numpy.zeros(3, int))
    twin, counts, scores = copy(batch), batch.counts, batch.scores()
    played(twin, numpy.random.default_rng(3))
    assert (batch.counts == counts).all() and (batch.scores() == scores).all()
    assert twin.is_over.all() and not batch.is_over.any()
    one, other = numpy.random.default_rng(5), numpy.random.default_rng(5)
    again = copy(batch)
    assert played(batch, one).outcomes() == played(again, other).outcomes()


@pytest.mark.parametrize("choices", [[0], [0, -1], [0, 10**6], [[0, 0]]])
def test_choices_that_are_none_change_nothing(choices: list[Any]) -> None:
    batch = table("base").batch([1, 2])
    codes = batch.codes()
    with pytest.raises(IndexError):
        batch.step(choices)
    assert (batch.codes() == codes).all()


def test_no_games_are_a_batch_too() -> None:
    batch = table("base").batch([])
    batch.step(numpy.zeros(0, int))
    assert len(batch) == 0 and batch.outcomes() == [] and batch.codes().shape == (0, 1)


def test_a_game_that_needs_more_room_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(layout.MAX_COUNTS, "ROW_GROUPS", 0)
    ruleset = load("base")
    with pytest.raises(OutOfRoom, match="seed 4"):
        game_at(ruleset, choose_table(ruleset, 2, 3)).batch([4, 5])


def test_without_numba_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kbrules.kernel.native.jit", None)
    ruleset = load("base")
    with pytest.raises(MissingNumba):
        game_at(ruleset, choose_table(ruleset, 2, 3)).batch([1])
