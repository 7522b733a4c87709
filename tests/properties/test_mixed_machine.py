"""The machine that also tries what is not offered and looks back, at tables of mixed boxes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import initialize, rule

from kbrules.engine.setup import choose_table, game_at
from kbrules.game.moves import Move
from kbrules.game.random import Random
from tests.properties.mixed_laws import Laws
from tests.properties.mixes import MIXES, rules
from tests.properties.test_games import LONGEST, SEEDS, VERBS, Games, _hexes


@lru_cache(maxsize=1)
def names() -> list[str]:
    """What a move may be said to belong to: any rule of any box, or none that there is."""
    return sorted({rule.id for rule in rules(MIXES[-1]).rules} | {"turn", "", "nobody"})


class MixedGames(Games):
    """The same machine under the laws of all boxes."""

    @initialize(
        boxes=st.sampled_from(MIXES[1:]), players=st.integers(2, 5), seed=SEEDS, flips=st.data()
    )
    def sit_down(self, boxes: tuple[str, ...], players: int, seed: int, flips: Any) -> None:
        ruleset = rules(boxes)
        most = ruleset.parts.players[1]
        flipped = flips.draw(st.lists(st.sampled_from(list(ruleset.options)), unique=True))
        options = {name: not ruleset.options[name] for name in flipped}
        table = choose_table(ruleset, min(players, most), seed, options=options)
        self.game = game_at(ruleset, table)
        self.laws = Laws(self.game)
        self.played: list[Move] = []
        start = self.game.start()
        self.path = [(start, start.hash())]
        self.laws.begin(start)

    def play(self, move: Move) -> None:
        before = self.state
        step = self.game.play(before, move)
        self.laws.step(before, move, step)
        self.played.append(move)
        self.path.append((step.state, step.state.hash()))

    @rule(verb=st.sampled_from((*VERBS, "place", "remove", "mark")), index=SEEDS, seed=SEEDS)
    def try_any(self, verb: str, index: int, seed: int) -> None:
        hexes = _hexes(self.game)
        name = names()[index % len(names())]
        self.attempt(Move(verb, name, hexes[seed % len(hexes)]))

    def teardown(self) -> None:
        """Every game comes to its end, and the same moves lead there again."""
        if not hasattr(self, "game"):
            return
        random = Random(len(self.played), "to the end")
        while not self.state.is_over:
            self.play(self.game.legal_moves(self.state).sample(random))
            assert len(self.played) < LONGEST
        self.laws.end(self.state)
        self.replay()


class ManyMixedGames(MixedGames):
    """The same for longer."""


quick = settings(max_examples=15, stateful_step_count=20, deadline=None)
MixedGames.TestCase.settings = quick
ManyMixedGames.TestCase.settings = settings(quick, max_examples=800, stateful_step_count=40)
TestMixedGames = MixedGames.TestCase
TestManyMixedGames = pytest.mark.slow(ManyMixedGames.TestCase)
