"""Whole games played at a stretch against the same games played move by move.

By hand: `python -m tests.equal.outcomes --tables 50 --seed 7`. It ends with 0 if they agree.
"""

from __future__ import annotations

from kbrules.engine.evaluators import generated, reference
from kbrules.engine.game import Game
from kbrules.engine.match import play_out
from kbrules.engine.outcome import Outcome, outcome
from kbrules.engine.playouts import Playouts
from kbrules.tools.bots import chance
from tests.equal.games import SLOTS, agree
from tests.equal.settings import Setting
from tests.equal.unequal import where

SEEDS = range(2)
"""Games on the table of one seed."""


def compared(setting: Setting) -> int:
    """Play games at the table of a setting in both ways; answers how many had rare moments.

    Raises `Unequal` where the outcomes differ, or the tables at the end.
    """
    game, twin = setting.game(generated), setting.game(reference)
    playouts = Playouts(game)
    before = playouts.record.rare
    for seed in SEEDS:
        try:
            _agree(playouts, twin, setting.seed + seed)
        except Exception as error:
            error.add_note(where(setting, f"game {seed}", "outcomes --tables"))
            raise
    return playouts.record.rare - before


def compared_natively(setting: Setting, games: int = 20) -> int:
    """The same of games played by a native program, which knows no rare moments.

    It takes seconds to make one.
    """
    game, twin = setting.game(generated), setting.game(reference)
    seeds = range(setting.seed, setting.seed + games)
    for seed, mine in zip(seeds, game.playouts(seeds), strict=True):
        try:
            _agree_on_outcomes(mine, outcome(twin, seed, [chance] * twin.players))
        except Exception as error:
            error.add_note(where(setting, f"game {seed}", "outcomes --native --tables"))
            raise
    return 0


def _agree_on_outcomes(mine: Outcome, theirs: Outcome) -> None:
    for name in Outcome._fields:
        agree(f"{name} of the outcome", getattr(mine, name), getattr(theirs, name))


def _agree(playouts: Playouts, twin: Game, seed: int) -> None:
    bots = [chance] * twin.players
    _agree_on_outcomes(playouts(seed), outcome(twin, seed, bots))
    final = playouts.final(seed)
    if final is not None:
        end = play_out(twin, seed, bots)
        for slot in SLOTS:
            agree(f"{slot} of the table at the end", getattr(final, slot), getattr(end, slot))
        agree("hash of the table at the end", final.hash(), end.hash())


if __name__ == "__main__":
    from tests.equal.by_hand import finish

    finish()
