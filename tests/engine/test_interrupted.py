"""Ctrl-C while a program of whole games is being written: the next game is played as ever."""

from __future__ import annotations

from typing import Any

import pytest

from kbrules.compile.whole.program import Written
from kbrules.engine.game import Game
from kbrules.engine.playthrough import Playthrough
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.random import Random
from kbrules.library.load import load


def table() -> Game:
    ruleset = load("base")
    return game_at(ruleset, choose_table(ruleset, 2, 3))


def played(play: Playthrough) -> Any:
    while play.moves:
        play.apply(play.moves.sample(Random(7, f"move {len(play._log)}")))
    return play.outcome()


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The second part that is written is written by half."""
    writes = Written._part
    parts: list[str] = []

    def part(self: Written, answer: str) -> Any:
        parts.append(answer)
        made = writes(self, answer)
        if len(parts) == 2:
            self._of_tiles.clear()
            self._giving.clear()
            raise KeyboardInterrupt
        return made

    monkeypatch.setattr(Written, "_part", part)
    return parts


def test_a_game_in_place_goes_on(stops: list[str]) -> None:
    game = table()
    play = game.playthrough(7)
    with pytest.raises(KeyboardInterrupt):
        played(play)
    assert played(play) == played(table().playthrough(7))
    assert played(game.playthrough(8)) == played(table().playthrough(8))
    assert len(stops) > 3


def test_a_game_at_a_stretch_is_played_again(stops: list[str]) -> None:
    game = table()
    with pytest.raises(KeyboardInterrupt):
        for seed in range(9):
            game.playout(seed)
    assert [game.playout(seed) for seed in range(9)] == [table().playout(n) for n in range(9)]
    assert len(stops) > 3
