"""Whole games played by the kernel against the same games played move by move.

By hand: `python -m tests.equal.outcomes --tables 50 --seed 7`. It ends with 0 if they agree.
"""

from __future__ import annotations

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import Outcome, outcome, play_to_end, random_bot
from kbrules.engine.simulation.playouts import Playouts
from tests.equal.games import agree
from tests.equal.settings import Setting
from tests.equal.unequal import where
from tests.kernel.traces import piece_masks

SEEDS = range(2)
"""Games on the table of one seed."""


def compared(setting: Setting, engine: str = PYTHON, games: int = SEEDS.stop) -> int:
    """Play games at the table of a setting in both ways; answers how many needed more room.

    Raises `Unequal` where the outcomes differ, or the pieces on the board at the end.
    """
    twin = setting.game(REFERENCE)
    playouts = Playouts(setting.game(REFERENCE), engine)
    for seed in range(games):
        try:
            agree_on_outcome(playouts, twin, setting.seed + seed)
        except Exception as error:
            error.add_note(where(setting, f"game {seed}", "outcomes --tables"))
            raise
    return playouts.faults


def compared_natively(setting: Setting, games: int = 20) -> int:
    """The same of games by the native kernel, which takes seconds to be made."""
    return compared(setting, NATIVE, games)


def _agree_on_outcomes(mine: Outcome, theirs: Outcome) -> None:
    for name in Outcome._fields:
        agree(f"{name} of the outcome", getattr(mine, name), getattr(theirs, name))


def agree_on_outcome(playouts: Playouts, twin: Game, seed: int) -> None:
    """What comes of the game of a seed, and its pieces, in both ways. Raises `Unequal`."""
    bots = [random_bot] * twin.players
    _agree_on_outcomes(playouts(seed), outcome(twin, seed, bots))
    end = play_to_end(twin, seed, bots)
    agree("pieces of nobody", piece_masks(playouts)["nobody"], [*end.neutral])
    for player, seat in enumerate(end.seats):
        agree(f"pieces of {player}", piece_masks(playouts)[str(player)], [*seat.pieces])


if __name__ == "__main__":
    from tests.equal.by_hand import finish

    finish()
