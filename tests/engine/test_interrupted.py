"""Ctrl-C while the functions of a kernel are being made: the next game is played as ever."""

from __future__ import annotations

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.kernel.python import PythonKernel
from kbrules.library.load import load
from tests.shipped import compile_anew


def table() -> Game:
    ruleset = load("base")
    return game_at(ruleset, choose_table(ruleset, 2, 3))


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tenth function is not made the first time."""
    compile_anew(monkeypatch)
    makes = PythonKernel._compile
    parts: list[str] = []

    def made(self: PythonKernel, name: str) -> object:
        parts.append(name)
        if len(parts) == 10:
            raise KeyboardInterrupt
        return makes(self, name)

    monkeypatch.setattr(PythonKernel, "_compile", made)
    return parts


def test_a_game_at_a_stretch_is_played_again(stops: list[str]) -> None:
    game = table()
    with pytest.raises(KeyboardInterrupt):
        for seed in range(9):
            game.playout(seed)
    assert [game.playout(seed) for seed in range(9)] == [table().playout(n) for n in range(9)]
    assert len(stops) > 20
