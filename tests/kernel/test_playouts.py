"""Playouts by each engine are the games of the reference: moves, masks, gold."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import Match, outcome
from kbrules.engine.setup import choose_table, game_at, sections_of
from kbrules.engine.simulation.kernels import ENGINES, MissingNumba, OutOfRoom, kernel_of
from kbrules.engine.simulation.playouts import Playouts
from kbrules.kernel import layout
from kbrules.kernel.lowering.blocks import EFFECTS
from kbrules.kernel.lowering.writing import NotLowered
from kbrules.library.boards.tables import Layout, can_turn
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.bots import random_bot

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
    assert native.trace(seed) == moves
    pieces = native.piece_masks()
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
        moves = first.trace(7), second.trace(7)
        assert games == [_game(ruleset, 1).playout(7), second(7), _game(ruleset, 1).playout(8)]
        assert moves == (first.trace(7), second.trace(7)) and moves[0] != moves[1]


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
