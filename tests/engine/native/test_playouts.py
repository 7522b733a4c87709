"""Native playouts are the games of the plain engine: move by move, mask by mask, gold by gold."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from ctypes import c_int64
from functools import lru_cache
from typing import Any

import pytest

from kbrules.compile.native import plain
from kbrules.compile.native.missing import MissingNumba
from kbrules.compile.running import Source, function_of
from kbrules.engine.game import Game
from kbrules.engine.match import Match
from kbrules.engine.native import playouts
from kbrules.engine.native.playouts import NativePlayouts
from kbrules.engine.native.refused import NotLowered
from kbrules.engine.outcome import outcome
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source as RuleText
from kbrules.tools.bots import chance

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


class _View(plain.Memory):
    """The numbers at an address, as the memory of a kernel that is run in Python."""

    def __init__(self, address: int, width: int, run: Any) -> None:
        super().__init__()
        self._numbers = (c_int64 * (1 << 30)).from_address(address)
        self.width, self.run = width, run

    def __getitem__(self, at: int) -> int:  # type: ignore[override]
        assert at >= 0
        return self._numbers[at]

    def __setitem__(self, at: int, value: int) -> None:  # type: ignore[override]
        assert at >= 0
        self._numbers[at] = int(value)  # ctypes keeps 64 bits of it


def _plainly(text: str) -> Any:
    """What stands for the native function: the text of the kernel run as Python."""
    names = {name: getattr(plain, name) for name in plain.__all__}
    names |= {"Groups": tuple, "range": range, "min": min, "max": max, "int": int, "bool": bool}
    code = function_of(Source(f"{text}\nanswer = kernel\n", names))
    width = int(re.search(r"^W = (\d+)$", text, re.MULTILINE)[1])  # type: ignore[index]

    def native(memory: int, what: int, number: int, *others: int) -> int:
        views = [_View(address, width, code) for address in (memory, *others)]
        answer: int = code(views[0], what, number, *views[1:])
        return answer

    return native


@pytest.fixture
def in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kernels are not compiled."""
    monkeypatch.setattr(playouts, "_compiler", lambda: _plainly)
    _rules.cache_clear()
    yield
    _rules.cache_clear()


def _same(game: Game, native: NativePlayouts, seed: int) -> None:
    """One game in both ways."""
    bots = [chance] * game.players
    match = Match(game, seed, bots)
    moves = [(p.player, p.move.verb, p.move.rule, p.move.hex) for p in match]
    assert native.traced(seed) == moves
    pieces = native.board()
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
        _same(game, NativePlayouts(game), seed)


@pytest.mark.usefixtures("in_python")
@pytest.mark.parametrize("names", MIXES)
def test_the_text_of_a_kernel_says_what_the_engine_does(names: str) -> None:
    ruleset = _rules(names)
    for seed in range(40, 43):
        game = _game(ruleset, seed)
        _same(game, NativePlayouts(game), seed)


@pytest.mark.slow
@pytest.mark.parametrize("names", MIXES)
def test_native_games_of_all_boxes_are_those_of_the_engine(names: str) -> None:
    ruleset = _rules(names)
    for seed in range(100):
        game = _game(ruleset, seed)
        _same(game, NativePlayouts(game), seed)


def test_many_seeds_are_answered_in_order_and_as_one_by_one() -> None:
    native = NativePlayouts(_game(_rules("base"), 1))
    seeds = [5, 3, 5, -8, 2**40, *range(2000)]
    assert list(native.many(seeds)) == [native(seed) for seed in seeds]


def test_a_seed_too_large_for_a_kernel_is_played_plainly() -> None:
    game = _game(_rules("base"), 1)
    native = NativePlayouts(game)
    assert native(2**70) == game.playout(2**70)
    assert native.faults == 1


def test_a_game_that_needs_more_room_is_played_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    game = _game(_rules(HEX), 1)
    native = NativePlayouts(game)
    played = native._memory.play

    def with_a_fault(*given: Any) -> Any:
        rows = played(*given)
        rows[:, 0] = 1
        return rows

    monkeypatch.setattr(native._memory, "play", with_a_fault)
    assert native(4) == game.playout(4)
    assert native.faults == 1


OWN = """
rule spread "Spread":
    "Odd jumps."
    gold 1 per hex in straight(mine, count(mine))
"""


def test_what_cannot_be_lowered_is_named_with_its_place() -> None:
    ruleset = load("base", texts=[RuleText("own.kb", OWN)])
    with pytest.raises(NotLowered) as refused:
        NativePlayouts(_game(ruleset, 1))
    assert "`straight`" in str(refused.value)
    assert refused.value.span is not None and refused.value.span.source.name == "own.kb"


def test_without_numba_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kbrules.compile.native.jit", None)
    with pytest.raises(MissingNumba) as missing:
        playouts._compiler()
    assert missing.value.help == "pip install 'kbrules[fast]'"


def test_a_card_that_is_only_paid_shares_the_kernel_of_others() -> None:
    ruleset = _rules("base")
    kernels = {id(playouts.kernel_of(_game(ruleset, seed))[1]) for seed in range(8)}
    assert len(kernels) == 1
